"""Accuracy by any breakdown of the suite grab, with Wilson intervals, from the verdicts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import pandas as pd

from plotchain_lib.item import PlotChainError
from plotchain_lib.report.inputs import Dataset
from plotchain_lib.report.summary import baselines, ranked_models
from plotchain_lib.report.tables import Column, Record, Table
from plotchain_lib.resampling import wilson

PLACES = ("task", "category", "property")
OPTIONS = 5  # of every multiple-choice question
CHANCE = "random choice"
_ALPHA = 0.05

Key = tuple[Any, ...]
Rates = Mapping[Key, Record]


def questions(dataset: Dataset, policy: str | None = None) -> pd.DataFrame:
    """One row per model and question under a policy, the headline's by default.

    Columns: ``model, item, task, category, property, complexity, precision, passed``; ``passed`` is
    the mean over repeats, in [0, 1]. Raises PlotChainError for a group that is no
    task/category/property.
    """
    verdicts = dataset.scores[policy or dataset.headline]
    keys = ["model", "item", "group", "difficulty", "precision"]
    if "precision" not in verdicts.columns:
        raise PlotChainError(
            f"scores of {dataset.name}: column 'precision' is missing; delete the file, run again"
        )
    rows = verdicts.groupby(keys, sort=False, observed=True)["passed"].mean().reset_index()
    parts = rows["group"].str.split("/", expand=True)
    if parts.shape[1] != len(PLACES) or parts.isna().any(axis=None):
        raise PlotChainError(
            f"scores of {dataset.name}: a group is no task/category/property; make the dataset "
            "again"
        )
    for place, name in enumerate(PLACES):
        rows[name] = parts[place]
    rows["complexity"] = pd.to_numeric(rows["difficulty"], errors="coerce").fillna(0).astype(int)
    return rows.drop(columns=["group", "difficulty"])


def offers_choice(rows: pd.DataFrame) -> bool:
    """Whether every question has options."""
    return bool((rows["precision"] == "choice").all())


def alpha_of(dataset: Dataset) -> float:
    """The error rate of the run's intervals."""
    return float(dataset.significance.get(dataset.headline, {}).get("alpha", _ALPHA))


def rates(rows: pd.DataFrame, by: Sequence[str], alpha: float) -> dict[Key, Record]:
    """Key to ``{value, lower, upper, n}``: accuracy with Wilson's interval; n counts questions."""
    found: dict[Key, Record] = {}
    for key, passed in rows.groupby(list(by), observed=True)["passed"]:
        right, n = float(passed.sum()), len(passed)
        lower, upper = wilson(right, n, alpha)
        ends = (("value", right / n), ("lower", lower), ("upper", upper))
        found[key] = {name: digits(value) for name, value in ends} | {"n": n}
    return found


def digits(value: float) -> float:
    """Twelve significant digits: beyond them sums differ between processors."""
    return float(f"{value:.12g}")


def cells(name: str, entry: Record | None) -> dict[str, Any]:
    """One rate as the parts of a column."""
    entry = entry or {}
    ends = {f"{name}_{part}": entry.get(part) for part in ("lower", "upper", "n")}
    return {name: entry.get("value"), **ends}


def rate_table(
    dataset: Dataset, name: str, title: str, columns: Sequence[tuple[str, str, Rates, Key]],
    note: str, chance: bool = False,
) -> Table:  # fmt: skip
    """Models down, rates across; the baselines, and chance where choices are offered, apart.

    `columns` are (name, title, rates by model and then the key, key).
    """

    def record(label: str) -> Record:
        row: dict[str, Any] = {"model": label}
        for column, _, found, key in columns:
            row |= cells(column, found.get((label, *key)))
        return row

    apart = [record(label) for _, label in baselines(dataset)]
    if chance:
        apart.append({"model": CHANCE, **{column: 1 / OPTIONS for column, *_ in columns}})
    shown = (Column("model", "Model"), *(_column(column, title) for column, title, *_ in columns))
    return Table(
        name=name, title=title, columns=shown, keys=("model",), note=note, apart=tuple(apart),
        records=tuple(record(label) for label in ranked_models(dataset)),
    )  # fmt: skip


def _column(name: str, title: str) -> Column:
    return Column(name, title, "percent", interval=True, counted=True)


def titled(name: str) -> str:
    """A short name as a heading."""
    return name.replace("_", " ").capitalize()


def in_order(found: Iterable[Any], known: Sequence[Any]) -> list[Any]:
    """The known names that were found, in their order, then the others sorted."""
    names = set(found)
    return [name for name in known if name in names] + sorted(names - set(known))
