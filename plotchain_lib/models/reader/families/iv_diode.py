"""A diode's forward characteristic, current against voltage, and a target current.

The curve is fitted with Shockley's law and a series resistance, v = a ln(1 + i / I_0) + R i, so
that the voltage can also be told where the target's line lies too low to see the curve cross it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from scipy.special import wrightomega

from plotchain_lib.models.reader.fit import Fit, crossings, first_fit, fit_curve, pixel_unit
from plotchain_lib.models.reader.lines import require_linear
from plotchain_lib.models.reader.quantities import axis_factor, find_quantity
from plotchain_lib.models.reader.scene import Scene
from plotchain_lib.models.reader.seen import Array, Reading, Rule, UnreadableError

FIELDS = frozenset({"target_current_a", "turn_on_voltage_v_at_target_i"})

_POOR = 1.0  # pixels, root mean square, at 100 dots per inch
_UNSURE = 0.02  # of the axis' width: the voltage's standard deviation at most
_VISIBLE = 2.5  # pixels above zero from which on the curve tells something
_CLEAR = 8.0  # pixels above zero from which on a crossing can be read directly


@dataclass(frozen=True, slots=True)
class _Shape:
    """The curve in pixels from the axes' zeros, to the right and upwards, and the target."""

    voltage: Array
    current: Array
    target: float
    unit: float


def read(scene: Scene, prompt: str) -> Reading:
    """The target, stated in the question or drawn as a line, and the voltage there.

    Raises:
        UnreadableError: no target, or a logarithmic axis.
    """
    require_linear(scene.x, scene.y)
    amperes = axis_factor(scene.label("y"), "A") or 1.0
    target, height = _target(scene, prompt, amperes)
    values: dict[str, float | None] = {"target_current_a": target}
    points: dict[str, tuple[float | None, float | None]] = {"target_current_a": (None, height)}
    name = "turn_on_voltage_v_at_target_i"
    try:
        place = _voltage(scene, height)
    except UnreadableError as error:
        return Reading(values | {name: None}, {name: str(error)}, points)
    return Reading(
        values | {name: float(scene.x.value(place))}, points=points | {name: (place, height)}
    )


def _target(scene: Scene, prompt: str, amperes: float) -> tuple[float, float]:
    """The target current in amperes, and its height in pixels."""
    stated = find_quantity(prompt, "I_target", "A")
    if stated is None:
        rule = _target_rule(scene)
        if rule is not None:
            return float(scene.y.value(rule.place)) * amperes, rule.place
        found = (find_quantity(text.text, "I_target", "A") for text in scene.texts)
        stated = next((current for current in found if current is not None), None)
    if stated is None:
        raise UnreadableError("the target current is neither stated nor drawn")
    return stated, float(scene.y.place(stated / amperes))


def _target_rule(scene: Scene) -> Rule | None:
    """The line across the axes, high enough above zero for its level to be read."""
    unit, zero = pixel_unit(scene.curve), float(scene.y.place(0.0))
    rules = [
        rule
        for rule in scene.rules
        if rule.direction == "horizontal"
        and _length(rule) > 0.5 * (scene.box.right - scene.box.left)
        and zero - rule.place > _CLEAR * unit
    ]
    chosen = [rule for rule in rules if rule.pattern != "solid"] or rules
    spread = np.ptp([rule.place for rule in chosen]) if chosen else 0.0
    # The same line may have been found in two colours; two lines apart are one too many.
    return max(chosen, key=_length) if chosen and spread < unit else None


def _length(rule: Rule) -> float:
    return rule.end - rule.start


def _voltage(scene: Scene, height: float) -> float:
    """Place in x where the current is the target, in pixels."""
    left, zero = float(scene.x.place(0.0)), float(scene.y.place(0.0))
    curve, unit = scene.curve, pixel_unit(scene.curve)
    rising = zero - curve.y > _VISIBLE * unit
    if rising.sum() < 12:
        raise UnreadableError("hardly any of the curve is above zero")
    shape = _Shape(curve.x[rising] - left, zero - curve.y[rising], zero - height, unit)
    if not 0.0 < shape.target <= 1.02 * float(shape.current.max()):
        raise UnreadableError("the target current is not within the curve")
    fit = _fitted(shape)
    width = scene.box.right - scene.box.left
    if fit is not None and fit.covariance[0, 0] < (_UNSURE * width) ** 2:
        return left + float(fit.parameters[0])
    found = crossings(curve.x, curve.y, height)
    if shape.target < _CLEAR * unit or found.size != 1:
        raise UnreadableError("no diode's law fits the curve, and it does not show the crossing")
    return float(found[0])


def _fitted(shape: _Shape) -> Fit | None:
    """The better of the law without and with a series resistance; None where both are poor.

    Its first parameter is the voltage at the target, in pixels, so that its deviation is known.
    """

    def model(parameters: Array, voltage: Array) -> Array:
        return -_current(parameters, voltage, shape.target)

    def fits() -> Iterator[Fit]:
        for start in _starts(shape):
            bounds = (np.array([0.0, 0.1, 1e-6][: start.size]), np.full(start.size, np.inf))
            yield fit_curve(model, start, shape.voltage, -shape.current, shape.unit, bounds)

    try:
        _, fit = first_fit(fits(), _POOR * shape.unit / 2.0)
    except UnreadableError:
        return None
    return fit if fit.fits(_POOR * shape.unit) else None


def _current(parameters: Array, voltage: Array, target: float) -> Array:
    """Current over voltage, by the voltage at the target, the scale a and the resistance.

    v + R I_0 = a x + R I_0 e^x for x = ln(1 + i / I_0) is solved by Wright's omega function.
    """
    at_target, scale = parameters[0], parameters[1]
    resistance = parameters[2] if parameters.size > 2 else 0.0
    with np.errstate(all="ignore"):
        saturation = target / np.expm1((at_target - resistance * target) / scale)
        if resistance < 1e-9:
            return np.asarray(saturation * np.expm1(voltage / scale))
        share = resistance * saturation / scale
        omega = wrightomega((voltage + resistance * saturation) / scale + np.log(share))
        return np.asarray(omega * scale / resistance - saturation, dtype=np.float64)


def _starts(shape: _Shape) -> list[Array]:
    """First guesses by three points of the curve: without and with a resistance."""
    order = np.argsort(shape.current)
    levels = np.array([0.1, 0.4, 0.95]) * float(shape.current.max())
    low, middle, high = np.interp(levels, shape.current[order], shape.voltage[order])
    starts = []
    for share in (0.0, 0.8):
        resistance = share * (high - middle) / (levels[2] - levels[1])
        rest = middle - low - resistance * (levels[1] - levels[0])
        scale = max(rest / np.log(levels[1] / levels[0]), 1.0)
        saturation = levels[1] / np.expm1(
            np.clip((middle - resistance * levels[1]) / scale, 0.1, 60.0)
        )
        at_target = scale * np.log1p(shape.target / saturation) + resistance * shape.target
        starts.append(np.array([at_target, scale, resistance][: 3 if share else 2]))
    return starts
