"""Phase of a low-pass system against frequency: order 1 with dead time, order 2 or order 3."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from plotchain_lib.models.reader.fit import best_start, pixel_unit
from plotchain_lib.models.reader.gathering import Gathering
from plotchain_lib.models.reader.lowpass import fit_orders, lag_deg
from plotchain_lib.models.reader.marked import (
    check_traced,
    height_at,
    marks_on_curve,
    upright_rules,
)
from plotchain_lib.models.reader.scene import Scene
from plotchain_lib.models.reader.seen import Array, Reading, UnreadableError

FIELDS = frozenset({"cutoff_hz", "phase_deg_at_fq", "cp_phase_deg_at_fc"})

_LIMIT = 0.8  # of the fit's residual, in pixels at 100 dots per inch
_SECONDS = {1: (0.0, 0.5, 1.5), 2: (0.1, 0.3, 1.0), 3: (0.1, 0.3, 1.0)}
_CORNERS = 24
_NO_DEAD_TIME = 0.02  # over the corner's radian time


def read(scene: Scene, prompt: str) -> Reading:
    """The phase at the dot f_c and at the rule f_q; without a dot, f_c is where it is -45 degrees.

    Raises:
        UnreadableError: no curve.
    """
    check_traced(scene.curve)
    found = Gathering(FIELDS)
    phase, corner = _phase(scene)
    with found.trying("cutoff_hz", "cp_phase_deg_at_fc"):
        place = _cutoff_place(scene, None if "dot" in prompt else corner)
        level = phase(place)
        height = float(scene.y.place(level))
        found.put("cutoff_hz", float(scene.x.value(place)), place, height)
        found.put("cp_phase_deg_at_fc", level, place, height)
    with found.trying("phase_deg_at_fq"):
        place = _query_place(scene)
        level = phase(place)
        found.put("phase_deg_at_fq", level, place, float(scene.y.place(level)))
    return found.reading()


def _lag(order: int, second: Any, ratio: Array) -> Array:
    """Lag in degrees; `second` is a dead time over the corner's radian time, or the damping."""
    if order == 1:
        return np.asarray(lag_deg(1, 1.0, ratio) + np.degrees(second) * ratio)
    return lag_deg(order, second, ratio)


def _height(scene: Scene, order: int, parameters: Array, x: Array) -> Array:
    ratio = scene.x.value(x) / scene.x.value(parameters[0])
    return np.asarray(scene.y.place(-_lag(order, parameters[1], ratio)))


def _start(scene: Scene, order: int) -> tuple[Array, float]:
    corners = np.linspace(scene.box.left, scene.box.right, _CORNERS)
    grid = np.meshgrid(corners, _SECONDS[order])
    starts = np.stack([part.ravel() for part in grid], axis=1)
    return best_start(partial(_height, scene, order), starts, scene.curve.x, scene.curve.y)


def _phase(scene: Scene) -> tuple[Callable[[float], float], float | None]:
    """The phase at a place; where it is -45 degrees if the order is 1 and there is no dead time."""
    unit = pixel_unit(scene.curve)
    order, fit = fit_orders(scene.curve, partial(_start, scene), partial(_height, scene), unit)
    if not fit.fits(_LIMIT * unit):
        return lambda place: float(scene.y.value(height_at(scene, place))), None
    corner, second = (float(value) for value in fit.parameters)

    def fitted(place: float) -> float:
        ratio = np.array(scene.x.value(place) / scene.x.value(corner))
        return -float(_lag(order, second, ratio))

    return fitted, corner if order == 1 and abs(second) < _NO_DEAD_TIME else None


def _cutoff_place(scene: Scene, corner: float | None) -> float:
    """Where the dot is; without one, the corner of a system of order 1."""
    dots = marks_on_curve(scene, "dot")
    if len(dots) == 1:
        return dots[0].x
    if len(dots) > 1:
        raise UnreadableError("more than one dot on the curve, which is f_c is not clear")
    if corner is None:
        raise UnreadableError("the dot at f_c is not found")
    return corner


def _query_place(scene: Scene) -> float:
    rules = upright_rules(scene)
    if len(rules) > 1:
        rules = [rule for rule in rules if rule.pattern == "dotted"]
    if len(rules) == 1:
        return rules[0].place
    rings = marks_on_curve(scene, "ring")
    if len(rings) == 1:
        return rings[0].x
    raise UnreadableError("the rule at f_q is not found")
