"""Pictures drawn here, with answers worked out by hand."""

from __future__ import annotations

import io
from collections.abc import Callable

import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from plotchain_lib.item import Request
from plotchain_lib.models.reader import answer
from plotchain_lib.suites.grab.wording import question

Draw = Callable[[Axes], object]


def asked(prompt: str, draw: Draw, dpi: float = 150.0) -> tuple[str, str]:
    """The reader's text, and its reason for an empty one."""
    figure = Figure(figsize=(6.0, 6.0), dpi=dpi)
    axes = figure.add_axes((0.1, 0.1, 0.85, 0.85))
    axes.set(xlim=(-10.5, 10.5), ylim=(-10.5, 10.5), xticks=range(-10, 11, 2))
    axes.set(yticks=range(-10, 11, 2))
    axes.grid(color="#d4d4d4")
    draw(axes)
    FigureCanvasAgg(figure)
    stream = io.BytesIO()
    figure.savefig(stream, format="png")
    response = answer(Request("reader", {}, prompt, ("answer",), stream.getvalue(), repeat=1))
    assert response.outcome == "answered"
    return response.text, response.received["reasons"].get("answer", "")


def lines(*curves: tuple[Callable[[np.ndarray], np.ndarray], float, float]) -> Draw:
    """Functions on their intervals, in colours of Matplotlib's cycle."""

    def draw(axes: Axes) -> None:
        for function, low, high in curves:
            x = np.linspace(low, high, 400)
            axes.plot(x, function(x), linewidth=2.0, solid_capstyle="butt")

    return draw


LINE = (lambda x: 2.0 * x - 1.0, -3.0, 4.0)
PARABOLA = (lambda x: 0.5 * (x - 2.0) ** 2 - 6.0, -3.0, 5.0)
SINE = (lambda x: 3.0 * np.sin(2.0 * np.pi * (x - 1.0) / 4.0) + 2.0, -6.0, 5.0)


@pytest.mark.parametrize(
    ("name", "precision", "curve", "text"),
    [
        ("gradient", "integer", LINE, "2"), ("x_intercept", "one_decimal", LINE, "0.5"),
        ("y_intercept", "integer", LINE, "-1"), ("domain_length", "integer", LINE, "7"),
        ("maximum", "integer", LINE, "7"), ("net_area", "integer", LINE, "0"),
        # Two triangles: 3.5 * 7 / 2 and 3 * 6 / 2.
        ("total_area", "integer", (LINE[0], -3.0, 3.5), "21"),
        ("stationary_point", "integer", PARABOLA, "2"), ("minimum", "one_decimal", PARABOLA, "-6.0"),
        ("range", "one_decimal", PARABOLA, "12.5"),
        ("amplitude", "one_decimal", SINE, "3.0"), ("period", "one_decimal", SINE, "4.0"),
        ("vertical_shift", "integer", SINE, "2"), ("phase_shift", "integer", SINE, "1"),
    ],
)  # fmt: skip
def test_a_property_of_one_function(
    name: str, precision: str, curve: tuple[Callable, float, float], text: str  # type: ignore[type-arg]
) -> None:  # fmt: skip
    prompt = question("properties", name, precision)
    assert asked(prompt, lines(curve)) == (text, "")


def test_a_value_on_a_rounding_boundary_has_no_answer() -> None:
    # Two triangles of 3.5 * 7 / 2: 24.5.
    text, reason = asked(question("properties", "total_area", "integer"), lines(LINE))
    assert text == "" and "rounding boundary" in reason


def test_the_mean_over_functions_and_after_steps() -> None:
    second = (lambda x: -x + 4.0, -5.0, 9.0)
    prompt = question("function", "gradient", "one_decimal")
    assert asked(prompt, lines(LINE, second))[0] == "0.5"
    steps = [{"kind": "rotation", "value": 90}, {"kind": "translation", "value": 5, "in": "y"}]
    # The line's x runs from -3 to 4: turned by 90 degrees they are its y, then moved by 5.
    assert asked(question("transform", "maximum", "integer", steps), lines(LINE))[0] == "9"


def test_equations_of_whole_parameters() -> None:
    prompt = question("properties", "linear_equation", "equation")
    assert asked(prompt, lines(LINE))[0] == "y = 2x - 1"
    uneven = (lambda x: 2.4 * x - 1.0, -3.0, 4.0)
    text, reason = asked(prompt, lines(uneven))
    assert text == "" and "no whole parameters" in reason


def marks(*series: tuple[list[float], list[float], str]) -> Draw:
    return lambda axes: [axes.plot(x, y, marker, markersize=6.5, markeredgewidth=0.0)
                         for x, y, marker in series]  # fmt: skip


FIVE = ([-8.0, -3.0, 0.0, 4.0, 9.0], [-6.0, 1.0, -2.0, 5.0, 7.0], "^")
FOUR = ([-7.0, -5.0, 2.0, 6.0], [8.0, 6.0, -5.0, -8.0], "s")


@pytest.mark.parametrize(
    ("name", "precision", "text"),
    [
        ("mean", "one_decimal", "1.0"), ("median", "integer", "1"), ("data_range", "integer", "13"),
        ("interquartile_range", "integer", "7"), ("data_domain_length", "integer", "17"),
        # Squares of -7, 0, -3, 4, 6 from the mean 1: 110 / 5.
        ("variance", "integer", "22"),
        # y's ranks are 1, 3, 2, 4, 5: one pair of ten is discordant.
        ("kendall", "one_decimal", "0.8"), ("spearman", "one_decimal", "0.9"),
    ],
)  # fmt: skip
def test_a_statistic_of_one_series(name: str, precision: str, text: str) -> None:
    if name in ("mean", "variance"):  # asked of one series only as one of several
        prompt = question("series", name, precision)
    else:
        prompt = question("properties", name, precision)
    assert asked(prompt, marks(FIVE)) == (text, "")


def test_points_and_series_are_counted() -> None:
    assert asked(question("properties", "series", "integer"), marks(FIVE, FOUR)) == ("2", "")
    assert asked(question("properties", "points", "integer"), marks(FIVE)) == ("5", "")


def test_what_cannot_be_established_has_no_answer() -> None:
    one = question("properties", "maximum", "integer")
    assert "one curve was expected" in asked(one, lines(LINE, PARABOLA))[1]
    bent = (lambda x: np.abs(x) + np.sin(9.0 * x), -5.0, 5.0)
    assert "a line is none of these" in asked(one, lines(bent))[1]

    def dashed(axes: Axes) -> None:
        axes.plot([-5.0, 5.0], [-3.0, 4.3], "--", linewidth=2.0)

    assert "gaps" in asked(one, dashed)[1]
    touching = ([0.0, 0.25, 5.0, 8.0, 3.0], [0.0, 0.1, 5.0, 1.0, -4.0], "o")
    assert "not all alike" in asked(question("properties", "points", "integer"), marks(touching))[1]
    assert asked("How many bananas are there?", lines(LINE)) == (
        "", "the wording of the question is not known",
    )  # fmt: skip
    assert "nothing is drawn" in asked(one, lambda axes: None)[1]


def test_no_picture_has_no_answer() -> None:
    prompt = question("properties", "maximum", "integer")
    response = answer(Request("reader", {}, prompt, ("answer",), b"", repeat=1))
    assert (response.text, response.received["reasons"]) == ("", {"answer": "the picture is empty"})
