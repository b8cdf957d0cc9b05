"""The suite's parts, under the names every suite has them under."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from plotchain_lib.item import Item, PlotChainError, Relation
from plotchain_lib.suites.grab import floor, generate, groups, published, validation
from plotchain_lib.suites.grab.style import FULL_WIDTH

SETTINGS = ("lite", "questions", "width_px", "variant")


def shards() -> list[str]:
    """The tasks and categories, sorted."""
    return sorted(groups.SHARDS)


def shard_modules(_shard: str) -> list[str]:
    """No module belongs to one shard alone."""
    return []


def sizes(entry: Mapping[str, Any]) -> dict[str, int]:
    """Shard to number of items of a configuration's entry: all, `questions`, or `lite`.

    Raises PlotChainError where both are given.
    """
    chosen, questions = entry.get("families", ()), entry.get("questions")
    if not entry.get("lite"):
        return groups.sizes(questions, chosen)
    if questions is not None:
        raise PlotChainError(f"lite has {groups.LITE} questions; leave out lite or questions")
    return groups.sizes(groups.LITE, chosen, balanced=True)


def options(entry: Mapping[str, Any]) -> dict[str, Any]:
    """What of a configuration's entry enters the items, besides seed and size."""
    return {"width_px": int(entry.get("width_px", FULL_WIDTH))}


def item_id(shard: str, index: int) -> str:
    """The id of one item."""
    return generate.item_id(shard, index)


def items(shard: str, seed: int, count: int, chosen: Mapping[str, Any]) -> list[Item]:
    """The first `count` items of a shard; `chosen` is what `options` gave."""
    return list(generate.items(shard, seed, count, int(chosen["width_px"])))


def draw(item: Item) -> tuple[bytes, Mapping[str, Any], Mapping[str, str]]:
    """One item's picture: PNG bytes, geometry, and the answer as measured from what was drawn."""
    from plotchain_lib.suites.grab.render import render  # Matplotlib takes a second

    picture = render(item.params)
    return picture.png, picture.geometry, picture.measured


def calibrate(shard: str, seed: int, shard_items: Sequence[Item]) -> dict[str, Any]:
    """One shard of `floor.json` for generated items."""
    return floor.calibration_floor(shard, seed, shard_items)


def calibrate_release(shard_items: Sequence[Item]) -> dict[str, Any]:
    """One shard of `floor.json` for released items, two-fold."""
    return published.two_fold_floor(shard_items)


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
