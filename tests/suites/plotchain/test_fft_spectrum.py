"""Amplitude spectrum: hand-worked values, the window's lobe, the noise's influence."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from matplotlib.figure import Figure

from plotchain_lib.suites.plotchain import generate
from plotchain_lib.suites.plotchain.families.fft_spectrum import BINS, FAMILY

# fs = 2048 Hz, N = 1024: a bin is 2 Hz. 20 log10(4) = 12.0412 dB.
PARAMS: dict[str, Any] = {
    "bin_hz": 2.0, "dominant_bin": 300, "secondary_bin": 60, "dominant_db": 6.0,
    "secondary_db": 6.0 - 12.0412, "noise_db": -300.0, "scatter_db": 0.0, "noise_key": "test",
    "f_max_hz": 1100.0, "y_min_db": -310.0, "y_max_db": 10.0,
}  # fmt: skip


def drawn_spectrum(params: dict[str, Any]) -> np.ndarray:
    axes = Figure().add_subplot()
    FAMILY.plot(axes, params, "clean")
    return np.asarray(axes.lines[0].get_xydata())


def test_hand_worked_values() -> None:
    truth = FAMILY.truth(PARAMS)
    assert truth["dominant_frequency_hz"] == 600.0
    assert truth["secondary_frequency_hz"] == 120.0
    assert truth["cp_peak_ratio"] == pytest.approx(4.0, rel=1e-5)


def test_the_drawn_lobes_are_those_of_a_real_transform() -> None:
    time = np.arange(2 * BINS) / (2 * BINS * 2.0)
    amplitudes = 10.0 ** (6.0 / 20.0), 10.0 ** ((6.0 - 12.0412) / 20.0)
    signal = amplitudes[0] * np.sin(2 * np.pi * 600.0 * time)
    signal += amplitudes[1] * np.sin(2 * np.pi * 120.0 * time)
    window = 0.5 - 0.5 * np.cos(2 * np.pi * np.arange(2 * BINS) / (2 * BINS))
    spectrum = 2.0 * np.abs(np.fft.rfft(signal * window)) / window.sum()
    curve = drawn_spectrum(PARAMS)
    np.testing.assert_allclose(curve[:, 0], np.fft.rfftfreq(2 * BINS, time[1]))
    drawn = 10.0 ** (curve[:, 1] / 20.0)
    np.testing.assert_allclose(drawn, spectrum, atol=1e-9)


def test_the_noise_leaves_the_peaks_where_they_are() -> None:
    for index in range(20):
        params, truth = generate.draw_item(FAMILY, 5, index)
        level = drawn_spectrum(dict(params))[:, 1]
        for tone in ("dominant", "secondary"):
            assert level[params[f"{tone}_bin"]] - params[f"{tone}_db"] == pytest.approx(0, abs=0.1)
        assert (
            np.delete(level, [params["dominant_bin"] + k for k in (-1, 0, 1)]).max()
            == (level[params["secondary_bin"]])
        )
        assert truth["cp_peak_ratio"] >= 1.4


def test_the_dominant_tone_is_the_lower_or_the_higher_one_in_every_difficulty() -> None:
    seen = {
        (item.difficulty, item.params["dominant_bin"] < item.params["secondary_bin"])
        for item in generate.items(FAMILY, 0, 30)
    }
    assert len(seen) == 6
