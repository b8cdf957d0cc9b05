"""Sections only grab has: the set, tasks, complexity, precision, format and protocols."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from importlib.resources import files
from typing import Any

import pandas as pd

from plotchain_lib.report.charts import bar_chart, difficulty_chart
from plotchain_lib.report.figures import Chart
from plotchain_lib.report.grab_choice import choice_sections
from plotchain_lib.report.grab_rates import (
    Rates,
    alpha_of,
    cells,
    digits,
    in_order,
    offers_choice,
    questions,
    rate_table,
    rates,
    titled,
)
from plotchain_lib.report.inputs import Dataset
from plotchain_lib.report.levels import MOST_LINES, Line, level_chart
from plotchain_lib.report.sections import Section
from plotchain_lib.report.summary import all_models, baselines, ranked_models
from plotchain_lib.report.tables import Column, Record, Table

TASKS = ("properties", "function", "series", "transform")
PRECISIONS = ("nearest_ten", "integer", "one_decimal", "pair", "equation", "choice")
PRECISION_TITLES = {
    "nearest_ten": "Nearest ten", "integer": "Integer", "one_decimal": "One decimal",
    "pair": "Pair", "equation": "Equation", "choice": "Multiple choice",
}  # fmt: skip
EXACT, LENIENT = "exact", "lenient"
SOURCE = "arXiv 2408.11817, tables 3 to 6"

DEFINITIONS = (
    ("Accuracy", "The share of questions whose answer is right under the policy; a call without an "
     "answer counts as wrong. Intervals are Wilson's."),
    ("Complexity", "How many functions or series a picture has beyond the first, or how many "
     "operations a function goes through before the question."),
    ("Exact, prefix, lenient", "Exact: leading white space removed, the reply is the right answer "
     "character by character. Prefix: the reply begins with it. Lenient: the reply gives the right "
     "numbers in any form."),
)  # fmt: skip


def sections(dataset: Dataset) -> list[Section]:
    """The sections of this suite, in order."""
    rows = questions(dataset)
    levelled = rows["complexity"].nunique() > 1
    return [
        set_section(rows),
        task_section(dataset, rows),
        *([complexity_section(dataset, rows)] if levelled else []),
        *([] if offers_choice(rows) else [precision_section(dataset, rows)]),
    ]


def judging(dataset: Dataset) -> list[Section]:
    """How much depends on the protocol."""
    return [protocol_section(dataset)]


def across(dataset: Dataset, datasets: Sequence[Dataset]) -> list[Section]:
    """What a dataset says beside the others: choice against open answers."""
    return choice_sections(dataset, datasets)


def set_section(rows: pd.DataFrame) -> Section:
    """What was asked: counts, and the categories as a figure."""
    asked = rows.drop_duplicates("item")
    counts: list[tuple[str, int]] = [
        ("Questions", len(asked)),
        ("Tasks", asked["task"].nunique()),
        ("Categories", asked["category"].nunique()),
        ("Properties", asked["property"].str.removeprefix("data_").nunique()),
    ]
    for name in in_order(asked["task"], TASKS):
        counts.append((f"Task {name}", int((asked["task"] == name).sum())))
    for name in in_order(asked["precision"], PRECISIONS):
        title = f"Precision {PRECISION_TITLES.get(name, name).lower()}"
        counts.append((title, int((asked["precision"] == name).sum())))
    table = Table(
        name="set", title="Questions asked", keys=("statistic",),
        columns=(Column("statistic", "Statistic"), Column("number", "Number", "count")),
        records=tuple({"statistic": name, "number": number} for name, number in counts),
    )  # fmt: skip
    by_task = asked.groupby(["category", "task"]).size().unstack(fill_value=0)
    by_task = by_task.loc[by_task.sum(axis=1).sort_values(ascending=False, kind="stable").index]
    tasks = in_order(by_task.columns, TASKS)
    bars = {name: [int(by_task.loc[c, name]) for c in by_task.index] for name in tasks}
    labels = [titled(str(category)) for category in by_task.index]
    caption = "Questions of each category, by task."
    chart = bar_chart(("categories", "Categories", caption), labels, bars, "questions")
    categories = Table(
        name="category_counts", title="Questions by category and task", keys=("category",),
        columns=(
            Column("category", "Category"), *(Column(t, t.capitalize(), "count") for t in tasks),
            Column("all", "All", "count"),
        ),
        records=tuple(
            {"category": str(c), **{t: int(by_task.loc[c, t]) for t in tasks},
             "all": int(by_task.loc[c].sum())}
            for c in by_task.index
        ),
    )  # fmt: skip
    return Section("set", "What is asked", charts=(chart,), tables=(table, categories))


def task_section(dataset: Dataset, rows: pd.DataFrame) -> Section:
    """Accuracy by task and by category, with what was published beside it where that is wanted."""
    alpha, chance = alpha_of(dataset), offers_choice(rows)
    overall = rates(rows, ["model"], alpha)
    by_task = rates(rows, ["model", "task"], alpha)
    by_category = rates(rows, ["model", "category"], alpha)
    tasks = in_order(rows["task"], TASKS)
    categories = in_order(rows["category"], ())
    note = "Accuracy in percent, with its interval in small type."
    whole = ("overall", "Overall", overall, ())
    tables = [
        rate_table(dataset, "tasks", "By task",
                   [*(( t, t.capitalize(), by_task, (t,)) for t in tasks), whole], note, chance),
        rate_table(dataset, "categories", "By category",
                   [(c, titled(c), by_category, (c,)) for c in categories], note, chance),
    ]  # fmt: skip
    if dataset.published:
        tables += published_tables(tasks, categories, chance)
    return Section("tasks", "Where models fail", tables=tuple(tables), tabbed=True)


def published_tables(tasks: Sequence[str], categories: Sequence[str], chance: bool) -> list[Table]:
    """What others have measured on the released questions, which are not these."""
    text = (files("plotchain_lib.report") / "published" / "grab.csv").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    published = list(csv.DictReader(lines))
    only = (["ocr"] if "ocr" in tasks else ["choice"]) if chance else [*tasks, "overall"]
    chosen = [("published_tasks", "Published, by task", only)]
    if not chance:
        chosen.append(("published_categories", "Published, by category", list(categories)))
    return [_published_table(name, title, names, published) for name, title, names in chosen]


def _published_table(
    name: str, title: str, names: Sequence[str], published: Sequence[dict[str, str]]
) -> Table:
    shown = [n for n in names if any(row.get(n) for row in published)]
    records = [
        {"model": row["model"], **{n: float(row[n]) / 100 if row[n] else None for n in shown}}
        for row in published
        if any(row[n] for n in shown)
    ]
    return Table(
        name=name, title=title, keys=("model",), records=tuple(records),
        columns=(Column("model", "Model"), *(Column(n, titled(n), "percent") for n in shown)),
        note=f"Exact matching on the released questions, as published ({SOURCE}); not these "
        "questions, so the figures may be compared in kind only.",
    )  # fmt: skip


def complexity_section(dataset: Dataset, rows: pd.DataFrame) -> Section:
    """Accuracy against complexity: over all tasks that have it, and of each."""
    alpha = alpha_of(dataset)
    levelled = rows[rows["task"] != "properties"]
    by_level = rates(levelled, ["model", "complexity"], alpha)
    by_task = rates(levelled, ["model", "task", "complexity"], alpha)
    tasks = in_order(levelled["task"], TASKS)
    levels = sorted(int(level) for level in levelled["complexity"].unique())
    drawn = [*ranked_models(dataset)[: MOST_LINES - 2], *(m for _, m in baselines(dataset))]

    def lines(found: Rates, *task: str) -> list[Line]:
        result = []
        for label in drawn:
            entries = [(level, found.get((label, *task, level))) for level in levels]
            known = [(level, entry) for level, entry in entries if entry]
            values, lower, upper = (
                [float(entry[part]) for _, entry in known] for part in ("value", "lower", "upper")
            )
            places, grey = [level for level, _ in known], dataset.is_baseline(label)
            result.append(Line(label, places, values, lower, upper, grey))
        return result

    panels = {"All": lines(by_level), **{t.capitalize(): lines(by_task, t) for t in tasks}}
    left_out = len(all_models(dataset)) - len(drawn)
    note = f"The {left_out} models further down the ranking are in the table." if left_out else ""
    caption = "Share of questions right against the complexity of the question, with intervals."
    chart = level_chart(("complexity", "Accuracy against complexity", caption), panels, note)
    return Section("complexity", "Complexity", charts=(chart,),
                   tables=(_level_table(dataset, levels, tasks, by_level, by_task),))  # fmt: skip


def _level_table(
    dataset: Dataset, levels: Sequence[int], tasks: Sequence[str], by_level: Rates, by_task: Rates
) -> Table:
    def record(label: str, task: str) -> Record:
        found, key = (by_task, (label, task)) if task != "all" else (by_level, (label,))
        row: dict[str, Any] = {"model": label, "task": task}
        for level in levels:
            row |= cells(f"complexity_{level}", found.get((*key, level)))
        return row

    columns = (Column(f"complexity_{n}", str(n), "percent", interval=True) for n in levels)
    apart = [label for _, label in baselines(dataset)]
    every = [(label, task) for label in all_models(dataset) for task in ("all", *tasks)]
    return Table(
        name="complexity", title="Accuracy by complexity (%)", keys=("model", "task"),
        columns=(Column("model", "Model"), Column("task", "Task"), *columns),
        records=tuple(record(*key) for key in every if key[0] not in apart),
        apart=tuple(record(*key) for key in every if key[0] in apart),
    )  # fmt: skip


def precision_section(dataset: Dataset, rows: pd.DataFrame) -> Section:
    """Accuracy by the precision asked for."""
    found = rates(rows, ["model", "precision"], alpha_of(dataset))
    names = in_order(rows["precision"], PRECISIONS)
    columns = [(n, PRECISION_TITLES.get(n, titled(n)), found, (n,)) for n in names]
    note = "Accuracy in percent by the precision the question asks for, with intervals."
    table = rate_table(dataset, "precision", "By precision", columns, note)
    return Section("precision", "Precision", tables=(table,))


def protocol_section(dataset: Dataset) -> Section:
    """The same replies under every policy, and how many right numbers came in a wrong format."""
    alpha = alpha_of(dataset)
    found = {p: rates(questions(dataset, p), ["model"], alpha) for p in dataset.policies}
    models = all_models(dataset)
    series = {
        p: {m: float(entries[m,]["value"]) for m in models if (m,) in entries}
        for p, entries in found.items()
    }
    caption = "Share of questions right under each policy, models in rank order."
    heading = ("protocols", "The same replies, judged in other ways", caption)
    charts: tuple[Chart, ...] = ()
    if len(found) > 1:
        charts = (difficulty_chart(heading, models, series, "questions right"),)
    tables = [_protocol_table(dataset, found)]
    if {EXACT, LENIENT} <= set(found):
        tables.append(_format_table(dataset, alpha))
    return Section("protocols", "Protocols and format", charts=charts, tables=tuple(tables))


def _protocol_table(dataset: Dataset, found: dict[str, dict[tuple[Any, ...], Record]]) -> Table:
    others = [policy for policy in dataset.policies if policy != dataset.headline]

    def record(label: str) -> Record:
        row: dict[str, Any] = {"model": label}
        for policy, entries in found.items():
            row |= cells(policy, entries.get((label,)))
        for policy in others:
            both = row[policy], row[dataset.headline]
            row[f"{policy}_more"] = None if None in both else digits(both[0] - both[1])
        return row

    columns = [Column(p, p, "percent", interval=True, counted=True) for p in dataset.policies]
    columns += [Column(f"{p}_more", f"{p} − {dataset.headline}", "points") for p in others]
    return Table(
        name="protocols", title="Accuracy under each policy", keys=("model",),
        columns=(Column("model", "Model"), *columns),
        records=tuple(record(label) for label in ranked_models(dataset)),
        apart=tuple(record(label) for _, label in baselines(dataset)),
        note="Differences are in percentage points, to the headline policy.",
    )  # fmt: skip


def _format_table(dataset: Dataset, alpha: float) -> Table:
    """How many questions have the right number in a wrong format."""
    keys = ["model", "item"]
    exact = questions(dataset, EXACT).set_index(keys)["passed"]
    rows = questions(dataset, LENIENT).set_index(keys)
    rows["passed"] = (rows["passed"] - exact.reindex(rows.index)).clip(lower=0.0)
    failed = rates(rows.reset_index(), ["model"], alpha)
    columns = [("format_failures", "Right number, wrong format", failed, ())]
    note = (
        "The share of all questions that pass under lenient and fail under exact: the number was "
        "found and the format missed."
    )
    return rate_table(dataset, "format", "Format failures", columns, note)
