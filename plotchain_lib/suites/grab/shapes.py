"""Unit shapes, and how they are stretched to a place in a frame.

A unit shape is a function on [-1, 1] whose smallest and largest value are -1 and 1. Stretched to
an interval, times a factor, plus an offset, it has its domain, range, extrema, mean and variance
where they are wanted.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from plotchain_lib.sampling import significant
from plotchain_lib.suites.grab.curves import Polynomial, Sine, extremes
from plotchain_lib.suites.grab.dice import Dice

KINDS = ("linear", "quadratic", "cubic", "sine")
DIGITS = 9  # significant digits of a drawn curve's parameters


@dataclass(frozen=True, slots=True)
class Frame:
    """How far curves may reach from the origin.

    Attributes:
        x: half the frame's width, in data units.
        y: half its height.
    """

    x: float
    y: float


def unit_shape(dice: Dice, kind: str) -> Polynomial | Sine:
    """A unit shape; `kind` is one of KINDS or ``monotone`` (a cubic that only rises or falls)."""
    sign = dice.sign()
    if kind == "sine":
        cycles = dice.uniform(1.1, 2.6)
        return Sine(1.0, 2.0 / cycles, dice.uniform(-1.0, 1.0), 0.0, -1.0, 1.0)
    if kind == "linear":
        return Polynomial((0.0, float(sign)), 0.0, -1.0, 1.0)
    raw: tuple[float, ...]
    if kind == "quadratic":
        vertex = dice.uniform(-0.5, 0.5)
        raw = (vertex * vertex, -2.0 * vertex, 1.0)
    elif kind == "cubic":
        left, right = dice.uniform(-0.75, -0.25), dice.uniform(0.25, 0.75)
        raw = (0.0, left * right, -(left + right) / 2.0, 1.0 / 3.0)
    else:
        raw = (0.0, dice.uniform(0.15, 0.8), 0.0, 1.0)
    shape = Polynomial(raw, 0.0, -1.0, 1.0)
    low, high = extremes(shape)
    factor = 2.0 * sign / (high - low)
    return shape.scaled(factor, -factor * (high + low) / 2.0)


def stretched(
    shape: Polynomial | Sine, low: float, high: float, factor: float, offset: float
) -> Polynomial | Sine:
    """A unit shape on [low, high], times `factor`, plus `offset`; parameters to DIGITS digits."""
    middle, half = (low + high) / 2.0, (high - low) / 2.0
    placed: Polynomial | Sine = shape.scaled(factor, offset)
    if isinstance(placed, Sine):
        period = significant(placed.period * half, DIGITS)
        shift = significant(middle + placed.shift * half, DIGITS)
        return Sine(
            significant(placed.amplitude, DIGITS), period, shift,
            significant(placed.level, DIGITS), low, high,
        )  # fmt: skip
    coefficients = tuple(
        significant(c / half**power, DIGITS) for power, c in enumerate(placed.coefficients)
    )
    return Polynomial(coefficients, significant(middle, DIGITS), low, high)


def interval(dice: Dice, frame: Frame, least: float = 0.25) -> tuple[float, float]:
    """A part of the frame's width: at least the share `least` of it, at most nineteen twentieths.

    To three decimals.
    """
    half = frame.x * dice.uniform(least, 0.95)
    middle = dice.uniform(-1.0, 1.0) * (frame.x - half)
    return round(middle - half, 3), round(middle + half, 3)


def nearly_same(first: Any, second: Any, frame: Frame) -> bool:
    """Whether one curve would lie on the other: ends, middle and quarters within 2 % of the frame.

    A picture must show as many curves as it holds.
    """
    near = 0.02
    for share in (0.0, 0.25, 0.5, 0.75, 1.0):
        x_first = first.low + share * (first.high - first.low)
        x_second = second.low + share * (second.high - second.low)
        if abs(x_first - x_second) > near * frame.x:
            return False
        if abs(float(first.at(x_first)) - float(second.at(x_second))) > near * frame.y:
            return False
    return True
