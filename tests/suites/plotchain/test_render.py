"""Pictures: drawn as meant, the same every time, whatever the user's Matplotlib says."""

from __future__ import annotations

import io
from pathlib import Path

import matplotlib as mpl
import numpy as np
import pytest
from PIL import Image

from plotchain_lib.suites.plotchain import families, generate
from plotchain_lib.suites.plotchain.family import Axis, Frame
from plotchain_lib.suites.plotchain.furniture import linear_ticks, log_ticks
from plotchain_lib.suites.plotchain.render import render
from plotchain_lib.suites.plotchain.validation import validation_rows

ALL = families.names()


@pytest.mark.parametrize("name", ALL)
def test_measured_curve_agrees_with_truth_for_every_field(name: str) -> None:
    family = families.load(name)
    items = list(generate.items(family, 0, 10))
    measured = {i.id: render(family, i.params, i.difficulty).measured for i in items}
    for row in validation_rows(items, measured):
        assert row["agrees"], row


@pytest.mark.parametrize("name", ALL)
def test_picture_is_the_same_bytes_and_changed_settings_change_nothing(name: str) -> None:
    family = families.load(name)
    params, _ = generate.draw_item(family, 0, 0)
    first = render(family, params, "clean")
    with mpl.rc_context({"lines.linewidth": 9, "font.size": 30, "axes.grid": True}):
        assert render(family, params, "clean").png == first.png
    with Image.open(io.BytesIO(first.png)) as picture:
        assert picture.mode == "RGB" and not picture.info.get("Software")


@pytest.mark.parametrize("name", ALL)
def test_curve_lies_inside_the_frame_and_marks_the_pixels(name: str) -> None:
    family = families.load(name)
    for index in range(3):
        params, _ = generate.draw_item(family, 3, index)
        picture = render(family, params, "edge")
        left, top, width, height = picture.geometry["axes_box_px"]
        pixels = np.asarray(Image.open(io.BytesIO(picture.png)))
        inside = pixels[top + 3 : top + height - 3, left + 3 : left + width - 3]
        assert (inside != 255).any()
        corner = pixels[top : top + height, left]
        assert (corner < 128).all(axis=-1).mean() > 0.95  # the left spine, where geometry says


def test_pole_zero_is_square_and_equal_in_both_directions() -> None:
    family = families.load("pole_zero")
    params, _ = generate.draw_item(family, 0, 0)
    frame: Frame = family.frame(params)
    assert frame.shape == "square"
    assert frame.x.high - frame.x.low == pytest.approx(frame.y.high - frame.y.low)


def test_linear_ticks_are_round_numbers_with_plain_labels() -> None:
    ticks = linear_ticks(Axis("", -1.2, 5.9), 8)
    assert ticks.major == [-1, 0, 1, 2, 3, 4, 5]
    assert ticks.labels[0] == ("\N{MINUS SIGN}1", "")
    assert linear_ticks(Axis("", 0.0, 0.0042), 4).labels[1] == ("0.002", "")


def test_every_axis_has_three_labels() -> None:
    for low in np.geomspace(0.01, 1e5, 37):
        for ratio in (1.3, 2.0, 3.7, 9.0, 40.0, 900.0, 2e4):
            ticks = log_ticks(Axis("", low, low * ratio, "log"))
            assert len(ticks.labels) >= 3, (low, ratio)
            assert all(low * 0.999 <= v <= low * ratio * 1.001 for v in ticks.major + ticks.minor)


@pytest.mark.parametrize(
    ("low", "high", "ends"),
    [(510, 1510, ("700", "1500")), (120, 600, ("150", "500")), (1312, 5266, ("1500", "5000"))],
)
def test_short_log_axes_have_labels_near_both_ends(
    low: float, high: float, ends: tuple[str, str]
) -> None:
    labels = log_ticks(Axis("", low, high, "log")).labels
    assert (labels[0][0], labels[-1][0]) == ends


def test_log_ticks_over_decades_are_powers_of_ten_with_minors_between() -> None:
    ticks = log_ticks(Axis("", 10.0, 1e4, "log"))
    assert ticks.labels == [("10", "1"), ("10", "2"), ("10", "3"), ("10", "4")]
    assert ticks.minor[:3] == [20, 30, 40] and len(ticks.minor) == 24


def test_matplotlib_is_left_as_it_was() -> None:
    before = dict(mpl.rcParams)
    params, _ = generate.draw_item(families.load("pump_curve"), 0, 0)
    render(families.load("pump_curve"), params, "clean")
    assert dict(mpl.rcParams) == before


def test_rendering_writes_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    params, _ = generate.draw_item(families.load("pump_curve"), 0, 1)
    render(families.load("pump_curve"), params, "edge")
    assert list(tmp_path.iterdir()) == []
