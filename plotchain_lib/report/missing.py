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


def bounds_of(verdicts: pd.DataFrame, models: Sequence[str]) -> pd.DataFrame:
    """By model (index, in the given order): fields, missing, worst, best, and three ranks.

    `verdicts` has the columns of the score table. A field is missing whose call was not answered,
    whatever the reason; a value left out of an answer is the model's own doing and wrong. ``worst``
    and ``best`` are pass rates; ``rank`` is by ``worst``, as the headline counts; ``rank_best`` and
    ``rank_worst`` are the highest and the lowest that any answers could bring.
    """
    contest = verdicts[verdicts["model"].isin(models)]
    missing = contest["outcome"] != "answered"
    passed = contest["passed"].astype(bool) & ~missing
    groups = contest.assign(missing=missing, right=passed).groupby("model", observed=True)
    table = groups.agg(fields=("right", "size"), missing=("missing", "sum"), right=("right", "sum"))
    table = table.reindex(list(models))
    table["worst"] = table["right"] / table["fields"]
    table["best"] = (table["right"] + table["missing"]) / table["fields"]
    worst, best = table["worst"].to_numpy(float), table["best"].to_numpy(float)
    itself = np.eye(len(models), dtype=bool)
    table["rank"] = 1 + (worst[None, :] > worst[:, None]).sum(axis=1)
    table["rank_best"] = 1 + (worst[None, :] > best[:, None]).sum(axis=1)
    table["rank_worst"] = 1 + ((best[None, :] > worst[:, None]) & ~itself).sum(axis=1)
    return table.drop(columns="right")


def missing_sections(dataset: Dataset) -> list[Section]:
    """One section; none without contestants."""
    models = ranked_models(dataset)
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
        f"{total:,} fields have no answer, because their calls were refused, cut off, failed or "
        f"are pending. They count as wrong. Were they all right, or all wrong, {told} could change "
        "rank."
    )
    shown = Table(
        name="missing", title="Best and worst case", columns=_columns(), keys=("model",),
        records=tuple(records_of(table.reset_index())),
        order="rank",
        note="Fields passed in percent. A value left out of an answer is wrong in either case.",
    )  # fmt: skip
    return [Section("missing", "Missing answers", lead, tables=(shown,))]


def _columns() -> tuple[Column, ...]:
    share, place = "Fields passed (%), missing ones", "Rank"
    return (
        Column("model", "Model"), Column("missing", "Missing fields", "count"),
        Column("fields", "of", "count"), Column("worst", "all wrong", "percent", group=share),
        Column("best", "all right", "percent", group=share),
        Column("rank", "as counted", "count", group=place),
        Column("rank_best", "at best", "count", group=place),
        Column("rank_worst", "at worst", "count", group=place),
    )  # fmt: skip
