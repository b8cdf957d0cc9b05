"""Make a task of an author's own figure: `python -m plotchain_lib.suites.matplotgym.importer`.

    importer SCRIPT --data DIR [-- arguments of the script]
    importer SCRIPT --data DIR --figure N --id ID --claim "..." ... [-- arguments of the script]

The script or notebook runs unmodified in the sandbox, with its own interpreter where one is named.
Without ``--figure`` its figures are listed, with a picture and the spec of each in a folder to look
at; with it, the task's folder is written, without the code. See docs/matplotgym-importer.md.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import yaml

from plotchain_lib.item import PlotChainError
from plotchain_lib.suites.matplotgym.gates import gates_of
from plotchain_lib.suites.matplotgym.importing import listing
from plotchain_lib.suites.matplotgym.importing.folder import TEXTS, Wanted, wanted_of, write_task
from plotchain_lib.suites.matplotgym.importing.notebook import Notebook, read_notebook
from plotchain_lib.suites.matplotgym.importing.pins import pins_of
from plotchain_lib.suites.matplotgym.importing.project import (
    Project,
    absolute,
    copy_project,
    find_project,
)
from plotchain_lib.suites.matplotgym.importing.runs import (
    LIMITS,
    Desk,
    Recorded,
    Setup,
    refuse_unsealed,
    run_project,
)
from plotchain_lib.suites.matplotgym.submissions import scoring_sandbox
from plotchain_lib.suites.matplotgym.task import read_task, task_defects

_HERE = Path(__file__).resolve().parent
_LONGEST_MODULE = 1_000_000  # bytes of a module of the author's that is looked for in the task


def main(arguments: Sequence[str] | None = None) -> int:
    """0 where all went well, 1 where a task was written that has defects, 2 for bad input."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    cut = given.index("--") if "--" in given else len(given)
    options = _parser().parse_args(given[:cut])
    try:
        return _import(options, tuple(given[cut + 1 :]))
    except PlotChainError as error:
        print(f"importer: {error}", file=sys.stderr)
        return 2


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="importer", allow_abbrev=False, description=(__doc__ or "").splitlines()[0],
        epilog="Everything after -- is given to the script.",
    )  # fmt: skip
    parser.add_argument("script", type=Path, help="the author's script (.py) or notebook (.ipynb)")
    parser.add_argument("--data", type=Path, required=True, help="the folder of its data files")
    run = parser.add_argument_group("how it is run")
    run.add_argument("--python", type=Path, help="its interpreter: a virtual environment's python")
    run.add_argument("--root", type=Path, help="all that it is given; found where not named")
    run.add_argument("--cwd", type=Path, help="where it is started; the script's own folder")
    run.add_argument("--stub", action="append", default=[], help="a module to replace by nothing")
    run.add_argument("--show", type=Path, action="append", default=[], help="more to be read")
    run.add_argument("--seconds", type=float, default=LIMITS.seconds, help="default 600")
    run.add_argument("--memory-gb", type=float, default=LIMITS.memory_bytes / 2**30)
    run.add_argument("--unsealed", action="store_true", help="where bubblewrap is missing")
    run.add_argument("--figures", type=Path, help="the folder to look at; SCRIPT-figures")
    task = parser.add_argument_group("the task")
    task.add_argument("--figure", type=int, help="the number of the figure to take")
    task.add_argument("--despite-crash", action="store_true", help="take it from a failed run")
    task.add_argument("--tasks", type=Path, default=Path("tasks"), help="the folder of tasks")
    task.add_argument("--task", type=Path, help="a YAML file with what follows")
    for name in TEXTS:
        task.add_argument(f"--{name}")
    task.add_argument("--file", action="append", default=[], help="of the data; all without any")
    task.add_argument("--schema", type=Path, help="the SCHEMA.md; drafted where there is none")
    return parser


def _import(options: argparse.Namespace, arguments: tuple[str, ...]) -> int:
    if not (options.seconds > 0 and options.memory_gb > 0):
        raise PlotChainError("--seconds and --memory-gb: numbers above 0")
    project = find_project(options.script, options.data, options.cwd, options.root)
    refuse_unsealed(options.unsealed)
    wanted: Wanted | None = None
    left_out: list[str] = []
    if options.figure is not None:
        wanted, left_out = wanted_of(
            _given(options), project.data, options.file, options.schema, options.tasks
        )
    limits = replace(LIMITS, seconds=options.seconds, memory_bytes=int(options.memory_gb * 2**30))
    setup = Setup(arguments, tuple(options.stub), limits, options.unsealed)
    folder = options.figures or Path(f"{options.script.stem}-figures")
    listing.refuse_others_folder(folder)
    recorded = _recorded(options, project, setup, folder)
    _refuse_failure(recorded, folder, options)
    if wanted is None:
        print(f"look at {folder}, then choose one with --figure N")
        return 0
    return _make_task(options, project, wanted, recorded, arguments, left_out)


def _given(options: argparse.Namespace) -> dict[str, Any]:
    """What the task's file and the options say; the options win."""
    record: Any = {}
    if options.task is not None:
        try:
            record = yaml.safe_load(options.task.read_text(encoding="utf-8"))
        except (OSError, yaml.YAMLError, UnicodeDecodeError) as error:
            reason = " ".join(str(error).split())
            raise PlotChainError(f"{options.task}: cannot be read ({reason})") from error
        if not isinstance(record, dict):
            raise PlotChainError(f"{options.task}: not a mapping; write keys and values")
    said = {name: getattr(options, name) for name in TEXTS}
    return {**record, **{name: text for name, text in said.items() if text is not None}}


