"""Six decisions: one mistake costs once, and nothing cosmetic costs at all."""

from __future__ import annotations

import copy
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

sys.path.insert(0, str(Path(__file__).parent))

from figure_kinds import spec_of

from plotchain_lib.suites.matplotgym.decisions import DECISIONS, WEIGHTS, Scores, compare, total

X = np.arange(1.0, 9.0)
A, B, C = X**2, 70 - 5 * X, 30 + 20 * np.sin(X)
GRID = np.add.outer(X[:5] ** 2, np.cos(X[:6]))
NAMES = ["a", "b", "c"]


def three(kind: str = "-", scale: str = "linear", series: str = "ABC", errors: bool = True) -> None:
    """The figure most tests start from: three lines, one with error bars."""
    for name, values in zip("ABC", (A, B, C), strict=True):
        if name in series:
            plt.plot(X, values, kind, label=name)
    if errors:
        plt.errorbar(X, A, yerr=3, fmt="none")
    plt.yscale(scale)


def lost(reference: Callable[[], object], submitted: Callable[[], object]) -> dict[str, float]:
    """The decisions that lost anything, with their scores."""
    scores = compare(spec_of(reference), spec_of(submitted))
    return {n: round(s, 3) for n, s in scores.items() if s is not None and s < 0.999}


def split() -> None:
    _, axes = plt.subplots(1, 2)
    plt.sca(axes[0])
    three(series="AB")
    axes[1].plot(X, C)


def wrong_rows() -> None:
    plt.plot(X, A)
    plt.plot(X, B)
    plt.plot(X, np.roll(C, 3) * 2)
    plt.errorbar(X, A, yerr=3, fmt="none")


def extra_series() -> None:
    three()
    plt.plot(X, 3 * X)


def test_one_mistake_costs_once() -> None:
    assert lost(three, three) == {}
    assert lost(three, lambda: three(series="AB")) == {"series_completeness": 0.667}
    assert lost(three, extra_series) == {"series_completeness": 0.833}  # half of a missing one
    assert lost(three, lambda: three(scale="log")) == {"axis_scales": 0.0}
    assert lost(three, lambda: three(errors=False)) == {"overlays": 0.0}
    assert lost(three, lambda: three(kind="o")) == {"encoding": 0.5}
    assert lost(three, split) == {"panel_layout": 0.667}
    assert set(lost(three, wrong_rows)) == {"data_selection"}


def bars(orientation: str = "v", stacked: bool = False) -> None:
    for i, values in enumerate(([3, 1, 2], [2, 2, 5])):
        if orientation == "h":
            plt.barh(np.arange(3) + 0.4 * i, values, 0.4)
            continue
        bottom = [3, 1, 2] if stacked and i else None
        plt.bar(np.arange(3) + 0.4 * i * (not stacked), values, 0.4, bottom=bottom)
    (plt.yticks if orientation == "h" else plt.xticks)(np.arange(3) + 0.2, NAMES)


def test_bars_turned_or_stacked_are_another_encoding() -> None:
    assert lost(bars, lambda: bars("h")) == {"encoding": 0.5}
    assert lost(bars, lambda: bars(stacked=True)) == {"encoding": 0.5}


def test_near_equivalent_kinds_earn_half() -> None:
    names = partial(plt.bar, NAMES, [3, 1, 2])
    assert lost(names, lambda: plt.plot(NAMES, [3, 1, 2], "o")) == {"encoding": 0.5}
    counts, edges = np.histogram(C, 4)
    assert lost(lambda: plt.hist(C, 4), lambda: plt.bar(edges[:-1], counts, edges[1] - edges[0], align="edge")) == {"encoding": 0.5}  # fmt: skip


def test_bars_are_keyed_by_label_whatever_their_order_or_case() -> None:
    names = partial(plt.bar, NAMES, [3, 1, 2])
    assert lost(names, lambda: plt.bar(["C", "a", "B"], [2, 3, 1])) == {}
    assert "data_selection" in lost(names, lambda: plt.bar(["c", "a", "b"], [3, 1, 2]))
    assert lost(names, lambda: plt.bar(["one", "two", "three"], [3, 1, 2])) == {}  # a wording


def test_the_number_of_bins_is_no_data() -> None:
    values = np.random.default_rng(0).normal(size=4000)
    assert lost(lambda: plt.hist(values, 30), lambda: plt.hist(values, 45)) == {}
    half = lost(lambda: plt.hist(values, 30), lambda: plt.hist(values[:2000], 30))
    assert half["data_selection"] == pytest.approx(0.5, abs=0.1)
    density = lost(lambda: plt.hist(values, 30), lambda: plt.hist(values, 30, density=True))
    assert density == {"data_selection": 0.5}


def test_a_field_is_compared_up_to_scale_and_offset() -> None:
    image = partial(plt.imshow, GRID)
    assert lost(image, lambda: plt.imshow(3 * GRID - 7, cmap="gray")) == {}
    assert lost(image, lambda: plt.contourf(GRID)) == {"encoding": 0.5}
    assert set(lost(image, lambda: plt.imshow(-GRID))) == {"data_selection"}


