"""DC motor: a line through three points worked by hand, and the power of real motors."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from matplotlib.figure import Figure
from scipy.optimize import minimize_scalar

from plotchain_lib.suites.plotchain import generate
from plotchain_lib.suites.plotchain.families.torque_speed import FAMILY

# 10 N·m at rest, 3000 rpm without load: at 1200 rpm three fifths of the stall torque are left.
PARAMS: dict[str, Any] = {
    "stall_torque_nm": 10.0, "no_load_speed_rpm": 3000.0, "speed_q_rpm": 1200,
    "x_max_rpm": 3300.0, "y_max_nm": 11.0,
}  # fmt: skip


def test_hand_worked_values() -> None:
    assert FAMILY.truth(PARAMS) == pytest.approx(
        {
            "stall_torque_nm": 10.0,
            "no_load_speed_rpm": 3000.0,
            "cp_torque_at_speed_q_nm": 6.0,
        }
    )


def test_power_peaks_at_half_the_no_load_speed_within_the_range_of_real_motors() -> None:
    for item in generate.items(FAMILY, 2, 30):
        axes = Figure().add_subplot()
        FAMILY.plot(axes, item.params, item.difficulty)
        (curve,) = (np.asarray(x.get_xydata()) for x in axes.lines if x.get_gid() == "curve")
        speed, torque = curve.T

        def lost(n: float, line: tuple[Any, Any] = (speed, torque)) -> float:
            return -float(np.interp(n, *line)) * n * np.pi / 30.0

        best = minimize_scalar(lost, bounds=(0.0, float(speed[-1])), method="bounded")
        assert best.x == pytest.approx(item.params["no_load_speed_rpm"] / 2.0, rel=2e-3)
        assert 49.9 <= -best.fun <= 25.1e3


def test_query_speed_is_round_inside_the_line_and_printed_alone() -> None:
    for item in generate.items(FAMILY, 1, 30):
        speed = item.params["speed_q_rpm"]
        assert isinstance(speed, int) and speed % 10 == 0
        assert 0.12 < speed / item.params["no_load_speed_rpm"] < 0.83
        axes = Figure().add_subplot()
        FAMILY.plot(axes, item.params, item.difficulty)
        assert [text.get_text() for text in axes.texts] == [f"n = {speed} rpm"]
        assert str(speed) not in item.prompt


def test_aids_lessen_with_difficulty() -> None:
    drawn = []
    for difficulty in ("clean", "moderate", "edge"):
        axes = Figure().add_subplot()
        FAMILY.plot(axes, PARAMS, difficulty)
        drawn.append([np.shape(x.get_xydata())[0] for x in axes.lines if not x.get_gid()])
    assert drawn == [[3], [2], []]
