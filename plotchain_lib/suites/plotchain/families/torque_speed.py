"""Permanent-magnet DC motor at constant voltage: torque against speed.

With armature voltage V, resistance R and motor constant k, T = k (V - k w) / R: a straight line
from the stall torque T_s at rest to the no-load speed n_0, T = T_s (1 - n / n_0). The greatest
mechanical power, at half the no-load speed, is T_s w_0 / 4 (Hughes and Drury, Electric Motors and
Drives, chapter on DC motors; Fitzgerald, Kingsley and Umans, Electric Machinery).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from plotchain_lib.item import Field, Relation
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

NAME = "torque_speed"

_TORQUE = Tolerance((0.7, 0.12), (0.7, 0.12))
_SPEED = Tolerance((120.0, 0.07), (120.0, 0.07))
_STALL_NM = (2.0, 200.0)
_NO_LOAD_RPM = (500.0, 12000.0)
_PEAK_POWER_W = (50.0, 25e3)
_RPM_PER_RADIAN = 30.0 / math.pi
_QUERY_SHARE = (0.15, 0.80)  # of the no-load speed


def _query_step(no_load_rpm: float) -> int:
    """The query speed is a round number, as a person would choose it."""
    return 10 if no_load_rpm < 2000.0 else 50 if no_load_rpm < 6000.0 else 100


def _parameters(draw: Draw) -> Parameters | None:
    stall = draw.by_tolerance("stall", *_STALL_NM, _TORQUE.plotread)
    # Motors from a hand tool's to a small traction drive's: the power bounds the speed.
    no_load_of_power = 4.0 * _RPM_PER_RADIAN / stall
    slowest = max(_NO_LOAD_RPM[0], _PEAK_POWER_W[0] * no_load_of_power)
    fastest = min(_NO_LOAD_RPM[1], _PEAK_POWER_W[1] * no_load_of_power)
    no_load = draw.by_tolerance("no_load", slowest, fastest, _SPEED.plotread)
    # The asked torque is drawn, and the speed that has it is solved for.
    least, most = ((1.0 - share) * stall for share in _QUERY_SHARE[::-1])
    torque = draw.by_tolerance("torque_q", least, most, _TORQUE.plotread)
    step = _query_step(no_load)
    fill = (0.62, 0.80) if draw.difficulty == "edge" else (0.86, 0.95)
    return {
        "stall_torque_nm": stall,
        "no_load_speed_rpm": no_load,
        "speed_q_rpm": step * round(no_load * (1.0 - torque / stall) / step),
        "x_max_rpm": no_load / draw.uniform("fill_x", *fill),
        "y_max_nm": stall / draw.uniform("fill_y", *fill),
    }


def _torque(params: Parameters, speed: float) -> float:
    return float(params["stall_torque_nm"] * (1.0 - speed / params["no_load_speed_rpm"]))


def _frame(params: Parameters) -> Frame:
    return Frame(
        x=Axis("Speed (rpm)", 0.0, params["x_max_rpm"]),
        y=Axis("Torque (N·m)", 0.0, params["y_max_nm"]),
        title="DC motor at constant voltage: torque against speed",
    )


def _truth(params: Parameters) -> dict[str, float]:
    return {
        "stall_torque_nm": params["stall_torque_nm"],
        "no_load_speed_rpm": params["no_load_speed_rpm"],
        "cp_torque_at_speed_q_nm": _torque(params, params["speed_q_rpm"]),
    }


def _reads(params: Parameters) -> dict[str, Read]:
    truth = _truth(params)
    return {
        "stall": Read("y", truth["stall_torque_nm"]),
        "no_load": Read("x", truth["no_load_speed_rpm"]),
        "torque_q": Read("y", truth["cp_torque_at_speed_q_nm"]),
    }


def _from_reads(reads: Mapping[str, Array], params: Parameters) -> dict[str, Array]:
    return {
        "stall_torque_nm": reads["stall"],
        "no_load_speed_rpm": reads["no_load"],
        "cp_torque_at_speed_q_nm": reads["torque_q"],
    }


def _plot(axes: Axes, params: Parameters, difficulty: str) -> None:
    frame = _frame(params)
    speed, no_load = params["speed_q_rpm"], params["no_load_speed_rpm"]
    torque = _torque(params, speed)
    if difficulty == "clean":  # guide lines to both axes
        axes.plot([0.0, speed, speed], [torque, torque, 0.0], color="0.45", ls="--", lw=1.0)
    elif difficulty == "moderate":  # a guide line to the speed axis
        axes.plot([speed, speed], [torque, 0.0], color="0.45", ls="--", lw=1.0)
    speeds = np.linspace(0.0, no_load, 401)
    axes.plot(speeds, params["stall_torque_nm"] * (1.0 - speeds / no_load), gid="curve")
    axes.plot([speed], [torque], "o", color="tab:orange", ms=5.5, gid="query")
    # To the upper right of the point the falling line leaves room.
    axes.text(
        float(frame.x.fraction(speed)) + 0.015, float(frame.y.fraction(torque)) + 0.02,
        f"n = {speed} rpm", transform=axes.transAxes, fontsize=9.0, parse_math=False,
    )  # fmt: skip


def _measure(drawn: Drawn, params: Parameters) -> dict[str, float]:
    speed, torque = drawn.points["curve"].T
    slope, stall = np.polyfit(speed, torque, 1)
    return {
        "stall_torque_nm": float(stall),
        "no_load_speed_rpm": float(-stall / slope),
        "cp_torque_at_speed_q_nm": float(np.interp(params["speed_q_rpm"], speed, torque)),
    }


FAMILY = Family(
    name=NAME,
    question=(
        "The picture shows the torque of a permanent-magnet DC motor against its speed, at "
        "constant voltage. A dot on the line marks the query speed, whose value is printed "
        "beside it."
    ),
    fields=(
        Field("stall_torque_nm", "N·m", "stall torque, the torque at zero speed", "final", 1),
        Field(
            "no_load_speed_rpm", "rpm", "no-load speed, the speed at which the torque is zero",
            "final", 0,
        ),
        Field(
            "cp_torque_at_speed_q_nm", "N·m",
            "torque at the query speed, the one marked by the dot", "checkpoint", 1,
        ),
    ),
    tolerances={
        "stall_torque_nm": _TORQUE,
        "no_load_speed_rpm": _SPEED,
        "cp_torque_at_speed_q_nm": _TORQUE,
    },
    draws=("stall", "no_load", "torque_q", "fill_x", "fill_y"),
    parameters=_parameters,
    frame=_frame,
    truth=_truth,
    reads=_reads,
    from_reads=_from_reads,
    plot=_plot,
    measure=_measure,
    relations=(
        Relation(
            NAME, "stall_torque_nm", ("cp_torque_at_speed_q_nm", "no_load_speed_rpm"),
            "T_q / (1 - n_q / n_0)",
            lambda torque, no_load, speed: torque / (1.0 - speed / no_load),
            given=("speed_q_rpm",),
        ),
        Relation(
            NAME, "no_load_speed_rpm", ("cp_torque_at_speed_q_nm", "stall_torque_nm"),
            "n_q / (1 - T_q / T_s)", lambda torque, stall, speed: speed / (1.0 - torque / stall),
            given=("speed_q_rpm",),
        ),
    ),
)  # fmt: skip
