"""Periodic waveform of a function generator: square, trapezoid, triangle or sine-shaped pulses.

Every waveform rests at one level and makes one excursion a period to the other. Duty cycle as in
IEEE Std 181 (Transitions, Pulses, and Related Waveforms): pulse duration over period, the duration
taken between the crossings of the 50 % level. At one half, triangle and sine pulses are the
ordinary triangle and sine wave, as the excursion then fills the period.
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

NAME = "time_waveform"

# Duration of an edge over the excursion's duration at half height; the sine has edges throughout.
_EDGES = {"square": 0.0, "trapezoid": 0.5, "triangle": 1.0, "sine": 1.0}
_CLEAR = 0.04  # of a period, between a 50 % crossing and either end of the picture


def _period(place: float) -> float:
    """Half of the places spread evenly over 1 to 10 Hz, half over 100 to 10 ms.

    The tolerances are absolute in frequency below and in period above; each half leaves a
    constant in one of them little to catch.
    """
    if place < 0.5:
        return 1.0 / (1.0 + 9.0 * (2.0 * place))
    return 0.1 - 0.09 * (2.0 * place - 1.0)


def _parameters(draw: Draw) -> Parameters | None:
    shapes = tuple(_EDGES)
    period = _period(draw.unit("period"))
    duty = draw.by_tolerance("duty", 0.1, 0.9, (0.05, 0.1))
    swing = draw.by_tolerance("swing", 1.0, 40.0, (0.2, 0.1))
    centre = swing * draw.uniform("centre", -0.9, 0.9)
    first = draw.uniform("first", _CLEAR, 1.0 - _CLEAR)
    periods = draw.uniform("periods", 2.2, 5.0)
    for crossing in (first, first + duty):
        if min((periods - crossing) % 1.0, (crossing - periods) % 1.0) < _CLEAR:
            return None  # a crossing at the frame may be missed or taken for one
        if min(crossing % 1.0, -crossing % 1.0) < _CLEAR:
            return None
    edge = draw.difficulty == "edge"
    fill = draw.uniform("fill", 0.62, 0.80) if edge else draw.uniform("fill", 0.86, 0.95)
    margin = swing * (1.0 / fill - 1.0) / 2.0
    return {
        "shape": shapes[int(len(shapes) * draw.unit("shape"))],
        "period_s": period, "duty": duty, "v_max": centre + swing / 2.0,
        "v_min": centre - swing / 2.0, "rise_s": first * period, "t_max_s": periods * period,
        "y_min_v": centre - swing / 2.0 - margin, "y_max_v": centre + swing / 2.0 + margin,
    }  # fmt: skip


def _corners(params: Parameters) -> tuple[Array, Array]:
    """Time and height (0 at rest, 1 at the excursion) of one excursion's corners, its middle at 0.

    The excursion is the shorter part of the period: upward up to a duty of one half.
    """
    width = min(params["duty"], 1.0 - params["duty"]) * params["period_s"]
    edge = _EDGES[params["shape"]] * width
    outer, inner = (width + edge) / 2.0, (width - edge) / 2.0
    return np.array([-outer, -inner, inner, outer]), np.array([0.0, 1.0, 1.0, 0.0])


def _waveform(params: Parameters) -> tuple[Array, Array]:
    """The drawn points, the corners among them."""
    period, upward = params["period_s"], params["duty"] <= 0.5
    times, heights = _corners(params)
    if params["shape"] == "sine":
        angles = np.linspace(-math.pi, math.pi, 121)
        times, heights = times[-1] * angles / math.pi, (1.0 + np.cos(angles)) / 2.0
    high = params["rise_s"] + params["duty"] * period / 2.0
    centres = (high if upward else high + period / 2.0) + period * np.arange(-2, 8)
    times = (centres[:, None] + times).ravel()
    heights = np.tile(heights if upward else 1.0 - heights, len(centres))
    # Cut at the frame, with points interpolated there; edges of no duration keep both their points.
    inside = (times > 0.0) & (times < params["t_max_s"])
    ends = np.array([0.0, params["t_max_s"]])
    left, right = np.interp(ends, times, heights)
    times = np.concatenate([ends[:1], times[inside], ends[1:]])
    heights = np.concatenate([[left], heights[inside], [right]])
    return times, params["v_min"] + (params["v_max"] - params["v_min"]) * heights


def _frame(params: Parameters) -> Frame:
    return Frame(
        x=Axis("Time (s)", 0.0, params["t_max_s"]),
        y=Axis("Voltage (V)", params["y_min_v"], params["y_max_v"]),
        title="Function generator output",
    )


def _truth(params: Parameters) -> dict[str, float]:
    return {
        "frequency_hz": 1.0 / params["period_s"],
        "vpp_v": params["v_max"] - params["v_min"],
        "cp_period_s": params["period_s"],
        "cp_vmax_v": params["v_max"],
        "cp_vmin_v": params["v_min"],
        "cp_duty": params["duty"],
    }


def _whole_periods(params: Parameters) -> int:
    """How many periods lie between the first and the last rising crossing in the picture."""
    return int((params["t_max_s"] - params["rise_s"]) / params["period_s"])


def _reads(params: Parameters) -> dict[str, Read]:
    rise, period = params["rise_s"], params["period_s"]
    return {
        "rise": Read("x", rise),
        "fall": Read("x", rise + params["duty"] * period),
        "last": Read("x", rise + _whole_periods(params) * period),
        "top": Read("y", params["v_max"]),
        "bottom": Read("y", params["v_min"]),
    }


def _from_reads(reads: Mapping[str, Array], params: Parameters) -> dict[str, Array]:
    top, bottom = reads["top"], reads["bottom"]
    period = (reads["last"] - reads["rise"]) / _whole_periods(params)
    # The 50 % level as read: its error moves both crossings of an edge that has a duration.
    swing = params["v_max"] - params["v_min"]
    level = ((top + bottom) / 2.0 - (params["v_max"] + params["v_min"]) / 2.0) / swing
    narrow = min(params["duty"], 1.0 - params["duty"]) * params["period_s"]
    steepness = math.pi / 2.0 if params["shape"] == "sine" else 1.0
    moved = 2.0 * level * _EDGES[params["shape"]] * narrow / steepness
    return {
        "frequency_hz": 1.0 / period,
        "vpp_v": top - bottom,
        "cp_period_s": period,
        "cp_vmax_v": top,
        "cp_vmin_v": bottom,
        "cp_duty": (reads["fall"] - reads["rise"] - moved) / period,
    }


def _plot(axes: Axes, params: Parameters, difficulty: str) -> None:
    ends = [0.0, params["t_max_s"]]
    if difficulty == "clean":
        middle = (params["v_max"] + params["v_min"]) / 2.0
        axes.plot(ends, [middle, middle], ":", color="#555555", lw=1.0)
    axes.plot(*_waveform(params), gid="curve")


def _crossings(times: Array, values: Array, level: float) -> Array:
    """When the curve rises through a level."""
    before = np.nonzero((values[:-1] < level) & (values[1:] >= level))[0]
    share = (level - values[before]) / (values[before + 1] - values[before])
    return np.asarray(times[before] + share * (times[before + 1] - times[before]))


def _measure(drawn: Drawn, params: Parameters) -> dict[str, float]:
    times, values = drawn.points["curve"].T
    top, bottom = float(values.max()), float(values.min())
    middle = (top + bottom) / 2.0
    rises, falls = _crossings(times, values, middle), _crossings(times, -values, -middle)
    period = float(rises[-1] - rises[0]) / (len(rises) - 1)
    fall = float(falls[falls > rises[0]][0])
    return {
        "frequency_hz": 1.0 / period,
        "vpp_v": top - bottom,
        "cp_period_s": period,
        "cp_vmax_v": top,
        "cp_vmin_v": bottom,
        "cp_duty": (fall - float(rises[0])) / period,
    }


FAMILY = Family(
    name=NAME,
    question="The picture shows the periodic output voltage of a function generator against time.",
    fields=(
        Field("frequency_hz", "Hz", "number of periods per second", "final", 2),
        Field(
            "vpp_v", "V", "peak-to-peak voltage, cp_vmax_v minus cp_vmin_v", "final", 2
        ),
        Field(
            "cp_period_s", "s", "period, the time after which the waveform repeats itself",
            "checkpoint", 4,
        ),
        Field("cp_vmax_v", "V", "highest voltage", "checkpoint", 2),
        Field("cp_vmin_v", "V", "lowest voltage", "checkpoint", 2),
        Field(
            "cp_duty", "",
            "duty cycle: the share of a period, between 0 and 1, in which the voltage is above the "
            "mean of cp_vmax_v and cp_vmin_v", "checkpoint", 3,
        ),
    ),
    tolerances={
        "frequency_hz": Tolerance((1.0, 0.02), (0.5, 0.01)),
        "vpp_v": Tolerance((0.2, 0.10), (0.12, 0.07)),
        "cp_period_s": Tolerance((0.01, 0.05), (0.006, 0.03)),
        "cp_vmax_v": Tolerance((0.1, 0.08), (0.06, 0.05)),
        "cp_vmin_v": Tolerance((0.1, 0.08), (0.06, 0.05)),
        "cp_duty": Tolerance((0.05, 0.10), (0.03, 0.06)),
    },
    draws=("period", "duty", "swing", "centre", "first", "periods", "shape", "fill"),
    parameters=_parameters,
    frame=_frame,
    truth=_truth,
    reads=_reads,
    from_reads=_from_reads,
    plot=_plot,
    measure=_measure,
    relations=(
        Relation(NAME, "frequency_hz", ("cp_period_s",), "1 / T", lambda period: 1.0 / period),
        Relation(
            NAME, "vpp_v", ("cp_vmax_v", "cp_vmin_v"), "vmax - vmin", lambda top, low: top - low
        ),
    ),
)  # fmt: skip
