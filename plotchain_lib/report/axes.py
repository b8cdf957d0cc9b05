"""Fields read on a logarithmic axis against fields read on a linear one."""

from __future__ import annotations

from typing import Any

import numpy as np

from plotchain_lib.report.charts import difficulty_chart
from plotchain_lib.report.errors import Errors, Places
from plotchain_lib.report.inputs import Dataset
from plotchain_lib.report.sections import Section
from plotchain_lib.report.summary import all_models, baselines
from plotchain_lib.report.tables import Column, Record, Table

SCALES = ("linear", "log")
TITLES = {"linear": "Linear axis", "log": "Logarithmic axis"}


def axis_sections(dataset: Dataset, errors: Errors) -> list[Section]:
    """One section; none where the certificate names no axis or all fields share one kind."""
    axis = _axis_of_field(dataset, errors)
    kinds = [scale for n, scale in enumerate(SCALES) if (axis == n).any()]
    if len(kinds) < 2:
        return []
    counts = {scale: int((axis == n).sum()) for n, scale in enumerate(SCALES)}
    lead = (
        f"{counts['log']} fields are read on a logarithmic axis, {counts['linear']} on a linear "
        "one. They are other fields with other tolerances, so compare the gap of a model with the "
        "gap of floor and ceiling."
    )
    table = _table(dataset, errors, axis)
    shares = {
        TITLES[scale]: {str(r["model"]): float(r[scale]) for r in table.rows if r[f"{scale}_n"]}
        for scale in SCALES
    }
    caption = "Share of fields passed by the kind of axis they are read on, models in rank order."
    heading = ("axes", "Linear and logarithmic axes", caption)
    chart = difficulty_chart(heading, all_models(dataset), shares)
    return [Section("axes", "Linear and logarithmic axes", lead, (chart,), (table,))]


def _axis_of_field(dataset: Dataset, errors: Errors) -> Places:
    """The place in SCALES of every field; -1 where it is not known."""
    if dataset.certificate is None:
        return np.full(len(errors.fields), -1, dtype=np.intp)
    known = {
        (str(row["family"]), str(row["field"])): SCALES.index(row["axis"])
        for row in dataset.certificate.to_dict("records")
        if row["axis"] in SCALES
    }
    return np.array([known.get(pair, -1) for pair in errors.fields], dtype=np.intp)


def _table(dataset: Dataset, errors: Errors, axis: Places) -> Table:
    of_row = axis[errors.field]
    cells: dict[str, dict[str, Any]] = {}
    for n, label in enumerate(errors.models):
        row: dict[str, Any] = {"model": label}
        for place, scale in enumerate(SCALES):
            sizes = errors.size[(errors.model == n) & (of_row == place)]
            valued = sizes[~np.isnan(sizes)]
            row[f"{scale}_n"] = len(sizes)
            row[scale] = float((valued <= 1).sum() / len(sizes)) if len(sizes) else None
            row[f"{scale}_median"] = float(np.median(valued)) if len(valued) else None
        known = row["linear"] is not None and row["log"] is not None
        row["gap"] = row["log"] - row["linear"] if known else None
        cells[label] = row

    def records(labels: list[str]) -> tuple[Record, ...]:
        return tuple(cells[label] for label in labels)

    passed = "Fields passed (%)"
    columns = (
        Column("model", "Model"),
        *(Column(scale, TITLES[scale], "percent", counted=True, heat=True, group=passed)
          for scale in SCALES),
        Column("gap", "Logarithmic − linear (points)", "points", group=passed),
        *(Column(f"{scale}_median", TITLES[scale], "number", group="Median error in tolerances")
          for scale in SCALES),
    )  # fmt: skip
    apart = [label for _, label in baselines(dataset)]
    return Table(
        name="axes", title="By the axis a field is read on", columns=columns, keys=("model",),
        records=records([m for m in all_models(dataset) if m not in apart]), apart=records(apart),
        note="A field's axis stands in the certificate. n counts verdicts.",
    )  # fmt: skip
