"""Each property found again from what is drawn; `benchmarks/grab_truth.py` does the whole set.

`measure` looks at the drawn points by other means than the generator's formulas. Here it is also
held against figures worked out by hand, so that both cannot be wrong alike.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from plotchain_lib.suites.grab import generate
from plotchain_lib.suites.grab.curves import Polynomial, Sine, to_params
from plotchain_lib.suites.grab.groups import GROUPS, Group
from plotchain_lib.suites.grab.measure import measured_answer
from plotchain_lib.suites.grab.render import drawn_points
from plotchain_lib.suites.grab.style import fixed_style


def params(name: str, precision: str, category: str = "", **content: Any) -> dict[str, Any]:
    return {"property": name, "precision": precision, "category": category, "curves": [],
            "series": [], "operations": [], "style": fixed_style(600), **content}  # fmt: skip


@pytest.mark.parametrize("group", GROUPS, ids=lambda g: f"{g.task}-{g.name}-{g.precision}")
def test_the_drawn_points_give_the_same_answer(group: Group) -> None:
    levels = sorted(group.counts)
    for level in {levels[0], levels[len(levels) // 2], levels[-1]}:
        (found,) = generate.long_list(group, level, 1, (7, "truth"))
        content = params(group.name, group.precision, group.category, **found.scene.to_params())
        assert measured_answer(content, drawn_points(content)) == found.scene.answer


PARABOLA = Polynomial((-4.0, 0.0, 1.0), 1.0, -2.0, 4.0)  # zeros -1 and 3, vertex (1, -4)
WAVE = Sine(3.0, 5.0, 1.0, -2.0, -6.0, 6.0)
CUBIC = Polynomial((1.0, -3.0, 0.0, 1.0), 0.0, -2.5, 2.0)  # turns at -1 and 1
HAND = [
    (PARABOLA, "stationary_point", "integer", "1"), (PARABOLA, "minimum", "integer", "-4"),
    (PARABOLA, "maximum", "integer", "5"), (PARABOLA, "range", "one_decimal", "9.0"),
    (PARABOLA, "domain_length", "integer", "6"), (PARABOLA, "y_intercept", "integer", "-3"),
    (PARABOLA, "x_intercept", "integer", "-1"), (PARABOLA, "net_area", "integer", "-6"),
    (PARABOLA, "total_area", "one_decimal", "15.3"), (PARABOLA, "mean", "integer", "-1"),
    (PARABOLA, "variance", "one_decimal", "7.2"), (WAVE, "amplitude", "integer", "3"),
    (WAVE, "period", "integer", "5"), (WAVE, "phase_shift", "integer", "1"),
    (WAVE, "vertical_shift", "integer", "-2"), (CUBIC, "stationary_points", "pair", "[-1, 1]"),
    (CUBIC, "cubic_equation", "equation", "y = 1x^3 + 0x^2 - 3x + 1"),
    (Polynomial((7.0, -2.0), 0.0, -3.0, 3.0), "gradient", "integer", "-2"),
    (Polynomial((7.0, -2.0), 0.0, -3.0, 3.0), "linear_equation", "equation", "y = -2x + 7"),
    (Sine(4.0, np.pi, -1.0, 5.0, -3.0, 3.0), "sine_equation", "equation", "y = 4sin(2x + 2) + 5"),
]  # fmt: skip


@pytest.mark.parametrize(("curve", "name", "precision", "answer"), HAND)
def test_measured_by_hand(curve: Any, name: str, precision: str, answer: str) -> None:
    content = params(name, precision, curves=[to_params(curve)])
    assert measured_answer(content, drawn_points(content)) == answer


def test_means_over_several_and_counts_by_hand() -> None:
    lines = [to_params(Polynomial((0.0, slope), 0.0, -1.0, 1.0)) for slope in (1.0, 2.0, 6.0)]
    content = params("gradient", "one_decimal", curves=lines)
    assert measured_answer(content, drawn_points(content)) == "3.0"
    data = [[[1.0, 2.0, 3.0, 4.0, 5.0], [2.0, 1.0, 4.0, 3.0, 10.0]]] * 2
    for name, answer in (("median", "3"), ("interquartile_range", "2"), ("variance", "10")):
        content = params(name, "integer", series=data)
        assert measured_answer(content, drawn_points(content)) == answer
    content = params("points", "integer", "counting", series=data[:1])
    assert measured_answer(content, drawn_points(content)) == "5"
    content = params("series", "integer", "counting", series=data)
    assert measured_answer(content, drawn_points(content)) == "2"


def test_a_transformed_parabola_by_hand() -> None:
    """Turned by 90 degrees it lies from y = -2 to 4; moved by 3 its largest y is 7."""
    chain = [{"kind": "rotation", "value": 90}, {"kind": "translation", "value": 3, "in": "y"}]
    for name, answer in (("maximum", "7"), ("minimum", "1"), ("domain_length", "9")):
        content = params(name, "integer", curves=[to_params(PARABOLA)], operations=chain)
        assert measured_answer(content, drawn_points(content)) == answer
