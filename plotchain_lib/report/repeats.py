"""Asked more than once: how far a model agrees with itself. Temperature 0 is not deterministic."""

from __future__ import annotations

import pandas as pd

from plotchain_lib.report.inputs import Dataset
from plotchain_lib.report.sections import Section
from plotchain_lib.report.summary import baselines, ranked_models
from plotchain_lib.report.tables import Column, Record, Table
from plotchain_lib.report.words import words_of


def repeat_section(dataset: Dataset) -> list[Section]:
    """One section with one table; none where every item was asked once."""
    if dataset.verdicts["repeat"].nunique() < 2:
        return []
    words = words_of(dataset.suite)
    agreement = agreement_of(dataset.verdicts)

    def record(label: str) -> Record:
        return {"model": label} | dict(agreement.loc[label])

    columns = (
        Column("model", "Model"),
        Column("fields", f"{words.fields.capitalize()} asked again", "count"),
        Column("same_value", "Same value every time (%)", "percent"),
        Column("same_verdict", "Same verdict every time (%)", "percent"),
        Column("always", "Always passed (%)", "percent"),
        Column("sometimes", "Sometimes passed (%)", "percent"),
    )
    table = Table(
        name="repeats", title=f"Agreement between {words.repeats}",
        columns=columns, keys=("model",),
        records=tuple(record(m) for m in ranked_models(dataset) if m in agreement.index),
        apart=tuple(record(m) for _, m in baselines(dataset) if m in agreement.index),
        note=(
            f"Over all {words.fields} of {words.items} that were asked more than once and never "
            "left pending. Two missing values are the same value."
        ),
    )  # fmt: skip
    title = words.repeats.capitalize()
    return [Section("repeats", title, words.repeated, tables=(table,))]


def agreement_of(verdicts: pd.DataFrame) -> pd.DataFrame:
    """By model: fields, same_value, same_verdict, always, sometimes (shares of the fields).

    `verdicts` has the columns of the score table.
    """
    asked = verdicts[verdicts["outcome"] != "pending"]
    keys = ["model", "item", "field"]
    value = "written" if "written" in asked.columns else "value"  # texts, or numbers
    grouped = asked.groupby(keys, observed=True)
    pairs = pd.DataFrame(
        {
            "times": grouped.size(),
            # A missing value is a value of its own here.
            "values": grouped[value].nunique(dropna=False),
            "passes": grouped["passed"].mean(),
        }
    )
    pairs = pairs[pairs["times"] > 1]
    unanimous = pairs["passes"].isin([0.0, 1.0])
    table = pd.DataFrame(
        {
            "same_value": pairs["values"] == 1,
            "same_verdict": unanimous,
            "always": pairs["passes"] == 1.0,
            "sometimes": ~unanimous,
        }
    )
    by_model = table.groupby("model", observed=True)
    return by_model.mean().assign(fields=by_model.size())
