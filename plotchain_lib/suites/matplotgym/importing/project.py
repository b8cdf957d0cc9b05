"""The author's folder: what of the disk a script is given, and a copy of it to run in."""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from plotchain_lib.item import PlotChainError

MOST_BYTES = 2 << 30
MOST_FILES = 20_000
_LEFT_OUT = frozenset(
    {".git", ".hg", ".svn", "__pycache__", ".ipynb_checkpoints", ".snakemake", "node_modules"}
)


@dataclass(frozen=True, slots=True)
class Project:
    """A script, the folder it is given, and where in it things lie.

    Attributes:
        root: the folder, absolute.
        script, cwd: relative to the root.
        data: the folder of data, absolute and below the root.
    """

    root: Path
    script: Path
    cwd: Path
    data: Path


def find_project(script: Path, data: Path, cwd: Path | None, root: Path | None) -> Project:
    """The project of a script.

    The root is the smallest folder that holds the script's repository (or else its folder), the
    data and the working directory, unless it is named. Raises PlotChainError with one line where
    something is missing or lies outside.
    """
    if not script.is_file():
        raise PlotChainError(f"{script}: no such script; check its path")
    if script.suffix not in (".py", ".ipynb"):
        raise PlotChainError(f"{script}: neither a Python script (.py) nor a notebook (.ipynb)")
    for folder, option in ((data, "--data"), (cwd, "--cwd"), (root, "--root")):
        if folder is not None and not folder.is_dir():
            raise PlotChainError(f"{folder}: no such folder; check {option}")
    path, place = absolute(script), absolute(data)
    at = absolute(cwd) if cwd else path.parent
    if root is None:
        top = Path(os.path.commonpath([_repository(path.parent), place, at]))
        if top in (Path(top.anchor), Path.home()):
            raise PlotChainError(
                f"{script} and {data} have only {top} in common, which is too much to show a "
                "script; put them in one folder, or name one with --root"
            )
    else:
        top = absolute(root)
    for one, given in ((path, script), (place, data), (at, cwd)):
        if not one.is_relative_to(top):
            raise PlotChainError(
                f"{given}: outside {top}, which is all the script is given; move or link it in, or "
                "name a folder that holds both with --root"
            )
    return Project(top, path.relative_to(top), at.relative_to(top), place)


def absolute(path: Path) -> Path:
    """An absolute path with its links as they are: a link is where the user put it."""
    return Path(os.path.abspath(path))  # noqa: PTH100 - resolve would follow links


def _repository(folder: Path) -> Path:
    """The repository a folder lies in, or the folder itself."""
    for place in (folder, *folder.parents):
        if place != Path.home() and (place / ".git").exists():
            return place
    return folder


def _is_made(folder: Path) -> bool:
    """An environment, or what an import wrote: a list of figures, a task."""
    holds = {"pyvenv.cfg", "conda-meta"}, {"figures.json", "log.txt"}, {"task.yaml", "workspace"}
    names = {path.name for path in folder.iterdir()}
    return bool(names & holds[0]) or holds[1] <= names or holds[2] <= names


@dataclass(slots=True)
class Copied:
    """What was copied: its digest, its size, and what was left out, a line each."""

    digest: str = ""
    size: int = 0
    files: int = 0
    left_out: list[str] = field(default_factory=list)


def copy_project(project: Project, target: Path, apart: Collection[Path] = ()) -> Copied:
    """Copy the root to `target`, links as what they point to.

    `apart`: absolute paths of files that are the user's and no part of the project. A link
    that leads out of the root is left out, unless it leads to the data or the script.
    Raises PlotChainError where the root is larger than MOST_BYTES or MOST_FILES.
    """
    copied, total = Copied(), hashlib.sha256()
    script = (project.root / project.script).resolve()
    allowed = (project.root.resolve(), project.data.resolve(), script)
    target.mkdir()
    for path in _entries_below(project.root, allowed, copied, allowed[:1]):
        name = path.relative_to(project.root)
        if path in apart:
            continue
        if path.is_dir():
            (target / name).mkdir(parents=True, exist_ok=True)  # figures may be saved there
            continue
        copied.size += path.stat().st_size
        copied.files += 1
        if copied.size > MOST_BYTES or copied.files > MOST_FILES:
            raise PlotChainError(
                f"{project.root}: more than {MOST_BYTES >> 30} GB or {MOST_FILES:,} files; name a "
                "smaller folder that holds script and data with --root"
            )
        place = target / name
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(path, place)
        with path.open("rb") as stream:
            content = hashlib.file_digest(stream, "sha256").hexdigest()
        total.update(f"{name.as_posix()}\0{content}\n".encode("utf-8", "surrogateescape"))
    (target / project.cwd).mkdir(parents=True, exist_ok=True)
    copied.digest = total.hexdigest()
    return copied


def _entries_below(
    folder: Path, allowed: tuple[Path, ...], copied: Copied, above: tuple[Path, ...]
) -> Iterator[Path]:
    """Folders and files in a fixed order; `above`: the real folders on the way, against loops."""
    for path in sorted(folder.iterdir()):
        real = path.resolve()
        if path.is_symlink() and not any(real.is_relative_to(place) for place in allowed):
            copied.left_out.append(f"{path}: a link that leads out of the folder, left out")
        elif path.is_dir():
            if path.name not in _LEFT_OUT and real not in above and not _is_made(path):
                yield path
                yield from _entries_below(path, allowed, copied, (*above, real))
        elif path.is_file():
            yield path
