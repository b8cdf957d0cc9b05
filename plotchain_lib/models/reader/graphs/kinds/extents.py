"""How far a curve or a series reaches."""

from __future__ import annotations

import numpy as np

from plotchain_lib.models.reader.graphs.curves import ANY
from plotchain_lib.models.reader.graphs.view import View
from plotchain_lib.models.reader.seen import Array

NAMES = frozenset({"domain_length", "range", "maximum", "minimum"})
KINDS = dict.fromkeys(sorted(NAMES), ANY)
ENDS = NAMES


def measure(name: str, view: View) -> float:
    """Of a curve, from places that hold its turning points closely enough."""
    return measure_series(name, view.points)


def measure_series(name: str, points: Array) -> float:
    """Of points of shape (n, 2)."""
    x, y = points.T
    if name == "domain_length":
        return float(np.ptp(x))
    if name == "range":
        return float(np.ptp(y))
    return float(y.max() if name == "maximum" else y.min())
