"""Diode: Shockley's equation by hand and by a root finder; no number given away."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from matplotlib.figure import Figure
from scipy.optimize import brentq

from plotchain_lib.suites.plotchain import generate
from plotchain_lib.suites.plotchain.families.iv_diode import _KINDS, FAMILY, THERMAL_VOLTAGE

# Sedra and Smith's rule: 60 mV per decade of current for n = 1. With I_S = 1e-12 A, 1 A takes
# 12 decades: 0.025852 V * ln(1e12) = 0.71432 V, and 0.1 ohm adds 0.1 V.
PARAMS: dict[str, Any] = {
    "kind": "silicon", "target_a": 1.0, "emission_v": THERMAL_VOLTAGE, "saturation_a": 1e-12,
    "series_ohm": 0.1, "current_max_a": 2.0, "y_max_a": 2.2, "x_max_v": 1.0,
}  # fmt: skip


def test_hand_worked_values() -> None:
    assert pytest.approx(0.025852, abs=1e-6) == THERMAL_VOLTAGE
    truth = FAMILY.truth(PARAMS)
    assert truth["target_current_a"] == 1.0
    assert truth["turn_on_voltage_v_at_target_i"] == pytest.approx(0.71432 + 0.1, abs=2e-5)


def test_voltage_solves_the_implicit_diode_equation() -> None:
    for index in range(15):
        params, truth = generate.draw_item(FAMILY, 4, index)

        def surplus(voltage: float, p: dict[str, float] = dict(params)) -> float:  # noqa: B006
            junction = voltage - p["target_a"] * p["series_ohm"]
            return float(p["saturation_a"] * np.expm1(junction / p["emission_v"]) - p["target_a"])

        root = brentq(surplus, 0.0, 5.0)
        assert truth["turn_on_voltage_v_at_target_i"] == pytest.approx(root, abs=0.0051)


def test_curve_rises_to_the_right_and_the_line_lies_well_on_the_axis() -> None:
    for item in generate.items(FAMILY, 0, 30):
        p = item.params
        axes = Figure().add_subplot()
        FAMILY.plot(axes, p, item.difficulty)
        curve = np.asarray(axes.lines[0].get_xydata())
        assert (np.diff(curve, axis=0) > 0).all()
        assert 1.25 <= p["y_max_a"] / p["target_a"] <= 5.01
        kind = _KINDS[p["kind"]]
        voltage = float(item.truth["turn_on_voltage_v_at_target_i"])
        assert kind.lowest - 0.01 <= voltage <= kind.highest + 0.01


def test_neither_picture_nor_prompt_gives_the_target_away() -> None:
    axes = Figure().add_subplot()
    FAMILY.plot(axes, PARAMS, "clean")
    assert [text.get_text() for text in axes.texts] == ["I_target"]
    assert not any(character.isdigit() for character in FAMILY.question)


def test_every_kind_is_drawn() -> None:
    assert {item.params["kind"] for item in generate.items(FAMILY, 0, 30)} == set(_KINDS)
