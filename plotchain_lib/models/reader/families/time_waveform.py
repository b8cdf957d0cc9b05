"""Periodic voltage against time: square, trapezoidal, triangular and sine waves, and pulses."""

from __future__ import annotations

from plotchain_lib.models.reader.fit import first_fit, pixel_unit
from plotchain_lib.models.reader.gathering import Gathering
from plotchain_lib.models.reader.marked import check_traced
from plotchain_lib.models.reader.scene import Scene
from plotchain_lib.models.reader.seen import Reading, UnreadableError
from plotchain_lib.models.reader.waveform import (
    Waveform,
    find_crossings,
    fit_waveform,
    levels,
    likely_shapes,
    straight_waveform,
    waveform,
)

FIELDS = frozenset({"frequency_hz", "vpp_v", "cp_period_s", "cp_vmax_v", "cp_vmin_v", "cp_duty"})

_LIMIT = 0.8  # of the fit's residual, in pixels at 100 dots per inch
_ENOUGH = 0.3  # residual of a fit that no other need be compared with
_SURE = 0.01  # standard deviation of the period over the period


def read(scene: Scene, prompt: str) -> Reading:
    """From the fit of a waveform with two levels, or from crossings and extremes.

    Raises:
        UnreadableError: no curve, or axes that are not linear.
    """
    if scene.x.scale != "linear" or scene.y.scale != "linear":
        raise UnreadableError("the axes of a waveform are linear")
    check_traced(scene.curve)
    found = Gathering(FIELDS)
    high, low = levels(scene.curve)
    unit = pixel_unit(scene.curve)
    if low - high < 10.0 * unit:
        raise UnreadableError("the curve does not go up and down")
    fitted = None
    with found.trying("frequency_hz", "cp_period_s", "cp_duty"):
        crossings = find_crossings(scene.curve, high, low)
        shapes = likely_shapes(scene.curve, crossings)
        fits = (fit_waveform(scene.curve, crossings, shape) for shape in shapes)
        index, fit = first_fit(fits, _ENOUGH * unit)
        # A sharp peak's ink ends some strokes from where its flanks would meet.
        moved = max(abs(float(fit.parameters[-2]) - high), abs(float(fit.parameters[-1]) - low))
        if fit.fits(_LIMIT * unit) and moved < 4.0 * scene.curve.stroke:
            fitted = waveform(scene.curve, fit, shapes[index])
            high, low = fitted.high, fitted.low
        _put_times(scene, found, fitted or straight_waveform(scene.curve, high, low))
    top, bottom = float(scene.y.value(high)), float(scene.y.value(low))
    found.put("cp_vmax_v", top, None, high)
    found.put("cp_vmin_v", bottom, None, low)
    found.put("vpp_v", top - bottom)
    return found.reading()


def _put_times(scene: Scene, found: Gathering, seen: Waveform) -> None:
    if not seen.period_error < _SURE * seen.period:
        raise UnreadableError("the picture does not show where a period ends")
    period = abs(seen.period * scene.x.gain)
    middle = 0.5 * (seen.high + seen.low)
    found.put("cp_period_s", period, seen.rise + seen.period, middle)
    found.put("frequency_hz", 1.0 / period, seen.rise, middle)
    found.put("cp_duty", seen.duty, seen.rise + seen.duty * seen.period, middle)
