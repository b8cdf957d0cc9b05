"""Sections only the figure suite has; here what is asked, and the score by discipline."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd

from plotchain_lib.report.calls import by_model
from plotchain_lib.report.charts import bar_chart, heat_chart
from plotchain_lib.report.episodes import (
    DECISIONS,
    ENOUGH_TO_RANK,
    decision_title,
    decisions_in,
    discipline_title,
    task_counts,
)
from plotchain_lib.report.figures import Chart
from plotchain_lib.report.inputs import Dataset
from plotchain_lib.report.matplotgym_decisions import decision_section, solved_section
from plotchain_lib.report.matplotgym_failures import failure_section
from plotchain_lib.report.matplotgym_turns import integrity_section, turn_section
from plotchain_lib.report.sections import Section
from plotchain_lib.report.summary import all_models, answering, ranking_of
from plotchain_lib.report.tables import Column, Record, Table

CURATED = "curated"
REVIEWS = {CURATED: "Curated", "imported": "Imported"}
FEW = f"Fewer than {ENOUGH_TO_RANK} tasks: too few to rank"
ENOUGH = f"{ENOUGH_TO_RANK} tasks or more"

DEFINITIONS = (
    ("Six decisions", "Which rows and values are drawn, as which marks, with which overlays, in "
     "which panels, on which scales, and whether every series is there. Each is scored from 0 to 1 "
     "against the reference figure; style is never read. A task counts only the decisions its "
     "reference makes."),
    ("Task score", "The mean of a task's decisions, weighed by the policy, in percent; then the "
     "mean over tasks and attempts. A script that crashes or draws nothing scores 0."),
    ("Solved", "Every attempt at the task reaches the policy's bound. One lucky attempt is not a "
     "solve."),
    ("Points lost", "Of 100 points a task, those a model did not get: the decision's weight times "
     "what its score lacks to 1, mean over all attempts. Together with the task score they make "
     "100."),
    ("Curated", "The reference figure is ours, not a paper author's. Imported: it was drawn by its "
     "authors' own script."),
    ("Sealed", "The agent's commands and the scoring ran in a sandbox without a network that shows "
     "the workspace and the interpreter only. Unsealed results carry a †."),
)  # fmt: skip


def sections(dataset: Dataset) -> list[Section]:
    """The sections of this suite, in order."""
    return [
        set_section(dataset),
        discipline_section(dataset),
        decision_section(dataset),
        solved_section(dataset),
        failure_section(dataset),
        turn_section(dataset),
        integrity_section(dataset),
    ]


def set_section(dataset: Dataset) -> Section:
    """Tasks and the decisions they exercise, by discipline, and whose the references are."""
    verdicts = dataset.verdicts
    asked = verdicts.drop_duplicates(["item", "field"])
    names, sizes, reviews = decisions_in(verdicts), task_counts(verdicts), reviews_of(dataset)
    tasks = asked.groupby("item", observed=True).agg(
        group=("group", "first"), decisions=("field", "nunique")
    )
    tasks["review"] = reviews.reindex(tasks.index)
    shown = [review for review in REVIEWS if (tasks["review"] == review).any()]

    def record(title: str, own: pd.DataFrame) -> Record:
        fields = asked[asked["item"].isin(own.index)]["field"].value_counts()
        return {
            "discipline": title, "tasks": len(own),
            **{review: int((own["review"] == review).sum()) for review in shown},
            **{name: int(fields.get(name, 0)) for name in names},
            "all_six": int((own["decisions"] == len(DECISIONS)).sum()),
        }  # fmt: skip

    table = Table(
        name="tasks", title="Tasks and the decisions they exercise", keys=("discipline",),
        columns=(
            Column("discipline", "Discipline"), Column("tasks", "Tasks", "count"),
            *(Column(review, REVIEWS[review], "count", group="Reference") for review in shown),
            *(Column(n, decision_title(n), "count", group="Tasks that exercise") for n in names),
            Column("all_six", "All six", "count", group="Tasks that exercise"),
        ),
        records=(*(record(discipline_title(name), tasks[tasks["group"] == name]) for name in sizes),
                 record("All", tasks)),
    )  # fmt: skip
    bars = {
        "all six decisions": [row["all_six"] for row in table.records[:-1]],
        "fewer": [row["tasks"] - row["all_six"] for row in table.records[:-1]],
    }
    heading = ("tasks", "Tasks", "Tasks of each discipline, and how many exercise all decisions.")
    labels = [row["discipline"] for row in table.records[:-1]]
    chart = bar_chart(heading, labels, bars, "tasks")
    return Section("set", "What is asked", _whose(tasks["review"]), (chart,), (table,))


def reviews_of(dataset: Dataset) -> pd.Series[Any]:
    """Task to its review status, of the tasks of which an episode has ended."""
    if dataset.episodes is None:
        return pd.Series(dtype="str")
    return dataset.episodes.drop_duplicates("item").set_index("item")["review"]


def _whose(reviews: pd.Series[Any]) -> str:
    start = (
        "A data set and a claim are given; the agent decides what to draw. The claim names "
        "conditions and quantities, never a kind of chart. "
    )
    ours, known = int((reviews == CURATED).sum()), int(reviews.notna().sum())
    if not known:
        return f"{start}Whose the reference figures are is told once an episode has ended."
    if ours == len(reviews):
        return f"{start}All tasks are curated: the reference figure is ours, not a paper author's."
    rest = f", {len(reviews) - known:,} are not told yet" if known < len(reviews) else ""
    return (
        f"{start}{ours:,} of {len(reviews):,} tasks are curated: the reference figure is ours, not "
        f"a paper author's{rest}."
    )


def discipline_section(dataset: Dataset) -> Section:
    """Task score by model and discipline; a discipline of few tasks ranks nobody."""
    sizes, known = task_counts(dataset.verdicts), answering(dataset)
    entries = dataset.significance.get(dataset.headline, {}).get("groups", [])
    found = {
        (str(entry["group"]), str(entry["model"])): entry
        for entry in entries
        if entry["metric"] == "item_score" and entry["model"] in known
    }
    overall = {label: e for label, e in ranking_of(dataset).items() if label in known}

    def record(label: str) -> Record:
        row = {"model": label, **_cells("overall", overall.get(label))}
        for name in sizes:
            row |= _cells(f"score_{name}", found.get((name, label)))
        return row

    columns = (
        Column("model", "Model"),
        Column("overall", "Overall", "percent", interval=True, counted=True, heat=True),
        *(
            Column(f"score_{name}", discipline_title(name), "percent", interval=True, counted=True,
                   heat=True, group=ENOUGH if count >= ENOUGH_TO_RANK else FEW)
            for name, count in sizes.items()
        ),
    )  # fmt: skip
    few = [name for name, count in sizes.items() if count < ENOUGH_TO_RANK]
    note = (
        "Task score in percent, with its interval in small type; n counts tasks. One task has no "
        "interval."
    )
    table = by_model(dataset, "disciplines", "Task score by discipline", columns, record, note)
    models = {label: dataset.named(label) for label in all_models(dataset) if label in known}
    chart = _discipline_chart(sizes, found, models)
    lead = _few(len(few), len(sizes))
    return Section("disciplines", "Score by discipline", lead, (chart,) if models else (), (table,))


def _discipline_chart(
    sizes: Mapping[str, int], found: Mapping[tuple[str, str], Record], models: Mapping[str, str]
) -> Chart:
    """`models` is label to the name shown, in order."""
    rows = {name: f"{discipline_title(name)} ({count})" for name, count in sizes.items()}
    shares = {
        row: {shown: float(found[name, label]["value"]) for label, shown in models.items()
              if (name, label) in found}
        for name, row in rows.items()
    }  # fmt: skip
    caption = "Task score in percent by discipline and model; in brackets how many tasks it has."
    return heat_chart(("disciplines", "Task score by discipline", caption),
                       {"": shares}, list(rows.values()), list(models.values()))  # fmt: skip


def _few(few: int, disciplines: int) -> str:
    if not few:
        return f"Every discipline has {ENOUGH_TO_RANK} tasks or more."
    which = "Every discipline has" if few == disciplines else f"{few} of {disciplines} have"
    return (
        f"{which} fewer than {ENOUGH_TO_RANK} tasks: too few to rank models on. Read these columns "
        "as examples, not as a ranking."
    )


def _cells(name: str, entry: Record | None) -> dict[str, Any]:
    """A score as the parts of a column; of one task the interval would be a point."""
    entry = entry or {}
    single = entry.get("n") == 1
    ends = {f"{name}_{end}": None if single else entry.get(end) for end in ("lower", "upper")}
    return {name: entry.get("value"), **ends, f"{name}_n": entry.get("n")}
