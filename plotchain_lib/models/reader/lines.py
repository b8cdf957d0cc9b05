"""A curve that is one straight line, and the dot that marks a place on a curve."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from plotchain_lib.models.reader.fit import line_through, pixel_unit
from plotchain_lib.models.reader.seen import Axis, Curve, Marker, UnreadableError

_POOR = 1.0  # pixels at 100 dots per inch
_BESIDE = 3.0  # how far from the curve the dot on it may seem to lie, in the same pixels


@dataclass(frozen=True, slots=True)
class Line:
    """A straight line in pixels: y = intercept + slope * x."""

    slope: float
    intercept: float

    def height(self, x: float) -> float:
        """y at x, in pixels."""
        return self.intercept + self.slope * x

    def crossing(self, y: float) -> float:
        """x at y, in pixels."""
        return (y - self.intercept) / self.slope


def straight(curve: Curve) -> Line:
    """The line a curve is.

    Raises:
        UnreadableError: it is not straight, level or too short.
    """
    slope, intercept = line_through(curve.x, curve.y)
    distances = np.abs(curve.y - intercept - slope * curve.x) / np.hypot(1.0, slope)
    # Four fifths of the points say whether it is straight: dots and letters may hide the others.
    if float(np.percentile(distances, 80.0)) > _POOR * pixel_unit(curve):
        raise UnreadableError("the curve is not the straight line that it should be")
    if abs(slope) < 0.01 or np.ptp(curve.x) < 20.0:
        raise UnreadableError("the line is too level or too short for its slope to be read")
    return Line(slope, intercept)


def require_linear(*axes: Axis) -> None:
    """Raises UnreadableError where one of some axes is logarithmic."""
    if any(axis.scale != "linear" for axis in axes):
        raise UnreadableError("a linear axis was expected, this one is logarithmic")


def dot_on(
    markers: tuple[Marker, ...], height: Callable[[float], float], unit: float
) -> Marker | None:
    """The dot or ring that lies closest to a curve, None where none lies on it.

    Args:
        markers: those of the picture.
        height: the curve's y at an x, in pixels; NaN where it has none.
        unit: of the picture, see `fit.pixel_unit`.
    """
    best, least = None, _BESIDE * unit
    for marker in markers:
        if marker.shape == "cross":
            continue
        slope = height(marker.x + 1.0) - height(marker.x - 1.0)
        distance = abs(height(marker.x) - marker.y) / float(np.hypot(1.0, slope / 2.0))
        if distance < least:
            best, least = marker, distance
    return best
