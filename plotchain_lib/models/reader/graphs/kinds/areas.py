"""Areas between a curve and the x-axis, and the mean and the variance that integrals give."""

from __future__ import annotations

import numpy as np

from plotchain_lib.models.reader.graphs.curves import ANY
from plotchain_lib.models.reader.graphs.view import View
from plotchain_lib.models.reader.seen import Array, UnreadableError

KINDS = dict.fromkeys(("net_area", "total_area", "mean", "variance"), ANY)
ENDS = frozenset(KINDS)


def measure(name: str, view: View) -> float:
    """An integral over the curve's x, or its share of the interval's length.

    Raises UnreadableError where the curve is no function of x.
    """
    x, y = view.points.T
    if x[0] > x[-1]:
        x, y = x[::-1], y[::-1]
    if not (np.diff(x) > 0.0).all():
        raise UnreadableError("the curve that results is no function of x")
    if name == "total_area":
        return _total(x, y)
    net = float(np.trapezoid(y, x))
    if name == "net_area":
        return net
    length = float(x[-1] - x[0])
    if name == "mean":
        return net / length
    return float(np.trapezoid((y - net / length) ** 2, x)) / length


def _total(x: Array, y: Array) -> float:
    """Of the absolute value; where the curve crosses the axis between two points, by triangles."""
    below, above, step = y[:-1], y[1:], np.diff(x)
    crosses = below * above < 0.0
    plain = step * np.abs(below + above) / 2.0
    size = np.where(crosses, np.abs(below) + np.abs(above), 1.0)
    triangles = step * (below**2 + above**2) / (2.0 * size)
    return float(np.where(crosses, triangles, plain).sum())
