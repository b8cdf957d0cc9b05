"""The variant's parts, under the names every suite has them under."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from plotchain_lib.item import Item, Relation
from plotchain_lib.suites.grab import generate
from plotchain_lib.suites.grab import suite as grab
from plotchain_lib.suites.grab.choice import floor, validation
from plotchain_lib.suites.grab.choice import items as choice

SETTINGS = grab.SETTINGS


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


def options(entry: Mapping[str, Any]) -> dict[str, Any]:
    """What of a configuration's entry enters the items, besides seed and size."""
    return grab.options(entry)


def item_id(shard: str, index: int) -> str:
    """The id of one item, that of its open question."""
    return grab.item_id(shard, index)


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


def relations() -> list[Relation]:
    """None: a question has one answer."""
    return []


def field_axes(_items: Sequence[Item]) -> dict[tuple[str, str], str]:
    """None: an answer is worked out from the whole picture, whose axes are all linear."""
    return {}


def validate(
    all_items: Sequence[Item],
    measured: Mapping[str, Mapping[str, Any]],
    floors: Mapping[str, Any],
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """The rows of `validation.csv` and of `validation_summary.csv`."""
    rows = validation.validation_rows(all_items, measured)
    return rows, validation.validation_summary(all_items, rows, floors)
