"""Missing answers: the ranking if all of them were right, and if all were wrong.

Whatever the missing answers would have been, a model's rate lies between the two (Manski 1989 calls
them worst-case bounds), and its rank between the ranks that follow.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from plotchain_lib.report.inputs import Dataset
from plotchain_lib.report.sections import Section
from plotchain_lib.report.summary import ranked_models
from plotchain_lib.report.tables import Column, Table, records_of
from plotchain_lib.report.words import Words, words_of


def bounds_of(verdicts: pd.DataFrame, models: Sequence[str]) -> pd.DataFrame:
    """By model (index, in the given order): fields, missing, worst, best, and three ranks.

    A field is worth 1 where it passed, of weighed verdicts its weight times its score.

    `verdicts` has the columns of the score table. A field is missing whose call was not answered,
    whatever the reason; a value left out of an answer is the model's own doing and wrong. ``worst``
    and ``best`` are what the ranking counts; ``rank`` is by ``worst``, as the headline counts;
    ``rank_best`` and ``rank_worst`` are the highest and the lowest that any answers could bring.
    """
    contest = verdicts[verdicts["model"].isin(models)]
    missing = contest["outcome"] != "answered"
    weighed = "weight" in contest.columns
    weight = contest["weight"] if weighed else pd.Series(1.0, index=contest.index)
    points = weight * contest["score" if weighed else "passed"].astype(float)
    columns = {
        "missing": missing, "weight": weight, "right": points.where(~missing, 0.0),
        "open": weight.where(missing, 0.0),
    }  # fmt: skip
    groups = contest.assign(**columns).groupby("model", observed=True)
    table = groups.agg(fields=("right", "size"), **{name: (name, "sum") for name in columns})
    table = table.reindex(list(models))
    # Rounded: sums of weights that make one are one.
    table["worst"] = (table["right"] / table["weight"]).round(12)
    table["best"] = ((table["right"] + table["open"]) / table["weight"]).round(12)
    worst, best = table["worst"].to_numpy(float), table["best"].to_numpy(float)
    itself = np.eye(len(models), dtype=bool)
    table["rank"] = 1 + (worst[None, :] > worst[:, None]).sum(axis=1)
    table["rank_best"] = 1 + (worst[None, :] > best[:, None]).sum(axis=1)
    table["rank_worst"] = 1 + ((best[None, :] > worst[:, None]) & ~itself).sum(axis=1)
    return table.drop(columns=["right", "weight", "open"])


def missing_sections(dataset: Dataset) -> list[Section]:
    """One section; none without contestants."""
    models, words = ranked_models(dataset), words_of(dataset.suite)
    if not models:
        return []
    table = bounds_of(dataset.verdicts, models)
    total = int(table["missing"].sum())
    if not total:
        lead = "Every call was answered, so no missing answer leaves the ranking open."
        return [Section("missing", "Missing answers", lead)]
    open_ranks = int((table["rank_best"] != table["rank_worst"]).sum())
    told = "no model" if not open_ranks else f"{open_ranks} of {len(models)} models"
    lead = (
        f"{total:,} {words.fields} have no answer, because their calls were refused, cut off, "
        "failed or are pending. They count as wrong. Were they all right, or all wrong, "
        f"{told} could change rank."
    )
    shown = Table(
        name="missing", title="Best and worst case", columns=_columns(words), keys=("model",),
        records=tuple(records_of(table.reset_index())),
        order="rank",
        note=(
            f"{words.passed.capitalize()} in percent. A value left out of an answer is wrong in "
            "either case."
        ),
    )  # fmt: skip
    return [Section("missing", "Missing answers", lead, tables=(shown,))]


def _columns(words: Words) -> tuple[Column, ...]:
    share, place = f"{words.passed.capitalize()} (%), missing ones", "Rank"
    return (
        Column("model", "Model"), Column("missing", f"Missing {words.fields}", "count"),
        Column("fields", "of", "count"), Column("worst", "all wrong", "percent", group=share),
        Column("best", "all right", "percent", group=share),
        Column("rank", "as counted", "count", group=place),
        Column("rank_best", "at best", "count", group=place),
        Column("rank_worst", "at worst", "count", group=place),
    )  # fmt: skip
