"""Tests for reading a step response."""

import numpy as np
import pytest

from plotchain_lib.models.reader.families.step_response import FIELDS, read
from plotchain_lib.models.reader.seen import UnreadableError

TIME = np.linspace(-1.0, 25.0, 900)


def response(damping, natural, start, step):
    decay, frequency = damping * natural, natural * np.sqrt(1.0 - damping**2)
    after = np.maximum(TIME, 0.0)
    swing = np.cos(frequency * after) + decay / frequency * np.sin(frequency * after)
    return start + step * (1.0 - np.exp(-decay * after) * swing)


def settling(values, start, step):
    outside = np.nonzero(np.abs(values - start - step) > 0.02 * abs(step))[0]
    return TIME[outside[-1]]


@pytest.mark.parametrize(
    ("damping", "natural", "start", "noise"),
    [(0.2, 1.7, 7.0, 0.0), (0.45, 0.9, 0.0, 1.5), (0.68, 0.5, 7.0, 0.0), (0.3, 1.2, 0.0, 0.0)],
)
def test_all_fields_follow_from_the_fit(trace_scene, damping, natural, start, noise):
    values = response(damping, natural, start, 5.0)
    limits = start - 0.5, float(values.max()) + 0.5
    reading = read(trace_scene((-1.5, 26.0), limits, (TIME, values), noise=noise), "")
    overshoot = np.exp(-np.pi * damping / np.sqrt(1.0 - damping**2))
    expected = {
        "percent_overshoot": (100.0 * overshoot, 0.4),
        "settling_time_s": (settling(values, start, 5.0), 0.1),
        "steady_state": (start + 5.0, 0.01),
        "cp_peak_time_s": (np.pi / natural / np.sqrt(1.0 - damping**2), 0.02),
        "cp_peak_value": (start + 5.0 * (1.0 + overshoot), 0.01),
        "cp_band_lower": (start + 4.9, 0.01),
        "cp_band_upper": (start + 5.1, 0.01),
    }
    assert reading.values.keys() == expected.keys() == FIELDS
    for field, (value, tolerance) in expected.items():
        assert reading.values[field] == pytest.approx(value, abs=tolerance * (1.0 + 2.0 * noise))


def test_a_step_down_keeps_its_band_in_order(trace_scene):
    values = response(0.3, 1.2, 9.0, -6.0)
    found = read(trace_scene((-1.5, 26.0), (0.0, 10.0), (TIME, values)), "").values
    assert found["cp_band_lower"] == pytest.approx(2.88, abs=0.02)
    assert found["cp_band_upper"] == pytest.approx(3.12, abs=0.02)
    assert found["percent_overshoot"] == pytest.approx(37.2, abs=0.5)
    assert found["cp_peak_value"] == pytest.approx(values.min(), abs=0.02)


def test_another_overshoot_is_read_straight_off_the_curve(trace_scene):
    after = np.maximum(TIME, 0.0)
    values = 4.0 * (1.0 - np.exp(-((after / 2.0) ** 3))) + 1.5 * np.exp(
        -(((TIME - 5.0) / 1.5) ** 2)
    )
    found = read(trace_scene((-1.5, 26.0), (-0.5, 6.0), (TIME, values)), "").values
    assert found["steady_state"] == pytest.approx(4.0, abs=0.02)
    assert found["cp_peak_value"] == pytest.approx(values.max(), abs=0.03)
    assert found["cp_peak_time_s"] == pytest.approx(TIME[values.argmax()], abs=0.1)
    assert found["settling_time_s"] == pytest.approx(settling(values, 0.0, 4.0), abs=0.15)


def test_what_settles_beyond_the_picture_is_refused(trace_scene):
    shown = TIME < 6.0
    values = response(0.1, 1.7, 0.0, 5.0)
    scene = trace_scene((-1.5, 6.5), (-0.5, 9.0), (TIME[shown], values[shown]))
    reading = read(scene, "")
    assert reading.values["settling_time_s"] is None
    assert "where the output settles" in reading.reasons["settling_time_s"]
    assert reading.values["steady_state"] == pytest.approx(5.0, abs=0.02)


@pytest.mark.parametrize("values", [np.zeros(900), 0.2 * np.maximum(TIME, 0.0)])
def test_no_step_response_is_refused(trace_scene, values):
    with pytest.raises(UnreadableError):
        read(trace_scene((-1.5, 26.0), (-1.0, 6.0), (TIME, values)), "")
