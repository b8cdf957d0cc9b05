"""How well two sets of points agree, whatever their order: numbers within a tolerance, or labels.

Distances are in fractions of the reference's span. A point earns full credit up to `full`, none
from `zero` on, and linearly in between. `zero` shrinks with the number of points, so that a dense
cloud does not match another dense cloud by chance.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import linear_sum_assignment
from scipy.spatial import cKDTree

Floats = NDArray[np.float64]
FULL, ZERO = 0.002, 0.05
FEW = 60  # points up to which the best assignment is computed; beyond, nearest neighbours
PROBES = 20_000  # points looked up among the other set's
APART = 10.0  # distance between two labels: never within a tolerance


def is_labels(values: Sequence[Any] | None) -> bool:
    """Whether these are labels of categories."""
    return values is not None and not {str}.isdisjoint(map(type, values))


def as_numbers(values: Sequence[Any]) -> Floats | None:
    """Numbers, also where they are written as labels; None where some label is no number."""
    try:
        return np.array(values, dtype=float)  # None becomes NaN
    except (TypeError, ValueError):
        return None


def tidy(label: object) -> str:
    """A label without the differences that are styling."""
    return " ".join(str(label).replace("_", " ").casefold().split())


def span_of(values: Floats, *, zero_based: bool = False, least: float = 0.0) -> float:
    """What distances are measured in: the range of the values, or a twentieth of a lone one."""
    values = values[np.isfinite(values)]
    if not len(values):
        return 1.0
    low, high = float(values.min()), float(values.max())
    if zero_based:
        low, high = min(low, 0.0), max(high, 0.0)
    span = max(high - low, 0.05 * least)
    return span or 0.05 * abs(high) or 1.0


def credit(distance: ArrayLike, full: float, zero: float) -> Floats:
    """1 up to `full`, 0 from `zero` on, linear in between."""
    worth = np.clip((zero - np.asarray(distance)) / (zero - full), 0.0, 1.0)
    return np.asarray(np.nan_to_num(worth, nan=0.0), dtype=float)


def tolerances(count: int, dimensions: int) -> tuple[float, float]:
    """`full` and `zero` for this many points that agree in one or in two numbers."""
    zero = min(ZERO, 0.25 / max(count, 1) ** (1 / dimensions))
    return min(FULL, zero / 4), zero


def agreement(reference: Floats, submitted: Floats, full: float, zero: float) -> float:
    """F1 of two sets of points, shapes (n, d) and (m, d), already in units of the span."""
    n, m = len(reference), len(submitted)
    if not n or not m:
        return float(n == m)
    if max(n, m) <= FEW:
        distance = np.abs(reference[:, None, :] - submitted[None, :, :]).max(axis=2)
        worth = credit(distance, full, zero)
        rows, columns = linear_sum_assignment(worth, maximize=True)
        return float(2 * worth[rows, columns].sum() / (n + m))
    there, _ = cKDTree(submitted).query(probes(reference), p=np.inf, distance_upper_bound=zero)
    back, _ = cKDTree(reference).query(probes(submitted), p=np.inf, distance_upper_bound=zero)
    recall = float(credit(there, full, zero).mean())
    precision = float(credit(back, full, zero).mean())
    return 2 * recall * precision / (recall + precision) if recall + precision else 0.0


def probes(values: Floats) -> Floats:
    """At most PROBES of these points, evenly along their sorted order: any order, the same ones."""
    if len(values) <= PROBES:
        return values
    ordered = values[np.lexsort(values.T[::-1])]
    chosen = np.linspace(0, len(values) - 1, PROBES).round().astype(int)
    return np.asarray(ordered[chosen], dtype=float)


def coordinates(
    reference: Sequence[Any], submitted: Sequence[Any], span: float, *, log: bool
) -> tuple[Floats, Floats] | None:
    """One axis of both sets in units of the span, or None where it cannot be compared.

    Labels are numbered APART from each other. Where fewer than half of the reference's labels
    are known to the submission, its author called the categories differently: no comparison.
    """
    if is_labels(reference) or is_labels(submitted):
        numbers = as_numbers(reference), as_numbers(submitted)
        if numbers[0] is None or numbers[1] is None:
            return _labels(reference, submitted)
        span = span_of(numbers[0])
    one, other = as_numbers(reference), as_numbers(submitted)
    if one is None or other is None:
        return None
    if log:
        one, other = log_of(one), log_of(other)
    return one / span, other / span


def log_of(values: Floats) -> Floats:
    """Decades; what a log axis cannot show becomes NaN."""
    return np.log10(np.where(values > 0, values, np.nan))


def _labels(reference: Sequence[Any], submitted: Sequence[Any]) -> tuple[Floats, Floats] | None:
    one, other = [tidy(v) for v in reference], [tidy(v) for v in submitted]
    known = set(one) & set(other)
    if len(known) < 0.5 * len(set(one)):
        return None
    numbers = {label: APART * i for i, label in enumerate(dict.fromkeys([*one, *other]))}
    return (
        np.asarray([numbers[label] for label in one], dtype=float),
        np.asarray([numbers[label] for label in other], dtype=float),
    )
