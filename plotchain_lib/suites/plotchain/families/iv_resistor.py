"""Voltage against current of a resistor in series with a known one: measured points and fit.

Ohm's law for the loop: V = (R + R_series) I; the slope of the straight line is the resistance of
the whole loop (Nilsson and Riedel, Electric Circuits, chapter on simple resistive circuits). The
series resistor is of the E24 series (IEC 60063). The line is the least-squares fit of the points:
their errors are made orthogonal to a constant and to the current.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from plotchain_lib.item import Field, Relation
from plotchain_lib.sampling import Draw, Stream
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

NAME = "iv_resistor"
_E24 = (10, 11, 12, 13, 15, 16, 18, 20, 22, 24, 27, 30,
        33, 36, 39, 43, 47, 51, 56, 62, 68, 75, 82, 91)  # fmt: skip
_MOST_POWER_W = 0.5
# Points over the sweep, and their voltage errors as a share of the highest voltage.
_POINTS = {"clean": 21, "moderate": 15, "edge": 11}
_ERROR_SHARE = {"clean": 0.0, "moderate": 0.008, "edge": 0.02}
_TOLERANCES = {
    "resistance_ohm": Tolerance((10.0, 0.05), (5.0, 0.03)),
    "cp_slope_ohm": Tolerance((15.0, 0.10), (10.0, 0.07)),
}


def _nearest_e24(resistance: float) -> float:
    candidates = [m * 10.0**k for k in range(0, 5) for m in _E24]
    return min(candidates, key=lambda value: abs(float(np.log(value / resistance))))


def _parameters(draw: Draw) -> Parameters | None:
    resistance = draw.by_tolerance("resistance", 100.0, 100e3, (10.0, 0.05))
    series = _nearest_e24(resistance * draw.log_uniform("series", 0.15, 0.90))
    loop = resistance + series
    most = min(40.0, (_MOST_POWER_W * loop) ** 0.5)
    voltage = draw.log_uniform("voltage", 1.0, most)
    fill = draw.uniform("fill", *((0.62, 0.80) if draw.difficulty == "edge" else (0.86, 0.95)))
    current_ma = 1e3 * voltage / loop
    both_ways = draw.unit("sweep") < 0.4
    return {
        "resistance_ohm": resistance, "series_ohm": series, "current_max_ma": current_ma,
        "both_ways": both_ways, "x_max_ma": current_ma / fill, "y_max_v": voltage / fill,
        "noise_key": f"{draw.key}-{draw.index}-{draw.attempt}",
    }  # fmt: skip


def _lowest(params: Parameters) -> float:
    """Where the sweep starts, as a multiple of its highest current."""
    return -1.0 if params["both_ways"] else 0.0


def _frame(params: Parameters) -> Frame:
    low = _lowest(params)
    return Frame(
        x=Axis("Current (mA)", low * params["x_max_ma"], params["x_max_ma"]),
        y=Axis("Voltage (V)", low * params["y_max_v"], params["y_max_v"]),
        title="Two resistors in series: voltage against current",
    )


def _truth(params: Parameters) -> dict[str, float]:
    return {
        "resistance_ohm": params["resistance_ohm"],
        "cp_slope_ohm": params["resistance_ohm"] + params["series_ohm"],
    }


def _voltage(params: Parameters, current_ma: Array) -> Array:
    return np.asarray((params["resistance_ohm"] + params["series_ohm"]) * 1e-3 * current_ma)


def _reads(params: Parameters) -> dict[str, Read]:
    """Both coordinates of two points of the line, as far apart as it goes."""
    ends = np.array([_lowest(params), 1.0]) * params["current_max_ma"]
    volts = _voltage(params, ends)
    return {
        "i1": Read("x", float(ends[0])), "v1": Read("y", float(volts[0])),
        "i2": Read("x", float(ends[1])), "v2": Read("y", float(volts[1])),
    }  # fmt: skip


def _from_reads(reads: Mapping[str, Array], params: Parameters) -> dict[str, Array]:
    slope = 1e3 * (reads["v2"] - reads["v1"]) / (reads["i2"] - reads["i1"])
    return {"resistance_ohm": slope - params["series_ohm"], "cp_slope_ohm": slope}


def _errors(params: Parameters, current: Array, difficulty: str) -> Array:
    """Voltage errors that leave the least-squares line of the points where it is."""
    errors = Stream(params["noise_key"]).normal(len(current))
    centred = current - current.mean()
    errors = errors - errors.mean()
    errors = errors - centred * (np.sum(errors * centred) / np.sum(centred**2))
    share = _ERROR_SHARE[difficulty]
    return np.asarray(share * _voltage(params, np.array([params["current_max_ma"]])) * errors)


def _series_label(ohm: float) -> str:
    text = f"{ohm:g} Ω" if ohm < 1000.0 else f"{ohm / 1e3:g} kΩ"
    return f"R_series = {text}"


def _plot(axes: Axes, params: Parameters, difficulty: str) -> None:
    if params["both_ways"]:
        axes.axhline(0.0, color="black", linewidth=0.6)
        axes.axvline(0.0, color="black", linewidth=0.6)
    start = _lowest(params)
    inset = 0.03 * (1.0 - start)  # so that the line's ends stick out beyond the points
    current = params["current_max_ma"] * np.linspace(
        start + inset, 1.0 - inset, _POINTS[difficulty]
    )
    ends = params["current_max_ma"] * np.array([start, 1.0])
    axes.plot(ends, _voltage(params, ends), gid="fit")
    volts = _voltage(params, current) + _errors(params, current, difficulty)
    axes.plot(
        current, volts, "o", gid="points", markersize=4.0, markerfacecolor="none",
        markeredgecolor="#c0392b", markeredgewidth=1.0,
    )  # fmt: skip
    axes.text(
        0.035, 0.93, _series_label(params["series_ohm"]), transform=axes.transAxes, fontsize=10.0,
        ha="left", va="top", parse_math=False,
        bbox={"facecolor": "white", "edgecolor": "#808080", "linewidth": 0.6, "pad": 4.0},
    )  # fmt: skip


def _measure(drawn: Drawn, params: Parameters) -> dict[str, float]:
    current, volts = drawn.points["points"].T
    slope = 1e3 * float(np.polyfit(current, volts, 1)[0])
    return {"resistance_ohm": slope - params["series_ohm"], "cp_slope_ohm": slope}


FAMILY = Family(
    name=NAME,
    question=(
        "The picture shows the voltage across two resistors in series, an unknown one and a known "
        "one, against the current through them: measured points (circles) and the straight line "
        "fitted to them. The known resistance R_series is printed in the picture."
    ),
    fields=(
        Field(
            "resistance_ohm", "ohm",
            "resistance of the unknown resistor: the slope of the line minus R_series", "final", 0,
        ),
        Field(
            "cp_slope_ohm", "ohm",
            "slope of the straight line, volts per ampere: the resistance of both resistors "
            "together", "checkpoint", 0,
        ),
    ),
    tolerances=_TOLERANCES,
    draws=("resistance", "series", "voltage", "fill", "sweep"),
    parameters=_parameters,
    frame=_frame,
    truth=_truth,
    reads=_reads,
    from_reads=_from_reads,
    plot=_plot,
    measure=_measure,
    relations=(
        Relation(
            NAME, "resistance_ohm", ("cp_slope_ohm",), "slope - R_series",
            lambda slope, series: slope - series, given=("series_ohm",),
        ),
    ),
)  # fmt: skip
