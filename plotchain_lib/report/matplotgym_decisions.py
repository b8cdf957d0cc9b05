"""Of the figure suite: scores by decision, where the points went, and what is solved each time."""

from __future__ import annotations

from typing import Any

import pandas as pd

from plotchain_lib.report.bars import Part, stacked_chart
from plotchain_lib.report.calls import by_model
from plotchain_lib.report.episodes import DREW, decision_title, decisions_in, with_endings
from plotchain_lib.report.figures import ACCENT, LINE, SERIES, Chart
from plotchain_lib.report.grab_rates import digits
from plotchain_lib.report.inputs import Dataset
from plotchain_lib.report.sections import Section
from plotchain_lib.report.summary import all_models, alpha_of, answering, metrics_of
from plotchain_lib.report.tables import Column, Record, Table
from plotchain_lib.resampling import wilson

UNDRAWN = "no_figure"
SOLVED_PARTS = (
    Part("by every attempt", ACCENT, False), Part("by some attempts only", "#f0bf94", True),
)  # fmt: skip


def decision_section(dataset: Dataset) -> Section:
    """The mean score of each decision, and of which decisions the lost points were."""
    verdicts, known = with_endings(dataset), answering(dataset)
    names = decisions_in(verdicts)
    scores = verdicts.groupby(["model", "field"], observed=True)["score"].mean()
    tasks = verdicts.drop_duplicates(["item", "field"])["field"].value_counts()

    def record(label: str) -> Record:
        row: dict[str, Any] = {"model": label}
        for name in names:
            value = scores.get((label, name)) if label in known else None
            row |= {name: None if value is None else digits(value), f"{name}_n": int(tasks[name])}
        return row

    columns = (
        Column("model", "Model"),
        *(Column(n, decision_title(n), "percent", counted=True, heat=True) for n in names),
    )
    note = (
        "Mean score in percent over the tasks that exercise the decision; n counts tasks. An "
        "attempt without a figure scores 0 in each."
    )
    by_decision = by_model(dataset, "decisions", "Score by decision", columns, record, note)
    lost = points_lost(verdicts)
    models = [label for label in all_models(dataset) if label in known]
    chart = _lost_chart(dataset, names, lost, models)
    tables = (by_decision, _lost_table(dataset, lost))
    charts = (chart,) if models else ()
    return Section("decisions", "By decision", _dearest(dataset, lost), charts, tables)


def _lost_chart(dataset: Dataset, names: list[str], lost: pd.DataFrame, models: list[str]) -> Chart:
    parts = (
        *(Part(decision_title(name), SERIES[n % len(SERIES)], False)
          for n, name in enumerate(names)),
        Part("No figure", LINE, True),
    )  # fmt: skip
    rows = []
    for label in models:
        shares = [points / 100 for points in _of(lost, label).values()]
        rows.append((dataset.named(label), shares, round(100 * sum(shares))))
    caption = (
        "Where the points went that a model lacks to 100: by decision, and those of attempts that "
        "drew no figure."
    )
    return stacked_chart(("points_lost", "Points lost", caption), rows, parts,
                          "points lost of 100; all of them at the right")  # fmt: skip


def points_lost(verdicts: pd.DataFrame) -> pd.DataFrame:
    """By model: points of 100 lost in each decision, and in attempts without a figure (UNDRAWN).

    Columns are the decisions and UNDRAWN; a row's sum is 100 less the mean score of its calls.
    `verdicts` has the columns of weighed verdicts and ``ending``.
    """
    calls = verdicts.drop_duplicates(["model", "item", "repeat"]).groupby("model").size()
    points = 100 * verdicts["weight"] * (1 - verdicts["score"])
    where = verdicts["field"].astype(str).where(verdicts["ending"] == DREW, UNDRAWN)
    sums = points.groupby([verdicts["model"], where]).sum().unstack(fill_value=0)
    order = [*decisions_in(verdicts), UNDRAWN]
    return sums.reindex(columns=order, fill_value=0.0).div(calls, axis=0).round(10)


def _of(lost: pd.DataFrame, label: str) -> dict[str, float]:
    """Points lost by one model, in the order of the columns."""
    return {str(name): float(points) for name, points in dict(lost.loc[label]).items()}


