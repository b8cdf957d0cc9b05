"""Means that need no test: answered-only rates, errors, latency. Straight from the tables."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd

Means = Mapping[str, Mapping[str, Mapping[str, Any]]]
CALL = ["model", "item", "repeat"]


def plain_means(scores: pd.DataFrame, answers: pd.DataFrame) -> Means:
    """Metric to model to ``{value, n}``; a model without a single value is left out.

    A field is answered when it has a number. The mean over items counts an item without any
    number as 0. Latency is per call, and once more weighted by the call's fields, as published.
    """
    read = scores[scores["value"].notna()]
    latency = answers.drop_duplicates(CALL).set_index(CALL)["latency_s"].rename("latency_s")
    fields = scores[CALL].join(latency, on=CALL)
    by_item = read.groupby(CALL)["passed"].mean()
    every_call = pd.MultiIndex.from_frame(scores[CALL].drop_duplicates())
    series = {
        "read_field_pass_rate": read.groupby("model")["passed"],
        "read_item_field_pass_rate": by_item.reindex(every_call, fill_value=0.0).groupby("model"),
        "latency_item_mean": fields.drop_duplicates(CALL).groupby("model")["latency_s"],
        "latency_field_mean": fields.groupby("model")["latency_s"],
    }
    found = {metric: _entries(groups.mean(), groups.count()) for metric, groups in series.items()}
    for error in ("abs_err", "rel_err"):
        groups = read.groupby("model")[error]
        found[f"mean_{error}"] = _entries(groups.mean(), groups.count())
        found[f"median_{error}"] = _entries(groups.median(), groups.count())
    return found


def _entries(values: pd.Series[Any], counts: pd.Series[Any]) -> dict[str, dict[str, Any]]:
    """Twelve significant digits: beyond them sums differ between processors."""
    known = values.dropna()
    return {
        str(model): {"value": float(f"{value:.12g}"), "n": int(count)}
        for (model, value), count in zip(known.items(), counts[known.index], strict=True)
    }
