"""Tests for reading the phase of a low-pass system."""

import numpy as np
import pytest

from plotchain_lib.models.reader.families.bode_phase import FIELDS, read
from plotchain_lib.models.reader.lowpass import lag_deg
from plotchain_lib.models.reader.seen import Marker, Rule

FREQUENCY = np.geomspace(50.0, 9e3, 900)
LIMITS = (40.0, 12e3)
BLACK = (0.0, 0.0, 0.0)
DOT = "The black dot f_c marks the cutoff frequency"


def make(trace_scene, phase, noise=0.0, dot=None, query=None):
    limits = float(phase.min()) - 5.0, float(phase.max()) + 5.0
    scene = trace_scene(LIMITS, limits, (FREQUENCY, phase), "x", noise)
    if dot:
        level = np.interp(dot, FREQUENCY, phase)
        place = float(scene.x.place(dot)), float(scene.y.place(level))
        vars(scene)["markers"] = (Marker(*place, 8.0, "dot", BLACK),)
    if query:
        place = float(scene.x.place(query))
        vars(scene)["rules"] = (Rule("vertical", place, 50.0, 500.0, "dotted", BLACK),)
    return scene


SYSTEMS = {
    "dead time": -lag_deg(1, 1.0, FREQUENCY / 800.0) - 0.08 * FREQUENCY,
    "light damping": -lag_deg(2, 0.1, FREQUENCY / 800.0),
    "heavy damping": -lag_deg(2, 1.8, FREQUENCY / 800.0),
    "order 3": -lag_deg(3, 0.4, FREQUENCY / 800.0),
    "no such system": -90.0 - 80.0 * np.tanh(6.0 * np.log10(FREQUENCY / 800.0)),
}


@pytest.mark.parametrize(
    ("system", "noise"), [*((system, 0.0) for system in SYSTEMS), ("order 3", 0.6)]
)
def test_phases_at_the_marks(trace_scene, system, noise):
    phase = SYSTEMS[system]
    reading = read(make(trace_scene, phase, noise, 900.0, 300.0), DOT)
    expected = np.interp([300.0, 900.0], FREQUENCY, phase)
    assert reading.values.keys() == FIELDS
    assert reading.values["cutoff_hz"] == pytest.approx(900.0)
    pixel = np.ptp(phase) / 400.0
    tolerance = 0.3 * pixel * (1.0 + 3.0 * noise)
    assert reading.values["phase_deg_at_fq"] == pytest.approx(expected[0], abs=tolerance)
    assert reading.values["cp_phase_deg_at_fc"] == pytest.approx(expected[1], abs=tolerance)
    assert reading.points["phase_deg_at_fq"][0] == pytest.approx(408.0, abs=40.0)


def test_without_a_dot_the_cutoff_of_order_1_is_at_45_degrees(trace_scene):
    phase = -lag_deg(1, 1.0, FREQUENCY / 800.0)
    reading = read(make(trace_scene, phase, query=300.0), "estimate cutoff_hz")
    assert reading.values["cutoff_hz"] == pytest.approx(800.0, rel=2e-3)
    assert reading.values["cp_phase_deg_at_fc"] == pytest.approx(-45.0, abs=0.1)


@pytest.mark.parametrize(
    ("system", "prompt"), [("dead time", ""), ("order 3", ""), ("order 1", DOT)]
)
def test_no_dot_no_cutoff(trace_scene, system, prompt):
    phase = SYSTEMS.get(system, -lag_deg(1, 1.0, FREQUENCY / 800.0))
    reading = read(make(trace_scene, phase, query=300.0), prompt)
    assert reading.values["cutoff_hz"] is None
    assert "dot" in reading.reasons["cutoff_hz"]
    assert reading.values["phase_deg_at_fq"] is not None


def test_a_ring_stands_in_for_a_rule_that_is_not_found(trace_scene):
    phase = SYSTEMS["order 3"]
    scene = make(trace_scene, phase, dot=900.0)
    assert "f_q" in read(scene, DOT).reasons["phase_deg_at_fq"]
    level = np.interp(300.0, FREQUENCY, phase)
    ring = Marker(float(scene.x.place(300.0)), float(scene.y.place(level)), 7.0, "ring", BLACK)
    vars(scene)["markers"] = (*scene.markers, ring)
    assert read(scene, DOT).values["phase_deg_at_fq"] == pytest.approx(level, abs=0.2)
