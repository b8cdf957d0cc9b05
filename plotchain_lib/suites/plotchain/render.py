"""A picture from an item's parameters: fixed layout, bundled font, the same bytes every time."""

from __future__ import annotations

import functools
import io
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.collections import PathCollection, QuadMesh
from matplotlib.figure import Figure
from PIL import Image

from plotchain_lib.suites.plotchain.family import Array, Drawn, Family, Frame, Parameters
from plotchain_lib.suites.plotchain.furniture import DPI, MARGIN, PICTURE_PIXELS, furnish
from plotchain_lib.suites.plotchain.readability import BOX_PIXELS

_SETTINGS: Any = {
    **dict(mpl.rcParamsDefault),
    "font.family": ["DejaVu Sans"],
    "lines.linewidth": 1.6,
    "path.simplify": False,
    "text.antialiased": True,
}
_COMPRESSION = 3  # of the PNG's zlib stream: 15 % larger than 6 in half the time


@dataclass(frozen=True, slots=True)
class Picture:
    """One drawn item.

    Attributes:
        png: the file's bytes, without timestamp or version.
        geometry: box of the axes in pixels (left, top, width, height; origin top left), limits
            and scales.
        measured: every field, measured from what was drawn.
    """

    png: bytes
    geometry: Mapping[str, Any]
    measured: Mapping[str, float]


@functools.cache
def _axes(shape: str, x_scale: str, y_scale: str) -> tuple[FigureCanvasAgg, Axes]:
    """Empty axes in a picture of their own, kept: making them costs a quarter of a drawing."""
    width, height = PICTURE_PIXELS[shape]
    box_width, box_height = BOX_PIXELS[shape]
    figure = Figure(figsize=(width / DPI, height / DPI), dpi=DPI, facecolor="white")
    canvas = FigureCanvasAgg(figure)
    box = (MARGIN[0] / width, MARGIN[1] / height, box_width / width, box_height / height)
    axes = figure.add_axes(box)
    axes.set(xscale=x_scale, yscale=y_scale, autoscale_on=False)
    for hidden in (axes.xaxis, axes.yaxis, *axes.spines.values()):
        hidden.set_visible(False)
    return canvas, axes


@contextmanager
def _prepared_axes(frame: Frame) -> Iterator[tuple[FigureCanvasAgg, Axes]]:
    """The kept axes with this frame's limits; what is drawn on them is taken away at the end."""
    canvas, axes = _axes(frame.shape, frame.x.scale, frame.y.scale)
    axes.set_xlim(frame.x.low, frame.x.high)
    axes.set_ylim(frame.y.low, frame.y.high)
    axes.set_prop_cycle(None)
    try:
        yield canvas, axes
    finally:
        for artist in (*axes.lines, *axes.collections, *axes.patches, *axes.texts, *axes.images):
            artist.remove()


def read_back(axes: Axes) -> Drawn:
    """The data of every artist that carries a gid."""
    points: dict[str, Array] = {}
    images: dict[str, tuple[Array, Array, Array]] = {}
    for line in axes.lines:
        if line.get_gid():
            points[str(line.get_gid())] = np.asarray(line.get_xydata(), dtype=np.float64)
    for collection in axes.collections:
        name = collection.get_gid()
        if name and isinstance(collection, PathCollection):
            points[str(name)] = np.asarray(collection.get_offsets(), dtype=np.float64)
        elif name and isinstance(collection, QuadMesh):
            corners = np.asarray(collection.get_coordinates(), dtype=np.float64)
            values = np.asarray(collection.get_array(), dtype=np.float64)
            images[str(name)] = (
                values.reshape(corners.shape[0] - 1, -1), corners[0, :, 0], corners[:, 0, 1]
            )  # fmt: skip
    return Drawn(points, images)


def _geometry(frame: Frame) -> dict[str, Any]:
    width, height = BOX_PIXELS[frame.shape]
    top = PICTURE_PIXELS[frame.shape][1] - MARGIN[1] - height
    axes = {
        name: {"low": axis.low, "high": axis.high, "scale": axis.scale}
        for name, axis in (("x", frame.x), ("y", frame.y))
    }
    return {"axes_box_px": [MARGIN[0], top, width, height], **axes}


def _png(canvas: FigureCanvasAgg) -> bytes:
    drawn: Any = canvas  # Matplotlib leaves the canvas untyped
    drawn.draw()
    pixels = np.asarray(drawn.buffer_rgba())[..., :3]
    stream = io.BytesIO()
    Image.fromarray(np.ascontiguousarray(pixels)).save(stream, "PNG", compress_level=_COMPRESSION)
    return stream.getvalue()


def render(family: Family, params: Parameters, difficulty: str) -> Picture:
    """Draw one item. The user's Matplotlib settings change nothing."""
    frame = family.frame(params)
    with mpl.rc_context():
        mpl.rcParams.update(_SETTINGS)
        with _prepared_axes(frame) as (canvas, axes):
            furnish(axes, frame, difficulty)
            family.plot(axes, params, difficulty)
            measured = family.measure(read_back(axes), params)
            return Picture(_png(canvas), _geometry(frame), measured)
