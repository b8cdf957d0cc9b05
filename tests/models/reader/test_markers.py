from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from plotchain_lib.models.reader.inks import find_inks
from plotchain_lib.models.reader.markers import find_markers
from plotchain_lib.models.reader.seen import Marker

X = np.linspace(0, 10, 500)
SHAPES = {
    "dot": ("o", {}),
    "ring": ("o", {"markerfacecolor": "none", "markeredgewidth": 1.5}),
    "filled ring": ("o", {"markerfacecolor": "white", "markeredgewidth": 1.5}),
    "cross": ("x", {"markeredgewidth": 1.5}),
}


def marks(seen: Any, jpeg: int | None = None) -> tuple[Marker, ...]:
    picture, box = seen.see(jpeg)
    return find_markers(picture, box, find_inks(picture, box))


def draw(axes: Any, shape: str, x: Any, y: Any, **settings: Any) -> None:
    sign, own = SHAPES[shape]
    axes.plot(x, y, sign, **{"color": "#c0392b", "ms": 8, "zorder": 3, **own, **settings})


def near(found: tuple[Marker, ...], seen: Any, x: float, y: float) -> Marker:
    """The one marker at a place. Matplotlib draws markers at whole pixels, right of and below."""
    (across,), (down,) = seen.place(x, y)
    (one,) = (m for m in found if abs(m.x - across - 0.3) < 1.1 and abs(m.y - down - 0.3) < 1.1)
    return one


@pytest.mark.parametrize("dpi", [90, 200])
def test_a_marker_is_found_with_its_place_and_size(plot: Callable[..., Any], dpi: float) -> None:
    seen = plot(dpi=dpi)
    places = dict(zip(SHAPES, ((2, 3), (4.4, 7.7), (6.1, 2.2), (8.3, 5.9)), strict=True))
    for shape, place in places.items():
        draw(seen.axes, shape, *place)
    found = marks(seen)
    assert len(found) == len(SHAPES)
    for shape, place in places.items():
        marker = near(found, seen, *place)
        assert marker.shape == shape.split()[-1]
        line = 1.0 if shape == "dot" else 1.5
        assert marker.size == pytest.approx((8 + line) * dpi / 72, rel=0.12)


@pytest.mark.parametrize("zorder", [2, 4])
@pytest.mark.parametrize("what", ["curve", "both axes"])
def test_lines_through_a_marker_do_not_move_it(
    plot: Callable[..., Any], zorder: int, what: str
) -> None:
    alone, crossed = plot(), plot()
    places = [(1.7, 5.1), (3.9, 5.1), (6.2, 5.1), (8.4, 5.1)]
    for seen in (alone, crossed):
        for shape, place in zip(SHAPES, places, strict=True):
            draw(seen.axes, shape, *place, ms=10)
    for x, _ in places:
        if what != "curve":
            crossed.axes.plot([x, x], [2, 8], color="black", lw=1, zorder=zorder)
    if what == "curve":
        bent = 5.1 + 0.06 * np.prod([X - x for x, _ in places], axis=0)
        crossed.axes.plot(X, bent, lw=1.5, color="C0", zorder=zorder)
    if what == "both axes":
        crossed.axes.axhline(5.1, color="black", lw=1, zorder=zorder)
    whole, cut = marks(alone), marks(crossed)
    assert len(cut) == len(whole) == len(SHAPES)
    for true, found in zip(whole, cut, strict=True):
        assert found.shape == true.shape
        assert max(abs(found.x - true.x), abs(found.y - true.y)) < 0.3


def test_a_dot_in_the_curves_colour_is_found(plot: Callable[..., Any]) -> None:
    seen = plot()
    seen.axes.plot(X, 5 + 3 * np.sin(X), lw=1.5, color="C0")
    seen.axes.plot(X[100], 5 + 3 * np.sin(X[100]), "o", color="C0", ms=6)
    seen.axes.axvline(X[100], color="C0", alpha=0.7, ls="--")
    found = marks(seen)
    assert [marker.shape for marker in found] == ["dot"]
    near(found, seen, X[100], 5 + 3 * np.sin(X[100]))


def test_a_sharp_or_noisy_curve_has_no_dots(plot: Callable[..., Any]) -> None:
    seen = plot()
    noise = np.random.default_rng(2).normal(size=300)
    seen.axes.plot(np.linspace(0, 10, 300), 2 + 0.5 * noise, lw=1)
    seen.axes.plot(np.linspace(0, 10, 11), 8 + np.tile([1.0, -1.0], 6)[:11], color="C1", lw=2)
    assert marks(seen) == ()


def test_a_ring_and_a_cross_in_one_place_are_two(plot: Callable[..., Any]) -> None:
    seen = plot()
    for shape in ("ring", "cross"):
        draw(seen.axes, shape, 6, 4, ms=11, color="black")
    assert sorted(marker.shape for marker in marks(seen)) == ["cross", "ring"]


@pytest.mark.parametrize("shape", ["ring", "dot"])
def test_markers_that_the_frame_cuts_are_found(plot: Callable[..., Any], shape: str) -> None:
    seen = plot()
    for x, y in ((3, 0.1), (5, 5), (9.93, 7)):
        draw(seen.axes, shape, x, y, ms=9, zorder=2)
    found = marks(seen)
    assert len(found) == 3
    for x, y in ((3, 0.1), (9.93, 7)):
        near(found, seen, x, y)


def test_points_along_a_line_are_all_found(plot: Callable[..., Any]) -> None:
    seen = plot()
    x = np.linspace(1, 9, 12)
    seen.axes.plot(x, x, color="C0")
    draw(seen.axes, "ring", x, x + 0.15 * np.cos(9 * x), ms=5)
    assert [marker.shape for marker in marks(seen)] == ["ring"] * 12


def test_letters_are_no_markers(plot: Callable[..., Any]) -> None:
    seen = plot()
    seen.axes.text(1, 8, "Oox = 0.600 xx", fontsize=12)
    seen.axes.text(1, 2, "fox", rotation=90, color="red")
    seen.axes.plot([0, 10], [1, 6], "--", color="C1")
    assert marks(seen) == ()


def test_a_jpeg_keeps_its_dots(plot: Callable[..., Any]) -> None:
    seen = plot()
    seen.axes.plot(X, 8 - 0.6 * X, lw=2)
    draw(seen.axes, "dot", X[200], 8 - 0.6 * X[200], ms=9, color="#ff7f0e")
    (found,) = marks(seen, jpeg=60)
    assert found.shape == "dot"
    near((found,), seen, X[200], 8 - 0.6 * X[200])
