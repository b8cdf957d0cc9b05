"""Output against input voltage of an amplifier: a straight section between two levels."""

from __future__ import annotations

import numpy as np

from plotchain_lib.models.reader.fit import Fit, fit_curve, line_through, pixel_unit
from plotchain_lib.models.reader.gathering import Gathering
from plotchain_lib.models.reader.marked import check_traced, level_of
from plotchain_lib.models.reader.scene import Scene
from plotchain_lib.models.reader.seen import Array, Reading, UnreadableError

FIELDS = frozenset({"small_signal_gain", "saturation_v", "cp_vin_at_saturation"})

_LIMIT = 0.8  # of the fit's residual, in pixels at 100 dots per inch


def read(scene: Scene, prompt: str) -> Reading:
    """From the fit of a clamped line, or of its parts where the corners are rounded.

    Raises:
        UnreadableError: no curve, an axis that is not linear, or no level at the right end.
    """
    if scene.x.scale != "linear" or scene.y.scale != "linear":
        raise UnreadableError("the axes of a transfer characteristic are linear")
    check_traced(scene.curve)
    fit = _fit(scene)
    if fit.fits(_LIMIT * pixel_unit(scene.curve)):
        low, high, left, right = fit.parameters
        slope = (high - low) / (right - left)
    else:
        high, slope, right = _parts(scene)
    found = Gathering(FIELDS)
    gain = slope * scene.y.gain / scene.x.gain
    found.put("small_signal_gain", gain, right, None)
    found.put("saturation_v", float(scene.y.value(high)), None, high)
    found.put("cp_vin_at_saturation", float(scene.x.value(right)), right, high)
    return found.reading()


def _height(parameters: Array, x: Array) -> Array:
    low, high, left, right = parameters
    share = np.clip((x - left) / (right - left), 0.0, 1.0)
    return np.asarray(low + (high - low) * share)


def _ends(scene: Scene) -> tuple[float, float]:
    """Heights of the level ends, left and right."""
    y, unit = scene.curve.y, pixel_unit(scene.curve)
    count = max(6, y.size // 30)
    return level_of(y[:count], unit, "left end"), level_of(y[-count:], unit, "right end")


def _fit(scene: Scene) -> Fit:
    x, y = scene.curve.x, scene.curve.y
    low, high = _ends(scene)
    if low - high < 10.0 * pixel_unit(scene.curve):
        raise UnreadableError("the right end of the curve is not above the left one")
    between = (y < low - 0.1 * (low - high)) & (y > high + 0.1 * (low - high))
    if not between.any():
        raise UnreadableError("the section between the levels is not traced")
    margin = 0.125 * (x[between].max() - x[between].min() + 1.0)
    start = np.array([low, high, x[between].min() - margin, x[between].max() + margin])
    return fit_curve(_height, start, x, y)


def _parts(scene: Scene) -> tuple[float, float, float]:
    """Upper level, slope of the middle part, and where the two meet; in pixels."""
    x, y = scene.curve.x, scene.curve.y
    low, high = _ends(scene)
    inner = (y < low - 0.25 * (low - high)) & (y > high + 0.25 * (low - high))
    slope, intercept = line_through(x[inner], y[inner])
    off = (y[inner] - intercept - slope * x[inner]) / np.hypot(1.0, slope)
    if float(np.sqrt(np.mean(off**2))) > _LIMIT * pixel_unit(scene.curve):
        raise UnreadableError("the section between the levels is not straight")
    return high, slope, (high - intercept) / slope
