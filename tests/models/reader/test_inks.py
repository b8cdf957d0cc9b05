from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from plotchain_lib.models.reader.inks import find_inks

X = np.linspace(0, 10, 400)


def colours(inks: Any) -> list[tuple[int, ...]]:
    return [tuple(round(part) for part in ink.colour) for ink in inks]


def test_each_colour_is_an_ink_and_the_grid_is_none(plot: Callable[..., Any]) -> None:
    seen = plot()
    seen.axes.plot(X, 5 + 3 * np.sin(X), color="#2255aa", lw=2)
    seen.axes.plot([2, 5, 8], [9, 9, 9], "s", color="#cc3300", ms=7)
    seen.axes.text(1, 1, "words", color="black")
    assert colours(find_inks(*seen.see())) == [(34, 85, 170), (204, 51, 0), (0, 0, 0)]


@pytest.mark.parametrize(
    ("style", "settings"),
    [
        ("bmh", {}),
        ("seaborn-v0_8", {}),
        (None, {"axes.facecolor": "#f4f0e8"}),
    ],
)
def test_grids_of_style_sheets_are_no_ink(
    plot: Callable[..., Any], style: str | None, settings: dict[str, Any]
) -> None:
    seen = plot(style, **settings)
    seen.axes.plot(X, 5 + 3 * np.sin(X), color="#7b3294", lw=2)
    inks = find_inks(*seen.see())
    most = inks[0].opacity.sum()
    assert colours(ink for ink in inks if ink.opacity.sum() > 0.05 * most) == [(123, 50, 148)]
    assert not any(ink.rules for ink in inks)


def test_white_grid_on_a_dark_ground_is_no_ink(plot: Callable[..., Any]) -> None:
    seen = plot("dark_background", **{"axes.grid": True})
    seen.axes.plot(X, 5 + 3 * np.sin(X), color="#ffaa00", lw=2)
    assert colours(find_inks(*seen.see())) == [(0, 85, 255)]  # seen inverted


@pytest.mark.parametrize("pattern", ["-", ":"])
def test_dark_grids_are_no_ink(plot: Callable[..., Any], pattern: str) -> None:
    seen = plot(grid=False)
    seen.axes.grid(color="#707070", ls=pattern)
    seen.axes.set_axisbelow(True)
    seen.axes.plot(X, 5 + 3 * np.sin(X), color="#2255aa", lw=2)
    inks = find_inks(*seen.see())
    assert colours(inks) == [(34, 85, 170)]
    assert not inks[0].rules


def test_opacity_is_the_share_of_a_pixel_covered(plot: Callable[..., Any]) -> None:
    seen = plot()
    seen.axes.plot([1, 9], [2.2, 7.9], color="black", lw=3, antialiased=True)
    ((ink, *others), (x, y)) = find_inks(*seen.see()), seen.place([1, 9], [2.2, 7.9])
    column = round((x[0] + x[1]) / 2)
    slope = (y[1] - y[0]) / (x[1] - x[0])
    strip = ink.opacity[:, column - ink.left].astype(float)
    rows = np.arange(len(strip)) + ink.top
    assert not others
    assert strip.sum() == pytest.approx(3 * 120 / 72 * np.hypot(1, slope), rel=0.03)
    assert (strip * rows).sum() / strip.sum() == pytest.approx(
        y[0] + slope * (column - x[0]), abs=0.05
    )


def test_a_line_over_another_is_not_mixed_with_it(plot: Callable[..., Any]) -> None:
    seen = plot()
    seen.axes.plot(X, X, color="#1f77b4", lw=3)
    seen.axes.plot(X, 10 - X, color="#ff7f0e", lw=3)
    inks = find_inks(*seen.see())
    assert sorted(colours(inks)) == [(31, 119, 180), (255, 127, 14)]
    assert float(sum(ink.opacity for ink in inks).max()) < 1.1


def test_colours_that_jpeg_smeared_are_told_apart(plot: Callable[..., Any]) -> None:
    seen = plot()
    seen.axes.plot(X, 5 + 3 * np.sin(X), color="#1f77b4", lw=2)
    seen.axes.plot([2, 5, 8], [9, 9, 9], "o", color="#d62728", ms=8)
    inks = find_inks(*seen.see(jpeg=60))
    for colour in ((31, 119, 180), (214, 39, 40)):
        assert min(np.abs(np.subtract(ink.colour, colour)).max() for ink in inks) < 40


def test_axes_filled_with_an_image_have_no_inks(plot: Callable[..., Any]) -> None:
    seen = plot(grid=False)
    noise = np.random.default_rng(3).normal(size=(60, 80))
    seen.axes.imshow(noise, extent=(0, 10, 0, 10), aspect="auto")
    assert find_inks(*seen.see()) == ()
