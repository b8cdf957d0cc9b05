"""Tests for finding the axes' rectangle, on pictures of ordinary Matplotlib calls."""

import io
from collections.abc import Callable

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib import style as sheets
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from PIL import Image, ImageDraw

from plotchain_lib.models.reader.frame import find_frame
from plotchain_lib.models.reader.picture import decode
from plotchain_lib.models.reader.seen import Box, UnreadableError

Drawing = Callable[[Axes], object]
SHEETS = {name: dict(sheets.library[name]) for name in ("ggplot", "bmh", "seaborn-v0_8")}


def drawn(
    drawing: Drawing, sheet: str = "", dpi: float = 100, jpeg: bool = False, **settings: object
) -> tuple[Box, tuple[float, float, float, float]]:
    """What is found in a picture, and its true left, top, right and bottom."""
    with mpl.rc_context({**SHEETS.get(sheet, {}), **settings}):
        figure = Figure(figsize=(6.4, 4.0), dpi=dpi)
        canvas = FigureCanvasAgg(figure)
        axes = figure.subplots()
        drawing(axes)
        axes.set_xlabel("Length (m)")
        axes.set_ylabel("Weight (kg)")
        canvas.draw()
    image = Image.fromarray(np.asarray(canvas.buffer_rgba())).convert("RGB")
    stream = io.BytesIO()
    image.save(stream, "JPEG" if jpeg else "PNG", **({"quality": 60} if jpeg else {}))
    extent = axes.get_window_extent()
    true = (extent.x0, image.height - extent.y1, extent.x1, image.height - extent.y0)
    left, top, right, bottom = (edge - 0.5 for edge in true)
    return find_frame(decode(stream.getvalue())), (left, top, right, bottom)


def sides(box: Box) -> tuple[float, float, float, float]:
    return box.left, box.top, box.right, box.bottom


def curve(axes: Axes) -> None:
    x = np.linspace(-3, 4, 200)
    axes.plot(x, x**3 - 5 * x)


def with_grid(axes: Axes) -> None:
    curve(axes)
    axes.grid(True)


def image(axes: Axes) -> None:
    axes.imshow(np.add.outer(np.arange(30), np.arange(40)) % 37, aspect="auto")


def along_the_bottom(axes: Axes) -> None:
    axes.plot([0, 6, 7, 8], [0, 0, 0.3, 2])
    axes.set(xlim=(0, 8), ylim=(0, 2))


def zero_lines(axes: Axes) -> None:
    curve(axes)
    axes.set(xlim=(-5, 5), ylim=(-10, 10))
    axes.axhline(0, color="black", linewidth=1)
    axes.axvline(0, color="black", linewidth=1)


@pytest.mark.parametrize("drawing", [curve, with_grid, image, along_the_bottom, zero_lines])
def test_four_sides(drawing: Drawing) -> None:
    box, true = drawn(drawing)
    assert sides(box) == pytest.approx(true, abs=0.7)
    assert box.line == pytest.approx(1, abs=0.4)


@pytest.mark.parametrize(("dpi", "jpeg"), [(100, False), (100, True), (250, False)])
def test_left_and_bottom_only(dpi: float, jpeg: bool) -> None:
    settings = {"axes.spines.top": False, "axes.spines.right": False}
    box, true = drawn(with_grid, dpi=dpi, jpeg=jpeg, **settings)
    assert sides(box) == pytest.approx(true, abs=1.2)


@pytest.mark.parametrize(
    ("sheet", "face", "off"),
    [("ggplot", 0xE5, 1.6), ("bmh", 0xEE, 0.7), ("seaborn-v0_8", 0xEA, 1.0)],
)
def test_a_face_of_its_own(sheet: str, face: int, off: float) -> None:
    box, true = drawn(curve, sheet)
    # A frame of the ground's colour hides half of its line's width of the face.
    assert sides(box) == pytest.approx(true, abs=off + 0.5)
    assert box.face[0] == pytest.approx(face, abs=1)


def test_lines_of_a_grid_alone() -> None:
    settings: dict[str, object] = {
        f"axes.spines.{side}": False for side in ("left", "right", "top", "bottom")
    }
    box, true = drawn(with_grid, **settings, **{"xtick.major.size": 0, "ytick.major.size": 0})
    assert sides(box) == pytest.approx(true, abs=1.0)
    assert box.line == 0


def test_light_lines_on_a_dark_ground() -> None:
    dark = dict(sheets.library["dark_background"])
    box, true = drawn(with_grid, **dark)
    assert sides(box) == pytest.approx(true, abs=0.7)
    assert box.face == (255.0, 255.0, 255.0)


def test_inside_leaves_the_frame_out() -> None:
    box, _ = drawn(curve, dpi=150)
    rows, columns = box.inside()
    assert rows.start > box.top + box.line / 2
    assert columns.stop <= box.right - box.line / 2 + 1


def letter() -> Image.Image:
    page = Image.new("RGB", (600, 400), "white")
    for row in range(20, 380, 24):
        ImageDraw.Draw(page).text((30, row), "A letter that holds no plot, line by line. " * 2, 0)
    return page


@pytest.mark.parametrize(
    "page",
    [
        Image.new("RGB", (600, 400), "white"),
        letter(),
        Image.fromarray(np.random.default_rng(1).integers(0, 255, (400, 600, 3), dtype=np.uint8)),
    ],
    ids=["blank", "letter", "noise"],
)
def test_no_axes(page: Image.Image) -> None:
    stream = io.BytesIO()
    page.save(stream, "PNG")
    with pytest.raises(UnreadableError, match="no axes"):
        find_frame(decode(stream.getvalue()))
