"""Response of an underdamped second-order system to a step at time 0."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.ndimage import uniform_filter1d

from plotchain_lib.models.reader.fit import Fit, crossings, fit_curve, pixel_unit, vertex
from plotchain_lib.models.reader.gathering import Gathering
from plotchain_lib.models.reader.marked import check_traced, level_of
from plotchain_lib.models.reader.scene import Scene
from plotchain_lib.models.reader.seen import Array, Reading, UnreadableError

FIELDS = frozenset(
    {
        "percent_overshoot",
        "settling_time_s",
        "steady_state",
        "cp_peak_time_s",
        "cp_peak_value",
        "cp_band_lower",
        "cp_band_upper",
    }
)

_LIMIT = 1.0  # of the fit's residual, in pixels at 100 dots per inch
_BAND = 0.02  # of the step, on either side of the steady value
_SMOOTHED = 9  # columns
_SURE = 0.1  # of the settling time: how far noise may move it
_TIME_CONSTANTS = 12.0  # in which the settling is looked for


@dataclass(frozen=True, slots=True)
class _Response:
    """What the fields follow from, in pixels; times are places in x, levels are places in y."""

    start: float
    steady: float
    peak: float
    peak_time: float
    settling: float


def read(scene: Scene, prompt: str) -> Reading:
    """From the fit of a second-order response, or straight off the curve.

    Raises:
        UnreadableError: no curve, axes that are not linear, or no overshoot.
    """
    if scene.x.scale != "linear" or scene.y.scale != "linear":
        raise UnreadableError("the axes of a step response are linear")
    check_traced(scene.curve)
    fit = _fit(scene)
    if fit.fits(_LIMIT * pixel_unit(scene.curve)):
        return _reading(scene, _from_fit(scene, fit.parameters))
    return _reading(scene, _straight(scene))


def _reading(scene: Scene, seen: _Response) -> Reading:
    found = Gathering(FIELDS)
    start, steady, peak = (scene.y.value(v) for v in (seen.start, seen.steady, seen.peak))
    band = _BAND * abs(steady - start)
    found.put("percent_overshoot", 100.0 * (peak - steady) / (steady - start))
    found.put("steady_state", steady, None, seen.steady)
    found.put("cp_peak_time_s", scene.x.value(seen.peak_time), seen.peak_time, None)
    found.put("cp_peak_value", peak, seen.peak_time, seen.peak)
    for field, level in (("cp_band_lower", steady - band), ("cp_band_upper", steady + band)):
        found.put(field, level, None, float(scene.y.place(level)))
    if seen.settling <= scene.curve.x.max() + scene.curve.stroke:
        found.put("settling_time_s", scene.x.value(seen.settling), seen.settling, seen.steady)
    else:
        found.refuse("settling_time_s", "the picture does not show where the output settles")
    return found.reading()


def _beginning(scene: Scene) -> tuple[float, float]:
    """Time 0 and the level the curve starts from, in pixels."""
    x, y = scene.curve.x, scene.curve.y
    origin = float(scene.x.place(0.0))
    before = y[x <= origin]
    return origin, float(np.median(before if before.size > 4 else y[:3]))


def _swing(parameters: Array, after: Array) -> Array:
    """What is left of the step some pixels after time 0, as a share of it."""
    decay, frequency = np.exp(parameters[2:])
    with np.errstate(all="ignore"):
        wave = np.cos(frequency * after) + decay / frequency * np.sin(frequency * after)
        return np.asarray(np.exp(-decay * after) * wave)


def _fit(scene: Scene) -> Fit:
    x, y = scene.curve.x, scene.curve.y
    origin, start = _beginning(scene)
    steady = float(np.median(y[-max(5, y.size // 8) :]))
    if abs(steady - start) < 10.0 * pixel_unit(scene.curve):
        raise UnreadableError("the output makes no step")
    rise = (start - y) / (start - steady)
    turn = int(np.argmax(rise))
    overshoot = float(np.clip(rise[turn] - 1.0, 0.005, 0.95))
    time = max(float(x[turn]) - origin, 2.0)
    decay = -np.log(overshoot) / time
    guess = np.array([start, steady, np.log(decay), np.log(np.pi / time)])

    def model(parameters: Array, at: Array) -> Array:
        left = _swing(parameters, np.maximum(at - origin, 0.0))
        return np.asarray(parameters[1] + (parameters[0] - parameters[1]) * left)

    return fit_curve(model, guess, x, y)


def _from_fit(scene: Scene, parameters: Array) -> _Response:
    start, steady = float(parameters[0]), float(parameters[1])
    decay, frequency = np.exp(parameters[2:])
    origin = _beginning(scene)[0]
    overshoot = float(np.exp(-np.pi * decay / frequency))
    after = np.linspace(0.0, _TIME_CONSTANTS / decay, 40001)
    left = np.abs(_swing(parameters, after)) - _BAND
    last = int(np.nonzero(left > 0.0)[0][-1])
    share = left[last] / (left[last] - left[last + 1]) if last + 1 < left.size else 0.0
    settling = after[last] + share * (after[1] - after[0])
    return _Response(
        start,
        steady,
        steady + (steady - start) * overshoot,
        origin + float(np.pi / frequency),
        origin + float(settling),
    )


def _straight(scene: Scene) -> _Response:
    """Levels by medians, the peak by a parabola, the settling by the band's last crossing."""
    x, y, unit = scene.curve.x, scene.curve.y, pixel_unit(scene.curve)
    origin, start = _beginning(scene)
    steady = level_of(y[-max(8, y.size // 12) :], unit, "right end")
    band = _BAND * abs(steady - start)
    rise = (start - y) / (start - steady)
    turn = int(np.argmax(rise))
    near = (np.abs(x - x[turn]) < 60.0 * unit) & (rise > rise[turn] - 0.25 * (rise[turn] - 1.0))
    peak_time, peak = vertex(x[near], y[near])
    if (peak - steady) * (steady - start) <= 0.0:
        raise UnreadableError("the output does not overshoot")
    smooth = uniform_filter1d(y, _SMOOTHED, mode="nearest")
    noise = max(1.5 * float(np.median(np.abs(y - smooth))), 0.3 * unit)
    early, late = (_last_crossing(x, smooth, steady, band + off) for off in (noise, -noise))
    settling = 0.5 * (early + late) if late - early < _SURE * (late - origin) else np.inf
    return _Response(start, steady, peak, peak_time, settling)


def _last_crossing(x: Array, y: Array, middle: float, away: float) -> float:
    """Where a curve enters a band for the last time; infinite if it does not."""
    places = [crossings(x, y, middle + side * away) for side in (-1.0, 1.0)]
    return max((float(some[-1]) for some in places if some.size), default=np.inf)
