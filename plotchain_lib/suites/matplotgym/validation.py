"""Is the reference what it is said to be? Its score when drawn again, decision by decision."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from plotchain_lib.item import Item

ROW_COLUMNS = (
    "item", "shard", "difficulty", "field", "scope", "truth", "measured", "agrees", "tolerance_px",
)  # fmt: skip
SUMMARY_COLUMNS = (
    "shard", "field", "unit", "scope", "items", "agreeing", "tolerance_px_median",
    "readable_share",
)  # fmt: skip
EXACT = 1e-9

Row = dict[str, Any]


def validation_rows(items: Iterable[Item], measured: Mapping[str, Mapping[str, Any]]) -> list[Row]:
    """One row per item and decision, columns ROW_COLUMNS. `measured` is by item and decision."""
    return [
        dict(zip(ROW_COLUMNS, (
            item.id, item.shard, item.difficulty, field.name, field.scope, 1.0, found,
            found is not None and abs(found - 1.0) <= EXACT, None,
        ), strict=True))
        for item in items
        for field in item.fields
        for found in [measured[item.id].get(field.name)]
    ]  # fmt: skip


def summary(rows: Sequence[Row]) -> list[Row]:
    """One row per discipline and decision, columns SUMMARY_COLUMNS."""
    groups: dict[tuple[str, str], list[Row]] = {}
    for row in rows:
        groups.setdefault((row["shard"], row["field"]), []).append(row)
    return [
        dict(zip(SUMMARY_COLUMNS, (
            shard, field, "", "final", len(group), sum(row["agrees"] for row in group), None, None,
        ), strict=True))
        for (shard, field), group in groups.items()
    ]  # fmt: skip
