"""The smallest difference this set could show, pair by pair."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from plotchain_lib.power import POWER, items_needed, smallest_difference
from plotchain_lib.report.figures import Chart
from plotchain_lib.report.forest import Span, forest_chart
from plotchain_lib.report.formatting import write_points
from plotchain_lib.report.inputs import Dataset
from plotchain_lib.report.sections import MOST_PAIRS_SHOWN, Section
from plotchain_lib.report.summary import (
    alpha_of,
    pair_table,
    ranked_models,
    tested_metric,
    title_of,
)
from plotchain_lib.report.tables import Column, Record, Table

ITEM_TEST = "McNemar exact"


def power_sections(dataset: Dataset) -> list[Section]:
    """One section; none where no pair of contestants was tested."""
    records = power_records(dataset)
    metric = tested_metric(dataset)
    shown = [row for row in records if row["metric"] == metric]
    if not shown:
        return []
    page = Table(
        name="power_ranked", title="What each pair could show", columns=_columns(False),
        records=tuple(shown[:MOST_PAIRS_SHOWN]), keys=("first", "second"),
        note=(
            "Discordance: the mean squared difference per item. In one test: at the test's level. "
            "In all tests: at the level over the number of pairs, the hardest step of Holm's "
            "method. –: too few items differ for any difference to be shown."
        ),
    )  # fmt: skip
    every = Table(
        name="power", title="Smallest differences", columns=_columns(True), records=tuple(records),
        keys=("metric_title", "first", "second"),
    )  # fmt: skip
    return [Section("power", "What could be shown", _lead(dataset, shown), _charts(dataset, shown),
                    (page,), files=(every,))]  # fmt: skip


def power_records(dataset: Dataset) -> list[dict[str, Any]]:
    """Every pair of contestants under every metric, as in the table of pairs, with its power.

    Adds ``detectable`` and ``detectable_all`` (shares: at alpha, and at alpha over the number of
    the metric's pairs) and ``items_needed`` for the observed difference at alpha; None where the
    record of tests lacks the discordance or nothing can be shown.
    """
    alpha = alpha_of(dataset)
    pairs = [
        row for row in pair_table(dataset).records
        if not dataset.is_baseline(row["first"]) and not dataset.is_baseline(row["second"])
    ]  # fmt: skip
    counts: dict[str, int] = {}
    for row in pairs:
        counts[row["metric"]] = counts.get(row["metric"], 0) + 1
    return [_with_power(row, alpha, counts[row["metric"]]) for row in pairs]


def _with_power(pair: Record, alpha: float, pairs: int) -> dict[str, Any]:
    items, spread, difference = (pair.get(n) for n in ("items", "discordance", "difference"))
    row = {**pair, "detectable": None, "detectable_all": None, "items_needed": None}
    if items is None or spread is None:
        return row
    for name, level in (("detectable", alpha), ("detectable_all", alpha / pairs)):
        least = smallest_difference(spread, items, level)
        # Of an item rate no more than the discordant items can make a difference.
        possible = least is not None and (pair.get("test") != ITEM_TEST or least <= spread)
        row[name] = least if possible else None
    if difference is not None:
        row["items_needed"] = items_needed(difference, spread, alpha)
    return row


def _columns(every: bool) -> tuple[Column, ...]:
    smallest = f"Smallest difference shown with power {POWER:g} (points)"
    return (
        Column("first", "First"), Column("second", "Second"),
        *((Column("metric_title", "Metric"),) if every else ()),
        Column("difference", "Difference (points)", "points", interval=True),
        Column("detectable", "In one test", "size", group=smallest),
        Column("detectable_all", "In all tests", "size", group=smallest),
        Column("items", "Items", "count"),
        Column("items_needed", "Items needed for this difference", "count"),
        Column("discordance", "Discordance", "number"),
    )  # fmt: skip


def _lead(dataset: Dataset, shown: Sequence[Mapping[str, Any]]) -> str:
    title = title_of(dataset, tested_metric(dataset)).lower()
    least = [row["detectable"] for row in shown if row["detectable"] is not None]
    start = f"In {title}, "
    if not least:
        return f"{start}too little differs between these models for any difference to be shown."
    low, middle, high = (
        write_points(float(value)).lstrip("+")
        for value in (min(least), np.median(least), max(least))
    )
    many = f"from {low} to {high} points, half of the pairs {middle} or less"
    told = f"{low} points" if low == high else many
    return (
        f"{start}a difference must be at least so large for one test on this set to find it four "
        f"times in five: {told}. Smaller ones may be real and stay unseen."
    )


def _charts(dataset: Dataset, shown: Sequence[Mapping[str, Any]]) -> tuple[Chart, ...]:
    """Neighbours in the ranking: what was seen against what could have been."""
    found = {(row["first"], row["second"]): row for row in shown}
    neighbours = [pair for pair in pairwise(ranked_models(dataset)) if pair in found]
    spans = []
    for first, second in neighbours:
        row = found[first, second]
        numbers = [row.get(n) for n in ("difference", "difference_lower", "difference_upper")]
        if any(number is None for number in numbers) or row["detectable"] is None:
            continue
        value, lower, upper = (100 * float(number) for number in numbers if number is not None)
        names = dataset.named(first), f"less {dataset.named(second)}"
        spans.append(Span(*names, value, lower, upper, 100 * row["detectable"]))
    if not spans:
        return ()
    heading = (
        "power", "Neighbours in the ranking",
        "Difference with its interval, on the grey band of differences too small to be shown by "
        "one test on this set.",
    )  # fmt: skip
    return (forest_chart(heading, spans, "difference (percentage points)"),)