def _recorded(
    options: argparse.Namespace, project: Project, setup: Setup, folder: Path
) -> Recorded:
    """The figures of a run, from the listing where nothing has changed since; a line for each."""
    pins = pins_of(options.python, tuple(options.show))
    book = _book(options.script)
    apart = [absolute(path) for path in (options.task, options.schema) if path is not None]
    with Desk() as desk:
        copied = copy_project(project, desk / "project", apart)
        print("\n".join(copied.left_out), end="\n" if copied.left_out else "")
        parts = [
            copied.digest, str(project.script), str(project.cwd), setup.arguments, setup.stubs,
            str(pins.program), [str(path) for path in pins.shown], _library_digest(),
        ]  # fmt: skip
        fingerprint = hashlib.sha256(json.dumps(parts).encode()).hexdigest()
        recorded = listing.read_listing(folder, fingerprint)
        if recorded is None:
            recorded = run_project(desk, project, copied, book, setup, pins)
            listing.write_listing(folder, recorded, fingerprint, options.script.name)
        else:
            print(f"nothing has changed since {folder} was written: nothing was run again")
    for line in [*(book.dropped if book else ()), *recorded.notes]:
        print(f"passed over: {line}")
    if not recorded.sealed:
        print("it ran unsealed: it could read and change what you can")
    for number, spec in enumerate(recorded.figures, start=1):
        print(listing.line_of(number, spec, recorded.details[number - 1]))
        for what in spec.get("unrepresented", []):
            print(f"    not represented: {what}")
    return recorded


def _book(script: Path) -> Notebook | None:
    return read_notebook(script) if script.suffix == ".ipynb" else None


def _library_digest() -> str:
    """Of what reads figures: another version may read the same figure otherwise."""
    total = hashlib.sha256()
    for path in sorted([*(_HERE / "figure").glob("*.py"), *(_HERE / "importing").glob("*.py")]):
        total.update(path.read_bytes())
    return total.hexdigest()


def _refuse_failure(recorded: Recorded, folder: Path, options: argparse.Namespace) -> None:
    """Raise PlotChainError where the script failed, drew nothing, or not the figure asked for."""
    count, number = len(recorded.figures), options.figure
    full = [n for n, spec in enumerate(recorded.figures, start=1) if _marks(spec)]
    if recorded.error and not (options.despite_crash and full):
        if recorded.error.startswith("the script drew"):
            raise PlotChainError(f"{options.script}: {recorded.error}; see {folder / listing.LOG}")
        hint = ""
        if "ModuleNotFoundError" in recorded.error:
            hint = "; name an interpreter that has it with --python, or replace it with --stub"
        if full:
            hint += f"; {count} figures before that can be taken with --despite-crash"
        log = folder / listing.LOG
        raise PlotChainError(f"{options.script} failed: {recorded.error}{hint}; see {log}")
    if number is not None and not 1 <= number <= count:
        raise PlotChainError(f"--figure {number}: there are {count}; choose from 1 to {count}")
    if number is not None and number not in full:
        raise PlotChainError(f"--figure {number}: shows no mark; choose another")


def _marks(spec: dict[str, Any]) -> int:
    return sum(len(panel["marks"]) for panel in spec.get("panels", []))


def _make_task(
    options: argparse.Namespace, project: Project, wanted: Wanted, recorded: Recorded,
    arguments: tuple[str, ...], left_out: Sequence[str],
) -> int:  # fmt: skip
    """Write the task, say what it holds, and try it."""
    spec = recorded.figures[options.figure - 1]
    origin = {
        "script": options.script.name,
        "script_sha256": hashlib.sha256(options.script.read_bytes()).hexdigest(),
        "arguments": list(arguments),
        "figure": options.figure,
        "of_figures": len(recorded.figures),
        "versions": dict(recorded.versions),
        "stubs": list(options.stub),
        "sealed": recorded.sealed,
        "error": recorded.error,
        "unrepresented": [str(what) for what in spec.get("unrepresented", [])],
    }
    folder = write_task(
        options.tasks, wanted, project.data, spec, origin, _sources(options, project)
    )
    print(f"figure {options.figure} is now {folder}; its data: {', '.join(wanted.files)}")
    for line in left_out:
        print(f"passed over: {line}")
    failed = _tried(folder, options.unsealed)
    for line in failed:
        print(f"to mend: {line}")
    print(
        f"when it is mended, run: python benchmarks/matplotgym_gates.py run "
        f"--tasks {options.tasks} {folder.name}" if failed else "no gate and no scan finds anything"
    )  # fmt: skip
    return int(bool(failed))


def _sources(options: argparse.Namespace, project: Project) -> list[str]:
    """The script's Python, then every other module's that the author has in the project."""
    book = _book(options.script)
    own = project.root / project.script
    script = (
        "\n".join(code for _, code in book.cells) if book else own.read_text("utf-8", "replace")
    )
    others = [
        path.read_text("utf-8", "replace")
        for path in sorted(project.root.rglob("*.py"))
        if path.is_file() and path != own and path.stat().st_size <= _LONGEST_MODULE
        and "site-packages" not in path.parts
    ]  # fmt: skip
    return [script, *others]


def _tried(folder: Path, unsealed: bool) -> list[str]:
    """What the task fails: defects of its folder, and the gates that apply."""
    task = read_task(folder)
    failed = task_defects(folder)
    try:
        runs = scoring_sandbox(unsealed=unsealed)
        for name, found in gates_of(task, runs):
            shown = ", ".join(f"{key} {value:.2f}" for key, value in found.figures.items())
            print(f"{name}: {shown or 'does not apply'}")
            failed += [line for line in found.failures if line not in failed]
    except PlotChainError as error:
        failed.append(f"{task.id}: {error}")
    return failed


if __name__ == "__main__":
    sys.exit(main())
