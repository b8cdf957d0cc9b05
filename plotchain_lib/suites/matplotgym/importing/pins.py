"""The author's interpreter: which folders a sandbox has to show for it to run.

The interpreter is asked with ``-I -S``, so that nothing of its installed packages runs here; they
are looked at from outside.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from plotchain_lib.item import PlotChainError
from plotchain_lib.suites.matplotgym.bubblewrap import interpreter, outermost
from plotchain_lib.suites.matplotgym.importing.project import absolute

_ASK = "import json, sys; print(json.dumps([sys.base_prefix, sys.base_exec_prefix]))"
_TIMEOUT_S = 60.0


@dataclass(frozen=True, slots=True)
class Pins:
    """An interpreter, and the folders it and its packages lie in.

    Attributes:
        program: as it is started; never resolved, since a virtual environment is told by its link.
        shown: its folders, none inside another.
    """

    program: Path
    shown: tuple[Path, ...]


def pins_of(python: Path | None, more: tuple[Path, ...] = ()) -> Pins:
    """The pins of an interpreter; of this one where none is named. `more`: further folders.

    Raises PlotChainError where it is no Python 3 that runs, or a further folder is not there.
    """
    for folder in more:
        if not folder.is_dir():
            raise PlotChainError(f"{folder}: no such folder to show; check --show")
    also = {absolute(folder) for folder in more}
    if python is None:
        return Pins(Path(sys.executable).absolute(), outermost({*interpreter(), *also}))
    program = absolute(python.expanduser())
    if not program.is_file() or not os.access(program, os.X_OK):
        raise PlotChainError(f"{python}: no such interpreter; name its program with --python")
    found = {*_prefixes(program), *_environments(program)}
    found |= {place for folder in found for place in _named_in_pth(folder)}
    found |= {link.parent for link in _links(program)}
    return Pins(program, outermost({path for path in found | also if _can_be_shown(path)}))


def _prefixes(program: Path) -> set[Path]:
    command = [str(program), "-I", "-S", "-c", _ASK]
    try:
        run = subprocess.run(  # noqa: S603 - the interpreter the user named, without its packages
            command, capture_output=True, text=True, timeout=_TIMEOUT_S, check=True
        )
        return {Path(prefix) for prefix in json.loads(run.stdout)}
    except (OSError, subprocess.SubprocessError, ValueError, TypeError) as error:
        raise PlotChainError(
            f"{program}: not a Python 3 interpreter that runs; name its program with --python"
        ) from error


def _links(program: Path) -> Iterator[Path]:
    """The program and every link on the way to the file it is."""
    seen: set[Path] = set()
    while program not in seen:
        seen.add(program)
        yield program
        if program.is_symlink():
            program = absolute(program.parent / program.readlink())
    yield program.resolve()


def _environments(program: Path) -> Iterator[Path]:
    """The virtual environments the program's links lie in."""
    for link in _links(program):
        for folder in (link.parent, link.parent.parent):
            if (folder / "pyvenv.cfg").is_file():
                yield folder


def _named_in_pth(prefix: Path) -> Iterator[Path]:
    """Folders outside that a prefix's packages are read from too (editable installs)."""
    for listing in prefix.glob("lib*/python*/site-packages/*.pth"):
        for line in listing.read_text(encoding="utf-8", errors="replace").splitlines():
            if line.strip() and not line.startswith(("import ", "import\t", "#")):
                place = absolute(listing.parent / line.strip())
                if place.is_dir():
                    yield place


def _can_be_shown(path: Path) -> bool:
    """Not the whole file system, and not a whole home."""
    return path.is_dir() and path != Path(path.anchor) and path != Path.home()
