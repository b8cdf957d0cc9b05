"""Which tasks there are: the shipped ones, or those of a folder the configuration names.

What every start of the workflow asks is read from ``task.yaml`` alone; a task is checked as a whole
when its item is made.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import yaml

from plotchain_lib.item import Item, PlotChainError
from plotchain_lib.suites.matplotgym.task import Task, load_task, tasks_root
from plotchain_lib.suites.matplotgym.words import DISCIPLINES

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")


def folder_of(named: str) -> Path:
    """The folder of tasks of this name, the shipped ones for an empty name."""
    return Path(named) if named else tasks_root()


def ids(named: str) -> dict[str, tuple[str, ...]]:
    """Discipline to the ids of its tasks, both sorted.

    Raises PlotChainError where there is no such folder, or a task names no known discipline.
    """
    folder = folder_of(named)
    if not folder.is_dir():
        raise PlotChainError(f"tasks: no such folder {named!r}; give the folder of task folders")
    found: dict[str, list[str]] = {}
    for path in sorted(folder.glob("*/task.yaml")):
        if not _NAME.fullmatch(path.parent.name):
            raise PlotChainError(
                f"{path.parent}: is no label; name the folder with letters, digits, '.', '_', '-'"
            )
        found.setdefault(_discipline(path), []).append(path.parent.name)
    if not found:
        raise PlotChainError(f"tasks: {named!r} holds no folder with a task.yaml; add a task")
    return {name: tuple(found[name]) for name in sorted(found)}


def _discipline(path: Path) -> str:
    try:
        record = yaml.load(path.read_text(encoding="utf-8"), Loader=_LOADER)  # noqa: S506  safe
        discipline = record["discipline"]
    except (OSError, UnicodeDecodeError, yaml.YAMLError, KeyError, TypeError) as error:
        raise PlotChainError(f"{path}: names no discipline; mend or remove the task") from error
    if discipline not in DISCIPLINES:
        known = ", ".join(DISCIPLINES)
        raise PlotChainError(f"{path}: unknown discipline {discipline!r}; use one of {known}")
    return str(discipline)


def task(named: str, identifier: str) -> Task:
    """One task, checked. Raises PlotChainError with its first defect."""
    try:
        return load_task(folder_of(named) / identifier)
    except ValueError as error:
        raise PlotChainError(str(error).splitlines()[0]) from error


def task_of(item: Item) -> Task:
    """The task an item was made from. Raises PlotChainError as `task` does."""
    return task(str(item.params.get("tasks", "")), str(item.params["task"]))


def digest(named: str, identifiers: Iterable[str]) -> str:
    """SHA-256, cut to 16 hex digits, over all files of these tasks."""
    total = hashlib.sha256()
    folder = folder_of(named)
    for name in identifiers:
        for path in sorted(p for p in (folder / name).rglob("*") if p.is_file()):
            if "__pycache__" not in path.parts:
                content = path.read_bytes()
                total.update(f"{path.relative_to(folder)}\0{len(content)}\0".encode() + content)
    return total.hexdigest()[:16]


def options(entry: Mapping[str, Any]) -> dict[str, Any]:
    """What of a dataset's entry enters its items."""
    return {"tasks": str(entry.get("tasks", ""))}