def _lost_table(dataset: Dataset, lost: pd.DataFrame) -> Table:
    known = answering(dataset)

    def record(label: str) -> Record:
        row: dict[str, Any] = {"model": label}
        if label in known:
            own = _of(lost, label)
            row |= {name: digits(points / 100) for name, points in own.items()}
            row["all"] = digits(sum(own.values()) / 100)
        return row

    names = [str(name) for name in lost.columns]
    columns = (
        Column("model", "Model"),
        Column("all", "All", "size"),
        *(Column(n, "No figure" if n == UNDRAWN else decision_title(n), "size") for n in names),
    )
    note = (
        "Points of 100, mean over all tasks and attempts: the decision's weight times what its "
        "score lacks to 1. No figure: attempts that crashed, drew nothing, submitted nothing or "
        "are missing."
    )
    return by_model(dataset, "points_lost", "Points lost by decision", columns, record, note)


def _dearest(dataset: Dataset, lost: pd.DataFrame) -> str:
    """Which decision costs the contestants most, in a sentence."""
    contest = [m for m in lost.index if not dataset.is_baseline(str(m))]
    contest = [m for m in contest if m in answering(dataset)]
    if not contest:
        return ""
    mean = lost.loc[contest].mean().sort_values(ascending=False, kind="stable")
    if mean.sum() == 0:
        return "No model lost a point."
    first, value = str(mean.index[0]), float(mean.iloc[0])
    name = "drawing no figure at all" if first == UNDRAWN else decision_title(first).lower()
    share = 100 * value / float(mean.sum())
    return (
        f"Over all models, baselines left aside, {name} costs most: {value:.1f} of the "
        f"{mean.sum():.1f} points lost a task ({share:.0f} %)."
    )


def solved_section(dataset: Dataset) -> Section:
    """Tasks solved in every attempt, beside those that one attempt solved."""
    metrics, known = metrics_of(dataset, dataset.headline), answering(dataset)
    found, alpha = attempts_of(dataset.verdicts), alpha_of(dataset)

    def record(label: str) -> Record:
        row: dict[str, Any] = {"model": label}
        if label not in known:
            return row
        for name in ("item_score", "solved"):
            entry = metrics.get(name, {}).get(label, {})
            row |= {name: entry.get("value"), f"{name}_n": entry.get("n"),
                    f"{name}_lower": entry.get("lower"),
                    f"{name}_upper": entry.get("upper")}  # fmt: skip
        own = found.loc[label]
        lower, upper = wilson(own["any"].sum(), len(own), alpha)
        return row | {
            "any": digits(own["any"].mean()), "any_lower": digits(lower),
            "any_upper": digits(upper), "any_n": len(own),
            "best": digits(own["best"].mean()), "worst": digits(own["worst"].mean()),
        }  # fmt: skip

    solved, score = "Solved", "Task score"
    columns = (
        Column("model", "Model"),
        Column("solved", "By every attempt", "percent", interval=True, counted=True, group=solved),
        Column("any", "By any attempt", "percent", interval=True, counted=True, group=solved),
        Column("item_score", "Mean", "percent", interval=True, group=score),
        Column("best", "Best attempt", "percent", group=score),
        Column("worst", "Worst attempt", "percent", group=score),
    )
    note = (
        "Intervals of the solved rates are Wilson's. Best and worst: of each task, then the mean."
    )
    table = by_model(dataset, "solved", "Solved every time, and once", columns, record, note)
    models = [label for label in all_models(dataset) if label in known]
    chart = _solved_chart(dataset, found, models)
    attempts = int(dataset.verdicts["repeat"].nunique())
    lead = (
        f"A task counts as solved only if each of its {attempts} attempts reaches the policy's "
        "bound: a single lucky attempt is not a solve."
    )
    return Section("solved", "Solved", lead, (chart,) if models else (), (table,))


def _solved_chart(dataset: Dataset, found: pd.DataFrame, models: list[str]) -> Chart:
    caption = "Share of tasks that every attempt solved, and that only some attempts did."
    rows = []
    for label in models:
        every, some = (float(found.loc[label][name].mean()) for name in ("all", "any"))
        rows.append((dataset.named(label), [every, some - every], len(found.loc[label])))
    return stacked_chart(("solved", "Solved every time, and once", caption), rows, SOLVED_PARTS,
                          "tasks (%); how many at the right")  # fmt: skip


def attempts_of(verdicts: pd.DataFrame) -> pd.DataFrame:
    """By model and task: ``best`` and ``worst`` score, and whether ``any`` and ``all`` solved it.

    `verdicts` has the columns of weighed verdicts.
    """
    calls = verdicts.drop_duplicates(["model", "item", "repeat"])
    return calls.groupby(["model", "item"], observed=True).agg(
        best=("item_score", "max"), worst=("item_score", "min"),
        any=("reached", "max"), all=("reached", "min"),
    )  # fmt: skip
