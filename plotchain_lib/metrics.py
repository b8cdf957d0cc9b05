"""Metrics over verdicts: rates, errors, latency, per model or any finer breakdown.

Headline rates count every item: an answer that did not come is not right. Two other denominators
stand beside them: ``settled`` leaves out pending calls (not asked yet), ``read`` counts only the
fields with a number, as the recipe of arXiv 2602.13232's benchmark page does.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from plotchain_lib.item import PlotChainError

CALL = ["model", "item", "repeat"]
ITEM_METRICS = ("final_all_pass", "checkpoint_all_pass", "all_pass")
_SUMMED = [
    "n", "n_final", "n_checkpoint", "passed", "passed_final", "passed_checkpoint", "read",
    "passed_read",
]  # fmt: skip
# Of verdicts that are weighed: the item's score, and whether every attempt solved it.
WEIGHED_METRICS = ("item_score", "solved")
FIELD_METRICS = ("field_pass_rate", "final_field_pass_rate", "checkpoint_field_pass_rate")


def item_table(scores: pd.DataFrame, by: Sequence[str] = ()) -> pd.DataFrame:
    """One row per model, item and repeat (and the further keys in `by`).

    Columns: ``n, n_final, n_checkpoint`` fields; ``passed, passed_final, passed_checkpoint`` of
    them; ``read`` fields with a number and ``passed_read`` of them; ``pending``;
    ``final_all_pass, checkpoint_all_pass, all_pass`` as 1.0 or 0.0, NaN where the item has no such
    field (items without checkpoints have no checkpoint all-pass). Of weighed verdicts also
    ``item_score`` and ``solved``.
    """
    final = scores["scope"] == "final"
    passed = scores["passed"].astype(bool)
    read = scores["value"].notna()
    counts = pd.DataFrame(
        {
            "n": 1,
            "n_final": final.astype(int),
            "n_checkpoint": (~final).astype(int),
            "passed": passed.astype(int),
            "passed_final": (passed & final).astype(int),
            "passed_checkpoint": (passed & ~final).astype(int),
            "read": read.astype(int),
            "passed_read": (passed & read).astype(int),
            "pending": (scores["outcome"] == "pending").astype(int),
        },
        index=scores.index,
    )
    keys = [*CALL, *(key for key in by if key not in CALL)]
    table = counts.groupby([scores[key] for key in keys], sort=True, observed=True).sum()
    table["pending"] = table["pending"] > 0
    for metric, suffix in (
        ("final_all_pass", "_final"),
        ("checkpoint_all_pass", "_checkpoint"),
        ("all_pass", ""),
    ):
        asked = table[f"n{suffix}"]
        every = (table[f"passed{suffix}"] == asked).astype(float)
        table[metric] = every.where(asked > 0)
    for metric in WEIGHED_METRICS:
        if metric in scores:
            grouped = scores[metric].groupby([scores[key] for key in keys], observed=True)
            table[metric] = grouped.first()
    return table.reset_index()


def metrics(
    scores: pd.DataFrame, by: Sequence[str] = ("model",), answers: pd.DataFrame | None = None
) -> pd.DataFrame:
    """Every metric, one row per combination of `by`.

    Args:
        scores: columns SCORE_COLUMNS.
        by: for example ``("model",)``, ``("model", "group")``, ``("model", "difficulty")`` or
            ``("model", "group", "field")``.
        answers: columns ANSWER_COLUMNS of the same calls; without it the latencies are NaN.

    Returns, beside the keys:
        ``n, passes, field_pass_rate`` and the same for final and checkpoint fields;
        of weighed verdicts ``item_score`` and ``solved``, means over calls;
        ``n_items`` (calls, so an item counts once per repeat) and ``n_checkpoint_items``;
        ``final_all_passes, final_all_pass`` and the same for checkpoint (over items that have
        checkpoints only) and all; ``item_final_field_rate``: mean over items of the share of
        final fields passed;
        ``pending_items, settled_field_pass_rate, settled_final_all_pass``: pending calls left out;
        ``nulls``: fields without a number; ``read_field_pass_rate`` over fields with one, pooled;
        ``read_item_field_pass_rate``: its mean over items, 0 for an item without any number;
        ``mean_abs_err, median_abs_err`` (field's unit), ``mean_rel_err, median_rel_err``
        (fraction), over fields with a number;
        ``latency_item_mean, latency_item_median`` (s, per call), ``latency_field_mean`` (s, each
        call weighted by its fields, as published). Rates over nothing are NaN.
    """
    keys = list(by)
    missing = [key for key in keys if key not in scores.columns]
    if missing:
        raise PlotChainError(f"metrics: scores have no column {missing[0]!r}; choose another")
    table = item_table(scores, by=keys)
    result = _rates(table, keys).join(_other_denominators(table, keys))
    result = result.join(_errors(scores, keys))
    return result.join(_latency(scores, answers, keys)).reset_index()


def _rates(table: pd.DataFrame, keys: list[str]) -> pd.DataFrame:
    grouped = table.groupby(keys, sort=True, observed=True)
    sums = grouped[_SUMMED].sum()
    result = pd.DataFrame(index=sums.index)
    for suffix, prefix in (("", ""), ("_final", "final_"), ("_checkpoint", "checkpoint_")):
        result[f"n{suffix}"] = sums[f"n{suffix}"]
        result[f"{prefix}passes"] = sums[f"passed{suffix}"]
        result[f"{prefix}field_pass_rate"] = _ratio(sums[f"passed{suffix}"], sums[f"n{suffix}"])
    result["n_items"] = grouped.size()
    result["n_checkpoint_items"] = grouped["checkpoint_all_pass"].count()
    for metric in ITEM_METRICS:
        result[f"{metric}es"] = grouped[metric].sum().astype(int)
        result[metric] = grouped[metric].mean()
    for metric in WEIGHED_METRICS:
        if metric in table:
            result[metric] = grouped[metric].mean()
    result["nulls"] = sums["n"] - sums["read"]
    result["read_field_pass_rate"] = _ratio(sums["passed_read"], sums["read"])
    return result


def _other_denominators(table: pd.DataFrame, keys: list[str]) -> pd.DataFrame:
    shares = table[keys].assign(
        item_final_field_rate=_ratio(table["passed_final"], table["n_final"]),
        read_item_field_pass_rate=_ratio(table["passed_read"], table["read"]).fillna(0.0),
        pending_items=table["pending"].astype(int),
    )
    grouped = shares.groupby(keys, sort=True, observed=True)
    result = grouped[["item_final_field_rate", "read_item_field_pass_rate"]].mean()
    result["pending_items"] = grouped["pending_items"].sum()
    settled = table[~table["pending"]].groupby(keys, sort=True, observed=True)
    sums = settled[["passed", "n"]].sum()
    result["settled_field_pass_rate"] = _ratio(sums["passed"], sums["n"])
    result["settled_final_all_pass"] = settled["final_all_pass"].mean()
    return result


def _errors(scores: pd.DataFrame, keys: list[str]) -> pd.DataFrame:
    grouped = scores.groupby(keys, sort=True, observed=True)
    return pd.DataFrame(
        {
            f"{how}_{error}": grouped[error].agg(how)
            for error in ("abs_err", "rel_err")
            for how in ("mean", "median")
        }
    )


def _latency(scores: pd.DataFrame, answers: pd.DataFrame | None, keys: list[str]) -> pd.DataFrame:
    columns = list(dict.fromkeys([*CALL, *keys]))
    rows = scores[columns]
    if answers is None:
        rows = rows.assign(latency_s=np.nan)
    else:
        latency = answers.drop_duplicates(CALL)[[*CALL, "latency_s"]]
        rows = rows.merge(latency, on=CALL, how="left", validate="many_to_one")
    calls = rows.drop_duplicates(columns).groupby(keys, sort=True, observed=True)["latency_s"]
    return pd.DataFrame(
        {
            "latency_item_mean": calls.mean(),
            "latency_item_median": calls.median(),
            "latency_field_mean": rows.groupby(keys, sort=True, observed=True)["latency_s"].mean(),
        }
    )


def _ratio(part: pd.Series, whole: pd.Series) -> pd.Series:
    """The quotient; NaN where the whole is zero."""
    return part / whole.where(whole > 0)
