"""Resistor: Ohm's law by hand, and a fit that is the points' least-squares line."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from matplotlib.figure import Figure
from scipy import stats

from plotchain_lib.suites.plotchain import generate
from plotchain_lib.suites.plotchain.families.iv_resistor import _E24, FAMILY, _series_label

# 1000 ohm + 470 ohm at 10 mA: 14.7 V.
PARAMS: dict[str, Any] = {
    "resistance_ohm": 1000.0, "series_ohm": 470.0, "current_max_ma": 10.0, "both_ways": False,
    "x_max_ma": 11.0, "y_max_v": 16.0, "noise_key": "test",
}  # fmt: skip


def test_hand_worked_values() -> None:
    assert FAMILY.truth(PARAMS) == {"resistance_ohm": 1000.0, "cp_slope_ohm": 1470.0}
    reads = FAMILY.reads(PARAMS)
    assert [reads[name].value for name in ("i1", "v1", "i2", "v2")] == pytest.approx(
        [0.0, 0.0, 10.0, 14.7]
    )


@pytest.mark.parametrize("both_ways", [False, True])
def test_the_line_is_the_least_squares_fit_of_the_scattered_points(both_ways: bool) -> None:
    axes = Figure().add_subplot()
    FAMILY.plot(axes, PARAMS | {"both_ways": both_ways}, "edge")
    drawn = {line.get_gid(): np.asarray(line.get_xydata()) for line in axes.lines}
    fit = stats.linregress(*drawn["points"].T)
    assert fit.slope == pytest.approx(1.470)  # V per mA
    assert fit.intercept == pytest.approx(0.0, abs=1e-9)
    residuals = drawn["points"][:, 1] - 1.470 * drawn["points"][:, 0]
    assert 0.005 < residuals.std() / 14.7 < 0.06
    assert drawn["fit"][0] == pytest.approx([-10.0, -14.7] if both_ways else [0.0, 0.0])


def test_items_are_such_as_one_would_build() -> None:
    sweeps = set()
    for item in generate.items(FAMILY, 1, 30):
        p = item.params
        sweeps.add((item.difficulty, p["both_ways"]))
        mantissa = p["series_ohm"] / 10.0 ** np.floor(np.log10(p["series_ohm"]) - 1.0)
        assert round(mantissa) in _E24 and mantissa == pytest.approx(round(mantissa))
        loop = p["resistance_ohm"] + p["series_ohm"]
        assert (p["current_max_ma"] * 1e-3) ** 2 * loop <= 0.5001
        assert item.truth["cp_slope_ohm"] == pytest.approx(
            float(item.truth["resistance_ohm"]) + p["series_ohm"], abs=1.0
        )
    assert len(sweeps) == 6


def test_the_series_resistor_is_printed_exactly() -> None:
    assert _series_label(82.0) == "R_series = 82 Ω"
    assert _series_label(2700.0) == "R_series = 2.7 kΩ"
    assert _series_label(91000.0) == "R_series = 91 kΩ"
