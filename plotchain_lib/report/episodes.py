"""Episodes as the sections of the figure suite see them: decisions, disciplines, how they ended."""

from __future__ import annotations

import pandas as pd

from plotchain_lib.report.calls import calls
from plotchain_lib.report.grab_rates import in_order, titled
from plotchain_lib.report.inputs import Dataset

DECISIONS = (
    "data_selection", "encoding", "overlays", "panel_layout", "axis_scales", "series_completeness",
)  # fmt: skip
DISCIPLINES = {
    "ml-systems": "ML and systems", "earth-climate": "Earth and climate",
    "materials-chemistry": "Materials and chemistry",
    "economics-social": "Economics and social science",
    "neuroscience-psychology": "Neuroscience and psychology",
}  # fmt: skip
ENOUGH_TO_RANK = 10  # tasks of a discipline, as the source page has it
# How an episode ends without a figure, in the order shown.
FAILURES = ("nothing submitted", "crashed", "drew nothing", "stopped")
DREW, NO_FIGURE = "", "no figure"
CALL = ["model", "item", "repeat"]


def decisions_in(verdicts: pd.DataFrame) -> list[str]:
    """The decisions that some task exercises, in the order of their weights."""
    return [str(name) for name in in_order(verdicts["field"].unique(), DECISIONS)]


def decision_title(name: str) -> str:
    """A decision as a heading."""
    return titled(name)


def discipline_title(name: str) -> str:
    """A discipline as a heading."""
    return DISCIPLINES.get(name, titled(name.replace("-", " ")))


def task_counts(verdicts: pd.DataFrame) -> dict[str, int]:
    """Discipline to its number of tasks, those with enough to rank first, each half by name."""
    counts = verdicts.groupby("group", observed=True)["item"].nunique()
    pairs = [(str(name), int(count)) for name, count in counts.items()]
    return dict(sorted(pairs, key=lambda pair: (pair[1] < ENOUGH_TO_RANK, pair[0])))


def endings(dataset: Dataset) -> pd.Series[str]:
    """By model, item and attempt: DREW where a figure was drawn, else why there is none.

    Why is one of FAILURES or, where the call brought no episode, its outcome (``pending`` …).
    """
    made = calls(dataset).set_index(CALL)
    why = made["text"].fillna("").astype(str).replace("", NO_FIGURE)
    ending = why.where(made["form"].fillna("none") == "none", DREW)
    ending = ending.where(made["outcome"] == "answered", made["outcome"].astype(str))
    return ending.rename("ending")


def with_endings(dataset: Dataset) -> pd.DataFrame:
    """The headline's verdicts with the column ``ending``."""
    return dataset.verdicts.join(endings(dataset), on=CALL)
