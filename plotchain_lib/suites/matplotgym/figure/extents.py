"""Where marks and lines lie: their points, how far data reach, what spans them."""

from __future__ import annotations

import numpy as np

from plotchain_lib.suites.matplotgym.figure.reading import Reading
from plotchain_lib.suites.matplotgym.figure.spec import Floats, Mark

_NO_MARKER = ("None", "none", " ", "")
_SPANNED = 0.6  # of the data's extent


def points_of(mark: Mark, orientation: str) -> tuple[Floats, Floats]:
    """Positions of a mark across and along a direction, in data coordinates."""
    x, y = np.asarray(mark.x, dtype=float), np.asarray(mark.y, dtype=float)
    if mark.orientation is not None:
        y = y if mark.base is None else y + np.asarray(mark.base, dtype=float)
        if mark.orientation == "horizontal":
            x, y = y, x
    return (x, y) if orientation == "vertical" else (y, x)


def extent_of(marks: list[Mark], axis: str) -> tuple[float, float] | None:
    """Range of the data along x or y, or None where there is none."""
    parts = []
    for mark in marks:
        across, along = points_of(mark, "vertical")
        parts.append(across if axis == "x" else along)
    values = np.concatenate(parts) if parts else np.zeros(0)
    values = values[np.isfinite(values)]
    return (float(values.min()), float(values.max())) if len(values) else None


def spans(low: float, high: float, extent: tuple[float, float] | None) -> bool:
    """Whether what reaches from low to high covers most of an extent."""
    if extent is None:
        return False
    width = extent[1] - extent[0]
    return min(high, extent[1]) - max(low, extent[0]) >= _SPANNED * width


def is_bare(mark: Mark) -> bool:
    """Whether a line has no markers, as lines that are no data mostly have not."""
    return len(mark.style) < 3 or mark.style[1] in _NO_MARKER


def on_log_axes(reading: Reading) -> bool:
    """Whether one of the two axes is logarithmic."""
    return "log" in (reading.axes.get_xscale(), reading.axes.get_yscale())


def as_shown(reading: Reading, mark: Mark) -> tuple[Floats, Floats]:
    """A mark's points as the axes show them: logarithms on logarithmic axes; NaN where none is."""
    x, y = np.asarray(mark.x, dtype=float), np.asarray(mark.y, dtype=float)
    with np.errstate(divide="ignore", invalid="ignore"):
        x = np.log10(x) if reading.axes.get_xscale() == "log" else x
        y = np.log10(y) if reading.axes.get_yscale() == "log" else y
    return x, y
