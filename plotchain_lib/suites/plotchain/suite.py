"""The suite's five things, under the names every suite has them under."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from plotchain_lib.item import Item, Relation
from plotchain_lib.suites.plotchain import axes, families, floor, generate, published, validation

SETTINGS = ("items_per_family",)


def shards() -> list[str]:
    """The families, sorted."""
    return families.names()


def shard_modules(shard: str) -> list[str]:
    """The library modules, beside the suite's engine, that this shard's items come from."""
    return [f"{families.__name__}.{shard}"]


def item_id(shard: str, index: int) -> str:
    """The id of one item."""
    return f"{shard}_{index:03d}"


def sizes(entry: Mapping[str, Any]) -> dict[str, int]:
    """The same number of items for every family."""
    return dict.fromkeys(shards(), int(entry.get("items_per_family", 30)))


def options(_entry: Mapping[str, Any]) -> dict[str, Any]:
    """Nothing else enters the items."""
    return {}


def items(shard: str, seed: int, count: int, _chosen: Mapping[str, Any]) -> list[Item]:
    """The first `count` items of a family."""
    return list(generate.items(families.load(shard), seed, count))


def draw(item: Item) -> tuple[bytes, Mapping[str, Any], Mapping[str, float]]:
    """One item's picture: PNG bytes, geometry, and every field as measured from what was drawn."""
    from plotchain_lib.suites.plotchain.render import render  # Matplotlib takes a second

    picture = render(families.load(item.shard), item.params, item.difficulty)
    return picture.png, picture.geometry, picture.measured


def calibrate(shard: str, seed: int, _shard_items: Sequence[Item]) -> dict[str, Any]:
    """One shard of `floor.json`, whatever items were generated."""
    return floor.calibration_floor(families.load(shard), seed)


def calibrate_release(shard_items: Sequence[Item]) -> dict[str, Any]:
    """One shard of `floor.json` for released items, two-fold."""
    family = shard_items[0].group
    names = list(dict.fromkeys(name for item in shard_items for name in item.truth))
    tolerances = {name: published.plotread(family, name) for name in names}
    return floor.two_fold_floor(shard_items, tolerances)


def relations() -> list[Relation]:
    """Every declared relation of every family, and those of the published release.

    Of several for one field that a dataset keeps, the last counts.
    """
    own = [relation for name in families.names() for relation in families.load(name).relations]
    return [*published.RELATIONS, *own]


def field_axes(items: Sequence[Item]) -> dict[tuple[str, str], str]:
    """(family, field) to the scale of the axis it is read on, ``linear`` or ``log``."""
    return axes.field_axes(items)


def validate(
    all_items: Sequence[Item],
    measured: Mapping[str, Mapping[str, float]],
    floors: Mapping[str, Any],
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """The rows of `validation.csv` and of `validation_summary.csv`."""
    rows = validation.validation_rows(all_items, measured)
    return rows, validation.validation_summary(all_items, rows, floors)
