"""Choice against open answers: the same questions, asked with and without options."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd

from plotchain_lib.report.charts import difficulty_chart
from plotchain_lib.report.figures import Chart
from plotchain_lib.report.grab_rates import (
    CHANCE,
    OPTIONS,
    Rates,
    alpha_of,
    cells,
    digits,
    offers_choice,
    questions,
    rates,
)
from plotchain_lib.report.inputs import Dataset
from plotchain_lib.report.sections import Section
from plotchain_lib.report.summary import all_models, baselines, ranked_models
from plotchain_lib.report.tables import Column, Record, Table


def choice_sections(dataset: Dataset, datasets: Sequence[Dataset]) -> list[Section]:
    """One section where every question of `dataset` has options, else none."""
    rows = questions(dataset)
    if not offers_choice(rows):
        return []
    tables, lead = [_letter_table(dataset)], ""
    charts: tuple[Chart, ...] = ()
    open_one = _same_questions(dataset, rows, datasets)
    if open_one is not None:
        other, open_rows = open_one
        shared = rows[rows["item"].isin(open_rows["item"])]
        found = rates(shared, ["model"], alpha_of(dataset))
        before = rates(open_rows, ["model"], alpha_of(dataset))
        tables.insert(0, _format_table(dataset, before, found))
        models = [m for m in all_models(dataset) if (m,) in before and (m,) in found]
        series = {
            name: {m: float(entries[m,]["value"]) for m in models}
            for name, entries in (("open answer", before), ("multiple choice", found))
        }
        caption = "Share of the same questions right, asked openly and with five options."
        heading = ("choice", "Choice against open answers", caption)
        charts = (difficulty_chart(heading, models, series, "questions right"),)
        lead = (
            f"The {shared['item'].nunique():,} questions that {other.name} asks openly. Chance is "
            f"{100 / OPTIONS:.0f} %."
        )
    return [Section("choice", "Multiple choice", lead, charts=charts, tables=tuple(tables))]


def _same_questions(
    dataset: Dataset, rows: pd.DataFrame, datasets: Sequence[Dataset]
) -> tuple[Dataset, pd.DataFrame] | None:
    """The first dataset that asks these items openly, and its rows of them."""
    for other in datasets:
        if other is dataset or other.suite != dataset.suite:
            continue
        if other.facts.get("seed") != dataset.facts.get("seed"):
            continue
        found = questions(other)
        found = found[found["item"].isin(rows["item"]) & (found["precision"] != "choice")]
        if len(found):
            return other, found
    return None


def _format_table(dataset: Dataset, before: Rates, found: Rates) -> Table:
    def record(label: str) -> Record:
        row: dict[str, Any] = {"model": label}
        row |= cells("open", before.get((label,))) | cells("choice", found.get((label,)))
        both = row["choice"], row["open"]
        return row | {"more": None if None in both else digits(both[0] - both[1])}

    return Table(
        name="choice", title="The same questions, open and with five options", keys=("model",),
        columns=(
            Column("model", "Model"),
            Column("open", "Open answer", "percent", interval=True, counted=True),
            Column("more", "Difference (points)", "points"),
            Column("choice", "Multiple choice", "percent", interval=True, counted=True),
        ),
        records=tuple(record(label) for label in ranked_models(dataset)),
        apart=(*(record(label) for _, label in baselines(dataset)),
               {"model": CHANCE, "choice": 1 / OPTIONS}),
        note="Accuracy in percent under each dataset's headline policy.",
    )  # fmt: skip


def _letter_table(dataset: Dataset) -> Table:
    """How often each letter was chosen, and was right: a preference shows as a difference."""
    verdicts = dataset.verdicts
    letters = [chr(ord("A") + place) for place in range(OPTIONS)]
    shares = verdicts.groupby("model")["written"].value_counts(normalize=True)
    right = verdicts.drop_duplicates("item")["expected"].value_counts(normalize=True)

    def record(label: str) -> Record:
        return {"model": label, **{x: float(shares.get((label, x), 0.0)) for x in letters}}

    truth = {"model": "right answers", **{x: float(right.get(x, 0.0)) for x in letters}}
    return Table(
        name="letters", title="Letters chosen (%)", keys=("model",),
        columns=(Column("model", "Model"), *(Column(x, x, "percent") for x in letters)),
        records=tuple(record(label) for label in ranked_models(dataset)),
        apart=(*(record(label) for _, label in baselines(dataset)), truth),
        note="Of all questions; what is missing to 100 % names no option.",
    )  # fmt: skip
