"""Operations on the plane, composed exactly, and what they make of a curve's properties.

Rotations are by right angles, so that the linear part of any composition keeps the axes or swaps
them, and every property of the transformed curve is a closed formula. A map is six numbers
(a, b, c, d, e, f): ``x' = a x + b y + e`` and ``y' = c x + d y + f``.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from plotchain_lib.suites.grab import curves
from plotchain_lib.suites.grab.curves import Curve, Polynomial, Sine

ROTATIONS = {90: (0.0, -1.0, 1.0, 0.0), 180: (-1.0, 0.0, 0.0, -1.0), 270: (0.0, 1.0, -1.0, 0.0)}


@dataclass(frozen=True, slots=True)
class Plane:
    """An affine map of the plane; the identity by default."""

    a: float = 1.0
    b: float = 0.0
    c: float = 0.0
    d: float = 1.0
    e: float = 0.0
    f: float = 0.0

    def then(self, after: Plane) -> Plane:
        """This map, then the other."""
        return Plane(
            after.a * self.a + after.b * self.c,
            after.a * self.b + after.b * self.d,
            after.c * self.a + after.d * self.c,
            after.c * self.b + after.d * self.d,
            after.a * self.e + after.b * self.f + after.e,
            after.c * self.e + after.d * self.f + after.f,
        )

    def at(self, x: Any, y: Any) -> tuple[Any, Any]:
        """Where points go; numbers or arrays."""
        return self.a * x + self.b * y + self.e, self.c * x + self.d * y + self.f

    @property
    def swaps(self) -> bool:
        """Whether x and y change places."""
        return self.a == 0.0


def plane(operation: Mapping[str, Any]) -> Plane:
    """The map of one operation: its ``kind`` and ``value`` (``in``, the axis, where it has one)."""
    kind, value = operation["kind"], operation.get("value", 0)
    if kind == "rotation":
        return Plane(*ROTATIONS[int(value)])
    if kind == "translation":
        return Plane(e=float(value)) if operation["in"] == "x" else Plane(f=float(value))
    if kind == "scale":
        return Plane(a=float(value)) if operation["in"] == "x" else Plane(d=float(value))
    return {
        "x-axis": Plane(d=-1.0),
        "y-axis": Plane(a=-1.0),
        "y=x": Plane(0.0, 1.0, 1.0, 0.0),
        "y=-x": Plane(0.0, -1.0, -1.0, 0.0),
        "x=a": Plane(a=-1.0, e=2.0 * value),
        "y=b": Plane(d=-1.0, f=2.0 * value),
    }[operation["line"]]


def composed(operations: Sequence[Mapping[str, Any]]) -> Plane:
    """All operations, the first one first."""
    whole = Plane()
    for operation in operations:
        whole = whole.then(plane(operation))
    return whole


def extents(curve: Curve, whole: Plane) -> tuple[tuple[float, float], tuple[float, float]]:
    """Smallest and largest x, smallest and largest y of the transformed curve."""
    sides = [(curve.low, curve.high), curves.extremes(curve)]
    if whole.swaps:
        sides.reverse()
    (x1, x2), (y1, y2) = sides
    x_factor, y_factor = (whole.b, whole.c) if whole.swaps else (whole.a, whole.d)
    across = x_factor * x1 + whole.e, x_factor * x2 + whole.e
    up = y_factor * y1 + whole.f, y_factor * y2 + whole.f
    return (min(across), max(across)), (min(up), max(up))


def slope(curve: Polynomial, whole: Plane) -> float:
    """The gradient of a transformed line. Raises ZeroDivisionError where it is vertical."""
    gradient = curve.coefficients[1]
    return (whole.c + whole.d * gradient) / (whole.a + whole.b * gradient)


def is_function(curve: Curve, whole: Plane) -> bool:
    """Whether every vertical line meets the transformed curve at most once."""
    return not whole.swaps or not curve.turning()


def net_area(curve: Polynomial | Sine, whole: Plane) -> float:
    """The integral of the transformed curve over its x, where it is a function."""
    if not whole.swaps:
        return abs(whole.a) * curves.net_area(curve.scaled(whole.d, whole.f))
    return _swapped(curve, whole, curve.low, curve.high)


def total_area(curve: Polynomial | Sine, whole: Plane) -> float:
    """The integral of the absolute value, where the transformed curve is a function."""
    if not whole.swaps:
        return abs(whole.a) * curves.total_area(curve.scaled(whole.d, whole.f))
    root = -whole.f / whole.c
    cuts = [curve.low, *([root] if curve.low < root < curve.high else []), curve.high]
    parts = itertools.pairwise(cuts)
    return sum(abs(_swapped(curve, whole, left, right)) for left, right in parts)


def _swapped(curve: Polynomial | Sine, whole: Plane, left: float, right: float) -> float:
    """Of a monotone curve with x and y swapped: the integral of y' over x', by parts.

    With x' = b y + e and y' = c x + f it is |b| times the integral of (c x + f) |dy/dx| over x.
    """
    ends = [float(curve.at(x)) for x in (left, right)]
    moment = right * ends[1] - left * ends[0]
    moment -= curve.antiderivative(right) - curve.antiderivative(left)
    rising = 1.0 if ends[1] > ends[0] else -1.0
    return abs(whole.b) * rising * (whole.c * moment + whole.f * (ends[1] - ends[0]))


def is_fixed(curve: Curve, before: Plane, operation: Mapping[str, Any]) -> bool:
    """Whether an operation would leave the curve, as it lies by then, where it is.

    A map that leaves a curve as it is keeps or exchanges its ends; this refuses all that do.
    """
    ends = [before.at(x, float(curve.at(x))) for x in (curve.low, curve.high)]
    moved = [plane(operation).at(*end) for end in ends]
    return _same(ends, moved) or _same(ends, moved[::-1])


def _same(first: list[tuple[float, float]], second: list[tuple[float, float]]) -> bool:
    near = 0.05
    return all(
        abs(a[0] - b[0]) < near and abs(a[1] - b[1]) < near
        for a, b in zip(first, second, strict=True)
    )


def is_identity(whole: Plane) -> bool:
    """Whether a map moves no point."""
    identity = Plane()
    return all(
        abs(getattr(whole, name) - getattr(identity, name)) < 1e-9 for name in Plane.__slots__
    )
