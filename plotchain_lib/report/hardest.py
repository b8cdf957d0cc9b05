"""The items that most models fail: where to look first."""

from __future__ import annotations

from urllib.parse import quote

from plotchain_lib.report.inputs import Dataset
from plotchain_lib.report.sections import Section
from plotchain_lib.report.summary import ends_of, ranked_models
from plotchain_lib.report.tables import Column, Table
from plotchain_lib.report.words import words_of

MOST_SHOWN = 20


def hardest_section(dataset: Dataset) -> list[Section]:
    """The items with the smallest share of fields passed; no section without a contestant."""
    models = ranked_models(dataset)
    if not models:
        return []
    words = words_of(dataset.suite)
    lead = (
        f"The {words.items} with the lowest {words.measure} over all models, baselines left aside; "
        "the ceiling's stands beside."
    )
    return [
        Section("hardest", f"Hardest {words.items}", lead, tables=(hardest_table(dataset, models),))
    ]


def hardest_table(dataset: Dataset, models: list[str]) -> Table:
    """Item, the ranking's measure over all models, and how many models get all of it right."""
    words, verdicts = words_of(dataset.suite), dataset.verdicts
    # Weighed verdicts hold their item's score, the same in each of its rows.
    if "item_score" in verdicts.columns:
        counted = {"passed": verdicts["item_score"], "whole": verdicts["solved"] == 1.0}
        verdicts = verdicts.assign(**counted).drop_duplicates(["model", "item", "repeat"])
    else:
        verdicts = verdicts.assign(whole=verdicts["passed"])
    contest = verdicts[verdicts["model"].isin(models)]
    by_item = contest.groupby(["item", "group", "difficulty"], as_index=False).agg(
        passed=("passed", "mean")
    )
    whole = contest.groupby(["item", "model"])["whole"].all().groupby("item").sum()
    ceiling = verdicts[verdicts["model"] == ends_of(dataset).get("ceiling")]
    beside = ceiling.groupby("item")["passed"].mean()
    chosen = by_item.sort_values(["passed", "item"]).head(MOST_SHOWN)
    columns = (
        Column("item", words.item.capitalize(), link="address" if dataset.browsable else ""),
        Column("family", words.group.capitalize()),
        *((Column("difficulty", "Difficulty"),) if chosen["difficulty"].any() else ()),
        Column("passed", words.passed.capitalize(), "percent"),
        Column("models", f"Models of {len(models)} that {words.whole}", "count"),
        Column("ceiling", "Ceiling", "percent"),
    )  # fmt: skip
    records = tuple(
        {"item": item, "family": group, "difficulty": difficulty, "passed": passed,
         "models": int(whole.loc[item]), "ceiling": beside.get(item),
         "address": f"#item={quote(f'{dataset.name}/{item}')}"}
        for item, group, difficulty, passed in chosen.astype(object).to_numpy().tolist()
    )  # fmt: skip
    return Table(
        name="hardest_items", title=f"Hardest {words.items}", columns=columns, records=records,
        keys=("item",), order="passed",
    )  # fmt: skip
