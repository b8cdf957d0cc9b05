"""Forward characteristic of a diode: current against voltage, with a target current marked.

Shockley's equation with a series resistance, solved for the voltage:
V = n V_T ln(1 + I / I_S) + I R_S (Sze and Ng, Physics of Semiconductor Devices, chapter on p-n
junctions; Sedra and Smith, Microelectronic Circuits, chapter on diodes), at 300 K.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from plotchain_lib.item import Field
from plotchain_lib.sampling import Draw
from plotchain_lib.suites.plotchain.family import (
    Array,
    Axis,
    Drawn,
    Family,
    Frame,
    Parameters,
    Read,
    Tolerance,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

NAME = "iv_diode"
THERMAL_VOLTAGE = 1.380649e-23 * 300.0 / 1.602176634e-19  # k T / q, in volts
_VOLTAGE_TOLERANCE = Tolerance((0.08, 0.15), (0.05, 0.10))


@dataclass(frozen=True, slots=True)
class _Kind:
    """A kind of diode.

    Attributes:
        title: how the picture names it.
        lowest, highest: its forward voltage at the target current, in volts.
        ideality: range of the ideality factor n.
        ohmic: range of the series resistance's share of that voltage.
    """

    title: str
    lowest: float
    highest: float
    ideality: tuple[float, float]
    ohmic: tuple[float, float]


_KINDS = {
    "schottky": _Kind("Schottky diode", 0.25, 0.62, (1.02, 1.15), (0.15, 0.45)),
    "silicon": _Kind("Silicon p-n diode", 0.62, 1.15, (1.4, 2.0), (0.10, 0.35)),
    "silicon_carbide": _Kind("SiC Schottky diode", 1.0, 1.95, (1.05, 1.2), (0.20, 0.45)),
    "led": _Kind("Light-emitting diode", 1.6, 3.6, (1.8, 3.0), (0.08, 0.25)),
}


def _kind(voltage: float, choice: float) -> str:
    """One of the kinds that have such a forward voltage."""
    possible = [name for name, kind in _KINDS.items() if kind.lowest <= voltage <= kind.highest]
    return possible[int(choice * len(possible))]


def _voltage(params: Parameters, current: Array) -> Array:
    junction = params["emission_v"] * np.log1p(current / params["saturation_a"])
    return np.asarray(junction + current * params["series_ohm"])


def _parameters(draw: Draw) -> Parameters | None:
    target = draw.by_tolerance("target", 0.1, 5.0, (0.01, 0.10))
    voltage = draw.by_tolerance("voltage", 0.25, 3.6, _VOLTAGE_TOLERANCE.plotread)
    name = _kind(voltage, draw.unit("kind"))
    emission = draw.uniform("ideality", *_KINDS[name].ideality) * THERMAL_VOLTAGE
    ohmic = draw.uniform("ohmic", *_KINDS[name].ohmic)
    fill = draw.uniform("fill", *((0.62, 0.80) if draw.difficulty == "edge" else (0.86, 0.95)))
    current_max = target * draw.uniform("headroom", 1.25, 5.0 * fill)
    params = {
        "kind": name, "target_a": target, "emission_v": emission,
        "saturation_a": target / float(np.expm1(voltage * (1.0 - ohmic) / emission)),
        "series_ohm": voltage * ohmic / target, "current_max_a": current_max,
        "y_max_a": current_max / fill,
    }  # fmt: skip
    top = float(_voltage(params, np.array(current_max)))
    return params | {"x_max_v": top / fill}


def _frame(params: Parameters) -> Frame:
    return Frame(
        x=Axis("Forward voltage (V)", 0.0, params["x_max_v"]),
        y=Axis("Forward current (A)", 0.0, params["y_max_a"]),
        title=f"{_KINDS[params['kind']].title}: forward characteristic",
    )


def _truth(params: Parameters) -> dict[str, float]:
    return {
        "target_current_a": params["target_a"],
        "turn_on_voltage_v_at_target_i": float(_voltage(params, np.array(params["target_a"]))),
    }


def _reads(params: Parameters) -> dict[str, Read]:
    """The line's level, and the point where curve and line meet."""
    truth = _truth(params)
    return {
        "level": Read("y", truth["target_current_a"]),
        "crossing_v": Read("x", truth["turn_on_voltage_v_at_target_i"]),
        "crossing_a": Read("y", truth["target_current_a"]),
    }


def _from_reads(reads: Mapping[str, Array], params: Parameters) -> dict[str, Array]:
    # A crossing sought a little too high on the curve lies too far right, by the curve's slope.
    target = params["target_a"]
    slope = params["emission_v"] / (target + params["saturation_a"]) + params["series_ohm"]
    astray = reads["crossing_a"] - target
    return {
        "target_current_a": reads["level"],
        "turn_on_voltage_v_at_target_i": reads["crossing_v"] + slope * astray,
    }


def _curve(params: Parameters) -> tuple[Array, Array]:
    """Voltage and current, dense both where the junction rules and where the resistance does."""
    top = params["current_max_a"]
    junction = np.linspace(0.0, float(np.log1p(top / params["saturation_a"])), 501)
    evenly = np.linspace(0.0, top, 500, endpoint=False)
    currents = np.append(params["saturation_a"] * np.expm1(junction), evenly)
    current = np.unique(np.minimum(currents, top))
    return _voltage(params, current), current


def _plot(axes: Axes, params: Parameters, difficulty: str) -> None:
    voltage, current = _curve(params)
    axes.plot(voltage, current, gid="curve")
    target = params["target_a"]
    axes.plot(
        [0.0, params["x_max_v"]], [target, target], gid="target", color="#c0392b",
        linewidth=1.2, linestyle=(0, (6, 4)),
    )  # fmt: skip
    axes.text(
        0.02 * params["x_max_v"], target + 0.012 * params["y_max_a"], "I_target", fontsize=9.0,
        color="#c0392b", ha="left", va="bottom", parse_math=False,
    )  # fmt: skip
    if difficulty == "clean":
        truth = _truth(params)["turn_on_voltage_v_at_target_i"]
        axes.plot(
            [truth], [target], "o", markersize=6.0, markerfacecolor="none",
            markeredgecolor="black", markeredgewidth=1.0,
        )  # fmt: skip


def _measure(drawn: Drawn, params: Parameters) -> dict[str, float]:
    voltage, current = drawn.points["curve"].T
    level = float(drawn.points["target"][:, 1].mean())
    return {
        "target_current_a": level,
        "turn_on_voltage_v_at_target_i": float(np.interp(level, current, voltage)),
    }


FAMILY = Family(
    name=NAME,
    question=(
        "The picture shows the forward characteristic of a diode, current against voltage. A "
        "dashed horizontal line marks the target current I_target."
    ),
    fields=(
        Field(
            "target_current_a", "A", "the target current, the level of the dashed line",
            "final", 3,
        ),
        Field(
            "turn_on_voltage_v_at_target_i", "V",
            "forward voltage at which the diode's current equals the target current", "final", 2,
        ),
    ),
    tolerances={
        "target_current_a": Tolerance((0.01, 0.10), (0.005, 0.07)),
        "turn_on_voltage_v_at_target_i": _VOLTAGE_TOLERANCE,
    },
    draws=("target", "voltage", "kind", "ideality", "ohmic", "fill", "headroom"),
    parameters=_parameters,
    frame=_frame,
    truth=_truth,
    reads=_reads,
    from_reads=_from_reads,
    plot=_plot,
    measure=_measure,
)  # fmt: skip
