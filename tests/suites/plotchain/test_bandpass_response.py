"""Band-pass filter: a textbook's RLC circuit, and SciPy's frequency response."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from matplotlib.figure import Figure
from scipy import signal

from plotchain_lib.suites.plotchain import generate
from plotchain_lib.suites.plotchain.families.bandpass_response import FAMILY, THREE_DB

# Series RLC of 100 ohm, 10 mH, 10 nF: f0 = 1 / (2 pi sqrt(L C)) = 15915.5 Hz, Q = sqrt(L / C) / R
# = 10, bandwidth R / (2 pi L) = 1591.55 Hz.
RLC: dict[str, Any] = {"resonance_hz": 15915.494, "q": 10.0, "peak_db": 0.0}


def test_hand_worked_values() -> None:
    truth = FAMILY.truth(RLC)
    assert truth["bandwidth_hz"] == pytest.approx(1591.549, abs=1e-3)
    # f0 (sqrt(1 + 1/400) -+ 1/20) = f0 * 0.951249 and f0 * 1.051249.
    assert truth["cp_f1_3db_hz"] == pytest.approx(15915.494 * 0.951249, abs=0.02)
    assert truth["cp_f2_3db_hz"] == pytest.approx(15915.494 * 1.051249, abs=0.02)
    # Q = 1 at 1 kHz: the golden ratio.
    wide = FAMILY.truth(RLC | {"resonance_hz": 1000.0, "q": 1.0})
    assert wide["cp_f1_3db_hz"] == pytest.approx(618.034, abs=1e-3)
    assert wide["cp_f2_3db_hz"] == pytest.approx(1618.034, abs=1e-3)


def test_drawn_curve_is_the_response_of_the_transfer_function() -> None:
    for item in generate.items(FAMILY, 1, 10):
        p = item.params
        axes = Figure().add_subplot()
        FAMILY.plot(axes, p, item.difficulty)
        frequency, magnitude = np.asarray(axes.lines[0].get_xydata()).T
        center = 2.0 * np.pi * p["resonance_hz"]
        band = center / p["q"]
        _, expected, _ = signal.bode(
            ([band, 0.0], [1.0, band, center**2]), 2.0 * np.pi * frequency
        )  # fmt: skip
        assert magnitude == pytest.approx(p["peak_db"] + expected, abs=1e-6)


def test_resonance_is_the_geometric_mean_and_the_passband_is_in_view() -> None:
    for item in generate.items(FAMILY, 2, 30):
        p, exact = item.params, FAMILY.truth(item.params)
        f1, f2 = exact["cp_f1_3db_hz"], exact["cp_f2_3db_hz"]
        assert f1 * f2 == pytest.approx(p["resonance_hz"] ** 2)
        assert p["f_min_hz"] < f1 < f2 < p["f_max_hz"]
        share = np.log(f2 / f1) / np.log(p["f_max_hz"] / p["f_min_hz"])
        assert 0.099 < share < 0.351
        assert p["y_min_db"] < p["peak_db"] - THREE_DB < p["peak_db"] < p["y_max_db"]


def test_three_decibels_are_half_the_power() -> None:
    assert pytest.approx(3.0103, abs=1e-4) == THREE_DB
