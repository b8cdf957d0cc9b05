"""Run an author's script in the sandbox and bring out what was recorded."""

from __future__ import annotations

import json
import shutil
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from plotchain_lib.item import PlotChainError
from plotchain_lib.suites.matplotgym import fonts
from plotchain_lib.suites.matplotgym.importing import start
from plotchain_lib.suites.matplotgym.importing.notebook import Notebook
from plotchain_lib.suites.matplotgym.importing.pins import Pins
from plotchain_lib.suites.matplotgym.importing.project import Copied, Project
from plotchain_lib.suites.matplotgym.sandbox import open_sandbox, sealing_problem
from plotchain_lib.suites.matplotgym.submission import read_outcome
from plotchain_lib.suites.matplotgym.watch import Limits, Result
from plotchain_lib.suites.matplotgym.workspace import empty, read_file

_HERE = Path(__file__).resolve().parent
_INSIDE = ("start.py", "record.py", "lenient.py", "stubs.py")
_ROOM_BYTES, _ROOM_FILES = 2 << 30, 20_000  # for what the script writes
_LARGEST = 256 << 20
_MISSING = (
    "bubblewrap (bwrap) {why}, and without it the script could read and change what you can; "
    "install it, or allow that with --unsealed"
)
_BOUND = {
    "time": "it ran for {seconds:.0f} s; allow more with --seconds",
    "memory": "it took more memory than {memory} GB; allow more with --memory-gb",
    "processes": "it started too many processes",
    "output": "it printed too much",
    "workspace": "it wrote too much",
}


