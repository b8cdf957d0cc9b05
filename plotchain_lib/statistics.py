"""Verdicts to intervals and paired tests. Seeded: the same table gives the same bytes.

Several fields share one item, so everything resamples or pairs items, never fields.

* An item rate has a Wilson interval; a field rate, and a mean of weighed scores, has a percentile
  bootstrap over items.
* A pair is compared on the items both models have settled (a pending call is no answer and no
  error), by McNemar's exact test for item rates, by a sign-flip permutation of the per-item
  difference in passed fields for field rates; the difference has a paired bootstrap interval.
* Holm's correction runs over the pairs of non-baseline models within one metric.

With repeats an item's value is its mean over repeats; contingency counts and McNemar's test use the
first repeat. Resampling draws from the raw PCG64 stream, which NumPy guarantees never to change.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

from plotchain_lib.item import PlotChainError
from plotchain_lib.metrics import FIELD_METRICS, ITEM_METRICS, WEIGHED_METRICS, item_table
from plotchain_lib.resampling import bootstrap_ratio, holm, mcnemar, sign_flip, wilson

METRICS = (*WEIGHED_METRICS, *ITEM_METRICS, *FIELD_METRICS)
# Either passed or not: Wilson's interval, McNemar's test.
_YES_OR_NO = ("solved", *ITEM_METRICS)
_SUFFIX = dict(zip(FIELD_METRICS, ("", "_final", "_checkpoint"), strict=True))

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class _Rates:
    """One metric of all models, per item; both arrays of shape (items, models).

    A rate is the sum of `part` over the sum of `whole`. For an item rate `whole` is 1, for a field
    rate the item's number of fields; both are NaN where a model has no such item.
    """

    metric: str
    part: Floats
    whole: Floats


class _Settings(NamedTuple):
    alpha: float
    resamples: int
    seed: int


def significance(
    scores: pd.DataFrame, alpha: float, resamples: int, seed: int, baselines: set[str]
) -> dict[str, Any]:
    """Intervals and tests for one dataset under one policy.

    Args:
        scores: columns SCORE_COLUMNS, one dataset and one policy, any number of models.
        alpha: error rate; intervals cover 1 - alpha.
        resamples: of every bootstrap and permutation.
        seed: of both.
        baselines: models that are compared with but take no part in Holm's correction.

    Returns ``{"dataset", "policy", "alpha", "resamples", "seed", "metrics", "pairs", "groups"}``:
    metrics ``{metric, model, value, lower, upper, n, passed, method}``; pairs ``{metric, first,
    second, both, only_first, only_second, neither, difference, lower, upper, p, p_holm, test,
    significant, items, discordance}`` (first minus second; ``discordance`` is the mean square of
    the difference over ``items`` common items, in squares of the rate; ``p_holm`` and
    ``significant`` None where a baseline takes part; counts are of items for an item rate, else of
    fields); groups ``{group, model, metric, value, lower, upper, n}``. ``n`` counts
    items for an item rate, else fields. Metrics without a single field are left out. Numbers have
    twelve significant digits.

    Raises PlotChainError for an empty or mixed table and for settings out of range.
    """
    _check(scores, alpha, resamples)
    models = sorted(scores["model"].unique())
    settings = _Settings(alpha, resamples, seed)
    all_rates = _all_rates(item_table(scores), models)
    return {
        "dataset": str(scores["dataset"].iloc[0]),
        "policy": str(scores["policy"].iloc[0]),
        "alpha": alpha,
        "resamples": resamples,
        "seed": seed,
        "metrics": [
            record for rates in all_rates for record in _intervals(rates, models, settings)
        ],
        "pairs": _pairs(scores, models, settings, baselines),
        "groups": _groups(all_rates, _group_of_item(scores), models, settings),
    }


def _check(scores: pd.DataFrame, alpha: float, resamples: int) -> None:
    if scores.empty:
        raise PlotChainError("scores: the table is empty; run the score stage on some answers")
    for column in ("dataset", "policy"):
        if scores[column].nunique() != 1:
            raise PlotChainError(
                f"scores: more than one {column} in one table; test each by itself"
            )
    if not 0 < alpha < 1 or resamples < 1:
        raise PlotChainError(
            f"significance: alpha {alpha} or resamples {resamples} is out of range; "
            "use 0 < alpha < 1 and at least one resample"
        )


def _all_rates(table: pd.DataFrame, models: list[str]) -> list[_Rates]:
    """Every metric as per-item arrays; items in the order of their names."""
    means = table.drop(columns=["repeat"]).groupby(["item", "model"], sort=True).mean()

    def wide(column: str) -> Floats:
        frame = means.reset_index().pivot(index="item", columns="model", values=column)
        return frame.reindex(columns=models).to_numpy(float)

    rates = []
    for metric in METRICS:
        if metric in WEIGHED_METRICS and metric not in table:
            continue
        of_item = metric not in FIELD_METRICS
        part = metric if of_item else f"passed{_SUFFIX[metric]}"
        values = wide(part)
        if of_item:
            whole = np.where(np.isnan(values), np.nan, 1.0)
        else:
            whole = wide(f"n{_SUFFIX[metric]}")
            whole = np.where(whole > 0, whole, np.nan)
        rates.append(_Rates(metric, np.where(np.isnan(whole), np.nan, values), whole))
    return rates


def _group_of_item(scores: pd.DataFrame) -> npt.NDArray[np.object_]:
    """Each item's group, in the order of the items' names."""
    items = scores.drop_duplicates("item").sort_values("item")
    return items["group"].to_numpy(object)


def _intervals(rates: _Rates, models: list[str], settings: _Settings) -> Iterator[dict[str, Any]]:
    """One record per model that has the metric."""
    item_rate = rates.metric in _YES_OR_NO
    known = ~np.isnan(rates.whole)
    limits = {} if item_rate else _field_limits(rates, known, settings)
    for column, model in enumerate(models):
        if not known[:, column].any():
            continue
        passed = float(np.nansum(rates.part[:, column]))
        asked = float(np.nansum(rates.whole[:, column]))
        limit = wilson(passed, asked, settings.alpha) if item_rate else limits[column]
        yield {
            "metric": rates.metric,
            "model": model,
            "value": _digits(passed / asked),
            "lower": _digits(limit[0]),
            "upper": _digits(limit[1]),
            "n": _count(asked),
            "passed": _count(passed),
            "method": "Wilson" if item_rate else "bootstrap over items",
        }


def _same_items(known: npt.NDArray[np.bool_]) -> dict[bytes, list[int]]:
    """Columns that share their items, so that one resampling serves them; empty ones left out."""
    columns: dict[bytes, list[int]] = {}
    for column in np.flatnonzero(known.any(axis=0)):
        columns.setdefault(known[:, column].tobytes(), []).append(int(column))
    return columns


def _field_limits(
    rates: _Rates, known: npt.NDArray[np.bool_], settings: _Settings
) -> dict[int, tuple[float, float]]:
    limits = {}
    for columns in _same_items(known).values():
        cut = np.ix_(np.flatnonzero(known[:, columns[0]]), np.asarray(columns))
        found = bootstrap_ratio(rates.part[cut], rates.whole[cut], *settings)
        limits.update(
            {c: (float(low), float(high)) for c, (low, high) in zip(columns, found, strict=True)}
        )
    return limits


def _groups(
    all_rates: list[_Rates],
    group_of_item: npt.NDArray[np.object_],
    models: list[str],
    settings: _Settings,
) -> list[dict[str, Any]]:
    keys = ("group", "model", "metric", "value", "lower", "upper", "n")
    records = []
    for group in sorted(set(group_of_item)):
        rows = group_of_item == group
        for rates in all_rates:
            part = _Rates(rates.metric, rates.part[rows], rates.whole[rows])
            for record in _intervals(part, models, settings):
                records.append({key: {"group": str(group), **record}[key] for key in keys})
    return records


def _pairs(
    scores: pd.DataFrame, models: list[str], settings: _Settings, baselines: set[str]
) -> list[dict[str, Any]]:
    """Every pair within every metric that both models have."""
    settled = scores[scores["outcome"] != "pending"]
    if settled.empty or len(models) < 2:
        return []
    first_repeat = settled.groupby(["model", "item"])["repeat"].transform("min")
    first = settled[settled["repeat"] == first_repeat]
    items_first = item_table(first)
    records = []
    for rates in _all_rates(item_table(settled), models):
        passes = _first_passes(rates.metric, first, items_first, models)
        records += _with_holm(_metric_pairs(rates, passes, models, settings), settings, baselines)
    return records


def _metric_pairs(
    rates: _Rates, passes: Floats, models: list[str], settings: _Settings
) -> list[dict[str, Any]]:
    """One record per pair of models with common items, before Holm's correction."""
    pairs = list(combinations(range(len(models)), 2))
    one, two = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    known = ~np.isnan(rates.whole[:, one]) & ~np.isnan(rates.whole[:, two])
    difference, whole = rates.part[:, one] - rates.part[:, two], rates.whole[:, one]
    records: dict[int, dict[str, Any]] = {}
    for columns in _same_items(known).values():
        cut = np.ix_(np.flatnonzero(known[:, columns[0]]), np.asarray(columns))
        limits = bootstrap_ratio(difference[cut], whole[cut], *settings)
        discordance = np.mean(difference[cut] ** 2, axis=0) / np.mean(whole[cut], axis=0) ** 2
        cells = [_cells(passes[:, pairs[column]]) for column in columns]
        if rates.metric in _YES_OR_NO:
            test = "McNemar exact"
            p_values = [mcnemar(c["only_first"], c["only_second"])["p_exact"] for c in cells]
        else:
            test = "sign-flip permutation over items"
            p_values = list(sign_flip(difference[cut], settings.resamples, settings.seed))
        for place, column in enumerate(columns):
            records[column] = {
                "metric": rates.metric,
                "first": models[one[column]],
                "second": models[two[column]],
                **cells[place],
                "difference": _digits(np.nansum(difference[:, column]) / whole[cut][:, 0].sum()),
                "lower": _digits(limits[place, 0]),
                "upper": _digits(limits[place, 1]),
                "p": _digits(p_values[place]),
                "p_holm": None,
                "test": test,
                "significant": None,
                "items": len(cut[0]),
                "discordance": _digits(discordance[place]),
            }
    return [records[column] for column in sorted(records)]


