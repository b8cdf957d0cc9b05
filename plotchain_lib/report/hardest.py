"""The items that most models fail: where to look first."""

from __future__ import annotations

from urllib.parse import quote

from plotchain_lib.report.inputs import Dataset
from plotchain_lib.report.sections import Section
from plotchain_lib.report.summary import ranked_models
from plotchain_lib.report.tables import Column, Table

MOST_SHOWN = 20


def hardest_section(dataset: Dataset) -> list[Section]:
    """The items with the smallest share of fields passed; no section without a contestant."""
    models = ranked_models(dataset)
    if not models:
        return []
    lead = (
        "The items of which the models pass the fewest fields, baselines left aside; what the "
        "ceiling passes of them stands beside."
    )
    return [Section("hardest", "Hardest items", lead, tables=(hardest_table(dataset, models),))]


def hardest_table(dataset: Dataset, models: list[str]) -> Table:
    """Item, share of fields passed over all models, and how many models pass every field."""
    verdicts = dataset.verdicts
    contest = verdicts[verdicts["model"].isin(models)]
    by_item = contest.groupby(["item", "group", "difficulty"], as_index=False).agg(
        passed=("passed", "mean")
    )
    whole = contest.groupby(["item", "model"])["passed"].all().groupby("item").sum()
    ceiling = verdicts[verdicts["model"] == dataset.baseline("ceiling")]
    beside = ceiling.groupby("item")["passed"].mean()
    chosen = by_item.sort_values(["passed", "item"]).head(MOST_SHOWN)
    columns = (
        Column("item", "Item", link="address" if dataset.browsable else ""),
        Column("family", "Family"), Column("difficulty", "Difficulty"),
        Column("passed", "Fields passed", "percent"),
        Column("models", f"Models of {len(models)} that pass every field", "count"),
        Column("ceiling", "Ceiling", "percent"),
    )  # fmt: skip
    records = tuple(
        {"item": item, "family": group, "difficulty": difficulty, "passed": passed,
         "models": int(whole.loc[item]), "ceiling": beside.get(item),
         "address": f"#item={quote(f'{dataset.name}/{item}')}"}
        for item, group, difficulty, passed in chosen.astype(object).to_numpy().tolist()
    )  # fmt: skip
    return Table(
        name="hardest_items", title="Hardest items", columns=columns, records=records,
        keys=("item",), order="passed",
    )  # fmt: skip
