"""Fatigue: stress amplitude against cycles, Basquin's line down to the endurance limit."""

from __future__ import annotations

import numpy as np

from plotchain_lib.models.reader.fit import Fit, fit_curve, pixel_unit
from plotchain_lib.models.reader.gathering import Gathering
from plotchain_lib.models.reader.marked import check_traced, height_at, level_of
from plotchain_lib.models.reader.scene import Scene
from plotchain_lib.models.reader.seen import Array, Marker, Reading, UnreadableError

FIELDS = frozenset({"stress_at_1e5_mpa", "endurance_limit_mpa", "cp_stress_at_1e3_mpa"})

_LIMIT = 0.8  # of the fit's residual, in pixels at 100 dots per inch
_FIRST, _QUERY = 1e3, 1e5  # cycles, as the fields' names say


def read(scene: Scene, prompt: str) -> Reading:
    """From the fit of S = S_e min(N / N_k, 1)^b, or straight off the curve.

    Raises:
        UnreadableError: no curve, or the axis of cycles is not logarithmic.
    """
    if scene.x.scale != "log":
        raise UnreadableError("the axis of cycles is not logarithmic")
    check_traced(scene.curve)
    fit = _fit(scene)
    unit = pixel_unit(scene.curve)
    fits = fit.fits(_LIMIT * unit)
    found = Gathering(FIELDS)
    with found.trying("endurance_limit_mpa"):
        end = scene.curve.y[-max(8, scene.curve.y.size // 20) :]
        height = fit.parameters[2] if fits else level_of(end, unit, "right end")
        found.put("endurance_limit_mpa", float(scene.y.value(height)), None, height)
    for field, cycles in (("cp_stress_at_1e3_mpa", _FIRST), ("stress_at_1e5_mpa", _QUERY)):
        with found.trying(field):
            place = float(scene.x.place(cycles))
            _check_reach(scene, place)
            at = np.array([place])
            height = (
                float(_height(scene, fit.parameters, at)[0]) if fits else height_at(scene, place)
            )
            found.put(field, float(scene.y.value(height)), place, height)
    return found.reading()


def _height(scene: Scene, parameters: Array, x: Array) -> Array:
    """A line in log stress over log cycles, then level; both corners' places as parameters."""
    first, knee, limit = parameters
    start = float(scene.x.place(_FIRST))
    share = np.clip((x - start) / (knee - start), None, 1.0)
    logs = np.log(scene.y.value(np.array([first, limit])))
    return np.asarray(scene.y.place(np.exp(logs[0] + (logs[1] - logs[0]) * share)))


def _fit(scene: Scene) -> Fit:
    x, y = scene.curve.x, scene.curve.y
    limit = float(np.median(y[-max(5, y.size // 30) :]))
    near = np.nonzero(np.abs(y - limit) > 3.0 * pixel_unit(scene.curve))[0]
    knee = float(x[near[-1]]) if near.size else float(x[-1])
    start = np.array([float(y[0]), knee, limit])
    return fit_curve(lambda parameters, at: _height(scene, parameters, at), start, x, y)


def _check_reach(scene: Scene, place: float) -> None:
    reach = 3.0 * pixel_unit(scene.curve) + scene.box.line
    ends = [scene.curve.x.min() - reach, scene.curve.x.max() + reach]
    # A dot on an end hides it.
    ends += [side * 0.3 * dot.size + dot.x for dot in _end_dots(scene) for side in (-1.0, 1.0)]
    if not min(ends) <= place <= max(ends):
        raise UnreadableError("the curve does not reach the number of cycles asked about")


def _end_dots(scene: Scene) -> list[Marker]:
    ends = scene.curve.x.min(), scene.curve.x.max()
    return [
        dot
        for dot in scene.markers
        if dot.shape == "dot" and min(abs(dot.x - end) for end in ends) < 1.5 * dot.size
    ]
