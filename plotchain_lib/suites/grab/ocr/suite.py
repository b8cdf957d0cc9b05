"""The variant's parts, under the names every suite has them under."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from plotchain_lib.item import Item
from plotchain_lib.suites.grab.ocr import floor
from plotchain_lib.suites.grab.ocr import items as questions
from plotchain_lib.suites.grab.suite import field_axes, relations, validate

__all__ = [
    "SETTINGS", "calibrate", "calibrate_release", "draw", "field_axes", "item_id", "items",
    "options", "relations", "shard_modules", "shards", "sizes", "validate",
]  # fmt: skip

SETTINGS: tuple[str, ...] = ("variant",)


def shards() -> list[str]:
    """Axes, legend and title."""
    return sorted(questions.SHARDS)


def shard_modules(_shard: str) -> list[str]:
    """The module that every shard's items come from."""
    return [questions.__name__]


def sizes(_entry: Mapping[str, Any]) -> dict[str, int]:
    """Shard to number of items: 35 together."""
    return {shard: count for shard, (_, count) in questions.SHARDS.items()}


def options(_entry: Mapping[str, Any]) -> dict[str, Any]:
    """Nothing but the seed enters the items."""
    return {}


def item_id(shard: str, index: int) -> str:
    """The id of one item."""
    return f"{shard}_{index:03d}"


def items(shard: str, seed: int, count: int, _chosen: Mapping[str, Any]) -> list[Item]:
    """The first `count` items of a shard."""
    return questions.items(shard, seed, count)


def draw(item: Item) -> tuple[bytes, Mapping[str, Any], Mapping[str, Any]]:
    """One item's picture, geometry, and the letter as found among the drawn text."""
    from plotchain_lib.suites.grab.ocr.render import draw  # Matplotlib takes a second

    return draw(item)


def calibrate(_shard: str, _seed: int, shard_items: Sequence[Item]) -> dict[str, Any]:
    """One shard of `floor.json`."""
    return floor.constant_letter(shard_items)


def calibrate_release(shard_items: Sequence[Item]) -> dict[str, Any]:
    """One shard of `floor.json`; no release has such questions."""
    return floor.constant_letter(shard_items)
