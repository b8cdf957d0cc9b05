"""Pictures: the same bytes every time, the published size, every point to be seen."""

from __future__ import annotations

import io
from typing import Any

import matplotlib as mpl
import numpy as np
import pytest
from PIL import Image
from scipy import ndimage

from plotchain_lib.suites.grab import generate
from plotchain_lib.suites.grab.dice import Dice
from plotchain_lib.suites.grab.groups import GROUPS
from plotchain_lib.suites.grab.render import render
from plotchain_lib.suites.grab.style import fixed_style, varied_style


def content(
    task: str, name: str, number: int = 0, level: int = 0, width: int = 900
) -> dict[str, Any]:
    group = next(g for g in GROUPS if (g.task, g.name) == (task, name))
    found = generate.long_list(group, level, number + 1, (3, "render"))[number]
    varied = task == "properties"
    style = varied_style(Dice("render", name, number), name) if varied else fixed_style(width)
    return {"task": task, "category": group.category, "property": name, "style": style,
            "precision": group.precision, **found.scene.to_params()}  # fmt: skip


def pixels_of(png: bytes) -> np.ndarray:
    with Image.open(io.BytesIO(png)) as picture:
        assert picture.mode == "RGB" and not picture.info.get("Software")
        return np.asarray(picture)


@pytest.mark.parametrize(
    ("task", "name"),
    [("properties", "gradient"), ("properties", "points"), ("function", "period"),
     ("series", "median"), ("transform", "range")],
)  # fmt: skip
def test_picture_is_the_same_bytes_and_changed_settings_change_nothing(
    task: str, name: str
) -> None:
    params = content(task, name)
    first = render(params)
    render(content(task, name, 1))
    with mpl.rc_context({"lines.linewidth": 9, "font.size": 30, "axes.grid": True}):
        assert render(params).png == first.png


def test_the_shared_schema_has_the_published_size_and_one_look() -> None:
    pictures = [render(content("function", "gradient", n, width=2251)) for n in range(2)]
    pixels = [pixels_of(picture.png) for picture in pictures]
    assert [p.shape for p in pixels] == [(2171, 2251, 3)] * 2
    assert pictures[0].geometry == pictures[1].geometry
    left, top, width, height = pictures[0].geometry["axes_box_px"]
    outside = np.ones(pixels[0].shape[:2], dtype=bool)
    outside[top : top + height, left : left + width] = False
    assert (pixels[0][outside] == pixels[1][outside]).all()
    # The frame is where the geometry says.
    assert (pixels[0][top : top + height, left] < 128).all(axis=-1).mean() > 0.95


@pytest.mark.parametrize("number", range(6))
def test_every_counted_point_is_a_spot_of_its_own(number: int) -> None:
    params = content("properties", "points", number)
    plain = {"zero_lines": False, "grid": "none", "background": "#ffffff"}
    params["style"] = {**params["style"], **plain, "colours": ["#000000"] * 10}
    picture = render(params)
    left, top, width, height = picture.geometry["axes_box_px"]
    inside = pixels_of(picture.png)[top + 12 : top + height - 12, left + 12 : left + width - 12]
    _, spots = ndimage.label(inside.min(axis=-1) < 200, structure=np.ones((3, 3)))
    assert str(spots) == picture.measured["answer"] == str(len(params["series"][0][0]))


def test_points_of_ten_series_do_not_touch() -> None:
    params = content("series", "median", 0, 9, 1400)
    picture = render(params)
    left, top, width, height = picture.geometry["axes_box_px"]
    pixels = pixels_of(picture.png)[top + 9 : top + height - 9, left + 9 : left + width - 9]
    coloured = pixels.max(axis=-1).astype(int) - pixels.min(axis=-1) > 60
    # Two of the ten colours are greys.
    grey = {len(params["series"][n][0]) for n in (8, 9)}
    _, spots = ndimage.label(coloured, structure=np.ones((3, 3)))
    assert spots == sum(len(x) for x, _ in params["series"]) - sum(grey) * 2 // len(grey)


def test_matplotlib_is_left_as_it_was() -> None:
    before = dict(mpl.rcParams)
    render(content("properties", "peak"))
    render(content("function", "mean"))
    assert dict(mpl.rcParams) == before
