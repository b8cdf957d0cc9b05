"""Parts of the page: the first screen, and the sections every suite has."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from plotchain_lib.report.calls import (
    dataset_facts,
    extraction_facts,
    form_table,
    outcome_table,
    run_facts,
    run_table,
    when_and_cost,
)
from plotchain_lib.report.cautions import Caution, cautions
from plotchain_lib.report.charts import Level, standing_chart
from plotchain_lib.report.figures import Chart
from plotchain_lib.report.formatting import is_missing
from plotchain_lib.report.inputs import UNSEALED, Dataset
from plotchain_lib.report.ranks import told_changes
from plotchain_lib.report.scatter import Point, Scales, scatter_chart
from plotchain_lib.report.summary import (
    Comparison,
    all_models,
    answering,
    comparisons,
    details,
    ends_of,
    leaderboard,
    metrics_of,
    pair_table,
    policy_table,
    ranked_models,
    ranking_of,
    tested_metric,
    title_of,
    value_of,
)
from plotchain_lib.report.tables import Table
from plotchain_lib.report.words import words_of

MOST_PAIRS_SHOWN = 400


@dataclass(frozen=True, slots=True)
class Section:
    """A headed part of the page.

    Attributes:
        name: the end of its anchor.
        lead: one or two sentences under the heading.
        charts, tables: in the order shown.
        files: tables that are written as files but not shown.
        figures: charts that are written as files but not shown.
        facts: name to value, as a list.
        tabbed: show one table at a time.
    """

    name: str
    title: str
    lead: str = ""
    charts: tuple[Chart, ...] = ()
    tables: tuple[Table, ...] = ()
    files: tuple[Table, ...] = ()
    figures: tuple[Chart, ...] = ()
    facts: Mapping[str, str] | None = None
    tabbed: bool = False

    def numbers_of(self, chart: Chart) -> tuple[str, ...]:
        """Names of the tables that hold the numbers of one of its charts."""
        return chart.data or tuple(table.name for table in (*self.tables, *self.files))


@dataclass(frozen=True, slots=True)
class FirstScreen:
    """What is seen before anyone scrolls: the answer, and what to beware of.

    Attributes:
        facts: what was measured.
        run: when, and what it cost; no two runs share it, so it stays on the page.
        cautions: what to beware of.
        standing: the ranking as a chart; None where no model was asked.
        leaderboard: the ranking as a table.
        tested: the title of the metric the sentences speak of.
        comparisons: one sentence for each pair of neighbours in the ranking.
    """

    facts: Mapping[str, str]
    run: Mapping[str, str]
    cautions: tuple[Caution, ...]
    standing: Chart | None
    leaderboard: Table
    tested: str
    comparisons: tuple[Comparison, ...]


def first_screen(dataset: Dataset) -> FirstScreen:
    """The ranking, its warnings and its sentences."""
    return FirstScreen(
        facts=dataset_facts(dataset),
        run=when_and_cost(dataset),
        cautions=cautions(dataset),
        standing=_standing(dataset),
        leaderboard=leaderboard(dataset),
        tested=title_of(dataset, tested_metric(dataset)),
        comparisons=tuple(comparisons(dataset)),
    )


def speed_sections(dataset: Dataset) -> list[Section]:
    """Accuracy against latency, and everything but the leading metrics; none where nothing is."""
    metrics, words = metrics_of(dataset, dataset.headline), words_of(dataset.suite)
    points, left_out = [], []
    for label in all_models(dataset):
        accuracy = value_of(metrics, words.ranked_by, label)
        latency = value_of(metrics, "latency_item_mean", label)
        if accuracy is None or latency is None or latency <= 0:
            left_out.append(label)
        else:
            baseline = dataset.is_baseline(label)
            points.append(Point(dataset.named(label), latency, 100 * accuracy, baseline))
    note = f"Without a latency, so left out: {', '.join(left_out)}." if left_out else ""
    heading = (
        "accuracy_latency", "Accuracy against latency",
        f"{words.passed.capitalize()} against mean seconds per {words.item}, on a logarithmic "
        "axis.",
    )  # fmt: skip
    scales = Scales(f"seconds per {words.item}, logarithmic", f"{words.passed} (%)", log_x=True)
    chart = replace(scatter_chart(heading, points, scales, note),
                    data=("leaderboard", "answered_errors_latency"))  # fmt: skip
    charts = (chart,) if points else ()
    rest = [name for name in words.metrics if name not in words.leading]
    if not any(metrics.get(name) for name in rest):
        return []
    lead = "" if points else "No model has a latency, so there is nothing to draw against it."
    return [Section("speed", words.rest[0], lead, charts, (details(dataset),))]


def pair_section(dataset: Dataset) -> Section:
    """Every pair under the ranking's metric; the other metrics as a file."""
    table = pair_table(dataset)
    metric = tested_metric(dataset)
    contest = [row for row in table.records if not any(map(dataset.is_baseline, _two(row)))]
    shown = tuple(row for row in contest if row["metric"] == metric)
    if not shown:
        lead = "Two models are needed before any can be compared."
        return Section("pairs", "How sure", lead, files=(table,))
    columns = tuple(column for column in table.columns if column.name != "metric_title")
    title = f"Paired tests: {title_of(dataset, metric).lower()}"
    page = replace(table, name="pairs_ranked", title=title, records=shown[:MOST_PAIRS_SHOWN],
                   columns=columns, keys=("first", "second"))  # fmt: skip
    lead = (
        "Each pair is compared on the items both have answered. Pairs under the other metrics, and "
        f"pairs with a baseline, are in tables/{dataset.name}-{table.name}.csv."
    )
    return Section("pairs", "How sure", lead, tables=(page,), files=(table,))


