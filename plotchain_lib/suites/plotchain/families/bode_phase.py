"""Bode phase plot of a low-pass system: first order with dead time, second or third order.

Transfer functions in `lowpass`; a dead time T adds a lag of 360 f T degrees and leaves the
magnitude, hence the cutoff, alone (Franklin, Powell and Emami-Naeini, Feedback Control of Dynamic
Systems, section on time delay). The phase is drawn continuous, without jumps of 360 degrees.
"""

from __future__ import annotations

import math
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
from plotchain_lib.suites.plotchain.lowpass import cutoff_ratio, phase_lag_deg
from plotchain_lib.suites.plotchain.readability import BOX_PIXELS

if TYPE_CHECKING:
    from matplotlib.axes import Axes

NAME = "bode_phase"

# Per order: the lag at the cutoff that it can have, in degrees. Order 1 is the one with dead time;
# orders 2 and 3 get theirs from the damping ratio.
_LAGS = {1: (46.0, 130.0), 2: (50.0, 165.0), 3: (70.0, 172.0)}
_DAMPINGS = (0.08, 3.0)
_LOWEST_QUERY, _HIGHEST_QUERY = 0.12, 4.0  # f_q / f_c
_APART = 0.08  # f_q from f_c, in decades
_BISECTIONS = 40


def _damping_of_lag(order: int, lag: float) -> float:
    """The damping ratio at which the phase at the cutoff is -lag; it falls with damping."""
    low, high = _DAMPINGS
    for _ in range(_BISECTIONS):
        middle = math.sqrt(low * high)
        reached = float(phase_lag_deg(order, middle, np.array(cutoff_ratio(order, middle))))
        if reached > lag:
            low = middle
        else:
            high = middle
    return math.sqrt(low * high)


def _phase_deg(params: Parameters, frequency: Array) -> Array:
    ratio = np.asarray(frequency) / params["corner_hz"]
    lag = phase_lag_deg(params["order"], params["damping"], ratio)
    return np.asarray(-lag - 360.0 * params["delay_s"] * np.asarray(frequency))


def _cutoff_hz(params: Parameters) -> float:
    return float(params["corner_hz"] * cutoff_ratio(params["order"], params["damping"]))


def _query_of_lag(params: Parameters, lag: float) -> float:
    cutoff = _cutoff_hz(params)
    low, high = _LOWEST_QUERY * cutoff, _HIGHEST_QUERY * cutoff
    for _ in range(_BISECTIONS):
        middle = math.sqrt(low * high)
        if -float(_phase_deg(params, np.array(middle))) < lag:
            low = middle
        else:
            high = middle
    return math.sqrt(low * high)


def _parameters(draw: Draw) -> Parameters | None:
    lag = draw.by_tolerance("lag", 46.0, 172.0, (5.0, 0.08))
    orders = [order for order, (low, high) in _LAGS.items() if low <= lag <= high]
    order = orders[int(len(orders) * draw.unit("order"))]
    damping = _damping_of_lag(order, lag) if order > 1 else 1.0
    cutoff = draw.log_uniform("cutoff", 100.0, 100e3)
    system = {
        "order": order, "damping": damping,
        "corner_hz": cutoff / cutoff_ratio(order, damping),
        "delay_s": (lag - 45.0) / 360.0 / cutoff if order == 1 else 0.0,
    }  # fmt: skip
    ends = cutoff * np.array([_LOWEST_QUERY, _HIGHEST_QUERY])
    least, most = (-float(phase) for phase in _phase_deg(system, ends))
    # Less than a few pixels of lag cannot be read to a tenth; `most` stands for the axis.
    asked = draw.by_tolerance("query", max(least, 0.06 * most), most, (0.08, 0.10))
    query = _query_of_lag(system, asked)
    if abs(math.log10(query / cutoff)) < _APART:
        return None
    left = cutoff * 10.0 ** -draw.uniform("left", 1.15, 1.6)
    # A dead time's lag grows without end: its axis stops soon after the marks.
    reach = 10.0 ** draw.uniform("right", 0.8, 1.2) if order > 1 else 2.5
    right = max(reach * cutoff, 1.6 * query)
    top, bottom = (float(phase) for phase in _phase_deg(system, np.array([left, right])))
    edge = draw.difficulty == "edge"
    fill = draw.uniform("fill", 0.62, 0.80) if edge else draw.uniform("fill", 0.86, 0.95)
    margin = (top - bottom) * (1.0 / fill - 1.0) / 2.0
    return system | {
        "query_hz": query, "f_min_hz": left, "f_max_hz": right,
        "y_min_deg": bottom - margin, "y_max_deg": top + margin,
    }  # fmt: skip


def _frame(params: Parameters) -> Frame:
    return Frame(
        x=Axis("Frequency (Hz)", params["f_min_hz"], params["f_max_hz"], "log"),
        y=Axis("Phase (degrees)", params["y_min_deg"], params["y_max_deg"]),
        title="Bode phase plot of a low-pass system",
    )


