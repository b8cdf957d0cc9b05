"""The transfer characteristic family: an amplifier worked by hand, and the effect of its offset."""

import numpy as np
import pytest

from plotchain_lib.suites.plotchain.families.transfer_characteristic import FAMILY
from plotchain_lib.suites.plotchain.generate import items
from plotchain_lib.suites.plotchain.render import render

# Gain 5 from -9 V to 10 V, input offset 0.3 V: corners at -1.5 V and 2.3 V.
PARAMS = {
    "gain": 5.0, "high_v": 10.0, "low_v": -9.0, "offset_v": 0.3,
    "x_min_v": -3.0, "x_max_v": 4.0, "y_min_v": -10.0, "y_max_v": 11.0,
}  # fmt: skip


def test_values_worked_by_hand() -> None:
    truth = FAMILY.truth(PARAMS)
    assert truth["small_signal_gain"] == 5.0
    assert truth["saturation_v"] == 10.0
    assert truth["cp_vin_at_saturation"] == pytest.approx(2.3)


def test_the_drawn_curve_measures_the_same() -> None:
    measured = render(FAMILY, PARAMS, "edge").measured
    for name, value in FAMILY.truth(PARAMS).items():
        assert measured[name] == pytest.approx(value, abs=1e-9)


def test_an_error_in_the_level_moves_the_corner_along_the_slope() -> None:
    reads = {name: np.array([read.value]) for name, read in FAMILY.reads(PARAMS).items()}
    moved = FAMILY.from_reads(reads | {"upper_y": np.array([10.5])}, PARAMS)
    assert moved["cp_vin_at_saturation"] == pytest.approx([2.4])
    assert moved["small_signal_gain"] == pytest.approx([19.5 / 3.8])


def test_items_are_amplifiers_whose_corner_does_not_follow_from_gain_and_level() -> None:
    shifts = []
    for item in items(FAMILY, 4, 60):
        gain, level = float(item.truth["small_signal_gain"]), float(item.truth["saturation_v"])
        corner = float(item.truth["cp_vin_at_saturation"])
        assert 0.95 <= gain <= 101.0
        assert 0.95 <= level <= 40.1
        assert item.params["x_min_v"] < item.params["offset_v"] + item.params["low_v"] / gain
        assert item.params["x_max_v"] > corner
        shifts.append(corner / (level / gain) - 1.0)
    assert min(shifts) < -0.2
    assert max(shifts) > 0.2
