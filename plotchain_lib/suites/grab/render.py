"""A picture from an item's parameters: fixed layout, bundled fonts, the same bytes every time."""

from __future__ import annotations

import functools
import io
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from PIL import Image

from plotchain_lib.suites.grab.curves import Array
from plotchain_lib.suites.grab.drawing import artists, furnish_fixed, furnish_varied
from plotchain_lib.suites.grab.measure import measured_answer

_SETTINGS: Any = {
    **dict(mpl.rcParamsDefault),
    "font.family": ["DejaVu Sans"],
    "path.simplify": False,
    "text.antialiased": True,
}
_FIXED_INCHES = 7.5  # width of the shared schema, at whatever resolution
_FIXED_BOX = (0.068, 0.062, 0.918, 0.922)  # of the picture: left, bottom, width, height
_VARIED_BOX = (0.14, 0.13, 0.82, 0.82)
# Of the PNG's zlib stream: level 1 of the strategy that only looks for runs. Most of a picture is
# white: a seventh smaller than with level 2 of the default strategy, in the same time.
_COMPRESSION, _RUNS = 1, 3


@dataclass(frozen=True, slots=True)
class Picture:
    """One drawn item.

    Attributes:
        png: the file's bytes, without timestamp or version.
        geometry: box of the axes in pixels (left, top, width, height; origin top left), limits
            and scales.
        measured: the answer, found from what was drawn.
    """

    png: bytes
    geometry: Mapping[str, Any]
    measured: Mapping[str, str]


def _new(width: int, height: int, dpi: float, box: tuple[float, ...]) -> tuple[Any, Axes]:
    # A hair more than the pixels: Agg cuts the product of inches and dpi down to whole ones.
    inches = (width + 0.01) / dpi, (height + 0.01) / dpi
    figure = Figure(figsize=inches, dpi=dpi, facecolor="white")
    canvas = FigureCanvasAgg(figure)
    left, bottom, across, up = box
    # Whole pixels, so that the box in the geometry is where the frame is.
    whole = (
        round(left * width) / inches[0] / dpi, round(bottom * height) / inches[1] / dpi,
        round(across * width) / inches[0] / dpi, round(up * height) / inches[1] / dpi,
    )  # fmt: skip
    return canvas, figure.add_axes(whole)


@functools.lru_cache(maxsize=2)
def _shared_axes(width: int, height: int) -> tuple[Any, Axes, Any]:
    """The schema's empty axes, drawn once: every picture starts from a copy of their pixels."""
    canvas, axes = _new(width, height, width / _FIXED_INCHES, _FIXED_BOX)
    furnish_fixed(axes)
    canvas.draw()
    return canvas, axes, canvas.copy_from_bbox(axes.figure.bbox)


def _draw_fixed(style: Mapping[str, Any], drawn: list[Line2D]) -> tuple[Any, Axes]:
    canvas, axes, empty = _shared_axes(style["width_px"], style["height_px"])
    canvas.restore_region(empty)
    for artist in drawn:
        axes.add_line(artist)
        axes.draw_artist(artist)
        artist.remove()
    return canvas, axes


def _draw_varied(params: Mapping[str, Any], drawn: list[Line2D]) -> tuple[Any, Axes]:
    style = params["style"]
    width, height = (round(side * style["dpi"]) for side in style["inches"])
    canvas, axes = _new(width, height, style["dpi"], _VARIED_BOX)
    furnish_varied(axes, params, drawn)
    for artist in drawn:
        axes.add_line(artist)
    canvas.draw()
    return canvas, axes


def _png(canvas: Any) -> bytes:
    pixels = canvas.buffer_rgba()
    height, width = pixels.shape[:2]
    opaque = Image.frombuffer("RGBA", (width, height), pixels, "raw", "RGBA", 0, 1).convert("RGB")
    stream = io.BytesIO()
    opaque.save(stream, "PNG", compress_level=_COMPRESSION, compress_type=_RUNS)
    return stream.getvalue()


def _geometry(canvas: Any, axes: Axes) -> dict[str, Any]:
    box = axes.get_window_extent()
    height = np.asarray(canvas.buffer_rgba()).shape[0]
    edges = (box.x0, height - box.y1, box.width, box.height)
    return {
        "axes_box_px": [round(float(edge)) for edge in edges],
        **{
            name: {"low": float(low), "high": float(high), "scale": "linear"}
            for name, (low, high) in (("x", axes.get_xlim()), ("y", axes.get_ylim()))
        },
    }


def read_back(drawn: list[Line2D]) -> dict[str, Array]:
    """What the artists hold: their gid to an array of shape (n, 2), in data units."""
    return {
        str(artist.get_gid()): np.asarray(artist.get_xydata(), dtype=np.float64) for artist in drawn
    }


def drawn_points(params: Mapping[str, Any]) -> dict[str, Array]:
    """The points an item's picture is drawn from, without drawing it."""
    with mpl.rc_context():
        mpl.rcParams.update(_SETTINGS)
        return read_back(artists(params))


def render(params: Mapping[str, Any]) -> Picture:
    """Draw one item. The user's Matplotlib settings change nothing."""
    style = params["style"]
    fixed = style["schema"] == "fixed"
    settings = _SETTINGS if fixed else {**_SETTINGS, "font.family": [style["font"]]}
    with mpl.rc_context():
        mpl.rcParams.update(settings)
        drawn = artists(params)
        points = read_back(drawn)
        canvas, axes = _draw_fixed(style, drawn) if fixed else _draw_varied(params, drawn)
        measured = {"answer": measured_answer(params, points)}
        return Picture(_png(canvas), _geometry(canvas, axes), measured)
