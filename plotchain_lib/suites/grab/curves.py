"""Functions as they are drawn: a formula on an interval, and its exact properties.

Every property is a closed formula of the parameters: antiderivatives, roots between neighbouring
stationary points, values at stationary points and ends. `plotchain_lib.suites.grab.measure` finds
the same properties from the drawn points instead.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]

_BISECTIONS = 80
_NEARLY_ZERO = 1e-12


class Curve(Protocol):
    """A function on the interval it is drawn on."""

    @property
    def low(self) -> float:
        """The interval's left end."""

    @property
    def high(self) -> float:
        """The interval's right end."""

    def at(self, x: Any) -> Any:
        """The function's value; `x` is a number or an array."""

    def turning(self) -> list[float]:
        """The stationary points inside the interval, rising."""

    def antiderivative(self, x: float) -> float:
        """An antiderivative of the function."""

    def square_antiderivative(self, x: float) -> float:
        """An antiderivative of the function's square."""

    def scaled(self, factor: float, offset: float) -> Curve:
        """The function `factor` times this one plus `offset`, on the same interval."""


@dataclass(frozen=True, slots=True)
class Polynomial:
    """The sum of ``coefficients[i] * (x - centre)**i``; degree 3 at most unless it only draws."""

    coefficients: tuple[float, ...]
    centre: float
    low: float
    high: float

    def at(self, x: Any) -> Any:
        """The function's value."""
        return _horner(self.coefficients, x - self.centre)

    def turning(self) -> list[float]:
        """Roots of the derivative, by the quadratic formula."""
        padded = (*self.coefficients, 0.0, 0.0, 0.0)
        if any(padded[4:]):
            raise ValueError("no closed formula for the stationary points of this degree")
        roots = _quadratic_roots(3.0 * padded[3], 2.0 * padded[2], padded[1])
        return [u + self.centre for u in roots if self.low < u + self.centre < self.high]

    def antiderivative(self, x: float) -> float:
        """Term by term."""
        return _integrated(self.coefficients, x - self.centre)

    def square_antiderivative(self, x: float) -> float:
        """Term by term of the product."""
        squared = [0.0] * (2 * len(self.coefficients) - 1)
        for i, a in enumerate(self.coefficients):
            for j, b in enumerate(self.coefficients):
                squared[i + j] += a * b
        return _integrated(tuple(squared), x - self.centre)

    def scaled(self, factor: float, offset: float) -> Polynomial:
        """`factor` times this one plus `offset`."""
        first, *rest = (factor * c for c in self.coefficients)
        return Polynomial((first + offset, *rest), self.centre, self.low, self.high)


@dataclass(frozen=True, slots=True)
class Sine:
    """The function ``amplitude * sin(2 pi (x - shift) / period) + level``; amplitude > 0."""

    amplitude: float
    period: float
    shift: float
    level: float
    low: float
    high: float

    def _angle(self, x: Any) -> Any:
        return 2.0 * math.pi * (x - self.shift) / self.period

    def at(self, x: Any) -> Any:
        """The function's value."""
        return self.amplitude * np.sin(self._angle(x)) + self.level

    def turning(self) -> list[float]:
        """A quarter and three quarters of every period after the shift."""
        half = self.period / 2.0
        first = self.shift + half / 2.0
        start = math.ceil((self.low - first) / half)
        places = (first + half * n for n in range(start, start + 200))
        found = []
        for place in places:
            if place >= self.high:
                break
            if place > self.low:
                found.append(place)
        return found

    def antiderivative(self, x: float) -> float:
        """``-a cos / w + d x``."""
        rate = 2.0 * math.pi / self.period
        return -self.amplitude * math.cos(self._angle(x)) / rate + self.level * x

    def square_antiderivative(self, x: float) -> float:
        """Of ``a**2 sin**2 + 2 a d sin + d**2``."""
        rate, a, d = 2.0 * math.pi / self.period, self.amplitude, self.level
        angle = self._angle(x)
        wave = x / 2.0 - math.sin(2.0 * angle) / (4.0 * rate)
        return a * a * wave - 2.0 * a * d * math.cos(angle) / rate + d * d * x

    def scaled(self, factor: float, offset: float) -> Sine:
        """`factor` times this one plus `offset`; a negative factor moves by half a period."""
        shift = self.shift if factor > 0 else self.shift + self.period / 2.0
        level = factor * self.level + offset
        return Sine(abs(factor) * self.amplitude, self.period, shift, level, self.low, self.high)


