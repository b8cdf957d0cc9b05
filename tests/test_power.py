"""Smallest differences, by hand and by simulation."""

from __future__ import annotations

import math

import numpy as np
import pytest

from plotchain_lib.power import items_needed, smallest_difference
from plotchain_lib.resampling import mcnemar

A, B = 1.959964, 0.841621  # z of 97.5 % and of 80 %


def test_items_needed_by_hand() -> None:
    # 20 % discordant, 15 % one way and 5 % the other: a difference of 0.1.
    root = (A * math.sqrt(0.2) + B * math.sqrt(0.2 - 0.01)) / 0.1
    assert root**2 == pytest.approx(154.5, abs=0.1)
    assert items_needed(0.1, 0.2, 0.05) == 155
    assert items_needed(-0.1, 0.2, 0.05) == 155
    assert items_needed(0.0, 0.2, 0.05) is None
    assert items_needed(0.5, 0.2, 0.05) is None  # no such difference without more discordance


@pytest.mark.parametrize("items", [30, 155, 450, 2200])
@pytest.mark.parametrize("alpha", [0.05, 0.05 / 190])
def test_one_is_the_others_inverse(items: int, alpha: float) -> None:
    least = smallest_difference(0.2, items, alpha)
    assert least is not None
    assert items_needed(least * (1 + 1e-9), 0.2, alpha) == items


def test_the_equation_holds() -> None:
    least = smallest_difference(0.2, 155, 0.05)
    assert least is not None
    right = A * math.sqrt(0.2) + B * math.sqrt(0.2 - least**2)
    assert math.sqrt(155) * least == pytest.approx(right, rel=1e-6)
    assert least == pytest.approx(0.1, abs=0.0005)


def test_nothing_can_be_shown_without_discordance_or_items() -> None:
    assert smallest_difference(0.0, 450, 0.05) is None
    assert smallest_difference(0.2, 1, 0.05) is None
    assert smallest_difference(0.2, 0, 0.05) is None


def test_mcnemar_finds_it_four_times_in_five() -> None:
    """The exact test is a little weaker than the formula's normal approximation."""
    random = np.random.default_rng(0)
    draws = random.multinomial(400, [0.12, 0.12 - 0.0688, 1 - 0.24 + 0.0688], size=1500)
    found = np.mean([mcnemar(int(a), int(b))["p_exact"] <= 0.05 for a, b, _ in draws])
    least = smallest_difference(0.24 - 0.0688, 400, 0.05)
    assert least == pytest.approx(0.0577, abs=0.0002)
    power = np.mean(
        [
            mcnemar(int(a), int(b))["p_exact"] <= 0.05
            for a, b, _ in random.multinomial(
                400, [(0.1712 + 0.0577) / 2, (0.1712 - 0.0577) / 2, 1 - 0.1712], size=1500
            )
        ]
    )
    assert 0.74 < power < 0.84
    assert found > power  # a larger difference is found more often
