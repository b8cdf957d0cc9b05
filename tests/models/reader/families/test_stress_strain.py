"""Tests for reading a tensile test."""

from dataclasses import replace

import numpy as np
import pytest

from plotchain_lib.models.reader.families.stress_strain import FIELDS, read
from plotchain_lib.models.reader.seen import Marker, Runs, UnreadableError

ORANGE, BLACK = (255.0, 127.0, 14.0), (0.0, 0.0, 0.0)
OFFSET = "the dashed line is the 0.2 % offset line"


def straight_pieces():
    return np.array([0.0, 0.0021, 0.11, 0.19]), np.array([0.0, 430.0, 610.0, 480.0])


def rounded(uts_strain=0.10, exponent=9.0):
    """Ramberg and Osgood's law up to a parabola's top, then another parabola."""
    strain = np.linspace(0.0, 0.16, 3000)
    stress = np.linspace(0.0, 800.0, 4000)
    law = np.interp(strain, stress / 100e3 + 0.002 * (stress / 500.0) ** exponent, stress)
    joint = 0.6 * uts_strain
    slope = np.gradient(law, strain)[np.searchsorted(strain, joint)]
    level = np.interp(joint, strain, law)
    top = level + slope * (uts_strain - joint) / 2.0
    before = top - slope / 2.0 / (uts_strain - joint) * (strain - uts_strain) ** 2
    after = top - 60.0 * ((strain - uts_strain) / (0.16 - uts_strain)) ** 2
    stress = np.where(strain < joint, law, np.where(strain < uts_strain, before, after))
    return strain, stress, float(top)


def dot(scene, strain, stress, shape="dot", size=6.0):
    place = float(scene.x.place(strain)), float(scene.y.place(stress))
    vars(scene)["markers"] = (*scene.markers, Marker(*place, size, shape, ORANGE))


@pytest.mark.parametrize("noise", [0.0, 2.0])
def test_the_corners_of_straight_pieces(trace_scene, noise):
    scene = trace_scene((0.0, 0.2), (0.0, 700.0), straight_pieces(), noise=noise)
    reading = read(scene, "")
    assert reading.values.keys() == FIELDS
    assert reading.values["yield_strength_mpa"] == pytest.approx(430.0, abs=3.0 + 3.0 * noise)
    assert reading.values["cp_yield_strain"] == pytest.approx(0.0021, abs=2e-4)
    assert reading.values["uts_mpa"] == pytest.approx(610.0, abs=2.0 + 3.0 * noise)
    assert reading.values["cp_uts_strain"] == pytest.approx(0.11, abs=1e-3 + 2e-3 * noise)
    assert reading.values["fracture_strain"] == pytest.approx(0.19, abs=5e-4)


def test_dots_and_the_cross_mark_points(trace_scene):
    strain, stress, top = rounded()
    scene = trace_scene((-0.01, 0.18), (0.0, 700.0), (strain, stress))
    dot(scene, 0.007, 500.0)
    dot(scene, 0.1, top)
    dot(scene, 0.16, stress[-1], "cross")
    dot(scene, 0.05, 100.0)  # beside the curve: marks nothing
    reading = read(scene, OFFSET)
    assert reading.values == pytest.approx(
        {
            "yield_strength_mpa": 500.0,
            "cp_yield_strain": 0.007,
            "uts_mpa": top,
            "cp_uts_strain": 0.1,
            "fracture_strain": 0.16,
        },
        rel=1e-6,
    )
    assert reading.points["uts_mpa"] == (scene.markers[1].x, scene.markers[1].y)


@pytest.mark.parametrize("uts_strain", [0.07, 0.12])
def test_unmarked_the_offset_line_and_a_level_top(trace_scene, uts_strain):
    strain, stress, top = rounded(uts_strain)
    values = read(trace_scene((-0.01, 0.18), (0.0, 700.0), (strain, stress)), OFFSET).values
    assert values["yield_strength_mpa"] == pytest.approx(500.0, rel=0.03)
    assert values["cp_yield_strain"] == pytest.approx(0.007, rel=0.05)
    assert values["uts_mpa"] == pytest.approx(top, rel=3e-3)
    assert values["cp_uts_strain"] == pytest.approx(uts_strain, abs=0.004)


def test_a_dot_cut_by_the_frame_gives_way_to_the_corner(trace_scene):
    scene = trace_scene((0.0, 0.2), (0.0, 700.0), straight_pieces())
    dot(scene, 0.0026, 430.0, size=20.0)  # two pixels off, as its left edge is hidden
    dot(scene, 0.11, 610.0)
    values = read(scene, "").values
    assert values["cp_yield_strain"] == pytest.approx(0.0021, abs=1.5e-4)
    assert values["cp_uts_strain"] == pytest.approx(0.11)


def test_a_curve_in_parts_is_refused(trace_scene):
    strain, stress, _ = rounded()
    scene = trace_scene((-0.01, 0.18), (0.0, 700.0), (strain, stress))
    columns = scene.curve.columns
    seen = (columns.line < 300.0) | (columns.line > 700.0)
    parts = Runs(
        *(part[seen] for part in (columns.line, columns.centre, columns.start, columns.end))
    )
    vars(scene)["curve"] = replace(scene.curve, columns=parts)
    with pytest.raises(UnreadableError, match="in parts"):
        read(scene, "")


def test_a_rounded_curve_has_no_corner_to_yield_at(trace_scene):
    strain, stress, _ = rounded(exponent=5.0)
    reading = read(trace_scene((-0.01, 0.18), (0.0, 700.0), (strain, stress)), "")
    assert reading.values["yield_strength_mpa"] is None
    assert "no corner" in reading.reasons["cp_yield_strain"]
    assert reading.values["uts_mpa"] is not None


def test_a_curve_that_only_rises_has_no_top(trace_scene):
    strain = np.linspace(0.0, 0.16, 500)
    values = strain, 600.0 * (1.0 - np.exp(-40.0 * strain))
    reading = read(trace_scene((-0.01, 0.18), (0.0, 700.0), values), OFFSET)
    assert reading.values["uts_mpa"] is None
    assert "fall" in reading.reasons["uts_mpa"]
    assert reading.values["fracture_strain"] == pytest.approx(0.16, abs=1e-3)
