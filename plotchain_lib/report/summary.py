"""The verdicts every suite has: the ranking, its pairs, the policies side by side."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from plotchain_lib.report.formatting import is_missing, write_p, write_points
from plotchain_lib.report.inputs import Dataset
from plotchain_lib.report.tables import Column, Record, Table
from plotchain_lib.report.words import METRICS, words_of


@dataclass(frozen=True, slots=True)
class Comparison:
    """One sentence about two neighbours in the ranking.

    Attributes:
        first, second: the better one first.
        verdict: what the test says, as words between and after the two names.
        differs: whether the test finds a difference.
    """

    first: str
    second: str
    verdict: str
    differs: bool


def metrics_of(dataset: Dataset, policy: str) -> dict[str, dict[str, Record]]:
    """Metric to model to ``{value, lower, upper, n}``: as tested, else a plain mean."""
    found: dict[str, dict[str, Record]] = {}
    for metric, entries in dataset.means[policy].items():
        found[metric] = dict(entries)
    for entry in dataset.significance.get(policy, {}).get("metrics", []):
        found.setdefault(entry["metric"], {})[entry["model"]] = entry
    return found


def value_of(metrics: Mapping[str, Mapping[str, Record]], metric: str, model: str) -> float | None:
    """One metric of one model; None where it is absent or undefined."""
    value = metrics.get(metric, {}).get(model, {}).get("value")
    return None if is_missing(value) or value is None else float(value)


def ranking_of(dataset: Dataset) -> dict[str, Record]:
    """The ranking's metric of every model, with its interval."""
    return metrics_of(dataset, dataset.headline).get(words_of(dataset.suite).ranked_by, {})


def title_of(dataset: Dataset, metric: str) -> str:
    """A metric as the suite calls it."""
    return words_of(dataset.suite).metrics.get(metric, (metric, ""))[0]


def ranked_models(dataset: Dataset, policy: str | None = None) -> list[str]:
    """The contestants, best first; those without a value last, ties by label."""
    metrics = metrics_of(dataset, policy or dataset.headline)
    ranked_by = words_of(dataset.suite).ranked_by

    def place(label: str) -> tuple[float, str]:
        value = value_of(metrics, ranked_by, label)
        return (1.0 if value is None else -value, label)

    return sorted((m for m in dataset.models if not dataset.is_baseline(m)), key=place)


def answering(dataset: Dataset) -> set[str]:
    """The models of which a call has ended, well or badly; of the others nothing is known yet."""
    answers = dataset.answers
    return set(answers.loc[answers["outcome"] != "pending", "model"])


def baselines(dataset: Dataset) -> list[tuple[str, str]]:
    """Role and label of the baselines that were run, ceilings first."""
    return [(role, label) for role in ("ceiling", "floor") for label in dataset.baselines(role)]


def ends_of(dataset: Dataset) -> dict[str, str]:
    """The highest ceiling and the highest floor, by role: between them the contestants stand."""
    metrics, ranked_by = metrics_of(dataset, dataset.headline), words_of(dataset.suite).ranked_by
    found: dict[str, tuple[float, str]] = {}
    for role, label in baselines(dataset):
        value = value_of(metrics, ranked_by, label)
        place = -1.0 if value is None else value
        if role not in found or place > found[role][0]:
            found[role] = place, label
    return {role: label for role, (_, label) in found.items()}


def all_models(dataset: Dataset) -> list[str]:
    """Contestants in rank order, then ceilings and floors."""
    return ranked_models(dataset) + [label for _, label in baselines(dataset)]


def leaderboard(dataset: Dataset) -> Table:
    """Rank and the leading metrics, each with its interval."""
    return _metric_table(
        dataset, "leaderboard", "Leaderboard", words_of(dataset.suite).leading,
        note=words_of(dataset.suite).leading_note,
    )  # fmt: skip


def details(dataset: Dataset) -> Table:
    """Answered-only rates, errors and latency."""
    words = words_of(dataset.suite)
    rest = tuple(metric for metric in words.metrics if metric not in words.leading)
    _, title, note = words.rest
    return _metric_table(dataset, "answered_errors_latency", title, rest, note)


def _metric_table(
    dataset: Dataset, name: str, title: str, chosen: tuple[str, ...], note: str
) -> Table:
    metrics = metrics_of(dataset, dataset.headline)
    titles = words_of(dataset.suite).metrics
    shown = [metric for metric in chosen if metric in metrics]
    columns = (
        Column("model", "Model"),
        Column("rank", "Rank", "count"),
        *(Column(m, *titles[m], interval=True, counted=True) for m in shown),
    )

    known = answering(dataset)

    def record(label: str, rank: int | None, shown_as: str) -> Record:
        rank = rank if label in known else None
        row: dict[str, Any] = {"model": label, "rank": rank, "role": shown_as}
        for metric in shown:
            entry = metrics[metric].get(label, {}) if label in known else {}
            row[metric] = entry.get("value")
            row.update({f"{metric}_{part}": entry.get(part) for part in ("lower", "upper", "n")})
        return row

    return Table(
        name=name, title=title, columns=columns, keys=("model",), note=note, order="rank",
        records=tuple(record(m, i, "") for i, m in enumerate(ranked_models(dataset), start=1)),
        apart=tuple(record(label, None, role) for role, label in baselines(dataset)),
    )  # fmt: skip


def alpha_of(dataset: Dataset) -> float:
    """The error rate of the tests and intervals."""
    return float(dataset.significance.get(dataset.headline, {}).get("alpha", 0.05))


