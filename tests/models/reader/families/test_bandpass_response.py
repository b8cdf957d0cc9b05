"""Tests for reading a band-pass filter."""

import numpy as np
import pytest

from plotchain_lib.models.reader.families.bandpass_response import FIELDS, read
from plotchain_lib.models.reader.seen import UnreadableError

FREQUENCY = np.geomspace(200.0, 30e3, 900)


def gain(resonance, quality, peak):
    ratio = FREQUENCY / resonance
    return peak - 10.0 * np.log10(1.0 + quality**2 * (ratio - 1.0 / ratio) ** 2)


@pytest.mark.parametrize(("quality", "noise"), [(0.7, 0.0), (3.0, 1.0), (17.0, 0.0)])
def test_all_fields_follow_from_the_fit(trace_scene, quality, noise):
    values = FREQUENCY, gain(2345.0, quality, 12.5)
    limits = float(values[1].min()) - 1.0, 14.0
    scene = trace_scene((150.0, 40e3), limits, values, "x", noise)
    reading = read(scene, "")
    half = 0.5 / quality
    lower, upper = (2345.0 * (np.hypot(1.0, half) + side * half) for side in (-1.0, 1.0))
    assert reading.values == pytest.approx(
        {
            "resonance_hz": 2345.0,
            "bandwidth_hz": upper - lower,
            "cp_f1_3db_hz": lower,
            "cp_f2_3db_hz": upper,
            "cp_q_factor": quality,
        },
        rel=0.004 + 0.0015 * quality + 0.01 * noise,  # ink blunts a sharp peak,
    )
    assert reading.points["cp_f1_3db_hz"][0] == pytest.approx(scene.x.place(lower), abs=1.0)
    assert reading.values.keys() == FIELDS


def test_another_peak_is_read_straight_off_the_curve(trace_scene):
    level = 5.0 - 60.0 * np.log10(FREQUENCY / 2000.0) ** 2  # a parabola on this axis
    values = read(trace_scene((150.0, 40e3), (-90.0, 8.0), (FREQUENCY, level), "x"), "").values
    width = 10.0 ** np.sqrt(3.0103 / 60.0)
    assert values["resonance_hz"] == pytest.approx(2000.0, rel=0.02)
    assert values["cp_f1_3db_hz"] == pytest.approx(2000.0 / width, rel=0.02)
    assert values["cp_f2_3db_hz"] == pytest.approx(2000.0 * width, rel=0.02)


def test_two_peaks_are_refused(trace_scene):
    level = np.maximum(gain(700.0, 6.0, 0.0), gain(7000.0, 6.0, 0.5))
    with pytest.raises(UnreadableError, match="single peak"):
        read(trace_scene((150.0, 40e3), (-45.0, 2.0), (FREQUENCY, level), "x"), "")


def test_a_band_wider_than_the_picture_is_refused(trace_scene):
    inner = (FREQUENCY > 1900.0) & (FREQUENCY < 3000.0)
    values = FREQUENCY[inner], gain(2345.0, 1.0, 3.0)[inner]
    with pytest.raises(UnreadableError, match="outside the picture"):
        read(trace_scene((1900.0, 3000.0), (2.4, 3.05), values, "x"), "")
