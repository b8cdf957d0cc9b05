"""Functions fitted to a value: for each property, a curve in a frame that has it.

Every maker takes dice, the wanted value, the kind of function and the frame, and returns a curve
that stays inside the frame, or None where the draw does not allow one.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from plotchain_lib.sampling import significant
from plotchain_lib.suites.grab import curves
from plotchain_lib.suites.grab.curves import Bell, Polynomial, Sine
from plotchain_lib.suites.grab.dice import Dice
from plotchain_lib.suites.grab.shapes import (
    DIGITS,
    KINDS,
    Frame,
    interval,
    stretched,
    unit_shape,
)

Shape = Polynomial | Sine
Made = Polynomial | Sine | Bell | None
Maker = Callable[[Dice, float, str, Frame], Made]

_LEAST_HEIGHT = 0.05  # of the frame's half height: nothing flatter is drawn where height matters
_LEAST_SLOPE = 0.3  # of a line across its x-intercept, in frame heights a frame width


@dataclass(frozen=True, slots=True)
class Fit:
    """How one property is fitted.

    Attributes:
        kinds: the function kinds that have the property; a picture takes one of them.
        make: the maker.
        compute: the exact property of a made curve.
    """

    kinds: tuple[str, ...]
    make: Maker
    compute: Callable[..., float]


def _levelled(value_on_unit: Callable[[Shape], float]) -> Maker:
    """A property that moves with the curve: fitted by its offset, the height drawn."""

    def make(dice: Dice, value: float, kind: str, frame: Frame) -> Made:
        low, high = interval(dice, frame)
        return _at_level(dice, value, unit_shape(dice, kind), value_on_unit, (low, high), frame)

    return make


def _at_level(
    dice: Dice, value: float, shape: Shape, value_on_unit: Callable[[Shape], float],
    span: tuple[float, float], frame: Frame,
) -> Made:  # fmt: skip
    own = value_on_unit(shape)
    above = (frame.y - value) / max(1.0 - own, 1e-9)
    below = (frame.y + value) / max(1.0 + own, 1e-9)
    room = min(above, below, frame.y)
    if room < _LEAST_HEIGHT * frame.y:
        return None
    height = max(_LEAST_HEIGHT * frame.y, room * dice.uniform(0.3, 1.0))
    return stretched(shape, *span, height, value - height * own)


def _sized(value_on_unit: Callable[[Shape], float], power: float = 1.0) -> Maker:
    """A property that grows with the curve's height: fitted by it, the offset drawn."""

    def make(dice: Dice, value: float, kind: str, frame: Frame) -> Made:
        low, high = interval(dice, frame)
        shape = unit_shape(dice, kind)
        height = (value / value_on_unit(shape)) ** (1.0 / power)
        if height > frame.y:
            return None
        offset = dice.uniform(-1.0, 1.0) * (frame.y - height)
        return stretched(shape, low, high, height, offset)

    return make


def _gradient(dice: Dice, value: float, _kind: str, frame: Frame) -> Made:
    half = min(frame.x, frame.y / max(abs(value), 1e-9)) * dice.uniform(0.45, 0.95)
    x = dice.uniform(-1.0, 1.0) * (frame.x - half)
    y = dice.uniform(-1.0, 1.0) * (frame.y - half * abs(value))
    low, high = round(x - half, 3), round(x + half, 3)
    return Polynomial((significant(y, DIGITS), value), round(x, 3), low, high)


def _x_intercept(dice: Dice, value: float, kind: str, frame: Frame) -> Made:
    arms = frame.x * 0.08, frame.x * dice.uniform(0.3, 1.0), frame.x * dice.uniform(0.3, 1.0)
    left, right = min(arms[1], value + frame.x), min(arms[2], frame.x - value)
    if min(left, right) < arms[0]:
        return None
    longest = max(left, right)
    height = frame.y * dice.uniform(0.4, 1.0) * dice.sign()
    slope = height / longest
    if abs(slope) * frame.x < _LEAST_SLOPE * frame.y:
        return None
    if kind == "linear":
        coefficients: tuple[float, ...] = (0.0, significant(slope, DIGITS))
    else:
        bend = dice.uniform(0.3, 0.7)
        cube = significant(bend * slope / longest**2, DIGITS)
        coefficients = (0.0, significant((1.0 - bend) * slope, DIGITS), 0.0, cube)
    return Polynomial(coefficients, value, round(value - left, 3), round(value + right, 3))


def _y_intercept(dice: Dice, value: float, kind: str, frame: Frame) -> Made:
    low, high = (frame.x * dice.uniform(0.15, 0.95) for _ in range(2))
    span = round(-low, 3), round(high, 3)
    place = (0.0 - (span[0] + span[1]) / 2.0) / ((span[1] - span[0]) / 2.0)
    return _at_level(
        dice, value, unit_shape(dice, kind), lambda shape: float(shape.at(place)), span, frame
    )


def _stationary_point(dice: Dice, value: float, kind: str, frame: Frame) -> Made:
    left = min(frame.x * dice.uniform(0.15, 0.8), value + frame.x)
    right = min(frame.x * dice.uniform(0.15, 0.8), frame.x - value)
    if min(left, right) < 0.1 * frame.x:
        return None
    height = frame.y * dice.uniform(0.5, 1.6)
    sign = dice.sign()
    edge = dice.uniform(-frame.y, frame.y - height)
    base = edge if sign > 0 else edge + height
    square = significant(sign * height / max(left, right) ** 2, DIGITS)
    coefficients = (significant(base, DIGITS), 0.0, square)
    return Polynomial(coefficients, value, round(value - left, 3), round(value + right, 3))


