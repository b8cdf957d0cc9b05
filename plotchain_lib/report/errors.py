"""Errors in units of the tolerance: how far off, not only whether.

The unit is the wider of the two tolerances, the one that was easier to meet: an error of 1 just
passes, whatever the field and its unit. Everything is an array over verdicts; nothing loops over
rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd

from plotchain_lib.report.inputs import Dataset
from plotchain_lib.report.ridges import Ridge, ridge_chart
from plotchain_lib.report.sections import Section
from plotchain_lib.report.summary import all_models, baselines
from plotchain_lib.report.tables import Column, Record, Table

SMALLEST_TRUTH = 1e-12  # below it the relative error is taken of this, as the score stage does
STEPS = 2.0 ** np.arange(-4.0, 6.25, 0.5)  # the chart's edges, two to a factor of two
EDGES = (0.25, 0.5, 1.0, 2.0, 4.0, 16.0)  # the table's
WORDS = ("up to ¼", "¼ to ½", "½ to 1", "1 to 2", "2 to 4", "4 to 16", "over 16")
NAMES = ("quarter", "half", "one", "two", "four", "sixteen", "more")

Floats = npt.NDArray[np.float64]
Places = npt.NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class Errors:
    """Verdicts as arrays of one length.

    Attributes:
        models: labels, in the order of the report.
        fields: (family, field), sorted.
        model, field: places in those two.
        signed: (value - truth) over the tolerance, NaN without a value.
        size: its absolute value; at most 1 exactly where the verdict is passed.
        unit: what one of it is, in the field's unit.
    """

    models: tuple[str, ...]
    fields: tuple[tuple[str, str], ...]
    model: Places
    field: Places
    signed: Floats
    size: Floats
    unit: Floats


def errors_of(verdicts: pd.DataFrame, models: Sequence[str]) -> Errors:
    """Errors of all verdicts; `verdicts` has the columns of the score table."""
    columns = ("value", "truth", "abs_tol", "rel_tol")
    value, truth, absolute, relative = (verdicts[name].to_numpy(float) for name in columns)
    unit = np.maximum(absolute, relative * np.maximum(np.abs(truth), SMALLEST_TRUTH))
    off = value - truth
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        signed = np.where(off == 0, 0.0, off / unit)
    # The division may round the other way than the comparison that judged.
    passed = verdicts["passed"].to_numpy(bool)
    size = np.abs(signed)
    size = np.where(passed, np.minimum(size, 1.0), np.maximum(size, np.nextafter(1.0, 2.0)))
    group, groups = pd.factorize(verdicts["group"], sort=True)
    name, names = pd.factorize(verdicts["field"], sort=True)
    codes, pairs = pd.factorize(group * len(names) + name, sort=True)
    return Errors(
        models=tuple(models),
        fields=tuple(
            (str(groups[int(p) // len(names)]), str(names[int(p) % len(names)])) for p in pairs
        ),
        model=pd.Categorical(verdicts["model"], categories=list(models)).codes.astype(np.intp),
        field=codes,
        signed=np.where(np.isnan(value), np.nan, signed),
        size=np.where(np.isnan(value), np.nan, size),
        unit=unit,
    )


def shares_below(errors: Errors, edges: Floats) -> Floats:
    """Of each model's verdicts the share up to each edge, shape (models, edges); NaN without any.

    A verdict without a value is below no edge, and counts.
    """
    count = np.bincount(errors.model, minlength=len(errors.models)).astype(float)
    known = ~np.isnan(errors.size)
    place = np.searchsorted(edges, errors.size[known])  # an error on an edge is up to it
    cells = errors.model[known] * (len(edges) + 1) + place
    counts = np.bincount(cells, minlength=len(errors.models) * (len(edges) + 1))
    below = counts.reshape(len(errors.models), -1)[:, :-1].cumsum(axis=1)
    with np.errstate(invalid="ignore"):
        return np.asarray(below / count[:, None], dtype=float)


def quantiles(errors: Errors, share: float) -> Floats:
    """Each model's quantile of the error, over verdicts with a value; NaN without any."""
    found = pd.Series(errors.size).groupby(errors.model).quantile(share)
    return np.asarray(found.reindex(range(len(errors.models))), dtype=float)


