"""Properties of curves: values worked out by hand, and dense sampling."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from scipy.integrate import quad

from plotchain_lib.suites.grab import curves
from plotchain_lib.suites.grab.curves import Bell, Polynomial, Sine

PARABOLA = Polynomial((-4.0, 0.0, 1.0), 1.0, -2.0, 4.0)  # (x - 1)**2 - 4, zeros at -1 and 3
CUBIC = Polynomial((1.0, -3.0, 0.0, 1.0), 0.0, -2.5, 2.0)  # turns at -1 and 1
WAVE = Sine(3.0, 4.0, 0.5, 1.0, -3.0, 6.0)
ALL = (PARABOLA, CUBIC, WAVE, Polynomial((2.0, -0.5), 0.0, -3.0, 8.0), WAVE.scaled(-0.5, 2.0))


def test_parabola_by_hand() -> None:
    assert PARABOLA.turning() == [1.0]
    assert curves.extremes(PARABOLA) == (-4.0, 5.0)
    assert curves.roots(PARABOLA) == pytest.approx([-1.0, 3.0])
    # Of u**2 - 4 from -3 to 3: 18 - 24 in all, -32/3 of it between the zeros.
    assert curves.net_area(PARABOLA) == pytest.approx(-6.0)
    assert curves.total_area(PARABOLA) == pytest.approx(-6.0 + 64.0 / 3.0)
    assert curves.mean(PARABOLA) == pytest.approx(-1.0)
    # The mean of u**4 less the square of that of u**2: 81/5 - 9.
    assert curves.variance(PARABOLA) == pytest.approx(7.2)


def test_sine_by_hand() -> None:
    whole = Sine(2.0, 4.0, 0.0, 1.0, 0.0, 8.0)
    assert whole.turning() == pytest.approx([1.0, 3.0, 5.0, 7.0])
    assert curves.extremes(whole) == pytest.approx((-1.0, 3.0))
    assert curves.mean(whole) == pytest.approx(1.0)
    assert curves.variance(whole) == pytest.approx(2.0)  # half the amplitude squared
    assert float(whole.at(1.0)) == pytest.approx(3.0)


@pytest.mark.parametrize("curve", ALL)
def test_every_property_agrees_with_quadrature_and_dense_sampling(curve: curves.Curve) -> None:
    x = np.linspace(curve.low, curve.high, 400_001)
    y = np.asarray(curve.at(x))
    length = curve.high - curve.low
    cuts = [curve.low, *curves.roots(curve), curve.high]
    net = quad(curve.at, curve.low, curve.high)[0]
    total = sum(abs(quad(curve.at, a, b)[0]) for a, b in itertools.pairwise(cuts))
    square = quad(lambda t: float(curve.at(t)) ** 2, curve.low, curve.high)[0]
    assert curves.extremes(curve) == pytest.approx((y.min(), y.max()), abs=1e-8)
    assert curves.net_area(curve) == pytest.approx(net)
    assert curves.total_area(curve) == pytest.approx(total)
    assert curves.mean(curve) == pytest.approx(net / length)
    assert curves.variance(curve) == pytest.approx(square / length - (net / length) ** 2)


@pytest.mark.parametrize("curve", ALL)
def test_a_scaled_curve_is_the_scaled_values(curve: curves.Curve) -> None:
    x = np.linspace(curve.low, curve.high, 50)
    for factor, offset in ((2.5, -1.0), (-0.7, 3.0)):
        expected = factor * np.asarray(curve.at(x)) + offset
        assert np.asarray(curve.scaled(factor, offset).at(x)) == pytest.approx(expected)


@pytest.mark.parametrize("curve", [*ALL, Bell(3.0, 1.0, 2.0, -1.0, -4.0, 5.0)])
def test_params_bring_the_curve_back(curve: curves.Curve) -> None:
    assert curves.from_params(curves.to_params(curve)) == curve


def test_a_quartic_has_no_closed_stationary_points() -> None:
    with pytest.raises(ValueError, match="no closed formula"):
        Polynomial((1.0, 0.0, 0.0, 0.0, 1.0), 0.0, -1.0, 1.0).turning()


def test_the_bell_peaks_at_its_centre() -> None:
    bell = Bell(3.0, 1.0, 2.0, -1.0, -4.0, 5.0)
    assert bell.turning() == [1.0]
    assert float(bell.at(1.0)) == 2.0
    assert float(bell.at(3.0)) == pytest.approx(3.0 * math.exp(-0.5) - 1.0)
