"""Gain of a second-order band-pass filter against frequency.

H(f) = G / (1 + jQ (f/f0 - f0/f)) is fitted to the whole curve: the skirts tell the quality factor
even where the peak is a few pixels wide.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from plotchain_lib.models.reader.fit import (
    Fit,
    best_start,
    crossings,
    fit_curve,
    pixel_unit,
    vertex,
)
from plotchain_lib.models.reader.gathering import Gathering
from plotchain_lib.models.reader.lowpass import THREE_DB
from plotchain_lib.models.reader.marked import check_traced
from plotchain_lib.models.reader.scene import Scene
from plotchain_lib.models.reader.seen import Array, Reading, UnreadableError

FIELDS = frozenset({"resonance_hz", "bandwidth_hz", "cp_f1_3db_hz", "cp_f2_3db_hz", "cp_q_factor"})

_LIMIT = 1.0  # of the fit's residual, in pixels at 100 dots per inch
_WRONG_WAY = 0.1  # of the curve's height: what a single peak may rise or fall the wrong way
_QUALITIES = np.geomspace(0.2, 200.0, 40)  # tried first


def read(scene: Scene, prompt: str) -> Reading:
    """From the fit of a resonance, or straight off a curve that is none.

    Raises:
        UnreadableError: no curve, or no peak with 3 dB on either side.
    """
    check_traced(scene.curve)
    fit = _fit(scene)
    if fit.fits(_LIMIT * pixel_unit(scene.curve)):
        centre, log_quality, top = fit.parameters
        resonance = float(scene.x.value(centre))
        half = 0.5 / np.exp(log_quality)
        whole = np.hypot(1.0, half)
        return _reading(
            scene, resonance, resonance * (whole - half), resonance * (whole + half), top
        )
    return _straight(scene)


def _height(scene: Scene, parameters: Array, x: Array) -> Array:
    centre, log_quality, top = parameters
    ratio = scene.x.value(x) / scene.x.value(centre)
    detuning = np.exp(log_quality) * (ratio - 1.0 / ratio)
    level = scene.y.value(top) - 10.0 * np.log10(1.0 + detuning**2)
    return np.asarray(scene.y.place(level))


def _fit(scene: Scene) -> Fit:
    x, y = scene.curve.x, scene.curve.y
    highest = int(np.argmin(y))
    starts = np.stack(
        [np.array([x[highest], np.log(quality), y[highest]]) for quality in _QUALITIES]
    )
    model = partial(_height, scene)
    return fit_curve(model, best_start(model, starts, x, y)[0], x, y)


def _straight(scene: Scene) -> Reading:
    """The peak by a parabola, the points 3 dB below it by crossings."""
    x, y, unit = scene.curve.x, scene.curve.y, pixel_unit(scene.curve)
    highest = int(np.argmin(y))
    drop = abs(float(scene.y.place(THREE_DB) - scene.y.place(0.0)))
    near = (np.abs(x - x[highest]) < 40.0 * unit) & (y < y[highest] + max(drop / 4, 2.0 * unit))
    centre, top = vertex(x[near], y[near])
    found = crossings(x, y, top + drop, 3.0 * unit)
    lower, upper = found[found < centre], found[found > centre]
    # Down the picture before the peak, up it after: neither belongs to a single peak.
    step = np.diff(y) * np.where(x[1:] <= x[highest], 1.0, -1.0)
    wanders = step[step > 0].sum() > _WRONG_WAY * np.ptp(y)
    if wanders or lower.size != 1 or upper.size != 1:
        raise UnreadableError("the curve is no single peak with 3 dB on either side")
    resonance, low, high = (float(scene.x.value(at)) for at in (centre, lower[0], upper[0]))
    return _reading(scene, resonance, low, high, top)


def _reading(scene: Scene, resonance: float, lower: float, upper: float, top: float) -> Reading:
    found = Gathering(FIELDS)
    places = [float(scene.x.place(frequency)) for frequency in (resonance, lower, upper)]
    below = float(scene.y.place(scene.y.value(top) - THREE_DB))
    if places[1] < scene.box.left or places[2] > scene.box.right or below > scene.box.bottom:
        raise UnreadableError("the points 3 dB below the peak lie outside the picture")
    found.put("resonance_hz", resonance, places[0], top)
    found.put("bandwidth_hz", upper - lower, None, below)
    found.put("cp_f1_3db_hz", lower, places[1], below)
    found.put("cp_f2_3db_hz", upper, places[2], below)
    found.put("cp_q_factor", resonance / (upper - lower))
    return found.reading()
