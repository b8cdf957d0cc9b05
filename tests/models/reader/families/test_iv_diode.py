"""Tests for reading a diode's characteristic."""

import numpy as np
import pytest

from plotchain_lib.models.reader.families.iv_diode import read
from plotchain_lib.models.reader.seen import Rule, UnreadableError

RED = (192.0, 57.0, 43.0)


def diode(scale, saturation, resistance, most):
    """Voltages and currents by Shockley's law."""
    rise = np.expm1(np.linspace(0.0, np.log1p(most / saturation), 4000)) * saturation
    return scale * np.log1p(rise / saturation) + resistance * rise, rise


def rule(scene, current, pattern="dashed"):
    place = float(scene.y.place(current))
    return Rule("horizontal", place, 100.0, 900.0, pattern, RED)


@pytest.mark.parametrize("resistance", [0.0, 0.25])
def test_the_voltage_at_the_drawn_target(make_scene, resistance):
    voltage, current = diode(0.041, 3e-8, resistance, 2.0)
    scene = make_scene((0.0, 1.4), (0.0, 2.2), (voltage, current))
    vars(scene)["rules"] = (rule(scene, 0.7), rule(scene, 0.0, "solid"))
    reading = read(scene, "")
    expected = 0.041 * np.log1p(0.7 / 3e-8) + 0.7 * resistance
    assert reading.values["target_current_a"] == pytest.approx(0.7)
    assert reading.values["turn_on_voltage_v_at_target_i"] == pytest.approx(expected, abs=2e-3)
    assert reading.points["target_current_a"] == (None, pytest.approx(rule(scene, 0.7).place))


def test_a_stated_target_too_low_to_see_is_told_by_the_law(make_scene):
    voltage, current = diode(0.055, 2e-6, 0.0, 3.0)
    scene = make_scene((-0.05, 0.9), (-0.15, 3.2), (voltage, current))
    reading = read(scene, "a horizontal line shows I_target = 12 mA.")
    expected = 0.055 * np.log1p(0.012 / 2e-6)
    assert reading.values["target_current_a"] == pytest.approx(0.012)
    assert reading.values["turn_on_voltage_v_at_target_i"] == pytest.approx(expected, abs=5e-3)


def test_a_curve_of_another_law_is_read_at_its_crossing(make_scene):
    voltage = np.linspace(0.0, 1.0, 500)
    current = np.where(voltage < 0.3, 0.1 * voltage, 0.03 + 1.2 * (voltage - 0.3))
    current += 0.1 * np.sin(12.0 * voltage) * voltage
    scene = make_scene((0.0, 1.0), (0.0, 1.0), (voltage, current))
    vars(scene)["rules"] = (rule(scene, 0.5),)
    expected = float(np.interp(0.5, current, voltage))
    assert read(scene, "").values["turn_on_voltage_v_at_target_i"] == pytest.approx(
        expected, abs=3e-3
    )


def test_a_target_above_the_curve_leaves_the_voltage_null(make_scene):
    scene = make_scene((0.0, 1.4), (0.0, 2.2), diode(0.041, 3e-8, 0.1, 1.0))
    vars(scene)["rules"] = (rule(scene, 1.5),)
    reading = read(scene, "")
    assert reading.values["turn_on_voltage_v_at_target_i"] is None
    assert "within" in reading.reasons["turn_on_voltage_v_at_target_i"]


def test_without_a_target_nothing_is_told(make_scene):
    with pytest.raises(UnreadableError, match="target"):
        read(make_scene((0.0, 1.4), (0.0, 2.2), diode(0.041, 3e-8, 0.1, 1.0)), "")


def test_milliamperes_by_the_axis_label(make_scene):
    scene = make_scene((0.0, 1.4), (0.0, 2.2), diode(0.041, 3e-8, 0.1, 2.0), {"y": "I (mA)"})
    vars(scene)["rules"] = (rule(scene, 0.7),)
    assert read(scene, "").values["target_current_a"] == pytest.approx(0.7e-3)
