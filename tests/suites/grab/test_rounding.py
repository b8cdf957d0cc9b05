"""Rounding, boundaries and right strings."""

from __future__ import annotations

import pytest

from plotchain_lib.suites.grab.dice import Dice
from plotchain_lib.suites.grab.rounding import (
    MARGIN,
    from_boundary,
    is_clear,
    rounded,
    target,
    written,
)


@pytest.mark.parametrize(
    ("value", "precision", "text"),
    [
        (2.5, "integer", "3"), (-2.5, "integer", "-3"), (-0.4, "integer", "0"),
        (0.26, "one_decimal", "0.3"), (-0.04, "one_decimal", "0.0"), (7.0, "one_decimal", "7.0"),
        (-12.34, "one_decimal", "-12.3"), (114.9, "nearest_ten", "110"),
        (-115.0, "nearest_ten", "-120"), (-4.0, "nearest_ten", "0"),
    ],
)  # fmt: skip
def test_right_strings(value: float, precision: str, text: str) -> None:
    assert written(value, precision) == text


def test_no_value_is_negative_zero() -> None:
    assert str(rounded(-0.01, "one_decimal")) == "0.0"


@pytest.mark.parametrize(
    ("value", "precision", "steps"),
    [(3.0, "integer", 0.5), (3.4, "integer", 0.1), (-3.6, "integer", 0.1), (0.5, "integer", 0.0),
     (0.33, "one_decimal", 0.2), (24.0, "nearest_ten", 0.1), (-20.0, "nearest_ten", 0.5)],
)  # fmt: skip
def test_distance_from_the_boundary(value: float, precision: str, steps: float) -> None:
    assert from_boundary(value, precision) == pytest.approx(steps)
    assert is_clear(value, precision) == (steps >= MARGIN - 1e-12)


@pytest.mark.parametrize("precision", ["integer", "one_decimal", "nearest_ten"])
def test_targets_keep_clear_and_reach_every_answer_alike(precision: str) -> None:
    dice = Dice("targets", precision)
    low, high = -20.0, 20.0
    values = [target(dice, n / 1000, low, high, precision, False) for n in range(1000)]
    assert all(is_clear(v, precision) and low <= v <= high for v in values)
    answers = {written(v, precision) for v in values}
    assert len(answers) == {"integer": 41, "one_decimal": 401, "nearest_ten": 5}[precision]
    exact = [target(dice, n / 1000, low, high, precision, True) for n in range(1000)]
    assert all(from_boundary(v, precision) == pytest.approx(0.5) for v in exact)
