"""Lines: series, points drawn without a line, steps, and lines that refer to a value."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import AxLine, Line2D
from matplotlib.patches import Polygon, Rectangle

from plotchain_lib.suites.matplotgym.figure.reading import (
    Reading,
    colour_style,
    floats,
    label_of,
)
from plotchain_lib.suites.matplotgym.figure.spec import Mark, Overlay

NO_LINE = {"None", "none", " ", ""}


def read_references(reading: Reading) -> None:
    """Lines and spans over the whole width or height, by their transform."""
    axes = reading.axes
    for line in reading.left(Line2D):
        overlay = _reference_line(axes, line)
        if overlay is not None:
            reading.take([line])
            reading.overlays.append(overlay)
    for patch in reading.left(Rectangle, Polygon):
        overlay = _reference_span(axes, patch)
        if overlay is not None:
            reading.take([patch])
            reading.overlays.append(overlay)


def _reference_line(axes: Axes, line: Line2D) -> Overlay | None:
    if isinstance(line, AxLine):
        first: Any = line.get_xy1()
        (x0, y0), second = first, line.get_xy2()
        slope = line.get_slope()
        if slope is None and second is not None:
            run = second[0] - x0
            slope = (second[1] - y0) / run if run else float("inf")
        if slope == 0:
            return Overlay("reference_line", "horizontal", value=float(y0))
        if slope is None or np.isinf(slope):
            return Overlay("reference_line", "vertical", value=float(x0))
        value = float(y0 - slope * x0)
        return Overlay("reference_line", "sloped", value=value, slope=float(slope))
    transform = line.get_transform()
    x, y = floats(line.get_xdata(orig=False)), floats(line.get_ydata(orig=False))
    if transform == axes.get_yaxis_transform(which="grid") and len(set(y)) == 1:
        return Overlay("reference_line", "horizontal", value=float(y[0]))
    if transform == axes.get_xaxis_transform(which="grid") and len(set(x)) == 1:
        return Overlay("reference_line", "vertical", value=float(x[0]))
    return None


def _reference_span(axes: Axes, patch: Any) -> Overlay | None:
    transform = patch.get_transform()
    corners = patch.get_patch_transform().transform(patch.get_path().vertices)
    blended = {
        "horizontal": (axes.get_yaxis_transform(which="grid"), 1),
        "vertical": (axes.get_xaxis_transform(which="grid"), 0),
    }
    for orientation, (expected, axis) in blended.items():
        own = getattr(patch, "_transform", None)
        if own == expected or transform == expected:
            low, high = float(corners[:, axis].min()), float(corners[:, axis].max())
            return Overlay("reference_span", orientation, lower=low, upper=high)
    return None


def read_lines(reading: Reading) -> None:
    """Every other line in data coordinates: a line, a step, or points."""
    for line in reading.left(Line2D):
        reading.take([line])
        if line.get_transform() != reading.axes.transData:
            if len(line.get_xdata()):
                reading.unread.append("a line outside data coordinates")
            continue
        x, y = floats(line.get_xdata(orig=False)), floats(line.get_ydata(orig=False))
        if len(x) and np.isfinite(x + y).any():
            reading.marks.append(line_mark(line, x, y))


def _without_riser(x: Any, y: Any) -> tuple[Any, Any]:
    """A step curve without its point at minus infinity or its first riser, as an ECDF has them."""
    keep = np.isfinite(x)
    x, y = x[keep], y[keep]
    return (x[1:], y[1:]) if len(x) > 2 and x[0] == x[1] else (x, y)


def line_mark(line: Line2D, x: Any, y: Any) -> Mark:
    """The mark of a line: points where it has markers and no stroke."""
    steps = str(line.get_drawstyle())
    dots = line.get_linestyle() in NO_LINE
    marker = str(line.get_marker())
    colour = line.get_color()
    style: tuple[Any, ...]
    if dots:
        kind, style = "scatter", (colour_style(line.get_markerfacecolor()), marker)
        keep = np.isfinite(x) & np.isfinite(y)
        x, y = x[keep], y[keep]
    else:
        kind = "step" if steps.startswith("steps") else "line"
        if kind == "step":
            x, y = _without_riser(x, y)
        style = (colour_style(colour), marker, str(line.get_linestyle()))
    return Mark(kind, x, y, style=style, label=label_of(line))
