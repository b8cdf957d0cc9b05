from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from plotchain_lib.models.reader.inks import find_inks
from plotchain_lib.models.reader.seen import Curve, UnreadableError
from plotchain_lib.models.reader.trace import find_curve

X = np.linspace(0.5, 9.5, 900)
Y = 5 + 4 * np.exp(-0.3 * X) * np.cos(2 * X)


def traced(seen: Any, jpeg: int | None = None) -> Curve:
    picture, box = seen.see(jpeg)
    return find_curve(picture, box, find_inks(picture, box))


def misses(seen: Any, curve: Curve, x: Any = X, y: Any = Y) -> Any:
    """How far the trace is below the curve drawn, its mean over each column, in pixels."""
    across, down = seen.place(x, y)
    columns = curve.x[:, None] + np.linspace(-0.45, 0.45, 9)
    return curve.y - np.interp(columns, across, down).mean(axis=1)


@pytest.mark.parametrize(
    ("style", "dpi", "settings"),
    [
        (None, 80, {}),
        (None, 200, {"lines.linewidth": 1.0}),
        ("ggplot", 120, {}),
        ("bmh", 120, {}),
        ("dark_background", 120, {}),
    ],
)
def test_a_curve_is_traced_to_a_tenth_of_a_pixel(
    plot: Callable[..., Any], style: str | None, dpi: float, settings: dict[str, Any]
) -> None:
    seen = plot(style, dpi, **settings)
    (line,) = seen.axes.plot(X, Y)
    curve = traced(seen)
    wide = np.ptp(seen.place(X, Y)[0])
    assert len(curve.x) > 0.93 * wide
    assert np.all(np.diff(curve.x) > 0)
    assert np.abs(np.median(misses(seen, curve))) < 0.05
    assert np.percentile(np.abs(misses(seen, curve)), 97) < 0.25
    assert curve.stroke == pytest.approx(line.get_linewidth() * dpi / 72, rel=0.15)


@pytest.mark.parametrize("colour", ["black", "#888888", "tab:olive"])
def test_any_colour_may_be_the_curves(plot: Callable[..., Any], colour: str) -> None:
    seen = plot()
    seen.axes.plot(X, Y, color=colour, lw=2)
    seen.axes.text(6, 8, "black words beside it", fontsize=9)
    seen.axes.plot([3, 6], [9, 9], "o", color="black", ms=5)
    assert np.percentile(np.abs(misses(seen, traced(seen))), 97) < 0.25


def test_a_jpeg_is_traced_too(plot: Callable[..., Any]) -> None:
    seen = plot()
    seen.axes.plot(X, Y, lw=2)
    curve = traced(seen, jpeg=60)
    assert np.abs(np.median(misses(seen, curve))) < 0.1
    assert np.percentile(np.abs(misses(seen, curve)), 95) < 0.6


def test_helper_lines_dashes_and_texts_are_not_the_curve(plot: Callable[..., Any]) -> None:
    seen = plot()
    seen.axes.plot([0, 10], [9, 9], "--", color="#c0392b")
    seen.axes.plot([0, 10], [0.5, 8], "--", color="#c0392b", lw=1)
    seen.axes.axhline(1, color="black", lw=1)
    seen.axes.axvline(4, color="C0", alpha=0.7, ls="--")
    seen.axes.text(1, 8, "a long line of black words in the axes")
    seen.axes.plot(X[:500], Y[:500], color="C0", lw=2)
    curve = traced(seen)
    assert tuple(round(part) for part in curve.colour) == (31, 119, 180)
    assert np.percentile(np.abs(misses(seen, curve, X[:500], Y[:500])), 97) < 0.25


def test_nothing_but_marks_is_no_curve(plot: Callable[..., Any]) -> None:
    seen = plot()
    seen.axes.plot([2, 5, 8], [3, 4, 5], "x", color="red", ms=8)
    seen.axes.axhline(5, color="black")
    picture, box = seen.see()
    with pytest.raises(UnreadableError, match="no curve"):
        find_curve(picture, box, find_inks(picture, box))


def test_what_a_marker_hides_is_left_out(plot: Callable[..., Any]) -> None:
    seen = plot()
    seen.axes.plot(X, Y, lw=2)
    seen.axes.plot(X[300], Y[300], "o", color="tab:orange", ms=10)
    curve = traced(seen)
    (x,), _ = seen.place(X[300], Y[300])
    assert not np.any(np.abs(curve.x - x) < 5)
    assert np.percentile(np.abs(misses(seen, curve)), 99) < 0.3


def test_a_curve_along_the_frame_is_traced(plot: Callable[..., Any]) -> None:
    seen = plot(limits=(0, 10, 0, 8))
    x = np.linspace(0, 9, 600)
    y = np.clip((x - 4) ** 2 / 4, 0, None) * (x > 4)
    seen.axes.plot(x, y, lw=3)
    curve = traced(seen)
    flat = curve.x < seen.place(3.5, 0)[0][0]
    assert flat.sum() > 100
    assert np.abs(misses(seen, curve, x, y)[flat]).max() < 0.3


def test_a_square_wave_keeps_its_levels_and_edges(plot: Callable[..., Any]) -> None:
    seen = plot()
    x = np.linspace(0.5, 9.5, 2000)
    y = np.where(np.sin(2 * np.pi * x / 3) > 0, 8.0, 2.0)
    seen.axes.plot(x, y, lw=2)
    curve = traced(seen)
    _, (high, low) = seen.place([1, 1], [8, 2])
    level = np.minimum(np.abs(curve.y - high), np.abs(curve.y - low)) < 0.6
    assert level.mean() > 0.93
    middle = curve.rows.line == round((high + low) / 2)
    edges = curve.rows.centre[middle]
    true, _ = seen.place(np.array([1.5, 3.0, 4.5, 6.0, 7.5, 9.0]), np.full(6, 5.0))
    assert np.abs(np.sort(edges) - true).max() < 1.0


def test_spikes_are_kept_as_runs(plot: Callable[..., Any]) -> None:
    seen = plot()
    y = np.full(600, 1.0)
    y[[150, 400]] = 8.0, 6.0
    seen.axes.plot(np.linspace(0.5, 9.5, 600), y, lw=1)
    curve = traced(seen)
    _, (first, second) = seen.place([1, 1], [8, 6])
    tops = np.sort(curve.columns.start)
    assert tops[0] == pytest.approx(first, abs=3)
    assert np.any(np.abs(tops - second) < 3)
