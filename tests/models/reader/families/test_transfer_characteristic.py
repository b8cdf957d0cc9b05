"""Tests for reading a transfer characteristic."""

import numpy as np
import pytest

from plotchain_lib.models.reader.families.transfer_characteristic import FIELDS, read
from plotchain_lib.models.reader.seen import UnreadableError

INPUT = np.linspace(-5.0, 5.0, 1500)


def clamped(gain, offset, low, high):
    return np.clip(gain * (INPUT - offset), low, high)


@pytest.mark.parametrize("gain", [3.0, 20.0, 90.0])
@pytest.mark.parametrize("noise", [0.0, 1.0])
def test_all_fields_follow_from_the_fit(trace_scene, gain, noise):
    scene = trace_scene(
        (-5.5, 5.5), (-9.0, 12.0), (INPUT, clamped(gain, 0.7, -7.3, 10.4)), noise=noise
    )
    reading = read(scene, "")
    assert reading.values.keys() == FIELDS
    # A section of 14 pixels tells its slope to some 2 %.
    assert reading.values["small_signal_gain"] == pytest.approx(gain, rel=0.03)
    assert reading.values["saturation_v"] == pytest.approx(10.4, abs=0.02)
    corner = 0.7 + 10.4 / gain
    assert reading.values["cp_vin_at_saturation"] == pytest.approx(corner, abs=0.01 + 0.02 * noise)
    assert reading.points["cp_vin_at_saturation"][1] == pytest.approx(scene.y.place(10.4), abs=0.5)


def test_rounded_corners_leave_slope_and_level(trace_scene):
    line = 4.0 * INPUT
    output = np.where(np.abs(line) < 5.0, line, np.sign(line) * (8.0 - 9.0 / (np.abs(line) - 2.0)))
    output = np.where(np.abs(INPUT) > 3.5, np.sign(line) * np.abs(output).max(), output)
    values = read(trace_scene((-5.5, 5.5), (-9.0, 9.0), (INPUT, output)), "").values
    assert values["small_signal_gain"] == pytest.approx(4.0, rel=0.02)
    assert values["saturation_v"] == pytest.approx(output.max(), rel=0.01)


@pytest.mark.parametrize(
    "output", [2.0 * INPUT, -clamped(3.0, 0.0, -6.0, 6.0), 6.0 * np.tanh(INPUT**3)]
)
def test_other_curves_are_refused(trace_scene, output):
    with pytest.raises(UnreadableError):
        read(trace_scene((-5.5, 5.5), (-11.0, 11.0), (INPUT, output)), "")
