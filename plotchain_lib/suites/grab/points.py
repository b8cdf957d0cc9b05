"""Data series: sets of points, and their exact properties.

A series has 4 m + 1 points, so that the quartiles are points of it whichever of the usual
inclusive definitions is used, and no two points with the same x or the same y.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from plotchain_lib.suites.grab.curves import Array


def domain_length(x: Array, y: Array) -> float:
    """Largest x minus smallest x."""
    return float(x.max() - x.min())


def value_range(x: Array, y: Array) -> float:
    """Largest y minus smallest y."""
    return float(y.max() - y.min())


def mean(x: Array, y: Array) -> float:
    """Mean of y."""
    return float(y.sum()) / len(y)


def variance(x: Array, y: Array) -> float:
    """Mean squared deviation of y from its mean: divided by the number of points."""
    away = y - mean(x, y)
    return float((away * away).sum()) / len(y)


def median(x: Array, y: Array) -> float:
    """The middle one of the sorted y."""
    return float(np.sort(y)[len(y) // 2])


def interquartile_range(x: Array, y: Array) -> float:
    """Upper minus lower quartile of y: of 4 m + 1 sorted values the (3 m + 1)th and (m + 1)th."""
    ordered = np.sort(y)
    quarter = len(y) // 4
    return float(ordered[3 * quarter] - ordered[quarter])


def pearson(x: Array, y: Array) -> float:
    """Product-moment correlation coefficient."""
    dx, dy = x - x.sum() / len(x), y - y.sum() / len(y)
    return float((dx * dy).sum() / np.sqrt((dx * dx).sum() * (dy * dy).sum()))


def spearman(x: Array, y: Array) -> float:
    """Rank correlation ``1 - 6 sum d**2 / (n (n**2 - 1))``, without ties."""
    difference = np.argsort(np.argsort(x)) - np.argsort(np.argsort(y))
    count = len(x)
    return 1.0 - 6.0 * float((difference * difference).sum()) / (count * (count**2 - 1))


def kendall(x: Array, y: Array) -> float:
    """Concordant minus discordant pairs, over all pairs, without ties."""
    signs = np.sign(x[:, None] - x) * np.sign(y[:, None] - y)
    return float(signs.sum()) / (len(x) * (len(x) - 1))


STATISTICS: Mapping[str, Callable[[Array, Array], float]] = {
    "pearson": pearson,
    "spearman": spearman,
    "kendall": kendall,
    "mean": mean,
    "median": median,
    "interquartile_range": interquartile_range,
    "variance": variance,
    "domain_length": domain_length,
    "range": value_range,
    "maximum": lambda x, y: float(y.max()),
    "minimum": lambda x, y: float(y.min()),
}
