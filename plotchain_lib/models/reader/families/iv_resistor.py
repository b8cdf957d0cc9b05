"""A resistor's voltage against its current: the slope of a straight line, in volts per ampere."""

from __future__ import annotations

import re

from plotchain_lib.models.reader.lines import Line, require_linear, straight
from plotchain_lib.models.reader.quantities import axis_factor, find_quantity
from plotchain_lib.models.reader.scene import Scene
from plotchain_lib.models.reader.seen import Reading, UnreadableError

FIELDS = frozenset({"resistance_ohm", "cp_slope_ohm"})


def read(scene: Scene, prompt: str) -> Reading:
    """The slope, and the resistance without the one printed, where the question says one is.

    Raises:
        UnreadableError: no straight line, or no unit on the current's axis.
    """
    require_linear(scene.x, scene.y)
    slope = _slope(scene, straight(scene.curve))
    if slope <= 0.0:
        raise UnreadableError("the voltage does not rise with the current")
    if not re.search(r"R_?series|in series", prompt):
        return Reading({"resistance_ohm": slope, "cp_slope_ohm": slope})
    series = _series(scene)
    reason = ""
    if series is None:
        reason = "the series resistance printed in the picture cannot be read"
    elif series >= slope:
        reason = "the series resistance as read is more than the line's slope"
    if series is None or reason:
        values: dict[str, float | None] = {"resistance_ohm": None, "cp_slope_ohm": slope}
        return Reading(values, {"resistance_ohm": reason})
    return Reading({"resistance_ohm": slope - series, "cp_slope_ohm": slope})


def _slope(scene: Scene, line: Line) -> float:
    """Volts per ampere, whichever axis is which, by the units in their labels."""
    slope = line.slope * scene.y.gain / scene.x.gain
    across, up = scene.label("x"), scene.label("y")
    amperes, volts = axis_factor(across, "A"), axis_factor(up, "V")
    if amperes is not None:
        return slope * (1.0 if volts is None else volts) / amperes
    amperes, volts = axis_factor(up, "A"), axis_factor(across, "V")
    if amperes is not None and volts is not None:
        return volts / (slope * amperes)
    raise UnreadableError("no axis has a unit of current that can be read")


def _series(scene: Scene) -> float | None:
    """The one printed as R_series, or, where its name is cut off, the only one printed."""
    for symbol in ("R_series", ""):
        found = [find_quantity(text.text, symbol, "ohm") for text in scene.texts]
        values = {value for value in found if value is not None}
        if len(values) == 1:
            return values.pop()
    return None
