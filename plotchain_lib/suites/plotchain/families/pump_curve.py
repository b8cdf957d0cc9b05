"""Rotodynamic pump at constant speed: head against flow.

H(Q) = H_0 (1 - (Q / Q_max)^m): the shutoff head less losses that grow as a power of the flow, the
usual fit H_0 - A Q^m of catalogue curves (Mays, Water Resources Engineering; Rossman, EPANET User
Manual, power-function pump curve). m near 1.2 is the steep curve of a mixed-flow or side-channel
pump, m near 3.5 the flat one of a radial pump (Gülich, Centrifugal Pumps, chapter 4).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from plotchain_lib.item import Field, Relation
from plotchain_lib.sampling import Draw, significant
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

NAME = "pump_curve"

_HEAD = Tolerance((2.0, 0.07), (2.0, 0.07))
_HALF_FLOW = Tolerance((5.0, 0.10), (5.0, 0.10))
_MAX_FLOW = Tolerance((7.0, 0.12), (7.0, 0.12))
_SHUTOFF_M = (10.0, 160.0)
_MAX_FLOW_M3H = (20.0, 1500.0)
# Flow at half head over flow at zero head, 2^(-1/m): m from 1.2 to 3.5. Spread wide and evenly, so
# that neither flow can be had from the other by a fixed ratio.
_HALF_SHARE = (0.56, 0.82)
_OPERATING_HEAD_SHARE = (0.25, 0.93)
_LABEL_ROOM = 0.78  # of the axis: further right the label does not fit beside the point


def _parameters(draw: Draw) -> Parameters | None:
    max_flow = draw.by_tolerance("max_flow", *_MAX_FLOW_M3H, _MAX_FLOW.plotread)
    shutoff = draw.by_tolerance("shutoff", *_SHUTOFF_M, _HEAD.plotread)
    exponent = -math.log(2.0) / math.log(draw.uniform("half_share", *_HALF_SHARE))
    # The asked head is drawn, and the flow that has it is solved for.
    least, most = (share * shutoff for share in _OPERATING_HEAD_SHARE)
    head = draw.by_tolerance("head", least, most, _HEAD.plotread)
    flow = max_flow * (1.0 - head / shutoff) ** (1.0 / exponent)
    fill = (0.62, 0.80) if draw.difficulty == "edge" else (0.86, 0.95)
    return {
        "shutoff_head_m": shutoff,
        "max_flow_m3h": max_flow,
        "exponent": exponent,
        "operating_flow_m3h": significant(flow, 2 if flow < 50.0 else 3),
        "x_max_m3h": max_flow / draw.uniform("fill_x", *fill),
        "y_max_m": shutoff / draw.uniform("fill_y", *fill),
    }


def _head(params: Parameters, flow: float) -> float:
    share = (flow / params["max_flow_m3h"]) ** params["exponent"]
    return float(params["shutoff_head_m"] * (1.0 - share))


def _frame(params: Parameters) -> Frame:
    return Frame(
        x=Axis("Flow Q (m³/h)", 0.0, params["x_max_m3h"]),
        y=Axis("Head H (m)", 0.0, params["y_max_m"]),
        title="Pump at constant speed: head against flow",
    )


def _truth(params: Parameters) -> dict[str, float]:
    max_flow = params["max_flow_m3h"]
    return {
        "head_at_qop_m": _head(params, params["operating_flow_m3h"]),
        "q_at_half_head_m3h": max_flow * 0.5 ** (1.0 / params["exponent"]),
        "cp_shutoff_head_m": params["shutoff_head_m"],
        "cp_qmax_m3h": max_flow,
    }


def _reads(params: Parameters) -> dict[str, Read]:
    truth = _truth(params)
    return {
        "operating_head": Read("y", truth["head_at_qop_m"]),
        "shutoff": Read("y", truth["cp_shutoff_head_m"]),
        "half_flow": Read("x", truth["q_at_half_head_m3h"]),
        "half_head": Read("y", truth["cp_shutoff_head_m"] / 2.0),
        "max_flow": Read("x", truth["cp_qmax_m3h"]),
        "zero_head": Read("y", 0.0),
    }


def _from_reads(reads: Mapping[str, Array], params: Parameters) -> dict[str, Array]:
    # An error in the height at which the curve is followed moves the flow along its slope.
    exponent, max_flow = params["exponent"], params["max_flow_m3h"]
    slope_at_zero = -exponent * params["shutoff_head_m"] / max_flow
    slope_at_half = slope_at_zero * 0.5 ** ((exponent - 1.0) / exponent)
    missed = reads["shutoff"] / 2.0 - reads["half_head"]
    return {
        "head_at_qop_m": reads["operating_head"],
        "q_at_half_head_m3h": reads["half_flow"] + missed / slope_at_half,
        "cp_shutoff_head_m": reads["shutoff"],
        "cp_qmax_m3h": reads["max_flow"] - reads["zero_head"] / slope_at_zero,
    }


def _plot(axes: Axes, params: Parameters, difficulty: str) -> None:
    frame = _frame(params)
    flow = params["operating_flow_m3h"]
    head = _head(params, flow)
    if difficulty == "clean":  # guide lines to both axes
        axes.plot([0.0, flow, flow], [head, head, 0.0], color="0.45", ls="--", lw=1.0)
    elif difficulty == "moderate":  # a guide line to the flow axis
        axes.plot([flow, flow], [head, 0.0], color="0.45", ls="--", lw=1.0)
    share = np.linspace(0.0, 1.0, 601)
    heads = params["shutoff_head_m"] * (1.0 - share ** params["exponent"])
    axes.plot(params["max_flow_m3h"] * share, heads, gid="curve")
    axes.plot([flow], [head], "o", color="tab:orange", ms=5.5, gid="operating")
    x, y = float(frame.x.fraction(flow)), float(frame.y.fraction(head))
    # To the upper right of the point the falling curve leaves room; near the frame, below it.
    beside = x < _LABEL_ROOM
    axes.text(
        x + (0.015 if beside else -0.015), y + (0.02 if beside else -0.03), f"Q = {flow:g} m³/h",
        ha="left" if beside else "right", va="baseline" if beside else "top",
        transform=axes.transAxes, fontsize=9.0, parse_math=False,
    )  # fmt: skip


def _measure(drawn: Drawn, params: Parameters) -> dict[str, float]:
    flow, head = drawn.points["curve"].T
    shutoff = float(np.interp(0.0, flow, head))
    crossings = np.interp([-shutoff / 2.0, 0.0], -head, flow)
    return {
        "head_at_qop_m": float(np.interp(params["operating_flow_m3h"], flow, head)),
        "q_at_half_head_m3h": float(crossings[0]),
        "cp_shutoff_head_m": shutoff,
        "cp_qmax_m3h": float(crossings[1]),
    }


FAMILY = Family(
    name=NAME,
    question=(
        "The picture shows the head of a pump against its flow, at constant speed. A dot on the "
        "curve marks the operating point, whose flow is printed beside it."
    ),
    fields=(
        Field(
            "head_at_qop_m", "m", "head at the operating flow, the one marked by the dot",
            "final", 1,
        ),
        Field(
            "q_at_half_head_m3h", "m³/h",
            "flow at which the head is half the shutoff head", "final", 0,
        ),
        Field("cp_shutoff_head_m", "m", "shutoff head, the head at zero flow", "checkpoint", 1),
        Field("cp_qmax_m3h", "m³/h", "flow at which the head is zero", "checkpoint", 0),
    ),
    tolerances={
        "head_at_qop_m": _HEAD,
        "q_at_half_head_m3h": _HALF_FLOW,
        "cp_shutoff_head_m": _HEAD,
        "cp_qmax_m3h": _MAX_FLOW,
    },
    draws=("max_flow", "shutoff", "half_share", "head", "fill_x", "fill_y"),
    parameters=_parameters,
    frame=_frame,
    truth=_truth,
    reads=_reads,
    from_reads=_from_reads,
    plot=_plot,
    measure=_measure,
    relations=(
        Relation(
            NAME, "head_at_qop_m", ("cp_shutoff_head_m", "cp_qmax_m3h", "q_at_half_head_m3h"),
            "H_0 (1 - (Q_op / Q_max)^m), m = ln(1/2) / ln(Q_half / Q_max)",
            lambda head, flow, half, at: head
            * (1.0 - (at / flow) ** (np.log(0.5) / np.log(half / flow))),
            given=("operating_flow_m3h",),
        ),
        Relation(
            NAME, "q_at_half_head_m3h", ("cp_shutoff_head_m", "cp_qmax_m3h", "head_at_qop_m"),
            "Q_max (1/2)^(1/m), m = ln(1 - H_op / H_0) / ln(Q_op / Q_max)",
            lambda shutoff, flow, head, at: flow
            * 0.5 ** (np.log(at / flow) / np.log(1.0 - head / shutoff)),
            given=("operating_flow_m3h",),
        ),
    ),
)  # fmt: skip
