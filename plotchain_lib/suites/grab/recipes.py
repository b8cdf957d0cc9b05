"""Which candidates each property has: ranges of answers, frames, and who makes the content."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from plotchain_lib.suites.grab import special, transforms
from plotchain_lib.suites.grab.answers import write_answer
from plotchain_lib.suites.grab.dice import Dice
from plotchain_lib.suites.grab.fitting import FITS
from plotchain_lib.suites.grab.points import STATISTICS
from plotchain_lib.suites.grab.rounding import is_clear, target, written
from plotchain_lib.suites.grab.scene import Scene
from plotchain_lib.suites.grab.sets import Places, make
from plotchain_lib.suites.grab.shapes import Frame, nearly_same

# The tasks function and series share one frame, from -10 to 10 both ways.
FRAME = Frame(10.0, 10.0)
GAP = 0.034  # between points of the shared frame, in its half sides: a marker and a hair
# The same in the pictures of the task properties, whose size varies; more points are smaller.
STYLED_GAP, CROWDED_GAP = 0.076, 0.06
SIZES = (9, 13, 17)
# Values drawn before the curve is fitted to them: multiples of the precision's step.
EXACT = frozenset({
    "x_intercept", "y_intercept", "gradient", "stationary_point", "peak", "amplitude", "period",
    "phase_shift", "vertical_shift",
})  # fmt: skip


@dataclass(frozen=True, slots=True)
class Range:
    """The answers a property may have and the frame it is drawn in."""

    low: float
    high: float
    frame: Frame = FRAME


FUNCTION: Mapping[str, Range] = {
    "x_intercept": Range(-9.0, 9.0),
    "y_intercept": Range(-9.0, 9.0),
    "gradient": Range(-9.0, 9.0),
    "stationary_point": Range(-8.9, 8.9),
    "mean": Range(-8.9, 8.9),
    "amplitude": Range(0.6, 9.4),
    "period": Range(2.0, 17.0),
    "vertical_shift": Range(-8.9, 8.9),
    "net_area": Range(-90.0, 90.0),
    "total_area": Range(4.0, 90.0),
    "variance": Range(0.6, 26.0),
    "domain_length": Range(1.6, 19.4),
    "range": Range(1.6, 19.4),
    "maximum": Range(-8.9, 9.8),
    "minimum": Range(-9.8, 8.9),
}
SERIES: Mapping[str, Range] = {
    "pearson": Range(-1.0, 1.0),
    "spearman": Range(-1.0, 1.0),
    "kendall": Range(-1.0, 1.0),
    "mean": Range(-8.4, 8.4),
    "median": Range(-8.4, 8.4),
    "interquartile_range": Range(0.7, 13.4),
    "variance": Range(0.7, 40.0),
    "domain_length": Range(1.6, 19.4),
    "range": Range(1.6, 19.4),
    "maximum": Range(-8.4, 9.8),
    "minimum": Range(-9.8, 8.4),
}
PROPERTIES: Mapping[str, Range] = {
    "x_intercept": Range(-18, 18, Frame(20, 20)),
    "y_intercept": Range(-18, 18, Frame(20, 20)),
    "gradient": Range(-17, 17, Frame(20, 150)),
    "stationary_point": Range(-17, 17, Frame(20, 30)),
    "peak": Range(-17, 17, Frame(20, 20)),
    "amplitude": Range(2, 38, Frame(20, 45)),
    "period": Range(2, 36, Frame(20, 20)),
    "phase_shift": Range(-17, 17, Frame(32, 20)),
    "vertical_shift": Range(-18, 18, Frame(20, 30)),
    "net_area": Range(-200, 200, Frame(15, 15)),
    "total_area": Range(20, 270, Frame(15, 15)),
    "variance": Range(1, 36, Frame(10, 14)),
    "domain_length": Range(8, 45, Frame(24, 20)),
    "range": Range(5, 85, Frame(20, 45)),
    "maximum": Range(-38, 42, Frame(20, 45)),
    "minimum": Range(-42, 38, Frame(20, 45)),
    "pearson": Range(-1, 1, Frame(20, 20)),
    "spearman": Range(-1, 1, Frame(20, 20)),
    "kendall": Range(-1, 1, Frame(20, 20)),
    "median": Range(-30, 30, Frame(20, 35)),
    "interquartile_range": Range(2, 40, Frame(20, 35)),
    "data_domain_length": Range(8, 45, Frame(24, 20)),
    "data_range": Range(5, 85, Frame(20, 45)),
    "data_maximum": Range(-38, 42, Frame(20, 45)),
    "data_minimum": Range(-42, 38, Frame(20, 45)),
}
POINTS = (3, 99)
MOST_SERIES = 10
_OF_DATA = frozenset({"pearson", "spearman", "kendall", "median", "interquartile_range"})


def fitted(
    name: str, dice: Dice, aim: float, count: int, precision: str, limits: Range
) -> Scene | None:
    """`count` functions of one kind whose mean property is what `aim` chose."""
    fit = FITS[name]
    wanted = target(dice, aim, limits.low, limits.high, precision, name in EXACT)
    kind = dice.choice(fit.kinds)
    made: list[Any] = []
    for value in dice.around(wanted, count, limits.low, limits.high):
        for _ in range(6):
            curve = fit.make(dice, value, kind, limits.frame)
            if curve and not any(nearly_same(curve, other, limits.frame) for other in made):
                made.append(curve)
                break
        else:
            return None
    value = sum(fit.compute(curve) for curve in made) / count
    return _scene(value, precision, limits, curves=made)


def measured_set(
    name: str, dice: Dice, aim: float, count: int, precision: str, limits: Range, gap: float
) -> Scene | None:
    """`count` data series whose mean property is what `aim` chose."""
    wanted = target(dice, aim, limits.low, limits.high, precision, exact=False)
    size = dice.choice(SIZES if count < 6 else SIZES[:1])
    places = Places(limits.frame, gap)
    made = []
    for value in dice.around(wanted, count, limits.low, limits.high):
        for _ in range(4):
            found = make(name, dice, value, size, places)
            if found is not None:
                made.append(found)
                break
        else:
            return None
    value = sum(STATISTICS[name](*found) for found in made) / count
    return _scene(value, precision, limits, series=made)


def _scene(
    value: float, precision: str, limits: Range, curves: Sequence[Any] = (),
    series: Sequence[Any] = (),
) -> Scene | None:  # fmt: skip
    if not is_clear(value, precision):
        return None
    place = (value - limits.low) / (limits.high - limits.low)
    return Scene(written(value, precision), place, value, curves, series)


def scene(
    task: str, name: str, dice: Dice, aim: float, complexity: int, precision: str
) -> Scene | None:
    """One candidate of a group; None where the draw does not allow one."""
    if task == "function":
        return fitted(name, dice, aim, complexity + 1, precision, FUNCTION[name])
    if task == "series":
        return measured_set(name, dice, aim, complexity + 1, precision, SERIES[name], GAP)
    if task == "transform":
        return transforms.scene(name, dice, aim, complexity, precision)
    return _property(name, dice, aim, precision)


def _property(name: str, dice: Dice, aim: float, precision: str) -> Scene | None:
    if name in special.LIMITS:
        found = special.equation(name, dice)
        return found and Scene(special.equation_text(name, found[1]), aim, curves=(found[0],))
    if name == "stationary_points":
        pair = special.two_stationary_points(dice, aim)
        return pair and Scene(write_answer(pair[1:], "pair"), aim, curves=pair[:1])
    if name == "points":
        count = POINTS[0] + int(aim * (POINTS[1] - POINTS[0] + 1))
        points = special.scattered(dice, count, Frame(dice.choice((5, 10, 50)), 10), CROWDED_GAP)
        return points and Scene(str(count), aim, series=(points,))
    if name == "series":
        count = 1 + int(aim * MOST_SERIES)
        several = special.several(dice, count, Frame(dice.choice((5, 10, 50)), 10), STYLED_GAP)
        return Scene(str(count), aim, series=several) if several else None
    limits = PROPERTIES[name]
    if name in _OF_DATA or name.startswith("data_"):
        own = name.removeprefix("data_")
        return measured_set(own, dice, aim, 1, precision, limits, STYLED_GAP)
    return fitted(name, dice, aim, 1, precision, limits)
