"""Location and spread of a series' y-coordinates."""

from __future__ import annotations

import numpy as np

from plotchain_lib.models.reader.seen import Array

NAMES = frozenset({"mean", "median", "interquartile_range", "variance"})


def measure_series(name: str, points: Array) -> float:
    """Of points of shape (n, 2)."""
    y = points[:, 1]
    if name == "mean":
        return float(np.mean(y))
    if name == "median":
        return float(np.median(y))
    if name == "variance":
        return float(np.var(y))
    lower, upper = np.quantile(y, [0.25, 0.75])
    return float(upper - lower)
