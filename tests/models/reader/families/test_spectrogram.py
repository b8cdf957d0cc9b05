"""Tests for reading two tones in a spectrogram."""

import numpy as np
import pytest
from matplotlib import colormaps

from plotchain_lib.models.reader.families.spectrogram import read
from plotchain_lib.models.reader.seen import UnreadableError

RNG = np.random.default_rng(5)
WIDTH, HEIGHT = 800, 450
TRUTH = {"f1_hz": 300.0, "f2_hz": 120.0, "switch_time_s": 5.0, "cp_duration_s": 7.0}


def levels(start=1.0, switch=5.0, end=8.0, tones=(300.0, 120.0), noise=0.08, cell=2):
    """Levels 0 to 1, (rows, columns), over 10 s and 450 Hz; cells centred on their frequency."""
    time = np.arange(0.5, WIDTH) * 10.0 / WIDTH
    bins = np.arange(HEIGHT // cell) * cell
    level = noise * RNG.random((bins.size, WIDTH)) + 0.1
    for tone, on in zip(
        tones, ((time > start) & (time < switch), (time > switch) & (time < end)), strict=True
    ):
        lobe = np.clip(0.95 - 0.25 * ((bins - tone) / cell) ** 2, 0.0, None)
        level = np.maximum(level, lobe[:, None] * on)
    return np.clip(level, 0.0, 1.0).repeat(cell, axis=0)[::-1]


def pixels(level, colours="viridis"):
    picture = np.full((560, 1000, 3), 255.0, np.float32)
    rows = slice(500 - level.shape[0], 500)
    picture[rows, 100 : 100 + WIDTH] = colormaps[colours](level)[..., :3] * 255.0
    return picture


@pytest.fixture
def scene(make_scene):
    def make(level, colours="viridis", labels=None, low=-1.0, **parts):
        picture = pixels(level, colours)
        if parts.get("inverted"):
            picture = 255.0 - picture
        # pixel edges: the first column begins at 99.5 and the last row ends at 499.5
        limits = (0.00625, 10.00625), (low - 0.5, low + 449.5)
        return make_scene(*limits, labels=labels, pixels=picture, **parts)

    return make


@pytest.mark.parametrize("colours", ["viridis", "magma", "gray", "gray_r", "plasma"])
def test_frequencies_switch_and_duration(scene, colours):
    assert read(scene(levels(), colours), "").values == pytest.approx(TRUTH, rel=0.01)


def test_an_inverted_picture_is_turned_back(scene):
    assert read(scene(levels(), inverted=True), "").values == pytest.approx(TRUTH, rel=0.01)


def test_strong_noise_and_wide_columns(scene):
    wide = levels(noise=0.5)[:, ::25].repeat(25, axis=1)
    assert read(scene(wide), "").values == pytest.approx(TRUTH, rel=0.04)


def test_sound_up_to_the_axes_ends_lasts_as_long_as_they(scene):
    values = read(scene(levels(start=-1.0, end=11.0)), "").values
    assert values["cp_duration_s"] == pytest.approx(10.0, rel=0.01)
    assert values["switch_time_s"] == pytest.approx(5.0, rel=0.01)


def test_cells_drawn_half_a_bin_too_high_are_put_back(scene):
    drawn_low = read(scene(levels(cell=10), low=0.0), "").values
    assert drawn_low["f1_hz"] == pytest.approx(300.0, abs=0.5)
    assert drawn_low["f2_hz"] == pytest.approx(120.0, abs=0.5)
    drawn_right = read(scene(levels(cell=10), low=-5.0), "").values
    assert drawn_right["f1_hz"] == pytest.approx(300.0, abs=0.5)


def test_prefixes_in_the_labels(scene):
    values = read(scene(levels(), labels={"x": "Time (ms)", "y": "Frequency (kHz)"}), "").values
    assert values["f1_hz"] == pytest.approx(300e3, rel=0.01)
    assert values["switch_time_s"] == pytest.approx(5e-3, rel=0.01)


@pytest.mark.parametrize(
    "options",
    [{"switch": 11.0}, {"tones": (300.0, 300.0)}, {"tones": (-50.0, -50.0)},
     {"tones": (-50.0, -50.0), "noise": 0.6}],
)  # fmt: skip
def test_one_tone_or_none_is_refused(scene, options):
    with pytest.raises(UnreadableError):
        read(scene(levels(**options)), "")


def test_tones_with_a_pause_between_are_refused(scene):
    level = levels()
    level[:, 300:420] = 0.1
    with pytest.raises(UnreadableError, match="follow"):
        read(scene(level), "")