def tested_metric(dataset: Dataset) -> str:
    """The metric whose pairs the page speaks of: the ranking's, else the nearest tested one."""
    tested = {pair["metric"] for pair in _pairs(dataset)}
    words = words_of(dataset.suite)
    return next((metric for metric in words.metrics if metric in tested), words.ranked_by)


def comparisons(dataset: Dataset) -> list[Comparison]:
    """One sentence for each pair of neighbours in the ranking."""
    metric = tested_metric(dataset)
    found = {(p["first"], p["second"]): p for p in _pairs(dataset) if p["metric"] == metric}
    models, known = ranked_models(dataset), answering(dataset)
    sentences = []
    for first, second in pairwise(models):
        pair = found.get((first, second))
        if pair is None and (second, first) in found:
            pair = _turned(found[second, first])
        shown = dataset.named(first), dataset.named(second)
        mute = [label for label in (first, second) if label not in known]
        if mute:
            why = f"cannot be compared: {' and '.join(mute)} gave no answer yet"
            sentences.append(Comparison(*shown, why, False))
        else:
            sentences.append(_compare(*shown, pair))
    return sentences


def _compare(first: str, second: str, pair: Record | None) -> Comparison:
    if pair is None or is_missing(pair.get("difference")):
        return Comparison(first, second, "were not tested against each other", False)
    difference = write_points(abs(pair["difference"])).lstrip("+")
    differs = bool(pair.get("significant"))
    p = "" if is_missing(pair.get("p_holm")) else f", Holm {_p_value(write_p(pair['p_holm']))}"
    size = f"{difference} points{p}"
    verdict = f"differ ({size})" if differs else f"are not shown to differ ({size})"
    return Comparison(first, second, verdict, differs)


def _p_value(p: str) -> str:
    """With its sign, in one piece on the line."""
    return f"p {p if p.startswith('<') else f'= {p}'}".replace(" ", "\N{NO-BREAK SPACE}")


def _turned(pair: Record) -> Record:
    """The same pair seen from the other side."""
    turned = dict(pair)
    turned["first"], turned["second"] = pair["second"], pair["first"]
    turned["only_first"], turned["only_second"] = pair.get("only_second"), pair.get("only_first")
    for key, source in (("difference", "difference"), ("lower", "upper"), ("upper", "lower")):
        value = pair.get(source)
        turned[key] = None if is_missing(value) or value is None else -value
    return turned


def pair_table(dataset: Dataset) -> Table:
    """Every pair under every tested metric, the metric of the ranking first."""
    order = {model: place for place, model in enumerate(ranked_models(dataset))}
    titles = words_of(dataset.suite).metrics
    metric_order = {metric: place for place, metric in enumerate(titles)}
    rows = []
    for pair in _pairs(dataset):
        if titles is not METRICS and pair["metric"] not in titles:
            continue
        known = pair["first"] in order and pair["second"] in order
        back = known and order[pair["first"]] > order[pair["second"]]
        row = dict(_turned(pair) if back else pair)
        row["difference_lower"], row["difference_upper"] = row.get("lower"), row.get("upper")
        row["metric_title"] = titles.get(row["metric"], (row["metric"], ""))[0]
        rows.append(row)
    rows.sort(
        key=lambda row: (
            metric_order.get(row["metric"], len(metric_order)),
            order.get(row["first"], len(order)),
            order.get(row["second"], len(order)),
        )
    )
    columns = (
        Column("first", "First"), Column("second", "Second"), Column("metric_title", "Metric"),
        Column("difference", "Difference (points)", "points", interval=True),
        Column("both", "Both pass", "count"), Column("only_first", "Only first", "count"),
        Column("only_second", "Only second", "count"), Column("neither", "Neither", "count"),
        Column("p", "p", "p"), Column("p_holm", "Holm p", "p"),
        Column("significant", "Different", "flag"), Column("test", "Test"),
    )  # fmt: skip
    return Table(
        name="pairs", title="Paired tests", columns=columns, records=tuple(rows),
        keys=("metric_title", "first", "second"),
        note=words_of(dataset.suite).pair_note,
    )  # fmt: skip


def _pairs(dataset: Dataset) -> list[Record]:
    return list(dataset.significance.get(dataset.headline, {}).get("pairs", []))


def policy_table(dataset: Dataset) -> Table:
    """The same answers under each policy, with the rank each gives."""
    words = words_of(dataset.suite)
    chosen, titles = words.compared, words.metrics
    tables = {policy: metrics_of(dataset, policy) for policy in dataset.policies}
    ranks = {p: {m: i for i, m in enumerate(ranked_models(dataset, p), 1)} for p in tables}
    columns = [Column("model", "Model")]
    for policy, metrics in tables.items():
        columns.append(Column(f"{policy}_rank", "Rank", "count", group=policy))
        columns += [
            Column(f"{policy}_{m}", *titles[m], interval=True, group=policy)
            for m in chosen
            if m in metrics
        ]

    def record(label: str) -> Record:
        row: dict[str, Any] = {"model": label}
        for policy, metrics in tables.items():
            row[f"{policy}_rank"] = ranks[policy].get(label)
            for metric in chosen:
                entry = metrics.get(metric, {}).get(label, {})
                row[f"{policy}_{metric}"] = entry.get("value")
                row[f"{policy}_{metric}_lower"] = entry.get("lower")
                row[f"{policy}_{metric}_upper"] = entry.get("upper")
        return row

    return Table(
        name="policies", title="Policies side by side", columns=tuple(columns), keys=("model",),
        records=tuple(record(label) for label in ranked_models(dataset)),
        apart=tuple(record(label) for _, label in baselines(dataset)),
    )  # fmt: skip
