"""Pole-zero map: roots by hand, conjugates, distances, and the default tolerance as a pair."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import signal

from plotchain_lib.suites.plotchain import generate
from plotchain_lib.suites.plotchain.families.pole_zero import FAMILY
from plotchain_lib.suites.plotchain.family import Drawn
from plotchain_lib.suites.plotchain.readability import allowed_error
from plotchain_lib.suites.plotchain.render import render


def test_measured_from_a_textbook_transfer_function() -> None:
    # (s^2 - 2 s + 2) / (s^2 + 6 s + 25): natural frequency 5 rad/s, damping 0.6, zeros 1 +- 1j.
    zeros, poles, _ = signal.tf2zpk([1.0, -2.0, 2.0], [1.0, 6.0, 25.0])
    drawn = Drawn({n: np.stack([r.real, r.imag], axis=1)
                   for n, r in (("pole", poles), ("zero", zeros))})  # fmt: skip
    assert FAMILY.measure(drawn, {}) == pytest.approx(
        {"pole_real": -3.0, "pole_imag": 4.0, "zero_real": 1.0, "zero_imag": 1.0}
    )


def test_truth_is_the_upper_pole_and_zero_of_a_stable_system() -> None:
    sides = set()
    for item in generate.items(FAMILY, 1, 30):
        truth = {name: float(value) for name, value in item.truth.items()}
        limit = item.params["limit"]
        pole = complex(truth["pole_real"], truth["pole_imag"])
        zero = complex(truth["zero_real"], truth["zero_imag"])
        assert pole.real < 0 < pole.imag and zero.imag > 0
        assert abs(pole - zero) >= 0.075 * limit
        assert min(abs(value) for value in truth.values()) >= 0.045 * limit
        assert max(abs(value) for value in truth.values()) <= 0.96 * limit
        assert 2.0 <= limit <= 30.0
        sides.add((item.difficulty, zero.real > 0))
    assert len(sides) == 6


def test_conjugates_are_drawn() -> None:
    params, truth = generate.draw_item(FAMILY, 0, 0)
    measured = render(FAMILY, params, "clean").measured
    assert measured == pytest.approx(truth, abs=0.005)


@pytest.mark.parametrize("truth", [0.0, 0.3, 0.79, 0.8, 0.95, 1.0, 1.2, 7.5, 26.0])
def test_the_pair_is_the_default_rule(truth: float) -> None:
    tolerance = FAMILY.tolerances["pole_real"]
    for pair, absolute, relative in (
        (tolerance.plotread, 0.08, 0.10),
        (tolerance.strict, 0.048, 0.06),
    ):  # fmt: skip
        rule = max(0.05, absolute * max(truth, 1.0), relative * truth)
        assert allowed_error(truth, pair) == pytest.approx(rule)
