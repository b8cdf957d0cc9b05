"""Tests for reading the two tones of an amplitude spectrum, in pictures of another drawing."""

from io import BytesIO

import numpy as np
import pytest
from matplotlib.figure import Figure

from plotchain_lib.models.reader.families.fft_spectrum import read
from plotchain_lib.models.reader.scene import see
from plotchain_lib.models.reader.seen import UnreadableError

FREQUENCY = np.arange(0.0, 800.0)


def spectrum(*tones, width=3.0):
    """A floor of −70 dB with noise, and peaks of (frequency, level)."""
    level = -70.0 + 3.0 * np.random.default_rng(3).standard_normal(FREQUENCY.size)
    for frequency, peak in tones:
        lobe = peak - 6.0 * np.abs(FREQUENCY - frequency) / width
        level = np.maximum(level, np.where(np.abs(FREQUENCY - frequency) < 4 * width, lobe, -200.0))
    return level


def picture(level, colour, unit="Hz", **line):
    figure = Figure(figsize=(7.0, 4.2), dpi=130)
    axes = figure.subplots()
    axes.plot(FREQUENCY, level, color=colour, **line)
    axes.set(xlabel=f"Frequency ({unit})", ylabel="Level (dB)", xlim=(0.0, 850.0))
    data = BytesIO()
    figure.savefig(data, format="png")
    return see(data.getvalue())


@pytest.mark.parametrize(
    ("colour", "line", "width"), [("darkred", {"linewidth": 1.8}, 3.0), ("black", {}, 0.6)]
)
def test_two_peaks_and_their_ratio(colour, line, width):
    level = spectrum((512.0, -3.0), (130.0, -23.0), width=width)
    reading = read(picture(level, colour, **line), "")
    assert reading.values["dominant_frequency_hz"] == pytest.approx(512.0, abs=1.5)
    assert reading.values["secondary_frequency_hz"] == pytest.approx(130.0, abs=1.5)
    assert reading.values["cp_peak_ratio"] == pytest.approx(10.0, rel=0.04)


def test_single_lines_on_a_level_floor():
    level = np.full(FREQUENCY.size, -180.0)
    level[[90, 400]] = -12.0, 0.0
    values = read(picture(level, "tab:green"), "").values
    assert values["dominant_frequency_hz"] == pytest.approx(400.0, abs=1.5)
    assert values["secondary_frequency_hz"] == pytest.approx(90.0, abs=1.5)
    assert values["cp_peak_ratio"] == pytest.approx(3.981, rel=0.08)


@pytest.mark.parametrize("tones", [[(200.0, 0.0)], [(200.0, 0.0), (400.0, -9.0), (600.0, -12.0)]])
def test_one_peak_and_three_are_refused(tones):
    with pytest.raises(UnreadableError, match="stand out"):
        read(picture(spectrum(*tones), "tab:blue"), "")
