"""Gain of a low-pass filter of order 1 to 3 against frequency."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np

from plotchain_lib.models.reader.fit import best_start, crossings, pixel_unit
from plotchain_lib.models.reader.gathering import Gathering
from plotchain_lib.models.reader.lowpass import THREE_DB, cutoff_ratio, fit_orders, loss_db
from plotchain_lib.models.reader.marked import (
    check_traced,
    height_at,
    level_of,
    marks_on_curve,
    upright_rules,
)
from plotchain_lib.models.reader.scene import Scene
from plotchain_lib.models.reader.seen import Array, Reading, UnreadableError

FIELDS = frozenset({"dc_gain_db", "cutoff_hz", "cp_mag_at_fc_db", "cp_slope_db_per_decade"})

_LIMIT = 0.8  # of the fit's residual, in pixels at 100 dots per inch
_DAMPINGS = {1: (1.0,), 2: (0.2, 0.45, 1.0), 3: (0.2, 0.45, 1.0)}  # tried first
_CORNERS = 24


@dataclass(frozen=True, slots=True)
class _Filter:
    """A fitted filter: gain at zero frequency and corner frequency, in dB and Hz."""

    order: int
    damping: float
    gain: float
    corner: float

    def level(self, frequency: float) -> float:
        loss = loss_db(self.order, self.damping, np.array(frequency / self.corner))
        return self.gain - float(loss)


def read(scene: Scene, prompt: str) -> Reading:
    """Gain and cutoff from the fit of a filter; levels at the marked frequencies.

    Raises:
        UnreadableError: no curve.
    """
    check_traced(scene.curve)
    found = Gathering(FIELDS)
    fitted = _fitted(scene)
    with found.trying("dc_gain_db", "cutoff_hz"):
        gain, cutoff = _gain_and_cutoff(scene, fitted)
        found.put("dc_gain_db", gain, None, float(scene.y.place(gain)))
        places = float(scene.x.place(cutoff)), float(scene.y.place(gain - THREE_DB))
        found.put("cutoff_hz", cutoff, *places)
    decade = _decade(scene)
    marked = decade is not None or "10 f_q" in prompt
    with found.trying("cp_mag_at_fc_db"):
        place = _corner_place(scene, decade, marked, fitted)
        level = _level(scene, fitted, place)
        found.put("cp_mag_at_fc_db", level, place, float(scene.y.place(level)))
    with found.trying("cp_slope_db_per_decade"):
        found.put("cp_slope_db_per_decade", _slope(scene, decade, marked, fitted))
    return found.reading()


def _slope(
    scene: Scene, decade: tuple[float, float] | None, marked: bool, fitted: _Filter | None
) -> float:
    """The mean slope over the marked decade; unmarked, the slope of the asymptote."""
    if decade:
        low, high = (_level(scene, fitted, place) for place in decade)
        return high - low
    if marked:
        raise UnreadableError("the rules at f_q and 10 f_q are not found")
    if fitted is None:
        raise UnreadableError("the curve is no low-pass filter's, its asymptote is not known")
    return -20.0 * fitted.order


def _height(scene: Scene, order: int, parameters: Array, x: Array) -> Array:
    level, corner = parameters[:2]
    damping = np.exp(parameters[2]) if order > 1 else 1.0
    ratio = scene.x.value(x) / scene.x.value(corner)
    return np.asarray(scene.y.place(scene.y.value(level) - loss_db(order, damping, ratio)))


def _start(scene: Scene, order: int) -> tuple[Array, float]:
    y = scene.curve.y
    level = float(np.median(y[: max(3, y.size // 50)]))
    corners = np.linspace(scene.box.left, scene.box.right, _CORNERS)
    grid = np.meshgrid(level, corners, np.log(_DAMPINGS[order]))
    starts = np.stack([part.ravel() for part in grid], axis=1)[:, : 3 if order > 1 else 2]
    return best_start(partial(_height, scene, order), starts, scene.curve.x, y)


def _fitted(scene: Scene) -> _Filter | None:
    """The filter that follows the curve; None where none does."""
    unit = pixel_unit(scene.curve)
    order, fit = fit_orders(scene.curve, partial(_start, scene), partial(_height, scene), unit)
    if not fit.fits(_LIMIT * unit):
        return None
    return _Filter(
        order,
        float(np.exp(fit.parameters[2])) if order > 1 else 1.0,
        float(scene.y.value(fit.parameters[0])),
        float(scene.x.value(fit.parameters[1])),
    )


def _gain_and_cutoff(scene: Scene, fitted: _Filter | None) -> tuple[float, float]:
    if fitted:
        return fitted.gain, fitted.corner * cutoff_ratio(fitted.order, fitted.damping)
    x, y, unit = scene.curve.x, scene.curve.y, pixel_unit(scene.curve)
    gain = float(scene.y.value(level_of(y[: max(6, y.size // 30)], unit, "left end")))
    found = crossings(x, y, float(scene.y.place(gain - THREE_DB)), 3.0 * unit)
    if found.size == 0:
        raise UnreadableError("the curve does not fall by 3 dB")
    return gain, float(scene.x.value(found[-1]))


def _level(scene: Scene, fitted: _Filter | None, place: float) -> float:
    if fitted:
        return fitted.level(float(scene.x.value(place)))
    return float(scene.y.value(height_at(scene, place)))


def _marks(scene: Scene) -> list[tuple[float, str]]:
    """Places in x that are marked, and how: a rule's pattern, or ``dot`` where only a dot is."""
    marks = [(rule.place, str(rule.pattern)) for rule in upright_rules(scene)]
    apart = 3.0 * pixel_unit(scene.curve)
    dots = [dot.x for dot in marks_on_curve(scene, "dot")]
    alone = [x for x in dots if all(abs(x - place) > apart for place, _ in marks)]
    return sorted([*marks, *((x, "dot") for x in alone)])


def _decade(scene: Scene) -> tuple[float, float] | None:
    """Where f_q and 10 f_q are, two marks a decade apart; None where there are no such."""
    marks, pairs = _marks(scene), []
    for low, low_pattern in marks:
        tenth = float(scene.x.place(10.0 * scene.x.value(low)))
        for high, high_pattern in marks:
            if abs(high - tenth) < 2.0 * pixel_unit(scene.curve):
                dotted = (low_pattern == "dotted") + (high_pattern == "dotted")
                pairs.append((dotted, -abs(high - tenth), low, high))
    return max(pairs)[2:] if pairs else None


def _corner_place(
    scene: Scene, decade: tuple[float, float] | None, marked: bool, fitted: _Filter | None
) -> float:
    """Where f_c is: the mark besides the decade's; unmarked a dot, or else the cutoff."""
    if marked:
        others = [mark for mark in _marks(scene) if not decade or mark[0] not in decade]
        dashed = [mark for mark in others if mark[1] == "dashed"]
        if not decade and len(others) != len(dashed) + 1:
            dashed = []  # a pattern taken for another cannot be told from f_q's
        others = dashed if len(others) > 1 else others if decade else []
        if len(others) != 1:
            raise UnreadableError("the rule at f_c is not found")
        return others[0][0]
    dots = marks_on_curve(scene, "dot")
    if len(dots) == 1:
        return dots[0].x
    # Nothing marks it: f_c is the cutoff, as in a filter of order 1.
    _, cutoff = _gain_and_cutoff(scene, fitted)
    return float(scene.x.place(cutoff))
