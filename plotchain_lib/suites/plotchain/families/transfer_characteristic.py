"""Voltage transfer characteristic of an amplifier that saturates.

v_out = A (v_in - V_os) between the saturation levels L- and L+ and constant outside (Sedra and
Smith, Microelectronic Circuits, section on amplifier saturation). The input offset V_os moves the
linear section sideways, so that no corner follows from gain and level alone.
"""

from __future__ import annotations

from collections.abc import Mapping
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

NAME = "transfer_characteristic"

_LEVELS = (1.0, 40.0)  # of the positive saturation, in volts
_GAINS = (1.0, 100.0)


def _parameters(draw: Draw) -> Parameters | None:
    corner = draw.by_tolerance("corner", 0.15, 8.0, (0.15, 0.12))
    shift = draw.uniform("offset", -0.3, 0.3)  # of the distance from the offset to the corner
    reach = corner / (1.0 + shift)
    # The gain between the ones that put the saturation at its lowest and at its highest level.
    least, most = max(_GAINS[0], _LEVELS[0] / reach), min(_GAINS[1], _LEVELS[1] / reach)
    gain = draw.by_tolerance("gain", least, most, (0.2, 0.1))
    high = gain * reach
    low = -high * draw.log_uniform("asymmetry", 0.75, 1.33)
    offset = shift * reach
    ends = offset + low / gain, offset + high / gain
    half = (ends[1] - ends[0]) / 2.0
    edge = draw.difficulty == "edge"
    fill = draw.uniform("fill", 0.62, 0.80) if edge else draw.uniform("fill", 0.86, 0.95)
    margin = (high - low) * (1.0 / fill - 1.0) / 2.0
    return {
        "gain": gain, "high_v": high, "low_v": low, "offset_v": offset,
        "x_min_v": ends[0] - half * draw.uniform("left", 0.3, 1.0),
        "x_max_v": ends[1] + half * draw.uniform("right", 0.3, 1.0),
        "y_min_v": low - margin, "y_max_v": high + margin,
    }  # fmt: skip


def _frame(params: Parameters) -> Frame:
    return Frame(
        x=Axis("Input voltage (V)", params["x_min_v"], params["x_max_v"]),
        y=Axis("Output voltage (V)", params["y_min_v"], params["y_max_v"]),
        title="Amplifier: voltage transfer characteristic",
    )


def _corners(params: Parameters) -> tuple[float, float]:
    """The input voltages at which the output reaches its lower and its upper level."""
    gain, offset = params["gain"], params["offset_v"]
    return offset + params["low_v"] / gain, offset + params["high_v"] / gain


def _truth(params: Parameters) -> dict[str, float]:
    return {
        "small_signal_gain": params["gain"],
        "saturation_v": params["high_v"],
        "cp_vin_at_saturation": _corners(params)[1],
    }


def _reads(params: Parameters) -> dict[str, Read]:
    lower, upper = _corners(params)
    return {
        "lower_x": Read("x", lower),
        "lower_y": Read("y", params["low_v"]),
        "upper_x": Read("x", upper),
        "upper_y": Read("y", params["high_v"]),
    }


def _from_reads(reads: Mapping[str, Array], params: Parameters) -> dict[str, Array]:
    gain = (reads["upper_y"] - reads["lower_y"]) / (reads["upper_x"] - reads["lower_x"])
    # The corner is where the slope meets the level as read: its error moves the corner along it.
    moved = (reads["upper_y"] - params["high_v"]) / params["gain"]
    return {
        "small_signal_gain": gain,
        "saturation_v": reads["upper_y"],
        "cp_vin_at_saturation": reads["upper_x"] + moved,
    }


def _plot(axes: Axes, params: Parameters, difficulty: str) -> None:
    x_limits: list[float] = [params["x_min_v"], params["x_max_v"]]
    y_limits: list[float] = [params["y_min_v"], params["y_max_v"]]
    if difficulty != "edge":
        axes.plot(x_limits, [0.0, 0.0], color="#888888", lw=1.0)
        axes.plot([0.0, 0.0], y_limits, color="#888888", lw=1.0)
    if difficulty == "clean":
        axes.plot(x_limits, [params["high_v"]] * 2, ":", color="#555555", lw=1.2)
        axes.plot(x_limits, [params["low_v"]] * 2, ":", color="#555555", lw=1.2)
    # The corners are among the points, so that they are sharp.
    voltages = np.sort([*np.linspace(x_limits[0], x_limits[1], 601), *_corners(params)])
    output = np.clip(
        params["gain"] * (voltages - params["offset_v"]), params["low_v"], params["high_v"]
    )
    axes.plot(voltages, output, gid="curve")


def _measure(drawn: Drawn, params: Parameters) -> dict[str, float]:
    voltages, output = drawn.points["curve"].T
    level = float(output[-1])
    inner = np.abs(output) < 0.9 * min(level, -float(output[0]))
    gain, intercept = np.polyfit(voltages[inner], output[inner], 1)
    return {
        "small_signal_gain": float(gain),
        "saturation_v": level,
        "cp_vin_at_saturation": float((level - intercept) / gain),
    }


FAMILY = Family(
    name=NAME,
    question=(
        "The picture shows the transfer characteristic of an amplifier, output voltage against "
        "input voltage: a straight section between a negative and a positive saturation level."
    ),
    fields=(
        Field(
            "small_signal_gain", "",
            "voltage gain, the slope of the straight section in volts per volt", "final", 2,
        ),
        Field(
            "saturation_v", "V",
            "positive saturation level, the highest output voltage", "final", 2,
        ),
        Field(
            "cp_vin_at_saturation", "V",
            "input voltage at which the output just reaches the positive saturation level",
            "checkpoint", 2,
        ),
    ),
    tolerances={
        "small_signal_gain": Tolerance((0.2, 0.10), (0.12, 0.06)),
        "saturation_v": Tolerance((0.1, 0.10), (0.06, 0.06)),
        "cp_vin_at_saturation": Tolerance((0.15, 0.12), (0.10, 0.08)),
    },
    draws=("corner", "offset", "gain", "asymmetry", "left", "right", "fill"),
    parameters=_parameters,
    frame=_frame,
    truth=_truth,
    reads=_reads,
    from_reads=_from_reads,
    plot=_plot,
    measure=_measure,
)  # fmt: skip
