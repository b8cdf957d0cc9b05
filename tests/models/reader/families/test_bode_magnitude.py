"""Tests for reading the gain of a low-pass filter."""

import numpy as np
import pytest

from plotchain_lib.models.reader.families.bode_magnitude import FIELDS, read
from plotchain_lib.models.reader.lowpass import cutoff_ratio, loss_db
from plotchain_lib.models.reader.seen import Marker, Rule

FREQUENCY = np.geomspace(20.0, 20e3, 900)
LIMITS = (15.0, 25e3)
GREY = (85.0, 85.0, 85.0)
TENFOLD = "the dotted lines mark a frequency f_q and ten times that frequency (10 f_q)"


def make(trace_scene, order, damping, noise=0.0, gain=17.0, corner=700.0):
    level = gain - loss_db(order, damping, FREQUENCY / corner)
    limits = float(level.min()) - 2.0, float(level.max()) + 2.0
    return trace_scene(LIMITS, limits, (FREQUENCY, level), "x", noise)


def mark(scene, **frequencies):
    vars(scene)["rules"] = tuple(
        Rule("vertical", float(scene.x.place(value)), 50.0, 500.0, pattern, GREY)
        for pattern, values in frequencies.items()
        for value in values
    )


@pytest.mark.parametrize(
    ("order", "damping", "noise"), [(1, 1.0, 0.8), (2, 0.3, 0.0), (2, 1.1, 0.8), (3, 0.4, 0.0)]
)
def test_gain_cutoff_and_marked_levels(trace_scene, order, damping, noise):
    scene = make(trace_scene, order, damping, noise)
    mark(scene, dashed=[700.0], dotted=[400.0, 4000.0])
    reading = read(scene, TENFOLD)
    level = 17.0 - loss_db(order, damping, np.array([700.0, 400.0, 4000.0]) / 700.0)
    tolerance = 0.1 + 0.4 * noise
    assert reading.values.keys() == FIELDS
    assert reading.values["dc_gain_db"] == pytest.approx(17.0, abs=tolerance)
    cutoff = 700.0 * cutoff_ratio(order, damping)
    assert reading.values["cutoff_hz"] == pytest.approx(cutoff, rel=0.004 + 0.02 * noise)
    assert reading.values["cp_mag_at_fc_db"] == pytest.approx(level[0], abs=tolerance)
    slope = reading.values["cp_slope_db_per_decade"]
    assert slope == pytest.approx(level[2] - level[1], abs=2.0 * tolerance)


def test_a_decade_apart_tells_the_rules_where_their_patterns_do_not(trace_scene):
    scene = make(trace_scene, 2, 0.5)
    mark(scene, dashed=[300.0, 700.0, 3000.0])
    values = read(scene, TENFOLD).values
    assert values["cp_mag_at_fc_db"] == pytest.approx(17.0, abs=0.1)
    drop = np.diff(loss_db(2, 0.5, np.array([300.0, 3000.0]) / 700.0))[0]
    assert values["cp_slope_db_per_decade"] == pytest.approx(-drop, abs=0.2)


def test_a_dot_on_the_curve_stands_in_for_a_rule(trace_scene):
    scene = make(trace_scene, 2, 0.5)
    mark(scene, dashed=[700.0], dotted=[300.0])
    level = 17.0 - float(loss_db(2, 0.5, np.array(3000.0 / 700.0)))
    place = float(scene.x.place(3000.0)), float(scene.y.place(level))
    vars(scene)["markers"] = (Marker(*place, 6.0, "dot", GREY),)
    values = read(scene, "").values
    drop = np.diff(loss_db(2, 0.5, np.array([300.0, 3000.0]) / 700.0))[0]
    assert values["cp_slope_db_per_decade"] == pytest.approx(-drop, abs=0.2)
    assert values["cp_mag_at_fc_db"] == pytest.approx(17.0, abs=0.1)


@pytest.mark.parametrize(
    ("rules", "corner"),
    [
        ({"dashed": [700.0], "dotted": [400.0]}, True),
        ({"dotted": [700.0, 400.0]}, False),
        ({"dashed": [700.0]}, False),
    ],
)
def test_without_the_rule_a_decade_on_its_slope_is_refused(trace_scene, rules, corner):
    scene = make(trace_scene, 2, 0.5)
    mark(scene, **rules)
    reading = read(scene, TENFOLD)
    assert reading.values["cutoff_hz"] is not None
    assert reading.values["cp_slope_db_per_decade"] is None
    assert "10 f_q" in reading.reasons["cp_slope_db_per_decade"]
    assert (reading.values["cp_mag_at_fc_db"] is not None) is corner


def test_unmarked_the_slope_is_the_asymptotes_and_f_c_the_cutoff(trace_scene):
    values = read(make(trace_scene, 1, 1.0), "(−3 dB point)").values
    assert values["cp_slope_db_per_decade"] == -20.0
    assert values["cp_mag_at_fc_db"] == pytest.approx(13.99, abs=0.05)


def test_unmarked_a_dot_on_the_curve_is_f_c(trace_scene):
    scene = make(trace_scene, 1, 1.0)
    level = 17.0 - float(loss_db(1, 1.0, np.array(2.0)))
    place = float(scene.x.place(1400.0)), float(scene.y.place(level))
    off = place[0], place[1] - 60.0
    vars(scene)["markers"] = tuple(Marker(*at, 6.0, "dot", GREY) for at in (place, off))
    assert read(scene, "").values["cp_mag_at_fc_db"] == pytest.approx(level, abs=0.05)


def test_another_curve_is_read_where_it_is(trace_scene):
    level = np.where(FREQUENCY < 900.0, 4.0, 4.0 - 33.0 * np.log10(FREQUENCY / 900.0))
    level = level - 2.0 * np.sin(4.0 * np.log(FREQUENCY)) * (FREQUENCY > 900.0)
    scene = trace_scene(LIMITS, (-50.0, 8.0), (FREQUENCY, level), "x")
    mark(scene, dotted=[600.0, 6000.0], dashed=[2000.0])
    values = read(scene, TENFOLD).values
    expected = np.interp([600.0, 2000.0, 6000.0], FREQUENCY, level)
    assert values["dc_gain_db"] == pytest.approx(4.0, abs=0.1)
    assert values["cp_mag_at_fc_db"] == pytest.approx(expected[1], abs=0.3)
    assert values["cp_slope_db_per_decade"] == pytest.approx(expected[2] - expected[0], abs=0.6)


def test_a_curve_that_never_levels_has_no_gain(trace_scene):
    level = 30.0 * np.sin(3.0 * np.log(FREQUENCY))
    reading = read(trace_scene(LIMITS, (-40.0, 40.0), (FREQUENCY, level), "x"), "")
    assert reading.values["dc_gain_db"] is None
    assert "not level" in reading.reasons["cutoff_hz"]
    assert reading.values["cp_slope_db_per_decade"] is None
