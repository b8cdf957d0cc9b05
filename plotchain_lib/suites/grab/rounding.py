"""From an exact value to the one right string: steps, boundaries, and how far to keep from them.

A value is rounded to the nearest multiple of its precision's step. No asked value lies within
MARGIN of a step from the boundary between two answers, so that which way a tie is rounded never
matters, and a reading with a small error gives the same answer.
"""

from __future__ import annotations

import math

from plotchain_lib.suites.grab.answers import write_answer
from plotchain_lib.suites.grab.dice import Dice

STEPS = {"integer": 1.0, "one_decimal": 0.1, "nearest_ten": 10.0}
MARGIN = 0.2  # of a step; the least distance of an asked value from a rounding boundary


def rounded(value: float, precision: str) -> float:
    """The nearest multiple of the step, ties away from zero, never -0.0."""
    step = STEPS[precision]
    steps = math.copysign(math.floor(abs(value) / step + 0.5), value)
    return round(steps * step, 1) + 0.0


def from_boundary(value: float, precision: str) -> float:
    """How far a value lies from the nearest rounding boundary, in steps: 0 to 0.5."""
    steps = value / STEPS[precision]
    return abs(steps - math.floor(steps) - 0.5) if math.isfinite(steps) else 0.0


def is_clear(value: float, precision: str) -> bool:
    """Whether a value keeps its distance from the rounding boundaries."""
    return from_boundary(value, precision) >= MARGIN


def written(value: float, precision: str) -> str:
    """The right string of a value that may still have all its digits."""
    return write_answer([rounded(value, precision)], precision)


def target(dice: Dice, aim: float, low: float, high: float, precision: str, exact: bool) -> float:
    """A value to fit a question to: a multiple of the step, or one that rounds to it.

    `aim` in [0, 1) chooses evenly among the multiples from low to high.
    """
    step = STEPS[precision]
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    place = first + int(aim * (last - first + 1))
    off = 0.0 if exact else dice.uniform(-1.0, 1.0) * (0.5 - MARGIN) * 0.98
    if step * abs(off) and not low <= (place + off) * step <= high:
        off = -off
    return round((place + off) * step, 4) + 0.0