@dataclass(frozen=True, slots=True)
class Bell:
    """The function ``height * exp(-((x - centre) / width)**2 / 2) + level``; only drawn."""

    height: float
    centre: float
    width: float
    level: float
    low: float
    high: float

    def at(self, x: Any) -> Any:
        """The function's value."""
        return self.height * np.exp(-(((x - self.centre) / self.width) ** 2) / 2.0) + self.level

    def turning(self) -> list[float]:
        """The peak."""
        return [self.centre]


KINDS: Mapping[str, type[Any]] = {"polynomial": Polynomial, "sine": Sine, "bell": Bell}


def to_params(curve: Any) -> dict[str, Any]:
    """The curve as JSON."""
    kind = next(name for name, made in KINDS.items() if isinstance(curve, made))
    values = {k: list(v) if isinstance(v, tuple) else v for k, v in asdict(curve).items()}
    return {"kind": kind, **values}


def from_params(params: Mapping[str, Any]) -> Any:
    """What `to_params` wrote."""
    values = {k: tuple(v) if isinstance(v, list) else v for k, v in params.items() if k != "kind"}
    return KINDS[params["kind"]](**values)


def _horner(coefficients: tuple[float, ...], u: Any) -> Any:
    value = u * 0.0
    for coefficient in reversed(coefficients):
        value = value * u + coefficient
    return value


def _integrated(coefficients: tuple[float, ...], u: float) -> float:
    return float(_horner((0.0, *(c / (n + 1) for n, c in enumerate(coefficients))), u))


def _quadratic_roots(a: float, b: float, c: float) -> list[float]:
    """Real roots of ``a x**2 + b x + c``, rising; none of a constant."""
    if a == 0.0:
        return [-c / b] if b != 0.0 else []
    inside = b * b - 4.0 * a * c
    if inside <= 0.0:
        return []
    q = -(b + math.copysign(math.sqrt(inside), b)) / 2.0
    return sorted((q / a, c / q)) if q != 0.0 else [0.0]


def pieces(curve: Curve) -> list[tuple[float, float]]:
    """The interval cut at the stationary points: the function is monotone on each piece."""
    cuts = [curve.low, *curve.turning(), curve.high]
    return list(itertools.pairwise(cuts))


def roots(curve: Curve) -> list[float]:
    """Where the function changes its sign, by bisection of the monotone pieces."""
    found = []
    for left, right in pieces(curve):
        start, end = float(curve.at(left)), float(curve.at(right))
        if start * end >= 0.0:
            continue
        for _ in range(_BISECTIONS):
            middle = (left + right) / 2.0
            if float(curve.at(middle)) * start > 0.0:
                left = middle
            else:
                right = middle
        found.append((left + right) / 2.0)
    return found


def extremes(curve: Curve) -> tuple[float, float]:
    """The smallest and the largest value on the interval."""
    values = [float(curve.at(x)) for x in (curve.low, *curve.turning(), curve.high)]
    return min(values), max(values)


def length(curve: Curve) -> float:
    """The interval's length."""
    return curve.high - curve.low


def net_area(curve: Curve) -> float:
    """The integral: area above the x-axis minus area below it."""
    return curve.antiderivative(curve.high) - curve.antiderivative(curve.low)


def total_area(curve: Curve) -> float:
    """The integral of the absolute value."""
    cuts = [curve.low, *roots(curve), curve.high]
    ends = [curve.antiderivative(cut) for cut in cuts]
    return sum(abs(b - a) for a, b in itertools.pairwise(ends))


def mean(curve: Curve) -> float:
    """The integral divided by the interval's length."""
    return net_area(curve) / length(curve)


def variance(curve: Curve) -> float:
    """The mean square minus the square of the mean."""
    square = curve.square_antiderivative(curve.high) - curve.square_antiderivative(curve.low)
    return square / length(curve) - mean(curve) ** 2
