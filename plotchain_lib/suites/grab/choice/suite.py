"""The variant's parts, under the names every suite has them under."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from plotchain_lib.item import Item
from plotchain_lib.suites.grab import generate
from plotchain_lib.suites.grab import suite as grab
from plotchain_lib.suites.grab.choice import floor
from plotchain_lib.suites.grab.choice import items as choice
from plotchain_lib.suites.grab.suite import (
    SETTINGS,
    field_axes,
    item_id,
    options,
    relations,
    validate,
)

__all__ = [
    "SETTINGS", "calibrate", "calibrate_release", "draw", "field_axes", "item_id", "items",
    "options", "relations", "shard_modules", "shards", "sizes", "validate",
]  # fmt: skip


def shards() -> list[str]:
    """The categories of the properties task, sorted."""
    return [shard for shard in grab.shards() if shard.startswith(f"{choice.TASK}_")]


def shard_modules(_shard: str) -> list[str]:
    """The modules that every shard's items come from."""
    return [choice.__name__, generate.__name__]


def sizes(entry: Mapping[str, Any]) -> dict[str, int]:
    """Shard to number of items: those of the open questions."""
    found = grab.sizes(entry)
    return {shard: found[shard] for shard in shards() if shard in found}


def items(shard: str, seed: int, count: int, chosen: Mapping[str, Any]) -> list[Item]:
    """The first `count` items of a shard."""
    return choice.with_options(grab.items(shard, seed, count, chosen), seed, shard)


def draw(item: Item) -> tuple[bytes, Mapping[str, Any], Mapping[str, Any]]:
    """One item's picture, geometry, and the letter as measured from what was drawn."""
    from plotchain_lib.suites.grab.choice.render import draw  # Matplotlib takes a second

    return draw(item)


def calibrate(_shard: str, _seed: int, shard_items: Sequence[Item]) -> dict[str, Any]:
    """One shard of `floor.json`."""
    return floor.constant_letter(shard_items)


def calibrate_release(shard_items: Sequence[Item]) -> dict[str, Any]:
    """One shard of `floor.json`; no release has options."""
    return floor.constant_letter(shard_items)
