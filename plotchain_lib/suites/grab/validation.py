"""Is what was drawn what was meant? The answer against a second one from the drawn points."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from plotchain_lib.item import Item
from plotchain_lib.suites.grab.rounding import STEPS, from_boundary

ROW_COLUMNS = (
    "item", "shard", "difficulty", "field", "scope", "truth", "measured", "agrees",
    "steps_from_boundary", "tolerance_px",
)  # fmt: skip
SUMMARY_COLUMNS = (
    "shard", "field", "unit", "scope", "items", "agreeing", "distinct_values",
    "steps_from_boundary_min", "tolerance_px_median", "readable_share", "floor",
)  # fmt: skip

Row = dict[str, Any]


def _room(item: Item) -> float | None:
    """How far the exact value lies from a rounding boundary, in steps of the precision."""
    precision, value = item.params["precision"], item.params["value"]
    if precision not in STEPS or value is None:
        return None
    return round(from_boundary(value, precision), 4)


def validation_rows(items: Iterable[Item], measured: Mapping[str, Mapping[str, Any]]) -> list[Row]:
    """One row per item, columns ROW_COLUMNS. `measured` is by item and field.

    No tolerance in pixels: an answer is one string, right or wrong.
    """
    rows = []
    for item in items:
        for field in item.fields:
            truth, found = str(item.truth[field.name]), str(measured[item.id][field.name])
            figures = (truth, found, truth == found, _room(item), None)
            head = (item.id, item.shard, item.difficulty, field.name, field.scope)
            rows.append(dict(zip(ROW_COLUMNS, head + figures, strict=True)))
    return rows


def _floor_share(items: Sequence[Item], folds: Sequence[Mapping[str, Any]]) -> float:
    """The share of items that their frozen constant answers."""
    constant: dict[str, str] = {
        name: fold["constants"]["answer"] for fold in folds for name in fold["items"]
    }
    right = [constant[item.id] == item.truth["answer"] for item in items]
    return sum(right) / len(right)


def validation_summary(
    items: Sequence[Item], rows: Sequence[Row], floors: Mapping[str, Any]
) -> list[Row]:
    """One row per shard, columns SUMMARY_COLUMNS."""
    summary = []
    for shard in dict.fromkeys(item.shard for item in items):
        members = [item for item in items if item.shard == shard]
        own = [row for row in rows if row["shard"] == shard]
        rooms = [
            row["steps_from_boundary"] for row in own if row["steps_from_boundary"] is not None
        ]
        field = members[0].fields[0]
        figures = (
            shard, field.name, field.unit, field.scope, len(own),
            sum(row["agrees"] for row in own), len({row["truth"] for row in own}),
            min((room for room in rooms if room is not None), default=None), None, None,
            round(_floor_share(members, floors["shards"][shard]["folds"]), 4),
        )  # fmt: skip
        summary.append(dict(zip(SUMMARY_COLUMNS, figures, strict=True)))
    return summary