def _peak(dice: Dice, value: float, _kind: str, frame: Frame) -> Made:
    left = min(frame.x * dice.uniform(0.2, 0.8), value + frame.x)
    right = min(frame.x * dice.uniform(0.2, 0.8), frame.x - value)
    if min(left, right) < 0.1 * frame.x:
        return None
    width = significant(dice.uniform(0.3, 0.55) * min(left, right), 4)
    height = significant(frame.y * dice.uniform(0.5, 1.8), 4)
    level = significant(dice.uniform(-frame.y, frame.y - height), 4)
    return Bell(height, value, width, level, round(value - left, 3), round(value + right, 3))


def _domain_length(dice: Dice, value: float, kind: str, frame: Frame) -> Made:
    middle = dice.uniform(-1.0, 1.0) * (frame.x - value / 2.0)
    low = round(middle - value / 2.0, 3)
    height = frame.y * dice.uniform(0.3, 1.0)
    offset = dice.uniform(-1.0, 1.0) * (frame.y - height)
    return stretched(unit_shape(dice, kind), low, round(low + value, 3), height, offset)


def _period(dice: Dice, value: float, _kind: str, frame: Frame) -> Made:
    cycles = dice.uniform(1.1, min(4.5, 2.0 * frame.x / value))
    half = cycles * value / 2.0
    middle = dice.uniform(-1.0, 1.0) * max(frame.x - half, 0.0)
    height = frame.y * dice.uniform(0.25, 0.9)
    offset = dice.uniform(-1.0, 1.0) * (frame.y - height)
    ends = round(middle - half, 3), round(middle + half, 3)
    shift = significant(dice.uniform(-0.5, 0.5) * value, DIGITS)
    return Sine(significant(height, DIGITS), value, shift, significant(offset, DIGITS), *ends)


def _phase_shift(dice: Dice, value: float, _kind: str, frame: Frame) -> Made:
    """The shift stays within 0.4 periods, so that a small error does not reach the other sign."""
    least = max(2.5 * abs(value), 0.2 * frame.x)
    period = significant(dice.uniform(least, max(1.6 * least, 0.8 * frame.x)), 4)
    if period > 1.8 * frame.x:
        return None
    left, right = (frame.x * dice.uniform(0.65, 1.0) for _ in range(2))
    height = frame.y * dice.uniform(0.3, 0.9)
    offset = dice.uniform(-1.0, 1.0) * (frame.y - height)
    ends = round(-max(left, period / 2), 3), round(max(right, period / 2), 3)
    return Sine(significant(height, DIGITS), period, value, significant(offset, DIGITS), *ends)


def _net_area(dice: Dice, value: float, kind: str, frame: Frame) -> Made:
    low, high = interval(dice, frame, min(0.9, max(0.3, abs(value) / (3.2 * frame.x * frame.y))))
    shape = unit_shape(dice, kind)
    return _at_level(dice, value / (high - low), shape, curves.mean, (low, high), frame)


def _total_area(dice: Dice, value: float, kind: str, frame: Frame) -> Made:
    low, high = interval(dice, frame, min(0.9, max(0.3, value / (2.8 * frame.x * frame.y))))
    made = stretched(unit_shape(dice, kind), low, high, 1.0, dice.uniform(-1.2, 1.2))
    factor = value / curves.total_area(made)
    if factor * max(map(abs, curves.extremes(made))) > frame.y:
        return None
    wanted = made.scaled(factor, 0.0)
    if isinstance(wanted, Sine):
        shape, level = significant(wanted.amplitude, DIGITS), significant(wanted.level, DIGITS)
        return Sine(shape, wanted.period, wanted.shift, level, low, high)
    coefficients = tuple(significant(c, DIGITS) for c in wanted.coefficients)
    return Polynomial(coefficients, wanted.centre, low, high)


def _line_slope(curve: Polynomial) -> float:
    return curve.coefficients[1]


def _phase(curve: Sine) -> float:
    """The shift nearest to 0: within half a period of it."""
    return curve.shift - curve.period * math.floor(curve.shift / curve.period + 0.5)


_MONOTONE = ("linear", "monotone")
FITS: Mapping[str, Fit] = {
    "x_intercept": Fit(_MONOTONE, _x_intercept, lambda curve: curves.roots(curve)[0]),
    "y_intercept": Fit(KINDS, _y_intercept, lambda curve: float(curve.at(0.0))),
    "gradient": Fit(("linear",), _gradient, _line_slope),
    "stationary_point": Fit(("quadratic",), _stationary_point, lambda c: c.turning()[0]),
    "peak": Fit(("bell",), _peak, lambda curve: float(curve.centre)),
    "mean": Fit(KINDS, _levelled(curves.mean), curves.mean),
    "amplitude": Fit(("sine",), _sized(lambda shape: 1.0), lambda c: float(c.amplitude)),
    "period": Fit(("sine",), _period, lambda curve: float(curve.period)),
    "phase_shift": Fit(("sine",), _phase_shift, _phase),
    "vertical_shift": Fit(("sine",), _levelled(lambda shape: 0.0), lambda c: float(c.level)),
    "net_area": Fit(KINDS, _net_area, curves.net_area),
    "total_area": Fit(KINDS, _total_area, curves.total_area),
    "variance": Fit(KINDS, _sized(curves.variance, 2.0), curves.variance),
    "domain_length": Fit(KINDS, _domain_length, curves.length),
    "range": Fit(
        KINDS, _sized(lambda shape: 2.0), lambda c: curves.extremes(c)[1] - curves.extremes(c)[0]
    ),
    "maximum": Fit(KINDS, _levelled(lambda shape: 1.0), lambda c: curves.extremes(c)[1]),
    "minimum": Fit(KINDS, _levelled(lambda shape: -1.0), lambda c: curves.extremes(c)[0]),
}
