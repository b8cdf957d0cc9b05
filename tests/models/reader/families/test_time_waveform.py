"""Tests for reading a periodic waveform."""

import numpy as np
import pytest

from plotchain_lib.models.reader.families.time_waveform import FIELDS, read
from plotchain_lib.models.reader.seen import UnreadableError

HIGH, LOW, PERIOD = 6.5, -2.5, 0.29


def polyline(rise, top, fall, first, end, cosine=False):
    """Corners of a waveform whose durations are shares of the period, `first` where it rises."""
    bottom = 1.0 - rise - top - fall
    ends = np.cumsum([0.0, rise, top, fall, bottom])
    share = np.linspace(0.0, 1.0, 60 if cosine else 2)
    level = (1.0 - np.cos(np.pi * share)) / 2.0
    times = np.concatenate([rise * share, ends[2] + fall * share])
    heights = np.concatenate([level, 1.0 - level])
    turns = np.arange(-2.0, 9.0)
    x = PERIOD * (turns[:, None] + first + times).ravel()
    y = np.tile(LOW + (HIGH - LOW) * heights, turns.size)
    inside = (x > 0.0) & (x < end * PERIOD)
    limits = np.array([0.0, end * PERIOD])
    left, right = np.interp(limits, x, y)
    return np.r_[limits[0], x[inside], limits[1]], np.r_[left, y[inside], right]


SHAPES = {
    "square": ((0.0, 0.3, 0.0, 0.15, 3.4), 0.3),
    "sampled square": ((0.012, 0.7, 0.012, 0.02, 2.3), 0.712),
    "trapezoid": ((0.1, 0.1, 0.1, 0.25, 4.9), 0.2),
    "sawtooth": ((0.8, 0.0, 0.2, 0.4, 3.3), 0.5),
    "triangle": ((0.5, 0.0, 0.5, 0.1, 2.6), 0.5),
    "spikes": ((0.1, 0.0, 0.1, 0.3, 4.6), 0.1),
    "short triangle": ((0.5, 0.0, 0.5, -0.5, 1.1), 0.5),
    "sine": ((0.5, 0.0, 0.5, 0.0, 3.0, True), 0.5),
    "short sine": ((0.5, 0.0, 0.5, -0.25, 1.1, True), 0.5),
    "pulses": ((0.15, 0.0, 0.15, 0.7, 4.3, True), 0.15),
    "pulses down": ((0.15, 0.7, 0.15, 0.7, 3.3, True), 0.85),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_all_fields_follow_from_the_fit(trace_scene, shape):
    arguments, duty = SHAPES[shape]
    x, y = polyline(*arguments)
    reading = read(trace_scene((0.0, x[-1]), (-3.2, 7.2), (x, y)), "")
    assert reading.values.keys() == FIELDS
    assert reading.values["cp_period_s"] == pytest.approx(PERIOD, rel=3e-3)
    assert reading.values["frequency_hz"] == pytest.approx(1.0 / PERIOD, rel=3e-3)
    assert reading.values["cp_vmax_v"] == pytest.approx(HIGH, abs=0.04)
    assert reading.values["cp_vmin_v"] == pytest.approx(LOW, abs=0.04)
    assert reading.values["vpp_v"] == pytest.approx(HIGH - LOW, abs=0.08)
    assert reading.values["cp_duty"] == pytest.approx(duty, abs=5e-3)
    assert reading.points["cp_vmin_v"][0] is None


def test_a_clipped_sine_is_read_straight_off_the_curve(trace_scene):
    x = np.linspace(0.0, 3.3 * PERIOD, 900)
    y = np.clip(5.0 * np.sin(2.0 * np.pi * x / PERIOD), -3.5, 2.5)
    values = read(trace_scene((0.0, x[-1]), (-4.0, 3.0), (x, y)), "").values
    assert values["cp_period_s"] == pytest.approx(PERIOD, rel=3e-3)
    assert values["cp_vmax_v"] == pytest.approx(2.5, abs=0.03)
    assert values["cp_vmin_v"] == pytest.approx(-3.5, abs=0.03)
    above = 0.5 + np.arcsin(0.5 / 5.0) / np.pi
    assert values["cp_duty"] == pytest.approx(above, abs=5e-3)


def test_levels_are_read_where_no_period_ends(trace_scene):
    x, y = polyline(0.0, 0.25, 0.0, -0.02, 1.1)
    reading = read(trace_scene((-0.02, x[-1] + 0.02), (-3.2, 7.2), (x, y)), "")
    assert reading.values["cp_vmax_v"] == pytest.approx(HIGH, abs=0.04)
    assert reading.values["frequency_hz"] is None
    assert "period" in reading.reasons["cp_period_s"]


def test_what_does_not_repeat_itself_is_refused(trace_scene):
    x = np.linspace(0.05, 1.0, 2000)
    y = np.sin(30.0 * x**2)
    reading = read(trace_scene((0.0, 1.0), (-1.2, 1.2), (x, y)), "")
    assert reading.values["frequency_hz"] is None


def test_a_level_line_is_refused(trace_scene):
    with pytest.raises(UnreadableError, match="up and down"):
        read(trace_scene((0.0, 1.0), (-1.2, 1.2), (np.array([0.0, 1.0]), np.zeros(2))), "")
