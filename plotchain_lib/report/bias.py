"""Bias: does a model read a field too high or too low, and by how much?

The signed error is in units of the tolerance. Its median has an interval from order statistics,
which assumes nothing of the errors' distribution: between the k-th smallest and the k-th largest of
n values lies the median with probability 1 - 2 P(B < k), B binomial (n, 1/2) (David and Nagaraja,
Order Statistics, section 7.1). The mean stands beside it and is at the mercy of gross mistakes.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
import pandas as pd

from plotchain_lib.report.errors import Errors, Floats
from plotchain_lib.report.figures import Chart
from plotchain_lib.report.forest import Span, forest_chart
from plotchain_lib.report.inputs import Dataset
from plotchain_lib.report.sections import Section
from plotchain_lib.report.summary import all_models, alpha_of
from plotchain_lib.report.tables import Column, Record, Table, records_of

MOST_SHOWN = 12  # fields, in the chart


def bias_of(errors: Errors, items: pd.Series[Any], alpha: float) -> pd.DataFrame:
    """By model and field (places, as index): ``n, mean, median, lower, upper``, sorted.

    `items` names each verdict's item; repeats of an item are averaged first, because they are not
    independent. The ends are NaN where n is too small for such an interval.
    """
    known = np.flatnonzero(~np.isnan(errors.signed))
    cells = errors.model[known] * len(errors.fields) + errors.field[known]
    values = errors.signed[known]
    codes, _ = pd.factorize(items.to_numpy()[known])
    keys = cells * (int(codes.max(initial=0)) + 1) + codes
    order = np.unique(keys, return_inverse=True)
    if len(order[0]) < len(keys):
        with np.errstate(invalid="ignore"):
            values = np.bincount(order[1], values) / np.bincount(order[1])
        cells = order[0] // (int(codes.max(initial=0)) + 1)
    return _by_cell(cells, values, len(errors.fields), alpha)


def _by_cell(cells: np.ndarray, values: Floats, fields: int, alpha: float) -> pd.DataFrame:
    by_value = np.lexsort((values, cells))
    ordered = values[by_value]
    found, starts, counts = np.unique(cells[by_value], return_index=True, return_counts=True)
    rank = np.array([rank_of_limit(int(n), alpha) for n in counts], dtype=np.intp)
    enough = rank > 0
    near = starts + np.maximum(rank - 1, 0)
    far = starts + counts - np.maximum(rank, 1)
    with np.errstate(invalid="ignore", over="ignore"):
        frame = pd.DataFrame(
            {
                "n": counts,
                "mean": np.add.reduceat(ordered, starts) / counts if len(starts) else ordered,
                "median": (ordered[starts + (counts - 1) // 2] + ordered[starts + counts // 2]) / 2,
                "lower": np.where(enough, ordered[near], np.nan),
                "upper": np.where(enough, ordered[far], np.nan),
            }
        )
    frame.index = pd.MultiIndex.from_arrays([found // fields, found % fields],
                                            names=["model", "field"])  # fmt: skip
    return frame


@lru_cache(maxsize=4096)
def rank_of_limit(n: int, alpha: float) -> int:
    """The largest k with P(B < k) <= alpha / 2, B binomial (n, 1/2); 0 for none."""
    term, total, rank = 1, 0, 0
    while rank < n and (total + term) / 2**n <= alpha / 2:
        total += term
        term = term * (n - rank) // (rank + 1)
        rank += 1
    return rank


def bias_section(dataset: Dataset, errors: Errors) -> Section:
    """Signed errors of every field and model."""
    alpha = alpha_of(dataset)
    table = bias_of(errors, dataset.verdicts["item"], alpha)
    apart = (table["lower"] > 0) | (table["upper"] < 0)
    contest = np.array([not dataset.is_baseline(model) for model in errors.models])
    mine = contest[table.index.get_level_values("model")]
    biased, all_of_them = int((apart & mine).sum()), int((mine & table["lower"].notna()).sum())
    lead = "Positive is read too high."
    if all_of_them:
        lead = (
            f"Of {all_of_them:,} pairs of model and field {biased:,} have a median error whose "
            f"{100 * (1 - alpha):g} % interval leaves out zero; by chance alone about "
            f"{alpha * all_of_them:,.0f} would. {lead}"
        )
    charts = (_chart(errors, table[apart & mine]),) if biased else ()
    return Section("bias", "Too high or too low", lead, charts, (_wide(dataset, errors, table),),
                   files=(_long(errors, table),))  # fmt: skip


def _chart(errors: Errors, biased: pd.DataFrame) -> Chart:
    """The fields with the strongest biases, each by the model that shows it most."""
    strength = biased["median"].abs().sort_values(ascending=False, kind="stable")
    ordered = biased.reindex(strength.index).reset_index()
    spans = []
    for field, rows in ordered.groupby("field", sort=False):
        first = rows.iloc[0]
        others = int((np.sign(rows["median"]) == np.sign(first["median"])).sum()) - 1
        family, name = errors.fields[int(str(field))]
        model = errors.models[int(first["model"])]
        detail = f"{model} and {others} more" if others else model
        ends = (float(first[column]) for column in ("median", "lower", "upper"))
        spans.append(Span(f"{family}: {name}", detail, *ends))
    heading = (
        "bias", "The strongest biases",
        "Median signed error in units of the tolerance, with its interval, of the model that shows "
        "it most, and how many more lean the same way; within the band a value passes.",
    )  # fmt: skip
    axis = "too low ← median error in tolerances → too high"
    return forest_chart(heading, spans[:MOST_SHOWN], axis, band=1.0)


def _wide(dataset: Dataset, errors: Errors, table: pd.DataFrame) -> Table:
    models = all_models(dataset)
    cells = table.to_dict("index")
    places = {label: n for n, label in enumerate(errors.models)}

    def record(place: int) -> Record:
        row: dict[str, Any] = {"group": errors.fields[place][0], "field": errors.fields[place][1]}
        for label in models:
            cell = cells.get((places[label], place), {})
            row |= {f"bias_{label}": cell.get("median"), f"bias_{label}_lower": cell.get("lower"),
                    f"bias_{label}_upper": cell.get("upper")}  # fmt: skip
        return row

    columns = (
        Column("field", "Field"), Column("group", "Family"),
        *(Column(f"bias_{label}", label, "number", interval=True, group="Median signed error")
          for label in models),
    )  # fmt: skip
    return Table(
        name="bias", title="Bias of every field", columns=columns, keys=("group", "field"),
        records=tuple(record(place) for place in range(len(errors.fields))), order="group",
        note="In units of the tolerance, over fields with a value; intervals in small type.",
    )  # fmt: skip


def _long(errors: Errors, table: pd.DataFrame) -> Table:
    models = table.index.get_level_values("model").to_numpy()
    fields = table.index.get_level_values("field").to_numpy()
    records = tuple(
        {"model": errors.models[model], "group": errors.fields[field][0],
         "field": errors.fields[field][1], **row}
        for model, field, row in zip(models, fields, records_of(table), strict=True)
    )  # fmt: skip
    columns = (
        Column("model", "Model"), Column("group", "Family"), Column("field", "Field"),
        Column("n", "Items", "count"), Column("mean", "Mean", "number"),
        Column("median", "Median", "number", interval=True),
    )  # fmt: skip
    return Table(name="bias_all", title="Signed errors", columns=columns, records=records,
                 keys=("model", "group", "field"))  # fmt: skip
