"""Tests for reading a fatigue curve."""

import numpy as np
import pytest

from plotchain_lib.models.reader.families.sn_curve import FIELDS, read
from plotchain_lib.models.reader.seen import UnreadableError

CYCLES = np.geomspace(1e3, 5e7, 900)


def stress(knee=8e5, limit=210.0, exponent=-0.14):
    return limit * (np.minimum(CYCLES, knee) / knee) ** exponent


@pytest.mark.parametrize(
    ("log", "noise", "knee"),
    [("x", 0.0, 8e5), ("x", 1.0, 3e4), ("xy", 0.0, 3e4), ("xy", 1.0, 8e5), ("xy", 0.0, 1.3e7)],
)
def test_all_fields_follow_from_the_fit(trace_scene, log, noise, knee):
    values = stress(knee)
    limits = 100.0, float(values.max()) * 1.2
    reading = read(trace_scene((500.0, 1e8), limits, (CYCLES, values), log, noise), "")
    assert reading.values == pytest.approx(
        {
            "stress_at_1e5_mpa": max(210.0 * (1e5 / knee) ** -0.14, 210.0),
            "endurance_limit_mpa": 210.0,
            "cp_stress_at_1e3_mpa": values[0],
        },
        rel=2e-3 + 4e-3 * noise,
    )
    assert reading.points["stress_at_1e5_mpa"][0] == pytest.approx(447.3, abs=150.0)
    assert reading.values.keys() == FIELDS


def test_a_curve_that_bends_is_read_where_it_is(trace_scene):
    values = 200.0 + 400.0 / (1.0 + (CYCLES / 4e4) ** 0.9)
    found = read(trace_scene((500.0, 1e8), (100.0, 700.0), (CYCLES, values), "xy"), "").values
    assert found["cp_stress_at_1e3_mpa"] == pytest.approx(values[0], rel=5e-3)
    at_query = np.interp(1e5, CYCLES, values)
    assert found["stress_at_1e5_mpa"] == pytest.approx(at_query, rel=5e-3)


def test_a_curve_without_a_level_end_has_no_endurance_limit(trace_scene):
    values = 600.0 - 60.0 * np.log10(CYCLES / 1e3) ** 1.3
    reading = read(trace_scene((500.0, 1e8), (50.0, 700.0), (CYCLES, values), "x"), "")
    assert reading.values["endurance_limit_mpa"] is None
    assert "level" in reading.reasons["endurance_limit_mpa"]
    assert reading.values["stress_at_1e5_mpa"] is not None


def test_a_number_of_cycles_that_is_not_drawn_is_refused(trace_scene):
    shown = CYCLES > 2e4
    scene = trace_scene((1e4, 1e8), (100.0, 700.0), (CYCLES[shown], stress()[shown]), "xy")
    reading = read(scene, "")
    assert reading.values["cp_stress_at_1e3_mpa"] is None
    assert reading.values["stress_at_1e5_mpa"] == pytest.approx(210.0 * 0.125**-0.14, rel=2e-3)


def test_a_linear_axis_of_cycles_is_refused(trace_scene):
    with pytest.raises(UnreadableError, match="not logarithmic"):
        read(trace_scene((0.0, 6e7), (100.0, 700.0), (CYCLES, stress())), "")
