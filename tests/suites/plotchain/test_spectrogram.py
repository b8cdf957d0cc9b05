"""Spectrogram: hand-worked values, scipy's transform, and the pixels themselves."""

from __future__ import annotations

import io
from typing import Any

import numpy as np
import pytest
from PIL import Image
from scipy import signal as scipy_signal

from plotchain_lib.suites.plotchain import generate
from plotchain_lib.suites.plotchain.families.spectrogram import (
    COLUMNS,
    FAMILY,
    ROWS,
    WINDOW,
    _signal,
    levels_db,
)
from plotchain_lib.suites.plotchain.render import render

# A window of 0.1 s; columns of 0.01 s, of which column 199 ends and column 200 starts at 2 s.
PARAMS: dict[str, Any] = {
    "bin_hz": 10.0, "first_bin": 50, "second_bin": 120, "onset_s": 0.5, "switch_s": 2.0,
    "off_s": 3.5, "end_s": 4.1, "second_db": 0.0, "noise_db": -200.0, "noise_key": "test",
}  # fmt: skip


def test_hand_worked_values() -> None:
    assert FAMILY.truth(PARAMS) == {
        "f1_hz": 500.0, "f2_hz": 1200.0, "switch_time_s": 2.0, "cp_duration_s": 3.0,
    }  # fmt: skip


def test_levels_are_those_of_scipy() -> None:
    params = PARAMS | {"noise_db": -30.0}
    signal, rate = _signal(params)
    column = 87
    start = int(np.rint((column + 0.5) * params["end_s"] / COLUMNS * rate))
    _, _, magnitude = scipy_signal.spectrogram(
        signal[start : start + WINDOW], rate, "hann", WINDOW, 0, detrend=False,
        scaling="spectrum", mode="magnitude",
    )  # fmt: skip
    expected = 20.0 * np.log10(2.0 * magnitude[:ROWS, 0])
    np.testing.assert_allclose(levels_db(params)[1:, column], expected[1:], atol=1e-6)


def test_a_tone_has_half_its_amplitude_where_it_starts_and_ends() -> None:
    levels = levels_db(PARAMS)
    assert levels[50, 100] == pytest.approx(0.0, abs=0.01)
    for row, edge in ((50, 50), (50, 200), (120, 200), (120, 350)):
        amplitude = 10.0 ** (levels[row, edge - 1 : edge + 1] / 20.0)
        assert amplitude.mean() == pytest.approx(0.5, abs=0.02)


def test_noise_has_the_declared_level() -> None:
    levels = levels_db(PARAMS | {"noise_db": -30.0})
    silence = levels[2:, :40]  # before the onset
    assert 10.0 * np.log10(np.mean(10.0 ** (silence / 10.0))) == pytest.approx(-30.0, abs=0.5)


def test_the_pixels_show_the_cells_where_the_axes_say() -> None:
    picture = render(FAMILY, PARAMS, "edge")
    left, top, width, height = picture.geometry["axes_box_px"]
    pixels = np.asarray(Image.open(io.BytesIO(picture.png))).astype(int)
    inside = pixels[top : top + height, left : left + width]
    yellow = (inside[..., 0] > 200) & (inside[..., 1] > 200) & (inside[..., 2] < 100)
    first, second = yellow[:, 200], yellow[:, 600]  # at about 1 s and 3 s
    assert height - np.nonzero(first)[0].mean() == pytest.approx(2 * 50.5, abs=1)
    assert height - np.nonzero(second)[0].mean() == pytest.approx(2 * 120.5, abs=1)
    row = yellow[height - 101]
    assert np.nonzero(row)[0].min() == pytest.approx(width * 0.5 / 4.1, abs=8)
    assert np.nonzero(row)[0].max() == pytest.approx(width * 2.0 / 4.1, abs=8)


def test_times_are_in_order_and_silence_is_wider_than_the_windows_blur() -> None:
    for item in generate.items(FAMILY, 2, 30):
        p = item.params
        assert 0 < p["onset_s"] < p["switch_s"] < p["off_s"] < p["end_s"]
        half_window = 0.5 / p["bin_hz"]
        assert min(p["onset_s"], p["end_s"] - p["off_s"]) > half_window
        assert COLUMNS / p["end_s"] > p["bin_hz"]  # columns overlap: no sample is left out


def test_tones_rise_and_fall_in_every_difficulty() -> None:
    seen = {
        (item.difficulty, item.params["first_bin"] < item.params["second_bin"])
        for item in generate.items(FAMILY, 0, 30)
    }
    assert len(seen) == 6
