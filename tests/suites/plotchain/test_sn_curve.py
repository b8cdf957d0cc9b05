"""S-N curve: Shigley's Basquin constants by hand, a straight line, ticks around the curve."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from matplotlib.figure import Figure

from plotchain_lib.suites.plotchain import generate
from plotchain_lib.suites.plotchain.families.sn_curve import FAMILY

# Shigley: a = (f S_ut)^2 / S_e = 800^2 / 200 = 3200 MPa, b = -log10(800 / 200) / 3 = -0.20069 with
# the knee at 1e6; S(1e5) = a * 10^(5 b) = 317.5 MPa.
PARAMS: dict[str, Any] = {
    "stress_at_1e3_mpa": 800.0, "endurance_limit_mpa": 200.0, "knee_cycles": 1e6,
    "last_cycles": 1e7, "x_min": 800.0, "x_max": 1.2e7, "y_min_mpa": 180.0, "y_max_mpa": 900.0,
}  # fmt: skip


def _curve(params: Any, difficulty: str) -> Any:
    axes = Figure().add_subplot()
    FAMILY.plot(axes, params, difficulty)
    (curve,) = (np.asarray(x.get_xydata()) for x in axes.lines if x.get_gid() == "curve")
    return curve.T


def test_hand_worked_values() -> None:
    truth = FAMILY.truth(PARAMS)
    assert truth["stress_at_1e5_mpa"] == pytest.approx(3200.0 * 10 ** (5 * -0.2006867), abs=1e-3)
    assert truth["stress_at_1e5_mpa"] == pytest.approx(317.48, abs=0.01)
    assert truth["endurance_limit_mpa"] == 200.0
    assert truth["cp_stress_at_1e3_mpa"] == 800.0


def test_straight_to_the_knee_and_level_beyond() -> None:
    for item in generate.items(FAMILY, 3, 20):
        cycles, stress = _curve(item.params, item.difficulty)
        sloping = cycles <= item.params["knee_cycles"] * (1 + 1e-9)
        slopes = np.diff(np.log(stress[sloping])) / np.diff(np.log(cycles[sloping]))
        assert np.ptp(slopes) < 1e-6
        # From 1e3 cycles to the knee, steels' exponents lie between about -0.3 and -0.04.
        assert -0.30 < slopes[0] < -0.04
        assert stress[-1] == stress[-2] == item.params["endurance_limit_mpa"]
        assert cycles[0] == 1e3 and cycles[-1] > 3.9 * item.params["knee_cycles"]


def test_a_pixel_beside_the_query_moves_the_stress_along_the_line() -> None:
    reads = {name: np.array(read.value) for name, read in FAMILY.reads(PARAMS).items()}
    values = FAMILY.from_reads(reads | {"query_cycles": np.array(1e6)}, PARAMS)
    # One decade off along a line of slope b: a factor 10^b.
    assert float(values["stress_at_1e5_mpa"]) == pytest.approx(317.48 * 10**-0.2006867, abs=0.01)
