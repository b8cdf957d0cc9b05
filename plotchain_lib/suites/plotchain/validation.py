"""Is what was drawn what was meant? Truth against a second measurement, and every field's room."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from plotchain_lib.item import Field, Item
from plotchain_lib.suites.plotchain import families
from plotchain_lib.suites.plotchain.readability import allowed_error, readability

ROW_COLUMNS = (
    "item", "shard", "difficulty", "field", "scope", "truth", "measured", "difference", "allowed",
    "agrees", "tolerance_px", "readable_share",
)  # fmt: skip
SUMMARY_COLUMNS = (
    "shard", "field", "unit", "scope", "items", "agreeing", "distinct_values", "minimum", "maximum",
    "tolerance_px_min", "tolerance_px_median", "readable_share", "floor",
)  # fmt: skip

Row = dict[str, Any]


def _allowed_difference(field: Field, truth: float, strict: tuple[float, float]) -> float:
    """A quarter of the strict tolerance and half of the last decimal."""
    return allowed_error(truth, strict) / 4.0 + 0.5 * 10.0 ** -(field.decimals or 0)


def validation_rows(
    items: Iterable[Item], measured: Mapping[str, Mapping[str, float]]
) -> list[Row]:
    """One row per item and field, columns ROW_COLUMNS. `measured` is by item and field."""
    rows = []
    for item in items:
        family = families.load(item.shard)
        truth = {name: float(value) for name, value in item.truth.items()}
        room = readability(family, item.params, truth)
        for field in item.fields:
            value = measured[item.id][field.name]
            difference = abs(value - truth[field.name])
            allowed = _allowed_difference(
                field, truth[field.name], family.tolerances[field.name].strict
            )
            figures = (
                truth[field.name], float(f"{value:.8g}"), float(f"{difference:.4g}"),
                float(f"{allowed:.6g}"), bool(difference <= allowed),
                round(room[field.name].tolerance_px, 3), round(room[field.name].share, 4),
            )  # fmt: skip
            head = (item.id, item.shard, item.difficulty, field.name, field.scope)
            rows.append(dict(zip(ROW_COLUMNS, head + figures, strict=True)))
    return rows


def _floor_share(items: Sequence[Item], field: str, shard_floor: Mapping[str, Any]) -> float:
    """The share of items whose truth the frozen blind constant passes under plotread."""
    passed = []
    for item in items:
        folds = shard_floor["folds"]
        fold = next(f for f in folds if f["items"] is None or item.id in f["items"])
        truth = float(item.truth[field])
        tolerance = families.load(item.shard).tolerances[field].plotread
        passed.append(abs(fold["constants"][field] - truth) <= allowed_error(truth, tolerance))
    return float(np.mean(passed))


def validation_summary(
    items: Sequence[Item], rows: Sequence[Row], floor: Mapping[str, Any]
) -> list[Row]:
    """One row per shard and field, columns SUMMARY_COLUMNS."""
    summary = []
    for shard in dict.fromkeys(item.shard for item in items):
        members = [item for item in items if item.shard == shard]
        for field in members[0].fields:
            own = [r for r in rows if r["shard"] == shard and r["field"] == field.name]
            pixels = [row["tolerance_px"] for row in own]
            truths = [row["truth"] for row in own]
            figures = (
                shard, field.name, field.unit, field.scope, len(own),
                sum(row["agrees"] for row in own), len(set(truths)), min(truths), max(truths),
                min(pixels), float(np.median(pixels)),
                round(float(np.mean([row["readable_share"] for row in own])), 4),
                round(_floor_share(members, field.name, floor["shards"][shard]), 4),
            )  # fmt: skip
            summary.append(dict(zip(SUMMARY_COLUMNS, figures, strict=True)))
    return summary