LIMITS = Limits(
    seconds=600.0, memory_bytes=8 << 30, processes=512, file_bytes=2 << 30,
    output_bytes=64 << 20, kept_bytes=500_000,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Setup:
    """How a script is run.

    Attributes:
        arguments: the script's own.
        stubs: modules replaced by empty ones.
        limits: of time and memory; the rest follows the project's size.
        unsealed: whether to run without bubblewrap where it is missing.
    """

    arguments: tuple[str, ...] = ()
    stubs: tuple[str, ...] = ()
    limits: Limits = LIMITS
    unsealed: bool = False

    def __post_init__(self) -> None:
        """Raise PlotChainError where a stub is no module's name or one that is needed."""
        for name in self.stubs:
            if not all(part.isidentifier() for part in name.split(".")):
                raise PlotChainError(f"--stub {name}: not the name of a module")
            if name.split(".")[0] in ("matplotlib", "numpy", "mpl_toolkits", "plotchain_lib"):
                raise PlotChainError(f"--stub {name}: the figure is read with it; it is needed")


@dataclass(frozen=True, slots=True)
class Recorded:
    """What a run recorded.

    Attributes:
        figures: the specs, in the order of their figures' last moments.
        details: of each figure `inches`, `saved` (names), `picture` (PNG bytes or None).
        error: how the script failed, in one line; empty where it did not.
        notes: what was passed over, one line each.
        versions: of Python and the libraries the figure depends on.
        output: what the script printed.
        sealed: whether it ran in a sandbox.
    """

    figures: Sequence[dict[str, Any]]
    details: Sequence[dict[str, Any]]
    error: str
    notes: Sequence[str]
    versions: dict[str, str]
    output: str
    sealed: bool


def refuse_unsealed(allowed: bool) -> None:
    """Raise PlotChainError where there is no bubblewrap that works and that is not allowed."""
    if (problem := sealing_problem()) and not allowed:
        raise PlotChainError(_MISSING.format(why=problem))


def run_project(
    desk: Path, project: Project, copied: Copied, book: Notebook | None, setup: Setup, pins: Pins
) -> Recorded:
    """Run the copy of a project that lies in `desk`/project.

    Raises PlotChainError where the interpreter cannot be used or a limit is reached, and as
    `open_sandbox` does.
    """
    refuse_unsealed(setup.unsealed)
    own = pins.program == Path(sys.executable).absolute()
    prepared = fonts.prepared(unsealed=setup.unsealed) if own else None
    runs = open_sandbox(unsealed=setup.unsealed, fonts=prepared, shown=pins.shown)
    library = _lay_out(desk, project, book, setup)
    limits = replace(
        setup.limits,
        workspace_bytes=copied.size + _ROOM_BYTES, workspace_files=copied.files + _ROOM_FILES,
    )  # fmt: skip
    result = runs([str(pins.program), f"{library}/start.py"], desk, limits)
    if result.code == start.UNFIT and not result.stopped:
        reason = result.output.strip().rpartition("\n")[2]
        raise PlotChainError(f"{pins.program}: {reason}; name another with --python")
    return _read(desk, result, limits)


def _lay_out(desk: Path, project: Project, book: Notebook | None, setup: Setup) -> str:
    """The plan and the copy of what has to run inside; the place of the latter."""
    inside = desk / ".recorder"
    top = inside / "plotchain_lib" / "suites" / "matplotgym"
    shutil.copytree(_HERE.parent / "figure", top / "figure", ignore=_caches)
    (top / "importing").mkdir()
    for name in _INSIDE:
        shutil.copy(_HERE / name, top / "importing" / name)
    for folder in (top / "importing", top, top.parent, top.parent.parent):
        (folder / "__init__.py").write_text("")
    cells = None
    if book is not None:
        cells = [{"number": number, "code": code} for number, code in book.cells]
    at = Path("project") / (project.cwd if book else project.script.parent)
    plan = {
        "script": f"project/{project.script.as_posix()}", "path": at.as_posix(),
        "cwd": f"project/{project.cwd.as_posix()}", "arguments": setup.arguments,
        "stubs": setup.stubs, "cells": cells, "flush": book.flush if book else False,
    }  # fmt: skip
    (desk / start.PLAN).write_text(json.dumps(plan), encoding="utf-8")
    return (top / "importing").relative_to(desk).as_posix()


_caches = shutil.ignore_patterns("__pycache__")


def _read(desk: Path, result: Result, limits: Limits) -> Recorded:
    """What lies in the recorder's folder; the script may have written it."""
    if result.stopped:
        memory = limits.memory_bytes >> 30
        why = _BOUND[result.stopped].format(seconds=limits.seconds, memory=memory)
        return Recorded([], [], why, [], {}, result.output, result.sealed)
    outcome = read_file(desk, "recorded/outcome.json", _LARGEST)
    report = read_file(desk, "recorded/details.json", _LARGEST)
    if outcome is None or report is None:
        last = result.output.strip().rpartition("\n")[2]
        why = f"it ended with exit code {result.code} before its figures were written: {last}"
        return Recorded([], [], why, [], {}, result.output, result.sealed)
    figures, _, error = read_outcome(outcome)
    try:
        more = json.loads(report)
        details = [_detail(desk, entry) for entry in more["details"]]
        notes = [str(note) for note in more["notes"]]
        versions = {str(name): str(value) for name, value in more["versions"].items()}
    except (ValueError, KeyError, TypeError, AttributeError) as problem:
        raise PlotChainError("the script wrote over what was recorded of it") from problem
    if len(details) != len(figures):
        raise PlotChainError("the script wrote over what was recorded of it")
    return Recorded(figures, details, error, notes, versions, result.output, result.sealed)


def _detail(desk: Path, entry: dict[str, Any]) -> dict[str, Any]:
    name = str(entry["picture"])
    picture = read_file(desk, f"recorded/{name}", _LARGEST) if "/" not in name else None
    return {
        "inches": [float(side) for side in entry["inches"]],
        "saved": [str(name) for name in entry["saved"]],
        "picture": picture if picture and picture.startswith(b"\x89PNG") else None,
    }


class Desk:
    """A temporary folder to run in; what a script left in it is removed whatever its rights."""

    def __enter__(self) -> Path:
        """The empty folder."""
        self._place = tempfile.mkdtemp(prefix="work-")
        return Path(self._place)

    def __exit__(self, *_: object) -> None:
        """Remove it."""
        empty(Path(self._place))
        shutil.rmtree(self._place, ignore_errors=True)
