"""The suite's part of an episode, as the broker calls it (see `plotchain_lib.query.episode`)."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from plotchain_lib.item import Item, PlotChainError
from plotchain_lib.suites.matplotgym import fonts
from plotchain_lib.suites.matplotgym.episode import Ask, Start, play
from plotchain_lib.suites.matplotgym.sandbox import TASKS, open_sandbox
from plotchain_lib.suites.matplotgym.workspace import digest, files_of

PLAYER = f"{__name__}:play_item"


def play_item(item: Item, folder: Path, ask: Ask, options: Mapping[str, Any]) -> dict[str, Any]:
    """Play an item's episode and return its record (see `episode.play`).

    The item's params hold ``task`` (a folder's name), ``tasks`` (the folder it lies in; empty for
    the shipped ones) and ``workspace_sha256`` (of its files, from `workspace.digest`). Option:
    ``unsealed`` (whether to run without bubblewrap where it is missing). Raises PlotChainError
    where the task is not there or not the one the item was made from, and as `open_sandbox` does.
    """
    named, unsealed = item.params.get("tasks"), bool(options.get("unsealed"))
    tasks = Path(options["working_folder"], named).resolve() if named else TASKS
    place = tasks / item.params["task"] / "workspace"
    if not place.is_dir():
        raise PlotChainError(f"{place}: there is no such workspace; is the task's name right?")
    files = files_of(place)
    if digest(files) != item.params["workspace_sha256"]:
        raise PlotChainError(
            f"{place}: not the files the item was made from; delete the items and run again"
        )
    prepared = fonts.prepared(unsealed=unsealed)
    runs = open_sandbox(unsealed=unsealed, fonts=prepared, hidden=(tasks,))
    return play(Start(item.prompt, files), ask, runs, folder)