def _two(pair: Mapping[str, Any]) -> tuple[str, str]:
    return pair["first"], pair["second"]


def policy_section(dataset: Dataset) -> Section:
    """The same answers, judged by every policy."""
    lead = (
        f"The same answers judged by each policy; {dataset.headline} is the headline. "
        f"Nobody was asked again{_extraction(dataset)}. {told_changes(dataset)}"
    ).rstrip()
    return Section("policies", "Judged differently", lead, tables=(policy_table(dataset),),
                   facts=extraction_facts(dataset))  # fmt: skip


def _extraction(dataset: Dataset) -> str:
    asked = ", ".join(f"{label} for {name}" for name, label in dataset.extractors.items())
    return f", but for the answers' extraction ({asked})" if asked else ""


def call_section(dataset: Dataset) -> Section:
    """Outcomes and forms."""
    forms = (form_table(dataset),) if words_of(dataset.suite).contract else ()
    return Section("calls", "How the calls went", tables=(outcome_table(dataset), *forms))


def run_section(dataset: Dataset) -> Section:
    """When, what was served, with which decoding, and the checksums."""
    return Section("run", "The run", tables=(run_table(dataset),), facts=run_facts(dataset))


def _standing(dataset: Dataset) -> Chart | None:
    answered = answering(dataset)
    levels = [
        _level(dataset, label) if label in answered else Level(dataset.named(label), None)
        for label in ranked_models(dataset)
    ]
    if not levels:
        return None
    found = {role: _level(dataset, label) for role, label in ends_of(dataset).items()}
    words = words_of(dataset.suite)
    ends = {"floor": words.floor, "ceiling": words.ceiling}
    told = ", ".join(text for role, text in ends.items() if role in found)
    intervals = f"{_level_of_intervals(dataset)}intervals"
    start = f"{words.measure[0].upper()}{words.measure[1:]}, with {intervals}"
    caption = start + (f"; {told}." if told else ".")
    if any(level.label.endswith(UNSEALED) for level in [*levels, *found.values()]):
        caption += f" {UNSEALED} Unsealed."
    heading = ("standing", "Between floor and ceiling", caption)
    ends_found = (found.get("floor"), found.get("ceiling"))
    chart = standing_chart(heading, levels, *ends_found, counted=words.passed)
    return replace(chart, data=("leaderboard",))


def _level_of_intervals(dataset: Dataset) -> str:
    alpha = dataset.significance.get(dataset.headline, {}).get("alpha")
    return "" if alpha is None or is_missing(alpha) else f"{100 * (1 - float(alpha)):g} % "


def _level(dataset: Dataset, label: str) -> Level:
    entry = ranking_of(dataset).get(label, {})
    parts = (entry.get(part) for part in ("value", "lower", "upper"))
    found = (None if is_missing(part) or part is None else float(part) for part in parts)
    return Level(dataset.named(label), *found)
