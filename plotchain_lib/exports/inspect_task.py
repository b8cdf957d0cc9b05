"""A dataset as a task that Inspect runs: a folder with the task's module, items and pictures."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path

from plotchain_lib.exports.folders import by_shard, copy_policies, picture_of, whole_folder
from plotchain_lib.exports.templates import filled
from plotchain_lib.files import write_atomically, write_items
from plotchain_lib.item import Item

TASK_FILE = "plotchain_task.py"


def write_task(
    folder: Path,
    name: str,
    items: Iterable[Item],
    pictures: Mapping[str, Path],
    policies: Mapping[str, Iterable[Path]],
) -> None:
    """Write ``plotchain_task.py``, ``items.jsonl``, ``images/{shard}/{id}.png``, ``policies/``.

    Args:
        folder: where; it appears whole.
        name: the dataset's label, and the task's.
        items: all items.
        pictures: item id to its PNG.
        policies: policy to its file and those it extends, the headline first.

    Raises PlotChainError where there is no item or no policy, or a picture is missing or no PNG.
    """
    shards = by_shard(items)
    module = filled("inspect_task.py", name, policies)
    with whole_folder(folder) as temporary:
        placed = []
        for shard, own in shards.items():
            for item in own:
                picture = f"images/{shard}/{item.id}.png"
                write_atomically(temporary / picture, picture_of(item, pictures))
                placed.append(replace(item, picture=picture))
        write_items(temporary / "items.jsonl", placed)
        copy_policies(temporary, policies)
        write_atomically(temporary / TASK_FILE, module)
