"""A pump's head against its flow: H = H_0 (1 - (Q / Q_max)^m), and a dot on it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from plotchain_lib.models.reader.fit import (
    crossings,
    fit_curve,
    line_through,
    pixel_unit,
    smoothed_at,
)
from plotchain_lib.models.reader.lines import dot_on, require_linear
from plotchain_lib.models.reader.quantities import find_quantity
from plotchain_lib.models.reader.scene import Scene
from plotchain_lib.models.reader.seen import Array, Reading, UnreadableError

FIELDS = frozenset({"head_at_qop_m", "q_at_half_head_m3h", "cp_shutoff_head_m", "cp_qmax_m3h"})

_POOR = 1.0  # pixels, root mean square, at 100 dots per inch


@dataclass(frozen=True, slots=True)
class _Pump:
    """What a pump's curve says, in pixels; `x`, `y` are points of it, ascending in x."""

    x: Array
    y: Array
    shutoff: float
    half: float
    most: float


def read(scene: Scene, prompt: str) -> Reading:
    """By the fitted curve, or where it does not fit by the traced one.

    Raises:
        UnreadableError: the curve does not run from zero flow to zero head.
    """
    require_linear(scene.x, scene.y)
    try:
        pump = _fitted(scene)
    except UnreadableError:
        pump = _traced(scene)
    left, bottom = float(scene.x.place(0.0)), float(scene.y.place(0.0))
    half_head = (pump.shutoff + bottom) / 2.0
    values: dict[str, float | None] = {
        "q_at_half_head_m3h": float(scene.x.value(pump.half)),
        "cp_shutoff_head_m": float(scene.y.value(pump.shutoff)),
        "cp_qmax_m3h": float(scene.x.value(pump.most)),
    }
    points: dict[str, tuple[float | None, float | None]] = {
        "q_at_half_head_m3h": (pump.half, half_head),
        "cp_shutoff_head_m": (left, pump.shutoff),
        "cp_qmax_m3h": (pump.most, bottom),
    }
    name = "head_at_qop_m"
    flow = _operating(scene, pump)
    if flow is None:
        return Reading(values | {name: None}, {name: "no dot marks the operating point"}, points)
    place = float(np.interp(flow, pump.x, pump.y))
    return Reading(
        values | {name: float(scene.y.value(place))}, points=points | {name: (flow, place)}
    )


def _fitted(scene: Scene) -> _Pump:
    """The curve's parameters: shutoff head and largest flow in pixels, and the exponent."""
    curve = scene.curve
    left, bottom = float(scene.x.place(0.0)), float(scene.y.place(0.0))
    if curve.x.size < 10:
        raise UnreadableError("the pump's curve is too short")

    def model(parameters: Array, x: Array) -> Array:
        height, width, exponent = parameters
        share = np.maximum(x - left, 0.0) / max(width, 1.0)
        return np.asarray(bottom - height * (1.0 - share**exponent))

    start = np.array([bottom - curve.y.min(), 1.02 * (curve.x.max() - left), 2.0])
    fit = fit_curve(model, start, curve.x, curve.y, bounds=(
        np.array([1.0, 1.0, 0.3]), np.array([np.inf, np.inf, 20.0]),
    ))  # fmt: skip
    height, width, exponent = (float(parameter) for parameter in fit.parameters)
    # A curve that is cut off early leaves its foot to the exponent: no longer read, but guessed.
    if not fit.fits(_POOR * pixel_unit(curve)) or width > 1.15 * (curve.x.max() - left):
        raise UnreadableError("the curve is not a pump's")
    x = np.linspace(left, left + width, 1001)
    half = left + width * 0.5 ** (1.0 / exponent)
    return _Pump(x, model(fit.parameters, x), bottom - height, half, left + width)


def _traced(scene: Scene) -> _Pump:
    curve = scene.curve
    reach = 6.0 * pixel_unit(curve)
    left, bottom = float(scene.x.place(0.0)), float(scene.y.place(0.0))
    shutoff = smoothed_at(curve.x, curve.y, left + reach / 4.0, reach)
    half = crossings(curve.x, curve.y, (shutoff + bottom) / 2.0)
    # The stroke's end hides the crossing itself: just above it, by the curve's own slope there.
    last = curve.x >= curve.x.max() - 2.0 * reach
    slope, level = line_through(curve.x[last], curve.y[last])
    most = (bottom - level) / slope if slope > 0.0 else np.inf
    if half.size != 1 or abs(most - curve.x.max()) > reach:
        raise UnreadableError("the curve does not fall from zero flow to zero head")
    return _Pump(curve.x, curve.y, shutoff, float(half[0]), float(most))


def _operating(scene: Scene, pump: _Pump) -> float | None:
    """The operating flow's place: the dot's, or where it is hidden that of the printed flow."""

    def height(x: float) -> float:
        return float(np.interp(x, pump.x, pump.y, left=np.nan, right=np.nan))

    dot = dot_on(scene.markers, height, pixel_unit(scene.curve))
    if dot is not None:
        return dot.x
    for text in scene.texts:
        flow = find_quantity(text.text, "Q", "m3/h")
        if flow is not None:
            return float(scene.x.place(flow))
    return None
