"""Where a curve crosses the axes, and how steep a line is."""

from __future__ import annotations

import numpy as np

from plotchain_lib.models.reader.graphs.curves import ANY
from plotchain_lib.models.reader.graphs.view import View
from plotchain_lib.models.reader.seen import UnreadableError

KINDS = {"x_intercept": ANY, "y_intercept": ANY, "gradient": ("line",)}
ENDS = frozenset[str]()


def measure(name: str, view: View) -> float:
    """A crossing, or the gradient of a line.

    Raises UnreadableError where there is not one crossing, or where a line is upright.
    """
    x, y = view.points.T
    if name == "gradient":
        if abs(x[-1] - x[0]) < 1e-6 * abs(y[-1] - y[0]):
            raise UnreadableError("an upright line has no gradient")
        return float((y[-1] - y[0]) / (x[-1] - x[0]))
    along, height = (x, y) if name == "x_intercept" else (y, x)
    steps = np.flatnonzero((height[:-1] < 0.0) != (height[1:] < 0.0))
    if len(steps) != 1:
        raise UnreadableError(f"a curve crosses that axis {len(steps)} times")
    n = int(steps[0])
    share = height[n] / (height[n] - height[n + 1])
    return float(along[n] + share * (along[n + 1] - along[n]))
