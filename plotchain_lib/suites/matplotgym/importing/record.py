"""Inside the sandbox: run the author's script as its author would, and record every figure."""

from __future__ import annotations

import ast
import builtins
import functools
import json
import linecache
import os
import platform
import sys
import traceback
import types
from collections.abc import Mapping
from importlib import metadata
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
from matplotlib.figure import Figure

from plotchain_lib.suites.matplotgym.figure.capture import Capture, Shot
from plotchain_lib.suites.matplotgym.figure.run import EMPTY, NOTHING, write
from plotchain_lib.suites.matplotgym.figure.spec import plain
from plotchain_lib.suites.matplotgym.importing.lenient import be_lenient
from plotchain_lib.suites.matplotgym.importing.stubs import Nothing, install

OUT = "recorded"
_LONGEST_SIDE = 1000  # pixels of a picture
_LIBRARIES = ("numpy", "matplotlib", "pandas", "seaborn", "scipy")


class Recording(Capture):
    """Records figures with a picture of each and the names they were saved under."""

    def __init__(self, folder: Path) -> None:
        """`folder`: where the pictures go."""
        super().__init__()
        self.notes: list[str] = []
        self.pictures: dict[int, str] = {}
        self.names: dict[int, list[str]] = {}
        self._folder = folder
        self._busy = False
        self._name: str | None = None

    def note(self, text: str) -> None:
        """Keep a line for the user, once."""
        if text not in self.notes:
            self.notes.append(text)

    def __enter__(self) -> Recording:
        """Hook in; a figure that cannot be written to its file is no crash of the script."""
        self._draw = Figure.savefig
        super().__enter__()
        hooked = Figure.savefig

        @functools.wraps(hooked)
        def savefig(figure: Figure, fname: Any, *args: Any, **kwargs: Any) -> None:
            self._name = Path(fname).name if isinstance(fname, str | os.PathLike) else None
            try:
                hooked(figure, fname, *args, **kwargs)
            except Exception as error:
                reason = f"{type(error).__name__}: {error}".splitlines()[0]
                self.note(f"savefig({self._name}) failed ({reason}); the script went on")
            finally:
                self._name = None

        setattr(Figure, "savefig", savefig)  # noqa: B010 - of another signature
        self._undo.append(lambda: setattr(Figure, "savefig", hooked))
        return self

    def take(self, figure: Figure, *, saved: bool) -> None:
        """As `Capture.take`; what cannot be read is said and is no crash of the script."""
        if self._busy:
            return
        before = {id(shot): shot.spec for shot in self.shots}
        self._busy = True
        try:
            super().take(figure, saved=saved)
            for shot in self.shots:
                if shot.figure is figure and before.get(id(shot)) is not shot.spec:
                    self._keep(shot)
        except Exception as error:
            traceback.print_exc()
            self.note(f"a figure could not be read ({type(error).__name__}: {error})")
        finally:
            self._busy = False

    def _keep(self, shot: Shot) -> None:
        names = self.names.setdefault(id(shot), [])
        if self._name and self._name not in names:
            names.append(self._name)
        name = self.pictures.get(id(shot)) or f"{len(self.pictures) + 1}.png"
        dpi = min(100.0, _LONGEST_SIDE / max(shot.figure.get_size_inches()))
        try:
            self._draw(shot.figure, self._folder / name, dpi=dpi, format="png")
        except Exception as error:
            self.note(f"no picture of a figure ({type(error).__name__}: {error})")
        else:
            self.pictures[id(shot)] = name


def record(plan: Mapping[str, Any], desk: str) -> None:
    """Run what the plan names and write `recorded/outcome.json` and `recorded/details.json`.

    The plan holds `script` (a path below `desk`), `arguments`, `stubs`, and for a notebook
    `cells` (number and code of each) and `flush` (whether figures end with their cell).
    """
    folder = Path(desk, OUT)
    folder.mkdir()
    recording = Recording(folder)
    be_lenient(recording.note)
    install(plan["stubs"])
    script = str(Path(desk, plan["script"]))
    sys.argv = [os.path.relpath(script), *plan["arguments"]]
    with recording:
        error = _error_of(plan, script, desk, recording)
    chosen = recording.chosen()
    if error is None and chosen is None:
        error = EMPTY if recording.shots else NOTHING
    figures = [plain(shot.spec) for shot in recording.shots]
    write({"figures": figures, "chosen": chosen, "error": error}, folder / "outcome.json")
    details = [
        {
            "inches": [round(float(side), 2) for side in shot.figure.get_size_inches()],
            "saved": recording.names.get(id(shot), []),
            "picture": recording.pictures.get(id(shot)),
        }
        for shot in recording.shots
    ]
    report = {"details": details, "notes": recording.notes, "versions": _versions()}
    (folder / "details.json").write_text(json.dumps(report), encoding="utf-8")


def _error_of(plan: Mapping[str, Any], script: str, desk: str, recording: Recording) -> str | None:
    """Run it; what it raised in one line with its place, or None where it ended well."""
    try:
        if plan["cells"] is None:
            _execute(Path(script).read_bytes(), script, _main_module(script))
        else:
            _run_cells(plan, recording)
    except SystemExit as leaving:
        return None if leaving.code in (None, 0) else f"SystemExit: {leaving.code}"
    except BaseException as error:
        traceback.print_exc()
        text = f"{type(error).__name__}: {error}".splitlines()[0]
        return f"{_place(error, desk)}{text}"
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
    return None


def _place(error: BaseException, desk: str) -> str:
    """Where the author's own code raised it."""
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        inside = frame.filename.startswith(str(Path(desk, "project")))
        if inside or frame.filename.startswith("<cell"):
            name = Path(frame.filename).name.strip("<>")
            return f"{name}, line {frame.lineno}: "
    return ""


def _execute(source: bytes | ast.Module, name: str, space: dict[str, Any]) -> None:
    # Not with this module's own future imports: they change what annotations are.
    exec(compile(source, name, "exec", dont_inherit=True), space)  # noqa: S102 - sandboxed


def _main_module(script: str | None) -> dict[str, Any]:
    """The names of a new main module; not by `runpy`, which changes the script's arguments."""
    module = types.ModuleType("__main__")
    sys.modules["__main__"] = module
    if script is not None:
        module.__file__ = script
    module.__dict__["__builtins__"] = builtins
    return module.__dict__


def _run_cells(plan: Mapping[str, Any], recording: Recording) -> None:
    """A notebook's cells in one namespace; shown figures end with their cell, as they do there."""
    space = _main_module(None)

    def display(*objects: Any, **_: Any) -> None:
        for thing in objects:
            if isinstance(thing, Figure):
                recording.take(thing, saved=True)

    space.update(display=display, get_ipython=Nothing)
    for cell in plan["cells"]:
        name, code = f"<cell {cell['number']}>", cell["code"]
        linecache.cache[name] = (len(code), None, code.splitlines(keepends=True), name)
        tree = ast.parse(code, name)
        last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
        _execute(tree, name, space)
        if isinstance(last, ast.Expr):
            expression = compile(ast.Expression(last.value), name, "eval", dont_inherit=True)
            value = eval(expression, space)  # noqa: S307 - the author's code, sandboxed
            space["_"] = value
            display(value)
        if plan["flush"]:
            plt.close("all")


def _versions() -> dict[str, str]:
    found = {"python": platform.python_version()}
    for name in _LIBRARIES:
        if name in sys.modules:
            try:
                found[name] = metadata.version(name)
            except metadata.PackageNotFoundError:
                found[name] = str(getattr(sys.modules[name], "__version__", "unknown"))
    return found
