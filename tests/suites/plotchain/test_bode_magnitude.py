"""The Bode magnitude family, and the low-pass functions it shares, against scipy."""

import math

import numpy as np
import pytest
from matplotlib.figure import Figure
from scipy import signal

from plotchain_lib.suites.plotchain.families.bode_magnitude import FAMILY
from plotchain_lib.suites.plotchain.generate import items
from plotchain_lib.suites.plotchain.lowpass import (
    attenuation_db,
    cutoff_ratio,
    phase_lag_deg,
    slope_db_per_decade,
)
from plotchain_lib.suites.plotchain.render import read_back

SYSTEMS = [(1, 1.0), (2, 0.25), (2, 0.7), (2, 1.2), (3, 0.25), (3, 0.5), (3, 1.2)]
RATIOS = np.geomspace(0.02, 40.0, 400)


def params(order: int, damping: float) -> dict[str, float]:
    return {
        "order": order, "damping": damping, "gain_db": 20.0, "corner_hz": 1000.0,
        "query_hz": 400.0, "f_min_hz": 40.0, "f_max_hz": 8000.0, "y_min_db": -40.0,
        "y_max_db": 30.0,
    }  # fmt: skip


def response(order: int, damping: float) -> np.ndarray:
    denominator = np.array([1.0])
    if order != 2:
        denominator = np.polymul(denominator, [1.0, 1.0])
    if order >= 2:
        denominator = np.polymul(denominator, [1.0, 2.0 * damping, 1.0])
    return signal.freqs([1.0], denominator, worN=RATIOS)[1]


@pytest.mark.parametrize(("order", "damping"), SYSTEMS)
def test_magnitude_and_phase_agree_with_scipy(order: int, damping: float) -> None:
    expected = response(order, damping)
    assert attenuation_db(order, damping, RATIOS) == pytest.approx(-20 * np.log10(abs(expected)))
    lag = -np.degrees(np.unwrap(np.angle(expected)))
    assert phase_lag_deg(order, damping, RATIOS) == pytest.approx(lag)


@pytest.mark.parametrize(("order", "damping"), SYSTEMS)
def test_the_cutoff_halves_the_power(order: int, damping: float) -> None:
    ratio = cutoff_ratio(order, damping)
    assert attenuation_db(order, damping, np.array(ratio)) == pytest.approx(10 * math.log10(2))
    above = 1.001 * ratio * np.geomspace(1.0, 50.0, 200)
    assert np.all(attenuation_db(order, damping, above) > 10 * math.log10(2))


@pytest.mark.parametrize(("order", "damping"), SYSTEMS)
def test_the_slope_is_the_derivative(order: int, damping: float) -> None:
    for ratio in (0.3, 1.0, 5.0):
        around = attenuation_db(order, damping, ratio * 10.0 ** np.array([-1e-5, 1e-5]))
        expected = -(around[1] - around[0]) / 2e-5
        assert slope_db_per_decade(order, damping, ratio) == pytest.approx(expected, abs=1e-4)


@pytest.mark.parametrize(("order", "damping"), [(1, 1.0), (2, math.sqrt(0.5)), (3, 0.5)])
def test_a_butterworth_filter_has_its_cutoff_at_the_corner(order: int, damping: float) -> None:
    truth = FAMILY.truth(params(order, damping))
    assert truth["cutoff_hz"] == pytest.approx(1000.0)
    assert truth["cp_mag_at_fc_db"] == pytest.approx(20.0 - 3.0103, abs=1e-4)


def test_values_worked_by_hand_at_damping_one_quarter() -> None:
    truth = FAMILY.truth(params(2, 0.25))
    # 1 / (2 z) = 2 at the corner, 6.02 dB up; half power at u = 7/8 + sqrt((7/8)^2 + 1).
    assert truth["cp_mag_at_fc_db"] == pytest.approx(26.0206, abs=1e-4)
    assert truth["cutoff_hz"] == pytest.approx(1000.0 * math.sqrt(0.875 + math.sqrt(1.765625)))
    # At 0.4: 0.84^2 + 0.25 * 0.16 = 0.7456; at 4: 15^2 + 0.25 * 16 = 229.
    assert truth["cp_slope_db_per_decade"] == pytest.approx(-10 * math.log10(229.0 / 0.7456))


def test_far_above_the_corner_the_slope_is_twenty_decibels_per_order() -> None:
    for order in (1, 2, 3):
        truth = FAMILY.truth(params(order, 0.7) | {"query_hz": 1e6})
        assert truth["cp_slope_db_per_decade"] == pytest.approx(-20.0 * order, abs=1e-3)


def test_every_order_occurs_in_each_difficulty_and_marks_lie_inside() -> None:
    seen = set()
    for item in items(FAMILY, 3, 100):
        seen.add((item.difficulty, item.params["order"]))
        low, high = item.params["f_min_hz"], item.params["f_max_hz"]
        assert low < min(item.params["query_hz"], item.params["corner_hz"])
        assert high > 10.0 * item.params["query_hz"]
    assert len(seen) == 9


def test_marks_run_from_frame_to_frame_at_their_frequencies() -> None:
    for item in items(FAMILY, 2, 10):
        axes = Figure().add_subplot()
        FAMILY.plot(axes, item.params, item.difficulty)
        drawn, query = read_back(axes).points, item.params["query_hz"]
        marks = {"corner": item.params["corner_hz"], "query": query, "tenfold": 10.0 * query}
        for gid, frequency in marks.items():
            assert drawn[gid][:, 0] == pytest.approx(frequency)
            assert list(drawn[gid][:, 1]) == [item.params["y_min_db"], item.params["y_max_db"]]
