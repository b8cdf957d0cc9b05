"""Tasks of the figure suite: a folder each, read and checked.

``python -m plotchain_lib.suites.matplotgym.task --check`` checks every shipped task and runs its
reference script in a copy of its workspace, in the agent's sandbox.
"""

import argparse
import hashlib
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

from plotchain_lib.item import PlotChainError, write_atomically
from plotchain_lib.suites.matplotgym.words import DECISIONS
from plotchain_lib.suites.matplotgym.words import DISCIPLINES as DISCIPLINES

if TYPE_CHECKING:
    from plotchain_lib.suites.matplotgym.sandbox import Runs

FILE_LIMIT_BYTES = 300_000
_KEYS = ("id", "title", "claim", "discipline", "review", "decisions", "files")


@dataclass(frozen=True)
class DataFile:
    """A data file of a task, its path relative to the workspace, and where it comes from."""

    path: str
    source: str
    url: str
    licence: str
    terms: str
    sha256: str


@dataclass(frozen=True)
class Task:
    """A task as read from its folder."""

    folder: Path
    id: str
    title: str
    claim: str
    discipline: str
    review: str
    decisions: tuple[str, ...]
    files: tuple[DataFile, ...]
    derived_columns: tuple[str, ...]
    answer_tokens: tuple[str, ...]

    @property
    def workspace(self) -> Path:
        """The folder the agent gets a copy of."""
        return self.folder / "workspace"

    @property
    def reference(self) -> Path:
        """The script that draws the reference figure; it runs in a copy of the workspace."""
        return self.folder / "reference.py"


def load_task(folder: Path) -> Task:
    """The task of a folder; ValueError with every defect, one a line, if it has any."""
    defects = task_defects(folder)
    if defects:
        raise ValueError("\n".join(defects))
    record = _record(folder)
    keys = DataFile.__dataclass_fields__
    return Task(
        folder=folder,
        files=tuple(DataFile(**{key: file[key] for key in keys}) for file in record["files"]),
        decisions=tuple(record["decisions"]),
        derived_columns=tuple(record.get("derived_columns") or ()),
        answer_tokens=tuple(record.get("answer_tokens") or ()),
        **{key: str(record[key]) for key in ("id", "title", "claim", "discipline", "review")},
    )


def task_defects(folder: Path) -> list[str]:
    """What is wrong with a task folder, one line each: where, what, and how to mend it."""
    for name in (
        "task.yaml",
        "reference.py",
        "workspace/make_figure.py",
        "workspace/data/SCHEMA.md",
    ):
        if not (folder / name).is_file():
            return [f"{folder.name}: {name} is missing: add it"]
    try:
        record = _record(folder)
    except (yaml.YAMLError, ValueError) as error:
        return [f"{folder.name}: task.yaml: {' '.join(str(error).split())}"]
    missing = [key for key in _KEYS if not record.get(key)]
    if missing:
        return [f"{folder.name}: task.yaml: {', '.join(missing)} missing: add it"]
    problems = [*_record_problems(folder, record), *_workspace_problems(folder, record)]
    return [f"{folder.name}: {problem}" for problem in problems]


def _record(folder: Path) -> dict[str, Any]:
    record = yaml.safe_load((folder / "task.yaml").read_text(encoding="utf-8"))
    if not isinstance(record, dict):
        raise ValueError("not a mapping: write keys and values")
    return record


def _record_problems(folder: Path, record: dict[str, Any]) -> Iterator[str]:
    if record["id"] != folder.name:
        yield f"task.yaml: id {record['id']} differs from the folder's name: make them equal"
    if record["discipline"] not in DISCIPLINES:
        yield f"unknown discipline {record['discipline']}: use one of {', '.join(DISCIPLINES)}"
    for decision in record["decisions"]:
        if decision not in DECISIONS:
            yield f"unknown decision {decision}: use some of {', '.join(DECISIONS)}"
    if len(set(record["decisions"])) < 3:
        yield "fewer than three decisions: a task exercises at least three"
    if record["review"] != "curated":
        yield f"unknown review status {record['review']}: use curated"


def _workspace_problems(folder: Path, record: dict[str, Any]) -> Iterator[str]:
    workspace = folder / "workspace"
    stub = (workspace / "make_figure.py").read_text(encoding="utf-8")
    if len(stub.splitlines()) != 1:
        yield "make_figure.py is not one line: the stub is a single comment"
    declared = {str(entry.get("path")) for entry in record["files"]}
    for entry in record["files"]:
        yield from _file_problems(workspace, entry)
    known = {"make_figure.py", "data/SCHEMA.md"} | declared
    for path in sorted(p for p in workspace.rglob("*") if p.is_file()):
        name = path.relative_to(workspace).as_posix()
        if name not in known:
            yield f"{name} is not listed under files: list it with source and licence, or delete it"


