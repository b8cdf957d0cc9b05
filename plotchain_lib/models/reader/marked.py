"""Marked places on a curve: dots on it, and rules that cross it."""

from __future__ import annotations

import numpy as np

from plotchain_lib.models.reader.fit import pixel_unit, smoothed_at
from plotchain_lib.models.reader.scene import Scene
from plotchain_lib.models.reader.seen import Array, Curve, Marker, Rule, UnreadableError

_LEAST_TRACED = 0.75  # of the columns between the curve's ends


def check_traced(curve: Curve) -> None:
    """Raise UnreadableError where much of the curve is missing between its ends."""
    seen = np.unique(curve.columns.line).size
    if seen < _LEAST_TRACED * (curve.columns.line.max() - curve.columns.line.min() + 1.0):
        raise UnreadableError("the curve is traced in parts only")


def upright_rules(scene: Scene) -> list[Rule]:
    """Vertical rules over at least half of the axes' height, from left to right.

    Two that are closer than a stroke count as one: the longer.
    """
    height = scene.box.bottom - scene.box.top
    rules = [
        rule
        for rule in scene.rules
        if rule.direction == "vertical" and abs(rule.end - rule.start) > 0.5 * height
    ]
    found: list[Rule] = []
    for rule in sorted(rules, key=lambda rule: rule.place):
        if found and rule.place - found[-1].place < 1.5 * pixel_unit(scene.curve):
            if rule.end - rule.start > found[-1].end - found[-1].start:
                found[-1] = rule
        else:
            found.append(rule)
    return found


def marks_on_curve(scene: Scene, shape: str) -> list[Marker]:
    """Markers of a shape whose centre lies on the curve, to a stroke, from left to right."""
    found = []
    for marker in scene.markers:
        if marker.shape != shape:
            continue
        try:
            height = smoothed_at(scene.curve.x, scene.curve.y, marker.x, 2.0 * marker.size)
        except UnreadableError:
            continue
        if abs(height - marker.y) <= max(scene.curve.stroke, 0.35 * marker.size):
            found.append(marker)
    return found


def height_at(scene: Scene, place: float) -> float:
    """Height of the curve at a place in x, in pixels, by a parabola through the points near it.

    Raises:
        UnreadableError: the curve does not run past that place.
    """
    reach = 6.0 * pixel_unit(scene.curve)
    near = np.abs(scene.curve.x - place) <= reach
    if near.sum() < 0.6 * reach:  # a marker hides the curve there: look from further away
        reach *= 2.0
    return smoothed_at(scene.curve.x, scene.curve.y, place, reach)


def level_of(heights: Array, unit: float, where: str) -> float:
    """Height of a part of the curve that should be level, noise aside.

    Args:
        heights: places in y, in order.
        unit: pixels that stand for one at 100 dots per inch; its halves may differ by that.
        where: what the part is, for the reason.

    Raises:
        UnreadableError: it rises or falls.
    """
    half = heights.size // 2
    step = float(np.median(heights[:half])) - float(np.median(heights[half:]))
    if abs(step) > unit or float(np.ptp(heights)) > 12.0 * unit:
        raise UnreadableError(f"the curve is not level at its {where}")
    return float(np.median(heights))