def _truth(params: Parameters) -> dict[str, float]:
    cutoff = _cutoff_hz(params)
    at_query, at_cutoff = _phase_deg(params, np.array([params["query_hz"], cutoff]))
    return {
        "cutoff_hz": cutoff,
        "phase_deg_at_fq": float(at_query),
        "cp_phase_deg_at_fc": float(at_cutoff),
    }


def _reads(params: Parameters) -> dict[str, Read]:
    truth = _truth(params)
    return {
        "dot_x": Read("x", truth["cutoff_hz"]),
        "dot_y": Read("y", truth["cp_phase_deg_at_fc"]),
        "query_x": Read("x", params["query_hz"]),
        "query_y": Read("y", truth["phase_deg_at_fq"]),
    }


def _from_reads(reads: Mapping[str, Array], params: Parameters) -> dict[str, Array]:
    # A query line misplaced meets the curve elsewhere.
    moved = _phase_deg(params, reads["query_x"]) - _phase_deg(params, params["query_hz"])
    return {
        "cutoff_hz": reads["dot_x"],
        "phase_deg_at_fq": reads["query_y"] + moved,
        "cp_phase_deg_at_fc": reads["dot_y"],
    }


def _plot(axes: Axes, params: Parameters, difficulty: str) -> None:
    frame, (width, height) = _frame(params), BOX_PIXELS["wide"]
    truth, query = _truth(params), params["query_hz"]
    frequency = np.geomspace(params["f_min_hz"], params["f_max_hz"], 1201)
    axes.plot(
        [query, query], [params["y_min_deg"], params["y_max_deg"]], ":",
        color="#555555", lw=1.2, gid="query",
    )  # fmt: skip
    axes.plot(frequency, _phase_deg(params, frequency), gid="curve")
    dot = truth["cutoff_hz"], truth["cp_phase_deg_at_fc"]
    axes.plot(*([value] for value in dot), "o", color="black", ms=6, gid="dot")
    if difficulty != "edge":
        axes.plot([query], [truth["phase_deg_at_fq"]], "o", color="#555555", mfc="white", ms=5)
    # The curve falls: above right and below left of a point are free of it.
    near = 0 < float(frame.x.fraction(query) - frame.x.fraction(dot[0])) * width < 60
    axes.text(
        float(frame.x.fraction(dot[0])) + (-9 if near else 9) / width,
        float(frame.y.fraction(dot[1])) + (-5 if near else 5) / height, "f_c",
        ha="right" if near else "left", va="top" if near else "bottom",
        transform=axes.transAxes, fontsize=9, parse_math=False,
    )  # fmt: skip
    upper = float(frame.y.fraction(truth["phase_deg_at_fq"])) > 0.5
    right = query > dot[0]
    axes.text(
        float(frame.x.fraction(query)) + (7 if right else -7) / width, 0.03 if upper else 0.97,
        "f_q", ha="left" if right else "right", va="bottom" if upper else "top",
        transform=axes.transAxes, fontsize=9, parse_math=False,
    )  # fmt: skip


def _measure(drawn: Drawn, params: Parameters) -> dict[str, float]:
    frequency, phase = drawn.points["curve"].T
    dot, query = drawn.points["dot"][0, 0], drawn.points["query"][0, 0]
    at_query, at_dot = np.interp(np.log([query, dot]), np.log(frequency), phase)
    return {
        "cutoff_hz": float(dot),
        "phase_deg_at_fq": float(at_query),
        "cp_phase_deg_at_fc": float(at_dot),
    }


FAMILY = Family(
    name=NAME,
    question=(
        "The picture is the Bode phase plot of a low-pass system: the phase of its output in "
        "degrees against frequency on a logarithmic axis. The black dot f_c marks the cutoff "
        "frequency, at which the gain is 3 dB below its value at zero frequency; the dotted line "
        "marks a frequency f_q."
    ),
    fields=(
        Field("cutoff_hz", "Hz", "cutoff frequency, marked by the black dot f_c", "final", 0),
        Field(
            "phase_deg_at_fq", "degrees", "phase at the marked frequency f_q, with its sign",
            "final", 1,
        ),
        Field(
            "cp_phase_deg_at_fc", "degrees", "phase at the black dot f_c, with its sign",
            "checkpoint", 1,
        ),
    ),
    tolerances={
        "cutoff_hz": Tolerance((5.0, 0.05), (2.0, 0.03)),
        # No published row: the scorer's default, max(0.05, 0.08 max(|g|, 1)) or 0.10 |g| (strict:
        # 0.048 and 0.06), equals these pairs for every g.
        "phase_deg_at_fq": Tolerance((0.08, 0.10), (0.05, 0.06)),
        "cp_phase_deg_at_fc": Tolerance((5.0, 0.08), (3.0, 0.06)),
    },
    draws=("lag", "order", "cutoff", "query", "left", "right", "fill"),
    parameters=_parameters,
    frame=_frame,
    truth=_truth,
    reads=_reads,
    from_reads=_from_reads,
    plot=_plot,
    measure=_measure,
)  # fmt: skip
