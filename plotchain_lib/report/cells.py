"""Why models fail: were the steps read right, was the result right?

Four cells per item: every checkpoint right or not, every final right or not. A call without an
answer is none of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, cast

import numpy as np
import pandas as pd

from plotchain_lib.report.bars import Part, grid_chart, stacked_chart
from plotchain_lib.report.figures import ACCENT, LINE, SECOND, Chart
from plotchain_lib.report.inputs import Dataset
from plotchain_lib.report.summary import all_models, baselines
from plotchain_lib.report.tables import Column, Record, Table

CELLS = ("derived", "not_derived", "lucky", "not_seen", "no_answer")
TITLES = {
    "derived": "seen and derived", "not_derived": "seen, not derived", "lucky": "lucky",
    "not_seen": "not seen", "no_answer": "no answer",
}  # fmt: skip
PARTS = (
    Part(TITLES["derived"], ACCENT, False), Part(TITLES["not_derived"], "#8db9dc", True),
    Part(TITLES["lucky"], "#f0bf94", True), Part(TITLES["not_seen"], SECOND, False),
    Part(TITLES["no_answer"], LINE, True),
)  # fmt: skip
MEANING = (
    "Seen: every checkpoint of the item is right. Derived: every final is right too. Lucky: the "
    "finals are right though a checkpoint is not."
)


def cells_of(verdicts: pd.DataFrame) -> pd.DataFrame:
    """Counts of calls by model and group: columns ``calls`` and CELLS.

    `verdicts` has the columns of the score table. Items without checkpoints or without finals are
    left out; with repeats every call counts.
    """
    final = (verdicts["scope"] == "final").to_numpy(bool)
    failed = ~verdicts["passed"].to_numpy(bool)
    keys = ["model", "group", "item", "repeat"]
    codes = verdicts.groupby(keys, sort=False, observed=True).ngroup().to_numpy()
    count = int(codes.max(initial=-1)) + 1
    first = np.full(count, -1)
    first[codes[::-1]] = np.arange(len(codes))[::-1]

    def summed(rows: Any) -> Any:
        return np.bincount(codes[rows], minlength=count)

    seen, right = summed(failed & ~final) == 0, summed(failed & final) == 0
    both = (summed(final) > 0) & (summed(~final) > 0)
    answered = (verdicts["outcome"] == "answered").to_numpy(bool)[first]
    place = np.select(
        [~answered, seen & right, seen & ~right, ~seen & right], [4, 0, 1, 2], default=3
    )
    calls = verdicts[["model", "group"]].iloc[first[both]].assign(cell=place[both])
    counts = calls.groupby(["model", "group", "cell"], observed=True).size().unstack(fill_value=0)
    counts = counts.reindex(columns=range(len(CELLS)), fill_value=0)
    counts.columns = pd.Index(CELLS)
    return pd.DataFrame(counts.assign(calls=counts.sum(axis=1)))


def cell_parts(dataset: Dataset) -> tuple[tuple[Chart, ...], tuple[Table, ...]]:
    """The charts and tables of the four cells; none where no item has checkpoints."""
    counts = cells_of(dataset.verdicts)
    if counts.empty:
        return (), ()
    models = all_models(dataset)
    total = counts.groupby(level="model").sum().reindex(models).fillna(0)
    overall = stacked_chart(
        ("cells", "Steps and results of each item", MEANING),
        [(m, _shares(total.loc[m]), int(total["calls"][m])) for m in models], PARTS,
        "items with checkpoints (%); how many at the right",
    )  # fmt: skip
    groups = sorted(counts.index.unique("group"))
    shares = {(str(key[1]), str(key[0])): _shares(row) for key, row in _rows(counts)}
    caption = "The same by family (rows) and model (columns): each bar is all items of a family."
    heading = ("cells_families", "Steps and results by family", caption)
    grid = grid_chart(heading, shares, groups, models, PARTS)
    return (overall, grid), (_table(dataset, total), _family_table(counts, models, groups))


def _rows(counts: pd.DataFrame) -> Iterable[tuple[tuple[str, str], Any]]:
    return cast(Iterable[tuple[tuple[str, str], Any]], counts.iterrows())


def _shares(row: Any) -> list[float]:
    return [float(row[name] / row["calls"]) if row["calls"] else 0.0 for name in CELLS]


def _columns() -> tuple[Column, ...]:
    return (
        Column("calls", "Items", "count"),
        *(Column(name, TITLES[name].capitalize(), "percent", heat=True) for name in CELLS),
    )


def _record(row: Any) -> dict[str, Any]:
    return {"calls": int(row["calls"]), **dict(zip(CELLS, _shares(row), strict=True))}


def _table(dataset: Dataset, total: pd.DataFrame) -> Table:
    def records(labels: Sequence[str]) -> tuple[Record, ...]:
        return tuple({"model": m, **_record(total.loc[m])} for m in labels)

    apart = [label for _, label in baselines(dataset)]
    return Table(
        name="cells", title="Of each model's items (%)",
        columns=(Column("model", "Model"), *_columns()), keys=("model",),
        records=records([m for m in all_models(dataset) if m not in apart]), apart=records(apart),
        note=f"{MEANING} With repeats every call counts.",
    )  # fmt: skip


def _family_table(counts: pd.DataFrame, models: Sequence[str], groups: Sequence[str]) -> Table:
    records = tuple(
        {"group": group, "model": model, **_record(counts.loc[(model, group)])}
        for group in groups
        for model in models
        if (model, group) in counts.index
    )
    columns = (Column("group", "Family"), Column("model", "Model"), *_columns())
    return Table(name="cells_families", title="By family and model (%)", columns=columns,
                 records=records, keys=("group", "model"), order="group")  # fmt: skip