def test_two_dense_clouds_do_not_match_by_chance() -> None:
    one, other = np.random.default_rng(0).uniform(size=(2, 2, 1500))
    found = lost(lambda: plt.scatter(*one), lambda: plt.scatter(*other))
    assert found["data_selection"] < 0.2


def test_points_in_one_colour_lose_only_what_told_them_apart() -> None:
    def apart() -> None:
        plt.scatter(X, A)
        plt.scatter(X, B)

    together = partial(plt.scatter, [*X, *X], [*A, *B])
    assert lost(apart, together) == {"encoding": 0.75}
    assert lost(together, apart) == {}


def test_a_mapped_colour_that_is_dropped_costs_encoding() -> None:
    assert lost(lambda: plt.scatter(X, A, c=B), lambda: plt.scatter(X, A)) == {"encoding": 0.5}


def test_swapped_axes_cost_encoding_and_not_the_scales() -> None:
    def upright() -> None:
        plt.plot(X, A)
        plt.yscale("log")

    def swapped() -> None:
        plt.plot(A, X)
        plt.xscale("log")

    assert lost(upright, swapped) == {"encoding": 0.5}


def test_a_dropped_panel_costs_layout_and_merging_does_too() -> None:
    def panels(shown: int) -> None:
        _, axes = plt.subplots(1, 3)
        for axis, values in list(zip(axes, (A, B, C), strict=True))[:shown]:
            axis.plot(X, values)

    assert lost(lambda: panels(3), lambda: panels(2)) == {"panel_layout": 0.667}
    merged = lost(lambda: panels(3), lambda: three(errors=False))
    assert merged == {"panel_layout": 0.333}


def test_sharing_limits_or_not() -> None:
    def panels(share: bool) -> None:
        _, axes = plt.subplots(1, 2, sharey=share)
        axes[0].plot(X, B)
        axes[1].plot(X, C)

    assert set(lost(lambda: panels(True), lambda: panels(False))) == {"axis_scales"}


def test_a_band_for_error_bars_earns_half_and_a_reference_line_its_value() -> None:
    def banded() -> None:
        three(errors=False)
        plt.fill_between(X, A - 3, A + 3)

    assert lost(three, banded) == {"overlays": 0.5}

    def line(value: float) -> Callable[[], object]:
        return lambda: (plt.plot(X, A), plt.axhline(value))

    assert lost(line(5), line(5)) == {}
    assert set(lost(line(5), line(40))) == {"overlays"}


def test_one_law_is_one_overlay_however_it_is_drawn() -> None:
    x = np.array([1.0, 2.0, 4.0, 8.0, 16.0])

    def law(at: Any) -> Callable[[], object]:
        at = np.asarray(at)
        return lambda: (plt.loglog(x, [1.0, 7.0, 70.0, 500.0, 4200.0], "o-"), plt.plot(at, at**3))

    assert [o["kind"] for o in spec_of(law(x))["panels"][0]["overlays"]] == ["fit"]
    assert lost(law(x), law([1.0, 16.0])) == lost(law(x), law(np.geomspace(1, 16, 50))) == {}
    assert set(lost(law(x), lambda: plt.loglog(x, [1, 7, 70, 500, 4200], "o-"))) == {"overlays"}


def test_a_level_line_answers_a_reference_line() -> None:
    reference = spec_of(lambda: (plt.plot(X, A), plt.axhline(5.0)))
    level = spec_of(lambda: (plt.plot(X, A), plt.plot(X, np.full(len(X), 5.0))))
    assert total(compare(reference, level)) == 1.0


def test_a_fit_belongs_to_the_cloud_it_was_fitted_to() -> None:
    def fits() -> None:
        for shift in (0.0, 1.0):
            x = np.arange(8.0) + shift
            y = 2 * x + np.array([1, -1, 1, -1, -1, 1, -1, 1]) + 0.5 * shift
            plt.plot(x, y, "o")
            plt.plot(x, np.polyval(np.polyfit(x, y, 1), x))

    assert [o["of"] for o in spec_of(fits)["panels"][0]["overlays"]] == [0, 1]


def test_little_of_much_is_another_selection() -> None:
    def many(count: int) -> None:
        for i in range(count):
            plt.plot(X, A + 9 * i)

    few = compare(spec_of(lambda: many(8)), spec_of(lambda: many(1)))
    assert few["data_selection"] == few["encoding"] == pytest.approx(0.25)
    assert few["series_completeness"] == pytest.approx(0.125)
    half = compare(spec_of(lambda: many(8)), spec_of(lambda: many(4)))
    assert half["data_selection"] == 1.0


def test_a_crash_or_an_empty_figure_earns_nothing() -> None:
    reference = spec_of(three)
    for submitted in (None, {"panels": [], "unrepresented": []}):
        scores = compare(reference, submitted)
        assert {s for s in scores.values() if s is not None} == {0.0}
        assert total(scores) == 0.0


