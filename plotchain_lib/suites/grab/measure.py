"""The answer, found again from the points that were drawn, by other means than the generator's.

Integrals are sums over the drawn points, extremes and crossings are looked up among them, ranks and
quartiles come from SciPy, transformed curves are moved point by point. Of an item's parameters only
what the question says is used: the property, the precision, the operations.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from scipy import stats

from plotchain_lib.suites.grab.answers import write_answer
from plotchain_lib.suites.grab.curves import Array
from plotchain_lib.suites.grab.rounding import written
from plotchain_lib.suites.grab.special import equation_text

_DEGREES = {"linear_equation": 1, "quadratic_equation": 2, "cubic_equation": 3,
            "quartic_equation": 4}  # fmt: skip


def moved(points: Array, operation: Mapping[str, Any]) -> Array:
    """Points of shape (n, 2) after one operation."""
    x, y = points.T
    kind, value = operation["kind"], operation.get("value", 0)
    if kind == "rotation":
        turned = (x + 1j * y) * np.exp(1j * math.radians(value))
        return np.column_stack([turned.real, turned.imag])
    if kind in ("translation", "scale"):
        by = np.array([value, 0.0 if kind == "translation" else 1.0])
        by = by if operation["in"] == "x" else by[::-1]
        return np.asarray(points + by if kind == "translation" else points * by)
    # A line by a point of it and its direction; the mirror image by projecting on it.
    point, angle = {
        "x-axis": ((0.0, 0.0), 0.0), "y-axis": ((0.0, 0.0), 90.0), "y=x": ((0.0, 0.0), 45.0),
        "y=-x": ((0.0, 0.0), -45.0), "x=a": ((value, 0.0), 90.0), "y=b": ((0.0, value), 0.0),
    }[operation["line"]]  # fmt: skip
    along = np.array([math.cos(math.radians(angle)), math.sin(math.radians(angle))])
    away = points - np.array(point)
    return np.asarray(2.0 * np.outer(away @ along, along) - away + np.array(point))


def crossings(points: Array, level: float = 0.0) -> list[tuple[float, bool]]:
    """Where a polyline crosses a level: x, and whether it rises there."""
    x, y = points[:, 0], points[:, 1] - level
    steps = np.nonzero((y[:-1] < 0.0) != (y[1:] < 0.0))[0]
    return [
        (float(x[n] - y[n] * (x[n + 1] - x[n]) / (y[n + 1] - y[n])), bool(y[n + 1] > y[n]))
        for n in steps
    ]


def _stationary(points: Array) -> list[float]:
    """Turning points inside: the vertex of the parabola through the three points around each."""
    x, y = points.T
    rising = np.diff(y) > 0.0
    found = []
    for n in np.nonzero(rising[:-1] != rising[1:])[0]:
        a, b, _ = np.polyfit(x[n : n + 3] - x[n + 1], y[n : n + 3], 2)
        found.append(float(x[n + 1] - b / (2.0 * a)))
    return found


def _middle(points: Array) -> float:
    return float(points[:, 1].max() + points[:, 1].min()) / 2.0


def _period(points: Array) -> float:
    """Twice the mean distance between neighbouring crossings of the middle."""
    places = [x for x, _ in crossings(points, _middle(points))]
    return 2.0 * (places[-1] - places[0]) / (len(places) - 1)


def _phase_shift(points: Array) -> float:
    rises = [x for x, rises in crossings(points, _middle(points)) if rises]
    return min(rises, key=abs)


def _integral(points: Array, change: Callable[[Array], Array] = lambda y: y) -> float:
    """Trapezia; a line is cut finely first, because `change` may bend it."""
    x, y = points.T
    if x[0] > x[-1]:
        x, y = x[::-1], y[::-1]
    if len(x) == 2:
        fine = np.linspace(x[0], x[1], 20001)
        x, y = fine, np.interp(fine, x, y)
    return float(np.trapezoid(change(y), x))


def _mean(points: Array) -> float:
    return _integral(points) / abs(float(points[-1, 0] - points[0, 0]))


def _variance(points: Array) -> float:
    middle = _mean(points)
    square = _integral(points, lambda y: (y - middle) ** 2)
    return square / abs(float(points[-1, 0] - points[0, 0]))


def _gradient(points: Array) -> float:
    (x1, y1), (x2, y2) = points[0], points[-1]
    return float((y2 - y1) / (x2 - x1))


def _spread(column: int) -> Callable[[Array], float]:
    return lambda points: float(np.ptp(points[:, column]))


_CURVES: Mapping[str, Callable[[Array], float]] = {
    "x_intercept": lambda points: crossings(points)[0][0],
    "y_intercept": lambda points: float(np.interp(0.0, points[:, 0], points[:, 1])),
    "gradient": _gradient,
    "stationary_point": lambda points: _stationary(points)[0],
    "peak": lambda points: _stationary(points)[0],
    "amplitude": lambda points: float(np.ptp(points[:, 1])) / 2.0,
    "vertical_shift": _middle,
    "period": _period,
    "phase_shift": _phase_shift,
    "net_area": _integral,
    "total_area": lambda points: _integral(points, np.abs),
    "mean": _mean,
    "variance": _variance,
    "domain_length": _spread(0),
    "range": _spread(1),
    "maximum": lambda points: float(points[:, 1].max()),
    "minimum": lambda points: float(points[:, 1].min()),
}
_SERIES: Mapping[str, Callable[[Array], float]] = {
    "pearson": lambda points: float(stats.pearsonr(*points.T).statistic),
    "spearman": lambda points: float(stats.spearmanr(*points.T).statistic),
    "kendall": lambda points: float(stats.kendalltau(*points.T).statistic),
    "mean": lambda points: float(np.mean(points[:, 1])),
    "median": lambda points: float(np.median(points[:, 1])),
    "interquartile_range": lambda points: float(stats.iqr(points[:, 1])),
    "variance": lambda points: float(np.var(points[:, 1])),
    "domain_length": _spread(0),
    "range": _spread(1),
    "maximum": lambda points: float(points[:, 1].max()),
    "minimum": lambda points: float(points[:, 1].min()),
}


def _equation(name: str, points: Array) -> str:
    x, y = points.T
    if name != "sine_equation":
        fit = np.polyfit(x, y, _DEGREES[name])
        return equation_text(name, [round(value) for value in fit])
    level, rate = _middle(points), 2.0 * math.pi / _period(points)
    height = float(np.ptp(y)) / 2.0
    angle = -round(rate) * _phase_shift(points)
    angle -= 2.0 * math.pi * round(angle / (2.0 * math.pi))
    return equation_text(name, [round(height), round(rate), round(angle), round(level)])


def _one(name: str, drawn: Mapping[str, Array], operations: Sequence[Mapping[str, Any]]) -> float:
    """The mean of a property over everything drawn."""
    own = name.removeprefix("data_")
    values = []
    for gid, points in drawn.items():
        for operation in operations:
            points = moved(points, operation)
        table = _SERIES if gid.startswith("series") else _CURVES
        values.append(table[own](points))
    return float(np.mean(values))


def measured_answer(params: Mapping[str, Any], drawn: Mapping[str, Array]) -> str:
    """The right string by what was drawn: gid to points of shape (n, 2)."""
    name, precision = params["property"], params["precision"]
    if precision == "equation":
        return _equation(name, drawn["curve0"])
    if precision == "pair":
        return write_answer([round(x) for x in _stationary(drawn["curve0"])], "pair")
    if params["category"] == "counting":
        points = np.unique(np.concatenate(list(drawn.values())), axis=0)
        return str(len(points) if name == "points" else len(drawn))
    return written(_one(name, drawn, params["operations"]), precision)
