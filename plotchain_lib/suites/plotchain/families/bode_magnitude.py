"""Bode magnitude plot of a low-pass filter of order 1 to 3.

Transfer functions in `lowpass`. The cutoff is the half-power frequency, 3 dB below the DC gain
(IEC 60050-151 and -713; Sedra and Smith, Microelectronic Circuits, section on the frequency
response of amplifiers); it equals the corner frequency for order 1 only.
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
from plotchain_lib.suites.plotchain.lowpass import (
    THREE_DB,
    attenuation_db,
    cutoff_ratio,
    slope_db_per_decade,
)
from plotchain_lib.suites.plotchain.readability import BOX_PIXELS

if TYPE_CHECKING:
    from matplotlib.axes import Axes

NAME = "bode_magnitude"

_LOWEST_PLACE, _HIGHEST_PLACE = 0.03, 10.0  # of f_q, in corner frequencies
_BISECTIONS = 45
_APART = 0.07  # f_c from f_q and from 10 f_q, in decades, so that the lines can be told apart


def _drop_db(order: int, damping: float, place: float) -> float:
    """How far the magnitude falls from `place` to ten times `place` (in corner frequencies)."""
    losses = attenuation_db(order, damping, np.array([place, 10.0 * place]))
    return float(losses[1] - losses[0])


def _place_of_drop(order: int, damping: float, drop: float) -> float:
    low, high = math.log(_LOWEST_PLACE), math.log(_HIGHEST_PLACE)
    for _ in range(_BISECTIONS):
        middle = (low + high) / 2.0
        if _drop_db(order, damping, math.exp(middle)) < drop:
            low = middle
        else:
            high = middle
    return math.exp((low + high) / 2.0)


def _parameters(draw: Draw) -> Parameters | None:
    drop = draw.by_tolerance("slope", 8.0, 57.0, (1.5, 0.1))
    # A slope within 1.5 dB per decade of the order's own would put f_q far beyond the corner.
    orders = [order for order in (1, 2, 3) if drop < 20.0 * order - 1.5]
    # Only order 3 reaches the steepest slopes; the power makes up for it on the others.
    order = orders[int(len(orders) * draw.unit("order") ** 1.7)]
    damping = draw.log_uniform("damping", 0.25, 1.2) if order > 1 else 1.0
    place = _place_of_drop(order, damping, drop)
    if min(abs(math.log10(place)), abs(1.0 + math.log10(place))) < _APART:
        return None
    corner = draw.log_uniform("cutoff", 100.0, 100e3) / cutoff_ratio(order, damping)
    left = min(10.0 ** -draw.uniform("left", 1.2, 1.6), place / 1.6)
    right = max(13.0 * place, 6.0) * 10.0 ** draw.uniform("right", 0.0, 0.15)
    gain = draw.uniform("gain", -20.0, 60.0)
    losses = attenuation_db(order, damping, np.geomspace(left, right, 200))
    top, bottom = gain - float(losses.min()), gain - float(losses.max())
    edge = draw.difficulty == "edge"
    fill = draw.uniform("fill", 0.62, 0.80) if edge else draw.uniform("fill", 0.86, 0.95)
    margin = (top - bottom) * (1.0 / fill - 1.0) / 2.0
    return {
        "order": order, "damping": damping, "gain_db": gain, "corner_hz": corner,
        "query_hz": place * corner, "f_min_hz": left * corner, "f_max_hz": right * corner,
        "y_min_db": bottom - margin, "y_max_db": top + margin,
    }  # fmt: skip


def _magnitude_db(params: Parameters, frequency: Array) -> Array:
    ratio = np.asarray(frequency) / params["corner_hz"]
    loss = attenuation_db(params["order"], params["damping"], ratio)
    return np.asarray(params["gain_db"] - loss)


def _frame(params: Parameters) -> Frame:
    return Frame(
        x=Axis("Frequency (Hz)", params["f_min_hz"], params["f_max_hz"], "log"),
        y=Axis("Magnitude (dB)", params["y_min_db"], params["y_max_db"]),
        title="Bode magnitude plot of a low-pass filter",
    )


def _truth(params: Parameters) -> dict[str, float]:
    marks = np.array([params["corner_hz"], params["query_hz"], 10.0 * params["query_hz"]])
    at_corner, at_query, at_tenfold = (float(v) for v in _magnitude_db(params, marks))
    return {
        "dc_gain_db": params["gain_db"],
        "cutoff_hz": params["corner_hz"] * cutoff_ratio(params["order"], params["damping"]),
        "cp_mag_at_fc_db": at_corner,
        "cp_slope_db_per_decade": at_tenfold - at_query,
    }


def _reads(params: Parameters) -> dict[str, Read]:
    corner, query = params["corner_hz"], params["query_hz"]
    marks = {"corner": corner, "query": query, "tenfold": 10.0 * query}
    heights = _magnitude_db(params, np.array(list(marks.values())))
    reads = {
        "gain": Read("y", params["gain_db"]),
        "cutoff": Read("x", _truth(params)["cutoff_hz"]),
    }
    for (name, frequency), height in zip(marks.items(), heights, strict=True):
        reads[f"{name}_x"] = Read("x", frequency)
        reads[f"{name}_y"] = Read("y", float(height))
    return reads


def _from_reads(reads: Mapping[str, Array], params: Parameters) -> dict[str, Array]:
    def slope(frequency: float) -> float:
        ratio = frequency / params["corner_hz"]
        return slope_db_per_decade(params["order"], params["damping"], ratio)

    def height(name: str, frequency: float) -> Array:
        """What is read where the line meets the curve: a line misplaced meets it elsewhere."""
        decades = np.log10(reads[f"{name}_x"] / frequency)
        return np.asarray(reads[f"{name}_y"] + slope(frequency) * decades)

    query = params["query_hz"]
    cutoff = _truth(params)["cutoff_hz"]
    # The level sought is 3 dB below the gain as read: its error moves the crossing.
    moved = (reads["gain"] - params["gain_db"]) / slope(cutoff)
    return {
        "dc_gain_db": reads["gain"],
        "cutoff_hz": reads["cutoff"] * 10.0**moved,
        "cp_mag_at_fc_db": height("corner", params["corner_hz"]),
        "cp_slope_db_per_decade": height("tenfold", 10.0 * query) - height("query", query),
    }


def _plot(axes: Axes, params: Parameters, difficulty: str) -> None:
    frame, (width, _) = _frame(params), BOX_PIXELS["wide"]
    limits = [params["y_min_db"], params["y_max_db"]]
    marks = {
        "corner": ("f_c", params["corner_hz"], 42, "--"),
        "query": ("f_q", params["query_hz"], 42, ":"),
        "tenfold": ("10 f_q", 10.0 * params["query_hz"], 74, ":"),
    }
    places = [float(frame.x.fraction(mark[1])) for mark in marks.values()]
    for (gid, (label, frequency, needed, style)), place in zip(marks.items(), places, strict=True):
        axes.plot([frequency, frequency], limits, style, color="#555555", lw=1.2, gid=gid)
        height = float(_magnitude_db(params, np.array(frequency)))
        upper = float(frame.y.fraction(height)) > 0.5
        if difficulty == "clean":
            axes.plot([frequency], [height], "o", color="black", ms=4, zorder=3)
        # Right of its line unless the next line or the frame is too near; far from the curve.
        gap = width * (min([p for p in places if p > place], default=1.0) - place)
        right = gap > needed + 14
        axes.text(
            place + (7 if right else -7) / width, 0.03 if upper else 0.97, label,
            ha="left" if right else "right", va="bottom" if upper else "top",
            transform=axes.transAxes, fontsize=9, parse_math=False,
        )  # fmt: skip
    frequency = np.geomspace(params["f_min_hz"], params["f_max_hz"], 1201)
    axes.plot(frequency, _magnitude_db(params, frequency), gid="curve")


def _measure(drawn: Drawn, params: Parameters) -> dict[str, float]:
    frequency, magnitude = drawn.points["curve"].T
    # Towards zero frequency the inverse power is a straight line in the square of frequency.
    (f1, f2), (p1, p2) = frequency[[0, 120]], 10.0 ** (-magnitude[[0, 120]] / 10.0)
    gain = -10.0 * math.log10(p1 - (p2 - p1) / (f2**2 - f1**2) * f1**2)
    level = gain - THREE_DB
    last = int(np.nonzero(magnitude >= level)[0][-1])
    share = (magnitude[last] - level) / (magnitude[last] - magnitude[last + 1])
    cutoff = frequency[last] * (frequency[last + 1] / frequency[last]) ** share
    corner, query, tenfold = (
        float(np.interp(np.log(drawn.points[gid][0, 0]), np.log(frequency), magnitude))
        for gid in ("corner", "query", "tenfold")
    )
    return {
        "dc_gain_db": gain,
        "cutoff_hz": float(cutoff),
        "cp_mag_at_fc_db": corner,
        "cp_slope_db_per_decade": tenfold - query,
    }


FAMILY = Family(
    name=NAME,
    question=(
        "The picture is the Bode magnitude plot of a low-pass filter: its gain in decibels against "
        "frequency on a logarithmic axis. The dashed line f_c marks the corner frequency, at which "
        "the asymptotes meet; the dotted lines mark a frequency f_q and ten times that frequency."
    ),
    fields=(
        Field(
            "dc_gain_db", "dB",
            "gain at zero frequency, the level from which the curve starts at the left", "final", 1,
        ),
        Field(
            "cutoff_hz", "Hz",
            "cutoff frequency, above which the gain stays more than 3 dB below dc_gain_db (not "
            "always the marked f_c)", "final", 0,
        ),
        Field("cp_mag_at_fc_db", "dB", "gain at the marked frequency f_c", "checkpoint", 1),
        Field(
            "cp_slope_db_per_decade", "dB per decade",
            "mean slope of the curve from f_q to 10 f_q, negative where the curve falls",
            "checkpoint", 1,
        ),
    ),
    tolerances={
        "dc_gain_db": Tolerance((0.5, 0.03), (0.25, 0.02)),
        "cutoff_hz": Tolerance((5.0, 0.05), (2.0, 0.03)),
        "cp_mag_at_fc_db": Tolerance((0.8, 0.05), (0.5, 0.03)),
        "cp_slope_db_per_decade": Tolerance((1.5, 0.10), (1.0, 0.07)),
    },
    draws=("slope", "order", "damping", "cutoff", "gain", "left", "right", "fill"),
    parameters=_parameters,
    frame=_frame,
    truth=_truth,
    reads=_reads,
    from_reads=_from_reads,
    plot=_plot,
    measure=_measure,
)  # fmt: skip