def test_a_reference_that_shows_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="no panel has a mark"):
        compare({"panels": []}, None)
    with pytest.raises(ValueError, match="no decision"):
        total({"encoding": None})


def test_weights_add_up_and_what_is_not_exercised_leaves_the_denominator() -> None:
    assert sum(WEIGHTS.values()) == pytest.approx(1)
    scores: Scores = {**dict.fromkeys(DECISIONS, 1.0), "overlays": None, "data_selection": 0.0}
    assert total(scores) == pytest.approx(1 - 0.37 / 0.85)
    assert total(scores, {**WEIGHTS, "data_selection": 0.0}) == 1.0


FLOATS = st.floats(-1e6, 1e6, allow_nan=False, width=32)


@st.composite
def marks(draw: st.DrawFn) -> dict[str, Any]:
    kind = draw(st.sampled_from(["line", "scatter", "bar", "step", "stem"]))
    count = draw(st.integers(1, 6))
    mark: dict[str, Any] = {"kind": kind, "x": [float(i) for i in range(count)]}
    mark["y"] = draw(st.lists(FLOATS, min_size=count, max_size=count))
    mark["look"] = 0
    if kind in ("bar", "stem"):
        mark["orientation"] = draw(st.sampled_from(["vertical", "horizontal"]))
    return mark


def overlay(mark: dict[str, Any], index: int) -> dict[str, Any]:
    low, high = [v - 1 for v in mark["y"]], [v + 1 for v in mark["y"]]
    way = mark.get("orientation", "vertical")
    kept = {"x": list(mark["x"]), "lower": low, "upper": high}
    return {"kind": "error_bar", "orientation": way, "of": index, **kept}


@st.composite
def specs(draw: st.DrawFn) -> dict[str, Any]:
    panels = []
    for column in range(draw(st.integers(1, 3))):
        scales = [draw(st.sampled_from(["linear", "log", "symlog"])) for _ in range(2)]
        axes = [
            {"scale": s, "limits": [0.0, 1.0], "set_limits": False, "categories": None}
            for s in scales
        ]
        drawn = draw(st.lists(marks(), min_size=1, max_size=3))
        for index, mark in enumerate(drawn):
            mark["look"] = index
        chosen = draw(st.lists(st.booleans(), min_size=len(drawn), max_size=len(drawn)))
        laid = [overlay(m, i) for i, (m, c) in enumerate(zip(drawn, chosen, strict=True)) if c]
        place = {"row": 0, "column": column, "row_span": 1, "column_span": 1}
        role = {"role": "main", "of": None, "share_x": None, "share_y": None}
        panels.append({**place, **role, "projection": "rectilinear", "x": axes[0], "y": axes[1], "marks": drawn, "overlays": laid})  # fmt: skip
    return {"panels": panels, "unrepresented": []}


def restyled(spec: dict[str, Any]) -> dict[str, Any]:
    """Panels and marks in reverse order, points too, other looks, labels and sizes."""
    spec = copy.deepcopy(spec)
    for panel in spec["panels"]:
        last = len(panel["marks"]) - 1
        panel["marks"].reverse()
        for laid in panel["overlays"]:
            laid["of"] = last - laid["of"]
        for mark in panel["marks"]:
            mark["x"], mark["y"] = mark["x"][::-1], mark["y"][::-1]
            mark["look"], mark["label"], mark["width"] = 9 - mark["look"], "other", 3.0
        panel["x"]["limits"] = [-5.0, 5.0]
    spec["panels"].reverse()
    return spec


@settings(max_examples=60, deadline=None)
@given(specs())
def test_a_spec_agrees_with_itself(spec: dict[str, Any]) -> None:
    assert total(compare(spec, copy.deepcopy(spec))) == pytest.approx(1, abs=1e-12)


@settings(max_examples=60, deadline=None)
@given(specs())
def test_order_and_style_do_not_matter(spec: dict[str, Any]) -> None:
    assert total(compare(spec, restyled(spec))) == pytest.approx(1, abs=1e-9)


@settings(max_examples=60, deadline=None)
@given(specs(), specs())
def test_scores_lie_between_0_and_1(one: dict[str, Any], other: dict[str, Any]) -> None:
    scores = compare(one, other)
    assert set(scores) == set(DECISIONS)
    assert all(s is None or 0 <= s <= 1 for s in scores.values())
    assert compare(one, other) == scores


def test_many_series_and_many_points_are_matched_too() -> None:
    generator = np.random.default_rng(0)
    walks = np.cumsum(generator.normal(size=(50, 20)), axis=0)
    assert lost(lambda: plt.plot(walks), lambda: plt.plot(walks[:, ::-1])) == {}
    cloud = generator.normal(size=(2, 30_000))
    assert lost(lambda: plt.scatter(*cloud), lambda: plt.plot(*cloud[:, ::-1], "o")) == {}