def error_section(dataset: Dataset, errors: Errors) -> Section:
    """How far off the values are."""
    chart = ridge_chart(
        ("errors", "How far off",
         "Share of all fields by the error in units of the tolerance: left of the line a field "
         "passes, right of it it fails."),
        _ridges(errors), STEPS,
    )  # fmt: skip
    lead = (
        "An error of 1 just passes, whatever the field and its unit: the error is divided by the "
        "wider of the two tolerances. Near misses and gross mistakes are different faults."
    )
    return Section("errors", "How far off", lead, (chart,), (_table(dataset, errors),),
                   files=(_histogram(errors),))  # fmt: skip


def _binned(errors: Errors, edges: Floats) -> Floats:
    """Shares in the bins between edges and beyond the last, then without a value; per model."""
    below = shares_below(errors, edges)
    valued = shares_below(errors, np.array([np.inf]))
    ends = np.concatenate([np.zeros((len(below), 1)), below, valued, np.ones_like(valued)], axis=1)
    return np.asarray(np.diff(ends, axis=1), dtype=float)


def _ridges(errors: Errors) -> list[Ridge]:
    bins, medians = _binned(errors, STEPS), quantiles(errors, 0.5)
    return [
        Ridge(label, tuple(bins[n, :-1]), float(bins[n, -1]), float(medians[n]))
        for n, label in enumerate(errors.models)
    ]


def _table(dataset: Dataset, errors: Errors) -> Table:
    bins = _binned(errors, np.array(EDGES))
    median, tenth = quantiles(errors, 0.5), quantiles(errors, 0.9)
    count = np.bincount(errors.model, minlength=len(errors.models))
    place = {label: n for n, label in enumerate(errors.models)}

    def record(label: str) -> Record:
        n = place[label]
        shares = dict(zip((*NAMES, "none"), bins[n], strict=True))
        return {"model": label, "fields": count[n], "median": median[n], "ninety": tenth[n],
                **shares}  # fmt: skip

    within, beyond = "Passed (%), error", "Failed (%), error"
    columns = (
        Column("model", "Model"), Column("fields", "Fields", "count"),
        Column("median", "Median error", "number"), Column("ninety", "Nine tenths below", "number"),
        *(Column(name, word, "percent", heat=True, group=within if n < 3 else beyond)
          for n, (name, word) in enumerate(zip(NAMES, WORDS, strict=True))),
        Column("none", "no value", "percent", heat=True, group=beyond),
    )  # fmt: skip
    apart = [label for _, label in baselines(dataset)]
    return Table(
        name="errors", title="Errors in units of the tolerance", columns=columns, keys=("model",),
        records=tuple(record(m) for m in all_models(dataset) if m not in apart),
        apart=tuple(record(m) for m in apart),
        note="Median and nine tenths are of the fields with a value; shares are of all fields.",
    )  # fmt: skip


def _histogram(errors: Errors) -> Table:
    """The chart's numbers."""
    bins = _binned(errors, STEPS)
    lows, highs = [0.0, *STEPS, None], [*STEPS, None, None]
    names = [f"to {edge:.4g}" for edge in STEPS] + ["beyond", "no value"]
    records = tuple(
        {"model": label, "bin": names[n], "lower": lows[n], "upper": highs[n], "share": share}
        for row, label in enumerate(errors.models)
        for n, share in enumerate(bins[row])
    )
    columns = (
        Column("model", "Model"), Column("bin", "Bin"), Column("lower", "Over", "number"),
        Column("upper", "Up to", "number"), Column("share", "Share", "percent"),
    )  # fmt: skip
    return Table(name="error_histogram", title="Histogram of errors", columns=columns,
                 records=records, keys=("model", "bin"))  # fmt: skip
