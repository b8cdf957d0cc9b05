"""How much of the ranking hangs on the tolerances: all of them scaled at once."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any

import numpy as np

from plotchain_lib.report.errors import Errors, Floats, shares_below
from plotchain_lib.report.figures import Chart
from plotchain_lib.report.inputs import Dataset
from plotchain_lib.report.lines import MOST_LINES, Line, line_chart, shade_chart
from plotchain_lib.report.sections import Section
from plotchain_lib.report.summary import all_models, ranked_models
from plotchain_lib.report.tables import Column, Record, Table

SCALES = 2.0 ** np.arange(-2.0, 2.25, 0.25)  # 17 of them, from a quarter to four
SHOWN = (0.25, 0.5, 1.0, 2.0, 4.0)
MOST_CHANGES_SHOWN = 100


def tolerance_section(dataset: Dataset, errors: Errors) -> Section:
    """Pass rates and ranks with stricter and looser tolerances."""
    rates = shares_below(errors, SCALES)
    changes = rank_changes(ranked_models(dataset), errors.models, rates)
    contest = len(ranked_models(dataset))
    if changes:
        lead = (
            f"{len(changes)} of {contest * (contest - 1) // 2} pairs change their order somewhere "
            "between a quarter and four times the tolerances."
        )
    elif contest > 1:
        lead = "No two models change their order between a quarter and four times the tolerances."
    else:
        lead = "How the pass rate depends on the tolerances."
    tables = (_table(dataset, errors, rates), *((_change_table(changes),) if changes else ()))
    chart = _chart(dataset, errors, rates)
    drawn = contest <= MOST_LINES
    return Section("tolerance", "Stricter and looser tolerances", lead, (chart,) if drawn else (),
                   tables, files=(_long(errors, rates),), figures=() if drawn else (chart,),
                   )  # fmt: skip


def rank_changes(
    contest: Sequence[str], models: Sequence[str], rates: Floats
) -> list[dict[str, Any]]:
    """Every change of order of two contestants between neighbouring scales.

    `rates` has a row per model and a column per scale. A change is from ahead to behind; scales at
    which the two tie are passed over. Each record says between which scales, and both rates there.
    """
    row = {label: n for n, label in enumerate(models)}
    found = []
    for first, second in combinations(contest, 2):
        ahead = np.sign(rates[row[first]] - rates[row[second]])
        known = np.flatnonzero((ahead != 0) & ~np.isnan(ahead))
        turns = np.flatnonzero(np.diff(ahead[known]) != 0)
        for low, high in zip(known[turns], known[turns + 1], strict=True):
            winner, loser = (second, first) if ahead[low] > 0 else (first, second)
            found.append(
                {"first": winner, "second": loser, "lower": float(SCALES[low]),
                 "upper": float(SCALES[high]),
                 "first_rate": float(rates[row[winner], high]),
                 "second_rate": float(rates[row[loser], high])}
            )  # fmt: skip
    return sorted(found, key=lambda change: (abs(np.log2(change["upper"])), change["first"]))


def ranks_at(contest: Sequence[str], models: Sequence[str], rates: Floats) -> Floats:
    """Rank of each contestant at each scale, shape (contestants, scales); ties share the better."""
    rows = rates[[models.index(label) for label in contest]]
    return np.asarray(1 + (rows[None] > rows[:, None]).sum(axis=1), dtype=float)


def _chart(dataset: Dataset, errors: Errors, rates: Floats) -> Chart:
    heading = (
        "tolerance", "Stricter and looser tolerances",
        "Share of fields passed when every tolerance is scaled; 1 is the policy as it stands.",
    )  # fmt: skip
    lines = [
        Line(label, tuple(100 * rates[errors.models.index(label)]), dataset.is_baseline(label))
        for label in all_models(dataset)
    ]
    if len(ranked_models(dataset)) > MOST_LINES:
        return shade_chart(heading, lines, SCALES, "tolerances scaled by")
    axes = ("tolerances scaled by, logarithmic", "fields passed (%)")
    return line_chart(heading, lines, SCALES, axes)


def _table(dataset: Dataset, errors: Errors, rates: Floats) -> Table:
    contest = ranked_models(dataset)
    ranks = ranks_at(contest, errors.models, rates)
    places = [int(np.flatnonzero(scale == SCALES)[0]) for scale in SHOWN]

    def record(label: str) -> Record:
        row: dict[str, Any] = {"model": label}
        for scale, place in zip(SHOWN, places, strict=True):
            row[f"pass_{scale:g}"] = rates[errors.models.index(label), place]
            if label in contest:
                row[f"rank_{scale:g}"] = ranks[contest.index(label), place]
        return row

    columns = (
        Column("model", "Model"),
        *(Column(f"pass_{scale:g}", f"× {scale:g}", "percent", heat=True, group="Passed (%)")
          for scale in SHOWN),
        *(Column(f"rank_{scale:g}", f"× {scale:g}", "count", group="Rank") for scale in SHOWN),
    )  # fmt: skip
    return Table(
        name="tolerance", title="Fields passed with tolerances scaled", columns=columns,
        keys=("model",), records=tuple(record(m) for m in contest),
        apart=tuple(record(m) for m in all_models(dataset) if m not in contest),
        note="Absolute and relative tolerances of every field are multiplied by the same factor.",
    )  # fmt: skip


def _change_table(changes: Sequence[Record]) -> Table:
    columns = (
        Column("first", "Overtakes"), Column("second", "Is overtaken"),
        Column("lower", "Between ×", "number"), Column("upper", "and ×", "number"),
        Column("first_rate", "Overtakes (%)", "percent", group="Passed after it"),
        Column("second_rate", "Is overtaken (%)", "percent", group="Passed after it"),
    )  # fmt: skip
    return Table(
        name="tolerance_ranks", title="Where ranks change, from strict to loose", columns=columns,
        records=tuple(changes[:MOST_CHANGES_SHOWN]), keys=("first", "second", "upper"),
        note="Nearest to the policy's own tolerances first; ties are no change.",
    )  # fmt: skip


def _long(errors: Errors, rates: Floats) -> Table:
    """The chart's numbers."""
    records = tuple(
        {"model": label, "scale": f"{scale:.4g}", "pass_rate": rates[n, place]}
        for n, label in enumerate(errors.models)
        for place, scale in enumerate(SCALES)
    )
    columns = (
        Column("model", "Model"), Column("scale", "Scale"),
        Column("pass_rate", "Passed", "percent"),
    )  # fmt: skip
    return Table(name="tolerance_curve", title="Pass rate by scale", columns=columns,
                 records=records, keys=("model", "scale"))  # fmt: skip
