"""How well two sets of points agree, whatever their order: numbers within a tolerance, or labels.

Distances are in fractions of the reference's span. A point earns full credit up to `full`, none
from `zero` on, and linearly in between. `zero` shrinks with the number of points, so that a dense
cloud does not match another dense cloud by chance.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
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


class Column(list[Any]):
    """Positions of a mark along an axis. How they read is found once, however often asked."""

    @cached_property
    def numbers(self) -> Floats | None:
        """As numbers, read-only; None where some label is no number."""
        numbers = _numbers(self)
        if numbers is not None:
            numbers.flags.writeable = False
        return numbers

    @cached_property
    def named(self) -> bool:
        """Whether they are labels of categories."""
        return not {str}.isdisjoint(map(type, self))


def is_labels(values: Sequence[Any] | None) -> bool:
    """Whether these are labels of categories."""
    if isinstance(values, Column):
        return values.named
    return values is not None and not {str}.isdisjoint(map(type, values))


def as_numbers(values: Sequence[Any]) -> Floats | None:
    """Numbers, also where they are written as labels; None where some label is no number."""
    return values.numbers if isinstance(values, Column) else _numbers(values)


def _numbers(values: Sequence[Any]) -> Floats | None:
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
    if n == m and _same(reference, submitted, full):
        return 1.0
    recall = _found(reference, submitted, full, zero)
    precision = _found(submitted, reference, full, zero) if recall else 0.0
    return 2 * recall * precision / (recall + precision) if recall else 0.0


def _same(one: Floats, other: Floats, full: float) -> bool:
    """Whether each point has full credit from the one in its place, as they are or sorted."""
    ends = (one.min(axis=0), one.max(axis=0)), (other.min(axis=0), other.max(axis=0))
    if (np.abs(np.subtract(*ends)) > full).any():
        return False
    orders = ((one, other), (_sorted(one), _sorted(other)))
    return any((np.abs(a - b) <= full).all() for a, b in orders)


def _sorted(values: Floats) -> Floats:
    return _chosen(values, np.lexsort(values.T[::-1]))


def _chosen(values: Floats, rows: NDArray[np.generic]) -> Floats:
    """These rows, column by column in memory: NumPy is slow along an axis of one or two."""
    return values.T[:, rows].T


def _found(points: Floats, others: Floats, full: float, zero: float) -> float:
    """Mean credit of points for the nearest of the others."""
    asked = probes(points)
    low, high = others.min(axis=0) - zero, others.max(axis=0) + zero
    near = ((asked >= low) & (asked <= high)).all(axis=1)
    distance = np.full(len(asked), np.inf)
    if near.any():
        # Quickly built: each tree is asked once.
        tree = cKDTree(others, balanced_tree=False, compact_nodes=False)
        distance[near], _ = tree.query(_chosen(asked, near), p=np.inf, distance_upper_bound=zero)
    return float(credit(distance, full, zero).mean())


def probes(values: Floats) -> Floats:
    """At most PROBES of these points, evenly along their sorted order: any order, the same ones."""
    if len(values) <= PROBES:
        return values
    chosen = np.linspace(0, len(values) - 1, PROBES).round().astype(int)
    return _chosen(values, np.lexsort(values.T[::-1])[chosen])


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