def _file_problems(workspace: Path, entry: dict[str, Any]) -> Iterator[str]:
    name = str(entry.get("path"))
    for key in DataFile.__dataclass_fields__:
        if not entry.get(key):
            yield f"{name}: {key} missing: record it in task.yaml"
    path = workspace / name
    if not path.resolve().is_relative_to(workspace.resolve()):
        yield f"{name}: outside the workspace: move it in"
    elif not path.is_file():
        yield f"{name}: file missing: add it or take it off the list"
    else:
        content = path.read_bytes()
        if len(content) > FILE_LIMIT_BYTES:
            yield f"{name}: {len(content)} bytes, limit {FILE_LIMIT_BYTES}: ship fewer raw rows"
        digest = hashlib.sha256(content).hexdigest()
        if entry.get("sha256") and digest != entry["sha256"]:
            yield f"{name}: checksum mismatch: restore the file, or record sha256 {digest}"


def tasks_root() -> Path:
    """The folder of the shipped tasks, in a checkout as in an installed package."""
    return Path(str(files("plotchain_lib.suites.matplotgym") / "tasks"))


def shipped_tasks() -> dict[str, list[Task]]:
    """Discipline → its shipped tasks, by id; ValueError with all defects if there are any."""
    folders = sorted(folder for folder in tasks_root().iterdir() if folder.is_dir())
    defects = [defect for folder in folders for defect in task_defects(folder)]
    if defects:
        raise ValueError("\n".join(defects))
    tasks = [load_task(folder) for folder in folders]
    return {name: [t for t in tasks if t.discipline == name] for name in DISCIPLINES}


_PICTURE = "picture.png"
_DRAWN = f"""

import matplotlib.pyplot as plt
if len(plt.get_fignums()) != 1:
    raise SystemExit(f"{{len(plt.get_fignums())}} figures instead of one")
plt.gcf().savefig({_PICTURE!r}, dpi=100)
"""


def draw_reference(task: Task, runs: "Runs") -> bytes:
    """The figure of a task's reference as a PNG, drawn in a sandbox, in a copy of the workspace.

    Raises ValueError with the last line of a crash, or where it makes no figure or several.
    """
    # Only here: whoever reads tasks alone needs no sandbox.
    from plotchain_lib.suites.matplotgym.prompt import SUBMISSION
    from plotchain_lib.suites.matplotgym.submission import PYTHON, run_in_copy
    from plotchain_lib.suites.matplotgym.workspace import files_of

    script = task.reference.read_text(encoding="utf-8") + _DRAWN
    given = {**files_of(task.workspace), SUBMISSION: script.encode()}
    result, kept = run_in_copy(given, [PYTHON, SUBMISSION], runs, kept=[_PICTURE])
    picture = kept[_PICTURE]
    if result.code or result.stopped or picture is None:
        reason = result.stopped or (result.output.strip() or "no message").splitlines()[-1]
        raise ValueError(f"{task.id}: reference.py: {reason}")
    return picture


def main(arguments: list[str] | None = None) -> int:
    """List the shipped tasks; with ``--check``, draw each reference too. 1 on any defect."""
    from plotchain_lib.suites.matplotgym.fonts import prepared
    from plotchain_lib.suites.matplotgym.sandbox import open_sandbox

    parser = argparse.ArgumentParser(description="Shipped tasks of the figure suite.")
    parser.add_argument("--check", action="store_true", help="run every reference script")
    parser.add_argument("--pictures", type=Path, help="keep the pictures in this folder")
    parser.add_argument("--unsealed", action="store_true", help="do without bubblewrap")
    options = parser.parse_args(arguments)
    try:
        by_discipline = shipped_tasks()
        if options.check:
            fonts = prepared(unsealed=options.unsealed)
            runs = open_sandbox(unsealed=options.unsealed, fonts=fonts)
    except (ValueError, PlotChainError) as error:
        print(error, file=sys.stderr)
        return 1
    failed = 0
    for discipline, tasks in by_discipline.items():
        for task in tasks:
            print(f"{discipline}\t{task.id}\t{len(task.decisions)} decisions")
            if not options.check:
                continue
            try:
                picture = draw_reference(task, runs)
                if options.pictures:
                    write_atomically(options.pictures / f"{task.id}.png", picture)
            except ValueError as error:
                print(error, file=sys.stderr)
                failed = 1
    return failed


if __name__ == "__main__":
    sys.exit(main())
