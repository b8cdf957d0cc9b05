"""What a decision lost points for: one phrase for each mistake, and none without a loss."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

sys.path.insert(0, str(Path(__file__).parent))

from figure_kinds import spec_of

from plotchain_lib.suites.matplotgym.comparison.matching import match
from plotchain_lib.suites.matplotgym.decisions import DECISIONS, compare
from plotchain_lib.suites.matplotgym.degrade import degrade
from plotchain_lib.suites.matplotgym.diagnosis import BETWEEN, PHRASES, diagnose
from plotchain_lib.suites.matplotgym.task import Task, shipped_tasks

TASKS = {task.id: task for tasks in shipped_tasks().values() for task in tasks}
X = np.arange(1.0, 13.0)
A, B, C = X**2, 150 - 5 * X, 30 + 20 * np.sin(X)
Draw = Callable[[], object]
# What each broken decision may be called on the shipped references.
BROKEN = {
    "data_selection": {"right series, wrong values"},
    "encoding": {"another kind of mark", "joined points left separate"},
    "overlays": {"error bars or bands missing", "fit or reference line missing"},
    "panel_layout": {"one comparison split over panels", "panels dropped"},
    "axis_scales": {"log for linear", "linear for log", "limits shared", "limits not shared"},
    "series_completeness": {"a condition dropped"},
}


def told(reference: Draw, submitted: Draw) -> dict[str, str]:
    """The diagnosis of one drawing against another, held against its scores."""
    one, other = spec_of(reference), spec_of(submitted)
    scores = compare(one, other)
    found = diagnose(one, other, scores)
    assert found == diagnose(one, other, scores, match(one, other))
    check(found, scores)
    return found


def check(found: dict[str, str], scores: dict[str, Any]) -> None:
    """Phrases exactly where points were lost, all of the closed list, in its order."""
    assert set(found) == {name for name, score in scores.items() if score is not None and score < 1}
    for name, text in found.items():
        phrases = text.split(BETWEEN)
        assert phrases == [phrase for phrase in PHRASES[name] if phrase in phrases]


def _shipped(task: Task) -> dict[str, Any]:
    spec: dict[str, Any] = json.loads(task.reference.with_name("reference_spec.json").read_text())
    return spec


@pytest.mark.parametrize("name", TASKS)
def test_each_broken_decision_of_a_shipped_reference_is_called_by_its_name(name: str) -> None:
    spec = _shipped(TASKS[name])
    own = compare(spec, spec)
    assert diagnose(spec, spec, own) == {}
    for decision, score in own.items():
        worse = degrade(spec, decision) if score is not None else None
        if worse is None:
            continue
        found = match(spec, worse)
        scores = compare(spec, worse, found)
        lost = diagnose(spec, worse, scores, found)
        check(lost, scores)
        assert set(lost) == {decision}
        assert set(lost[decision].split(BETWEEN)) <= BROKEN[decision]


def lines(
    names: str = "ABC", *, scale: str = "linear", kind: str = "-", errors: bool = True
) -> None:
    for name, values in zip("ABC", (A, B, C), strict=True):
        if name in names:
            plt.plot(X, values, kind, label=name)
    if errors:
        plt.errorbar(X, A, yerr=3, fmt="none")
    plt.yscale(scale)


def panels(*series: Any, share: bool = False, limits: tuple[float, float] | None = None) -> None:
    _, axes = plt.subplots(1, len(series), sharey=share, squeeze=False)
    for place, group in zip(axes[0], series, strict=True):
        for values in group:
            place.plot(X, values)
        if limits:
            place.set_ylim(limits)


def bars(*, stacked: bool = False, lying: bool = False) -> None:
    for i, values in enumerate(([3, 1, 2], [2, 2, 5])):
        places = np.arange(3) + 0.4 * i * (not stacked)
        if lying:
            plt.barh(places, values, 0.4)
        else:
            plt.bar(places, values, 0.4, bottom=[3, 1, 2] if stacked and i else None)
    (plt.yticks if lying else plt.xticks)(np.arange(3) + 0.2 * (not stacked), ["a", "b", "c"])


def averages() -> None:
    plt.bar(["A", "B", "C"], [A.mean(), B.mean(), C.mean()])


def with_line(value: float | None, *, errors: bool = False) -> None:
    plt.plot(X, A)
    if value is not None:
        plt.axhline(value)
    if errors:
        plt.errorbar(X, A, yerr=3, fmt="none")


def with_extra() -> None:
    lines()
    plt.plot(X, 3 * X + 7)


def wrong_rows() -> None:
    lines("AB")
    plt.plot(X, np.roll(C, 3) * 2, label="C")


def noise() -> None:
    plt.plot(np.linspace(500, 900, 12), np.linspace(-3000, -9000, 12))


def bands(*, filled: bool) -> None:
    plt.plot(X, A)
    if filled:
        plt.fill_between(X, A - 3, A + 3, alpha=0.3)
    else:
        plt.errorbar(X, A, yerr=3, fmt="none")


def coloured(*, mapped: bool, sized: bool = False) -> None:
    plt.scatter(X, A, c=B if mapped else None, s=10 * X if sized else None)


def twin(*, apart: bool) -> None:
    if apart:
        panels([A], [C])
        return
    plt.plot(X, A)
    plt.gca().twinx().plot(X, C, "r")


MISTAKES: list[tuple[Draw, Draw, dict[str, str]]] = [
    (lines, wrong_rows, {"data_selection": "right series, wrong values"}),
    (partial(lines, "C", errors=False), lambda: plt.plot(X, np.full(12, C.mean())),
     {"data_selection": "a series over time reduced to one value"}),
    (partial(lines, "C", errors=False), lambda: plt.bar(["mean"], [C.mean()]),
     {"data_selection": "a series over time reduced to one value",
      "encoding": "another kind of mark"}),
    (partial(lines, "A", errors=False), noise, {"data_selection": "other data"}),
    (partial(lines, "A", errors=False), lambda: plt.plot(X, A * 1.015),
     {"data_selection": "values nearly right"}),
    (lines, partial(lines, kind="o"), {"encoding": "another kind of mark"}),
    (partial(lines, kind="o"), lines, {"encoding": "joined points left separate"}),
    (bars, partial(bars, stacked=True), {"encoding": "stacked for grouped"}),
    (partial(bars, stacked=True), bars, {"encoding": "grouped for stacked"}),
    (bars, partial(bars, lying=True), {"encoding": "x and y exchanged"}),
    (lambda: plt.plot(X, C), lambda: plt.plot(C, X), {"encoding": "x and y exchanged"}),
    (partial(coloured, mapped=True), partial(coloured, mapped=False),
     {"encoding": "colour mapping dropped"}),
    (partial(coloured, mapped=False, sized=True), partial(coloured, mapped=False),
     {"encoding": "size mapping dropped"}),
    (lines, partial(lines, errors=False), {"overlays": "error bars or bands missing"}),
    (partial(with_line, 60.0), partial(with_line, None),
     {"overlays": "fit or reference line missing"}),
    (partial(with_line, 60.0), partial(with_line, 90.0),
     {"overlays": "overlay of other values"}),
    (partial(with_line, 60.0), partial(with_line, 60.0, errors=True),
     {"overlays": "overlays the reference left out"}),
    (partial(bands, filled=False), partial(bands, filled=True),
     {"overlays": "another kind of overlay"}),
    (partial(panels, [A, C]), partial(panels, [A], [C]),
     {"panel_layout": "one comparison split over panels"}),
    (partial(panels, [A], [C]), partial(panels, [A, C]), {"panel_layout": "panels merged"}),
    (partial(panels, [A], [C], [B]), partial(panels, [A], [C]), {"panel_layout": "panels dropped"}),
    (partial(panels, [A, C]), partial(panels, [A, C], [B]),
     {"panel_layout": "panels the reference left out"}),
    (partial(twin, apart=False), partial(twin, apart=True),
     {"panel_layout": "twin axes or inset for a panel, or the reverse"}),
    (lines, partial(lines, scale="log"), {"axis_scales": "log for linear"}),
    (partial(lines, scale="log"), lines, {"axis_scales": "linear for log"}),
    (partial(lines, scale="log"), partial(lines, scale="symlog"), {"axis_scales": "another scale"}),
    (partial(panels, [A], [C]), partial(panels, [A], [C], share=True),
     {"axis_scales": "limits shared"}),
    (partial(panels, [A], [C], limits=(0, 200)), partial(panels, [A], [C]),
     {"axis_scales": "limits not shared"}),
    (lines, partial(lines, "AB"), {"series_completeness": "a condition dropped"}),
    (lines, with_extra, {"series_completeness": "series or conditions the reference left out"}),
]  # fmt: skip


@pytest.mark.parametrize("place", range(len(MISTAKES)))
def test_a_mistake_has_its_phrase_and_no_other_decision_has_one(place: int) -> None:
    reference, submitted, expected = MISTAKES[place]
    assert told(reference, submitted) == expected
    assert told(reference, reference) == {}


def test_averages_by_name_for_series_over_time() -> None:
    found = told(partial(lines, errors=False), averages)
    assert "a series over time reduced to one value" in found["data_selection"]
    assert found["series_completeness"] == "a condition dropped"


def test_little_of_much_is_said_where_it_costs() -> None:
    found = told(partial(panels, [A, B, C, A + C, B + C]), partial(panels, [A]))
    assert "a condition dropped" in found["data_selection"]
    assert "too few series drawn" in found["encoding"]


def test_every_phrase_but_the_general_ones_has_a_figure_of_its_own() -> None:
    seen = {
        (decision, phrase)
        for _, _, expected in MISTAKES
        for decision, text in expected.items()
        for phrase in text.split(BETWEEN)
    }
    seen |= {("data_selection", "a condition dropped"), ("encoding", "too few series drawn")}
    known = {(name, phrase) for name, phrases in PHRASES.items() for phrase in phrases}
    general = {(name, phrases[-1]) for name, phrases in PHRASES.items()} - seen
    assert known - seen == general
    assert set(PHRASES) == set(DECISIONS)


@pytest.mark.parametrize("submitted", [None, {"panels": []}])
def test_a_figure_of_nothing_drew_nothing(submitted: dict[str, Any] | None) -> None:
    reference = spec_of(lines)
    scores = compare(reference, submitted)
    lost = diagnose(reference, submitted, scores)
    assert lost == {name: "drew nothing" for name, score in scores.items() if score is not None}


series = st.sampled_from([A, B, C, A + C, B * 2, np.roll(C, 2), np.full(12, 5.0)])
figures = st.lists(st.lists(series, min_size=1, max_size=3), min_size=1, max_size=3)


@settings(deadline=None, max_examples=25, suppress_health_check=[HealthCheck.too_slow])
@given(figures, figures, st.booleans(), st.sampled_from(["linear", "log"]))
def test_phrases_stand_exactly_where_points_were_lost(
    one: list[list[Any]], other: list[list[Any]], share: bool, scale: str
) -> None:
    def submitted() -> None:
        panels(*other, share=share)
        plt.yscale(scale)

    told(partial(panels, *one), submitted)
