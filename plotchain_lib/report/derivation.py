"""Derivation consistency: does a result follow from the model's own steps?

The score stage recomputes a field from the other fields of the same answer by the family's formula
(column ``derived``). Beside the stated value it splits a wrong result: into wrong reading (the
steps lead there) and wrong arithmetic (the steps lead elsewhere). docs/derivation.md defines it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from plotchain_lib.report.bars import Part, stacked_chart
from plotchain_lib.report.errors import Errors
from plotchain_lib.report.figures import ACCENT, LINE, MUTED, SECOND
from plotchain_lib.report.inputs import Dataset
from plotchain_lib.report.sections import Section
from plotchain_lib.report.summary import all_models, baselines
from plotchain_lib.report.tables import Column, Record, Table, records_of

KINDS = ("reading", "arithmetic", "both", "undecided")
TITLES = {
    "reading": "reading", "arithmetic": "arithmetic", "both": "both", "undecided": "undecided",
}  # fmt: skip
PARTS = (
    Part("reading", ACCENT, False), Part("arithmetic", SECOND, False), Part("both", MUTED, False),
    Part("undecided", LINE, True),
)  # fmt: skip
COUNTS = ("finals", "decided", "agree", "failed", *KINDS)


def splits_of(verdicts: pd.DataFrame, unit: Any) -> pd.DataFrame:
    """What became of every final that follows from other fields; a row each.

    A final follows where anyone's answer let it be recomputed: the floor always answers. `verdicts`
    has the columns of the score table, `unit` is each row's wider tolerance in the
    field's unit. Columns ``model, group, field`` and, as 0 or 1: ``finals``; ``decided`` (value and
    recomputed value are there) and ``agree`` (they differ by no more than the tolerance);
    ``failed``, and of the failed one of KINDS.
    """
    items, _ = pd.factorize(verdicts["item"])
    names, known = pd.factorize(verdicts["field"])
    asked = items * len(known) + names
    follows = np.isin(asked, asked[verdicts["derived"].notna().to_numpy(bool)])
    rows = follows & (verdicts["scope"] == "final").to_numpy(bool)
    chosen, room = verdicts[rows], np.asarray(unit)[rows]
    value, truth, derived = (chosen[n].to_numpy(float) for n in ("value", "truth", "derived"))
    decided = ~np.isnan(value) & ~np.isnan(derived)
    with np.errstate(invalid="ignore", over="ignore"):
        agree = decided & (np.abs(value - derived) <= room)
        would_pass = decided & (np.abs(derived - truth) <= room)
    failed = ~chosen["passed"].to_numpy(bool)
    columns = {
        "finals": np.ones(len(chosen), dtype=bool), "decided": decided, "agree": agree,
        "failed": failed, "reading": failed & decided & ~would_pass & agree,
        "arithmetic": failed & would_pass, "both": failed & decided & ~would_pass & ~agree,
        "undecided": failed & ~decided,
    }  # fmt: skip
    frame = chosen[["model", "group", "field"]].reset_index(drop=True)
    return frame.assign(**{name: flags.astype(np.int64) for name, flags in columns.items()})


def derivation_sections(dataset: Dataset, errors: Errors) -> list[Section]:
    """One section; none where no final follows from other fields."""
    splits = splits_of(dataset.verdicts, errors.unit)
    if splits.empty:
        return []
    models = all_models(dataset)
    total = splits.groupby("model", observed=True)[list(COUNTS)].sum().reindex(models)
    total = total.fillna(0).astype(int)
    chart = stacked_chart(
        ("derivation", "Wrong results: misread or miscalculated",
         "Of the finals that follow from other fields and are wrong: reading, the model's own "
         "steps lead to the wrong value; arithmetic, they lead to the right one; both, they lead "
         "to another wrong one. Undecided: a value it takes is missing."),
        [(m, _kinds(total.loc[m]), int(total["failed"][m])) for m in models], PARTS,
        "wrong finals (%); how many at the right",
    )  # fmt: skip
    fields = splits.drop_duplicates(["group", "field"])
    lead = (
        f"{len(fields)} final fields follow from other fields of the same answer by a formula. "
        "Each is recomputed from what the model itself answered and held against what it stated."
    )
    tables = (_table(dataset, total), _field_table(dataset, splits))
    return [Section("derivation", "Reading or arithmetic", lead, (chart,), tables, tabbed=True)]


def _kinds(row: Any) -> list[float]:
    return [float(row[kind] / row["failed"]) if row["failed"] else 0.0 for kind in KINDS]


def _record(row: Any) -> dict[str, Any]:
    decided = int(row["decided"])
    return {
        "finals": int(row["finals"]), "decided": decided,
        "consistent": float(row["agree"] / decided) if decided else None,
        "failed": int(row["failed"]), **{kind: int(row[kind]) for kind in KINDS},
    }  # fmt: skip


def _columns() -> tuple[Column, ...]:
    wrong = "Wrong finals"
    return (
        Column("finals", "Finals that follow", "count"), Column("decided", "Recomputed", "count"),
        Column("consistent", "Consistent", "percent", heat=True),
        Column("failed", "All", "count", group=wrong),
        *(Column(kind, TITLES[kind].capitalize(), "count", group=wrong) for kind in KINDS),
    )  # fmt: skip


def _table(dataset: Dataset, total: pd.DataFrame) -> Table:
    def records(labels: Sequence[str]) -> tuple[Record, ...]:
        return tuple({"model": m, **_record(total.loc[m])} for m in labels)

    apart = [label for _, label in baselines(dataset)]
    return Table(
        name="derivation", title="Stated and recomputed finals",
        columns=(Column("model", "Model"), *_columns()), keys=("model",),
        records=records([m for m in all_models(dataset) if m not in apart]), apart=records(apart),
        note=(
            "Consistent: of the finals that could be recomputed, the share whose stated value "
            "differs by no more than the tolerance. Undecided: a value it takes is missing."
        ),
    )  # fmt: skip


def _field_table(dataset: Dataset, splits: pd.DataFrame) -> Table:
    keys = ["group", "field", "model"]
    counts = splits.groupby(keys, observed=True)[list(COUNTS)].sum().reset_index()
    order = {label: place for place, label in enumerate(all_models(dataset))}
    rows = sorted(records_of(counts), key=lambda r: (r["group"], r["field"], order[r["model"]]))
    formulae = _formulae(dataset)
    records = tuple(
        {**{key: row[key] for key in keys}, "formula": formulae.get((row["group"], row["field"])),
         **_record(row)}
        for row in rows
    )  # fmt: skip
    columns = (
        Column("field", "Field"), Column("group", "Family"), Column("model", "Model"), *_columns(),
        Column("formula", "Formula"),
    )  # fmt: skip
    return Table(name="derivation_fields", title="By field and model", columns=columns,
                 records=records, keys=("group", "field", "model"), order="group")  # fmt: skip


def _formulae(dataset: Dataset) -> dict[tuple[str, str], str]:
    if dataset.certificate is None:
        return {}
    rows = dataset.certificate[dataset.certificate["formula"].notna()].to_dict("records")
    return {(str(row["family"]), str(row["field"])): str(row["formula"]) for row in rows}
