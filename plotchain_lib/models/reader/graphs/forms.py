"""What a line may be: a polynomial, a sine, a bell curve; each fitted in pixels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from scipy.optimize import least_squares

from plotchain_lib.models.reader.seen import Array, UnreadableError

_ROUNDS = 8
_NEAR = 0.5  # pixels: points further off count ever less
_CYCLES = (0.6, 24.0)  # of a sine between its ends
_FINE = 0.06  # cycles between two first guesses


class Form(Protocol):
    """A function of x, both in pixels."""

    def at(self, x: Any) -> Any:
        """Its value."""

    def slope(self, x: Any) -> Any:
        """Its derivative."""


@dataclass(frozen=True, slots=True)
class Polynomial:
    """The sum of ``coefficients[i] * ((x - middle) / half)**i``."""

    coefficients: Array
    middle: float
    half: float

    def at(self, x: Any) -> Any:
        """Its value."""
        return np.polynomial.polynomial.polyval((x - self.middle) / self.half, self.coefficients)

    def slope(self, x: Any) -> Any:
        """Its derivative."""
        rising = np.polynomial.polynomial.polyder(self.coefficients) / self.half
        return np.polynomial.polynomial.polyval((x - self.middle) / self.half, rising)


@dataclass(frozen=True, slots=True)
class Sine:
    """The function ``height * sin(2 pi (x - shift) / period) + level``, height and period > 0."""

    height: float
    period: float
    shift: float
    level: float

    def at(self, x: Any) -> Any:
        """Its value."""
        return self.height * np.sin(2.0 * np.pi * (x - self.shift) / self.period) + self.level

    def slope(self, x: Any) -> Any:
        """Its derivative."""
        rate = 2.0 * np.pi / self.period
        return self.height * rate * np.cos(rate * (x - self.shift))


@dataclass(frozen=True, slots=True)
class Bell:
    """The function ``height * exp(-((x - centre) / width)**2 / 2) + level``."""

    height: float
    centre: float
    width: float
    level: float

    def at(self, x: Any) -> Any:
        """Its value."""
        return self.height * np.exp(-(((x - self.centre) / self.width) ** 2) / 2.0) + self.level

    def slope(self, x: Any) -> Any:
        """Its derivative."""
        away = (x - self.centre) / self.width
        return -self.height * away / self.width * np.exp(-(away**2) / 2.0)


def distances(form: Form, x: Array, y: Array) -> Array:
    """How far places lie from the form's tangent above or below them, in pixels."""
    return np.asarray((y - form.at(x)) / np.hypot(1.0, form.slope(x)))


def fit_polynomial(x: Array, y: Array, degree: int) -> Polynomial:
    """The polynomial nearest to most of the places."""
    middle, half = (x[0] + x[-1]) / 2.0, max((x[-1] - x[0]) / 2.0, 1.0)
    powers = np.vander((x - middle) / half, degree + 1, increasing=True)
    form = Polynomial(_solved(powers, y, np.ones(len(x))), middle, half)
    for _ in range(_ROUNDS):
        away = distances(form, x, y)
        scale = max(_NEAR, float(np.median(np.abs(away))))
        weight = 1.0 / (1.0 + form.slope(x) ** 2) / (1.0 + (away / scale) ** 2)
        form = Polynomial(_solved(powers, y, weight), middle, half)
    return form


def _solved(columns: Array, y: Array, weight: Array) -> Array:
    root = np.sqrt(weight)
    solution = np.linalg.lstsq(columns * root[:, None], y * root, rcond=None)[0]
    return np.asarray(solution, dtype=np.float64)


def fit_sine(x: Array, y: Array) -> Sine:
    """The sine nearest to most of the places: the best of many periods, refined.

    Raises UnreadableError where no period is near.
    """
    span = max(float(x[-1] - x[0]), 1.0)
    step = max(1, len(x) // 240)
    some_x, some_y = x[::step], y[::step]
    rates = 2.0 * np.pi * np.arange(*_CYCLES, _FINE) / span
    angle = rates[:, None] * (some_x - x[0])
    columns = np.stack([np.sin(angle), np.cos(angle), np.ones_like(angle)], axis=2)
    normal = np.einsum("kni,knj->kij", columns, columns) + 1e-6 * np.eye(3)
    solved = np.linalg.solve(normal, np.einsum("kni,n->ki", columns, some_y)[..., None])
    misfit = np.abs(np.einsum("kni,kij->kn", columns, solved) - some_y).mean(axis=1)
    best = int(misfit.argmin())
    a, b, level = solved[best, :, 0]
    start = np.array([np.hypot(a, b), rates[best], np.arctan2(b, a), level])
    size = np.array([1.0, 1.0 / span, 1.0 / max(start[0], 1.0), 1.0])

    def made(scaled: Array) -> Sine:
        height, rate, phase, own = scaled * size
        rate = max(abs(rate), 1e-9)
        if height < 0.0:
            height, phase = -height, phase + np.pi
        return Sine(float(height), 2.0 * np.pi / rate, float(x[0] - phase / rate), float(own))

    def away(scaled: Array) -> Array:
        return distances(made(scaled), some_x, some_y)

    found = least_squares(away, start / size, loss="soft_l1", f_scale=_NEAR, max_nfev=60)
    return made(np.asarray(found.x))


def fit_bell(x: Array, y: Array) -> Bell:
    """The bell curve nearest to most of the places, upwards or downwards."""
    span = max(float(x[-1] - x[0]), 1.0)
    ends = float(np.median(np.concatenate([y[:5], y[-5:]])))
    tops = [int(y.argmin()), int(y.argmax())]
    best: tuple[float, Bell] | None = None
    for top in tops:
        size = np.array([max(abs(y[top] - ends), 1.0), span, span, max(abs(y[top] - ends), 1.0)])
        start = np.array([y[top] - ends, x[top], span / 5.0, ends]) / size

        def away(scaled: Array, size: Array = size) -> Array:
            height, centre, width, level = scaled * size
            return distances(Bell(height, centre, max(abs(width), 1.0), level), x, y)

        found = least_squares(away, start, loss="soft_l1", f_scale=_NEAR, max_nfev=80)
        height, centre, width, level = (float(value) for value in found.x * size)
        if best is None or found.cost < best[0]:
            best = float(found.cost), Bell(height, centre, max(abs(width), 1.0), level)
    if best is None:
        raise UnreadableError("no bell curve")
    return best[1]
