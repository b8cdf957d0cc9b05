"""Correlation of a series' coordinates."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from scipy import stats

from plotchain_lib.models.reader.seen import Array, UnreadableError

_FIND: Mapping[str, Callable[[Array, Array], Any]] = {
    "pearson": stats.pearsonr,
    "spearman": stats.spearmanr,
    "kendall": stats.kendalltau,
}
NAMES = frozenset({"pearson", "spearman", "kendall"})


def measure_series(name: str, points: Array) -> float:
    """Of points of shape (n, 2). Raises UnreadableError where it is not defined."""
    x, y = points.T
    if len(x) < 3 or min(np.ptp(x), np.ptp(y)) <= 0.0:
        raise UnreadableError("too few points for a correlation")
    return float(_FIND[name](x, y)[0])
