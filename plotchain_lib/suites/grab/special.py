"""Questions with an answer of their own form: pairs, equations, and counts."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Sequence

import numpy as np

from plotchain_lib.sampling import significant
from plotchain_lib.suites.grab.answers import write_answer
from plotchain_lib.suites.grab.curves import Array, Polynomial, Sine
from plotchain_lib.suites.grab.dice import Dice
from plotchain_lib.suites.grab.sets import Places, Series
from plotchain_lib.suites.grab.shapes import DIGITS, Frame, interval

PAIR_REACH = 12
_LEAST_DIFFERENCE = 0.03  # of the drawn height: from the curve of any other coefficients near by

# Of each form, how large its parameters may be, from left to right.
LIMITS = {
    "linear_equation": (9, 12),
    "quadratic_equation": (5, 9, 12),
    "cubic_equation": (4, 6, 9, 12),
    "quartic_equation": (3, 5, 7, 9, 12),
    "sine_equation": (10, 5, 3, 10),
}
FORM_OF = {
    "linear_equation": "line",
    "quadratic_equation": "quadratic",
    "cubic_equation": "cubic",
    "quartic_equation": "quartic",
    "sine_equation": "sine",
}


def two_stationary_points(dice: Dice, aim: float) -> tuple[Polynomial, int, int] | None:
    """A cubic with integer stationary points, the first the smaller."""
    pairs = list(itertools.combinations(range(-PAIR_REACH, PAIR_REACH + 1), 2))
    first, second = pairs[int(aim * len(pairs))]
    apart = second - first
    if apart < 2:
        return None
    middle, half = (first + second) / 2.0, apart / 2.0
    height = dice.uniform(4.0, 40.0) * dice.sign()
    # u**3 - 3 half**2 u has its stationary points at -half and half, 4 half**3 apart in height.
    cube = height / (4.0 * half**3)
    level = dice.uniform(-20.0, 20.0)
    coefficients = tuple(
        significant(c, DIGITS) for c in (level, -3.0 * half * half * cube, 0.0, cube)
    )
    ends = (round(apart * dice.uniform(0.2, 0.42), 3) for _ in range(2))
    low, high = first - next(ends), second + next(ends)
    return Polynomial(coefficients, middle, round(low, 3), round(high, 3)), first, second


def equation_text(name: str, values: Sequence[int]) -> str:
    """The right string: every parameter written."""
    return write_answer(values, "equation", FORM_OF[name])


def equation(name: str, dice: Dice) -> tuple[Polynomial | Sine, list[int]] | None:
    """A function with integer parameters, none 0, that can be told from all others near by."""
    values = [dice.integer(1, limit) * dice.sign() for limit in LIMITS[name]]
    if name == "sine_equation":
        return _sine(dice, [abs(values[0]), abs(values[1]), *values[2:]])
    half = dice.uniform(1.5, 6.0) if len(values) < 4 else dice.uniform(1.3, 2.4)
    low = round(-half * dice.uniform(0.7, 1.3), 3)
    high = round(half * dice.uniform(0.7, 1.3), 3)
    curve = Polynomial(tuple(map(float, values[::-1])), 0.0, low, high)
    return (curve, values) if _told_apart(curve) else None


def _sine(dice: Dice, values: list[int]) -> tuple[Sine, list[int]] | None:
    """Positive a and b, and c within half a turn: then no other parameters draw this curve."""
    a, b, c, d = values
    period = 2.0 * np.pi / b
    half = period * dice.uniform(0.75, 1.6)
    low, high = round(-half * dice.uniform(0.8, 1.2), 3), round(half * dice.uniform(0.8, 1.2), 3)
    return Sine(float(a), period, -c / b, float(d), low, high), values


def _told_apart(curve: Polynomial) -> bool:
    """Whether other integer coefficients, each 2 away at most, draw a curve clearly elsewhere."""
    x = np.linspace(curve.low, curve.high, 25)
    y = curve.at(x)
    powers = x[None, :] ** np.arange(len(curve.coefficients))[:, None]
    away = np.abs(_changes(len(curve.coefficients)) @ powers).max(axis=1)
    return bool(away.min() >= _LEAST_DIFFERENCE * float(y.max() - y.min()))


@functools.cache
def _changes(count: int) -> Array:
    """Every change of integer coefficients by 2 at most, one of each pair of opposites."""
    changes = np.array(list(itertools.product(range(-2, 3), repeat=count)), dtype=np.float64)
    return changes[: len(changes) // 2]


def scattered(dice: Dice, count: int, frame: Frame, gap: float) -> Series | None:
    """`count` points that do not touch, anywhere in the frame."""
    places = Places(frame, gap)
    x_span, y_span = interval(dice, frame, 0.8), interval(dice, Frame(frame.y, frame.y), 0.8)
    found: list[tuple[float, float]] = []
    for _ in range(60 * count):
        if len(found) == count:
            break
        point = round(dice.uniform(*x_span), 3), round(dice.uniform(*y_span), 3)
        if places.take(*point):
            found.append(point)
    if len(found) < count:
        return None
    return _columns(found)


def several(dice: Dice, count: int, frame: Frame, gap: float) -> list[Series] | None:
    """`count` series of 4 to 8 points each, none touching another."""
    places = Places(frame, gap)
    made = []
    for _ in range(count):
        slope, level = dice.uniform(-0.8, 0.8), dice.uniform(-0.6, 0.6)
        found: list[tuple[float, float]] = []
        size = dice.integer(4, 8)
        for _ in range(400):
            if len(found) == size:
                break
            u = dice.uniform(-1.0, 1.0)
            v = level + slope * u + dice.uniform(-0.25, 0.25)
            point = round(frame.x * u, 3), round(frame.y * v, 3)
            if abs(v) <= 1.0 and places.take(*point):
                found.append(point)
        if len(found) < size:
            return None
        made.append(_columns(found))
    return made


def _columns(found: list[tuple[float, float]]) -> tuple[Array, Array]:
    x, y = zip(*found, strict=True)
    return np.array(x), np.array(y)