def _first_passes(
    metric: str, first: pd.DataFrame, items: pd.DataFrame, models: list[str]
) -> Floats:
    """Passed (1.0) or not (0.0), NaN where not asked; a row per item, or per item and field.

    Of the items' scores it is told whether they are whole.
    """
    if metric == "item_score":
        scores = items.pivot(index="item", columns="model", values=metric)
        table = (scores >= 1.0).astype(float).where(scores.notna())
    elif metric in _YES_OR_NO:
        table = items.pivot(index="item", columns="model", values=metric)
    else:
        scope = {"final_field_pass_rate": "final", "checkpoint_field_pass_rate": "checkpoint"}
        rows = first[first["scope"] == scope[metric]] if metric in scope else first
        passed = rows.assign(passed=rows["passed"].astype(float))
        table = passed.pivot(index=["item", "field"], columns="model", values="passed")
    return table.reindex(columns=models).to_numpy(float)


def _cells(passes: Floats) -> dict[str, int]:
    """The two-by-two table of two columns of passes, over the rows that both have."""
    one, two = passes[~np.isnan(passes).any(axis=1)].T > 0
    return {
        "both": int((one & two).sum()),
        "only_first": int((one & ~two).sum()),
        "only_second": int((~one & two).sum()),
        "neither": int((~one & ~two).sum()),
    }


def _with_holm(
    records: list[dict[str, Any]], settings: _Settings, baselines: set[str]
) -> list[dict[str, Any]]:
    family = [r for r in records if not {r["first"], r["second"]} & baselines]
    for record, adjusted in zip(family, holm([r["p"] for r in family]), strict=True):
        record["p_holm"] = _digits(adjusted)
        record["significant"] = bool(adjusted <= settings.alpha)
    return records


def _digits(value: float) -> float:
    """Twelve significant digits: beyond them sums differ between processors."""
    return float(f"{value:.12g}")


def _count(value: float) -> int | float:
    """Whole where it is whole; a mean over repeats may not be."""
    rounded = _digits(value)
    return int(rounded) if rounded.is_integer() else rounded
