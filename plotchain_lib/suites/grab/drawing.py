"""What is drawn on the axes, and how the axes look."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.collections import LineCollection
from matplotlib.lines import Line2D
from matplotlib.ticker import AutoMinorLocator, MaxNLocator

from plotchain_lib.suites.grab.curves import Array, Polynomial, Sine, from_params
from plotchain_lib.suites.grab.style import COLOURS, MARKERS

if TYPE_CHECKING:
    from matplotlib.axes import Axes

REACH = 10.5  # of the shared axes, both ways from 0
_SAMPLES = 801  # points of a drawn curve, and at least 80 a period of a sine
# The shared schema, in points at full size; smaller pictures are scaled.
_LINE, _MARKER = 1.9, 5.5


def sampled(curve: Any) -> tuple[Array, Array]:
    """A curve's points as drawn: evenly spread, its stationary points among them."""
    if isinstance(curve, Polynomial) and not any(curve.coefficients[2:]):
        x = np.array([curve.low, curve.high])
        return x, np.asarray(curve.at(x))
    count = _SAMPLES
    if isinstance(curve, Sine):
        count = max(count, int(80 * (curve.high - curve.low) / curve.period))
    x = np.linspace(curve.low, curve.high, count)
    if not isinstance(curve, Polynomial) or len(curve.coefficients) <= 4:
        x = np.union1d(x, np.array(curve.turning()))
    return x, np.asarray(curve.at(x))


def artists(params: Mapping[str, Any]) -> list[Line2D]:
    """One artist a function or series, each with its number in its gid."""
    style = params["style"]
    fixed = style["schema"] == "fixed"
    colours = COLOURS if fixed else style["colours"]
    markers = MARKERS if fixed else style["markers"]
    width = _LINE if fixed else style["line_width"]
    line: Any = "-" if fixed else style["line_style"]
    made = []
    for number, curve in enumerate(params["curves"]):
        x, y = sampled(from_params(curve))
        made.append(Line2D(
            x, y, color=colours[number], linewidth=width, linestyle=line, gid=f"curve{number}",
            solid_capstyle="butt", solid_joinstyle="round", zorder=3,
        ))  # fmt: skip
    for number, (x, y) in enumerate(params["series"]):
        made.append(Line2D(
            np.array(x), np.array(y), color=colours[number], linestyle="none",
            marker=markers[number], markersize=_MARKER if fixed else style["marker_size"],
            markeredgewidth=0.0, gid=f"series{number}", zorder=3,
        ))  # fmt: skip
    return made


def furnish_fixed(axes: Axes) -> None:
    """The shared schema: -10 to 10 both ways, a grid line and a label at every whole number."""
    axes.set(xlim=(-REACH, REACH), ylim=(-REACH, REACH), autoscale_on=False)
    marks = list(range(-10, 11))
    labels = [str(mark).replace("-", "\N{MINUS SIGN}") for mark in marks]
    axes.set_xticks(marks, labels, fontsize=8.5)
    axes.set_yticks(marks, labels, fontsize=8.5)
    axes.tick_params(length=4.0, width=0.9)
    rules: Any = [[(mark, -REACH), (mark, REACH)] for mark in marks]
    rules += [[(-REACH, mark), (REACH, mark)] for mark in marks]
    grid = LineCollection(rules, linewidths=0.6, colors="#d4d4d4", zorder=0.5)
    zero = LineCollection(
        [[(0.0, -REACH), (0.0, REACH)], [(-REACH, 0.0), (REACH, 0.0)]],
        linewidths=1.1, colors="#606060", zorder=0.6,
    )  # fmt: skip
    for lines in (grid, zero):
        lines.set_snap(True)
        axes.add_collection(lines, autolim=False)
    axes.set_xlabel("x", fontsize=10.0, labelpad=2.0)
    axes.set_ylabel("y", fontsize=10.0, labelpad=2.0, rotation=0)


def _limits(values: list[Array], with_zero: bool, margin: float) -> tuple[float, float]:
    low = min(float(part.min()) for part in values)
    high = max(float(part.max()) for part in values)
    if with_zero:
        low, high = min(low, 0.0), max(high, 0.0)
    room = max(high - low, 1.0) * margin
    return low - room, high + room


# Properties that are about an axis: its 0 must be in the picture.
_X_ZERO = frozenset({"y_intercept"})
_Y_ZERO = frozenset({"x_intercept", "net_area", "total_area"})


def furnish_varied(axes: Axes, params: Mapping[str, Any], drawn: list[Line2D]) -> None:
    """The axes of a picture whose style was drawn from the lists."""
    style, name = params["style"], params["property"]
    x = [np.asarray(artist.get_xdata()) for artist in drawn]
    y = [np.asarray(artist.get_ydata()) for artist in drawn]
    axes.set(autoscale_on=False)
    axes.set_xlim(_limits(x, name in _X_ZERO, style["margin"]))
    axes.set_ylim(_limits(y, name in _Y_ZERO, style["margin"]))
    axes.set_facecolor(style["background"])
    size = style["font_size"]
    across = axes.get_position().width * style["inches"][0] * 72.0
    # Labels side by side need room: "-1.5" and a space are about four times the font's size.
    fitting = int(across / (4.0 * size))
    for axis, most in ((axes.xaxis, fitting), (axes.yaxis, style["tick_count"])):
        ticks = min(style["tick_count"], most)
        axis.set_major_locator(MaxNLocator(nbins=ticks, steps=[1, 2, 5, 10]))
        if style["grid"] == "both":
            axis.set_minor_locator(AutoMinorLocator(5))
    axes.tick_params(which="both", direction=style["ticks"], labelsize=size)
    if style["grid"] != "none":
        axes.grid(True, which="major", linewidth=0.7, color="#bdbdbd", ls=style["grid_style"])
    if style["grid"] == "both":
        axes.grid(True, which="minor", linewidth=0.4, color="#dadada", ls=style["grid_style"])
    axes.set_axisbelow(True)
    if style["zero_lines"]:
        axes.axhline(0.0, linewidth=0.9, color="#505050", zorder=1)
        axes.axvline(0.0, linewidth=0.9, color="#505050", zorder=1)
    if style["spines"] == "left_bottom":
        axes.spines[["top", "right"]].set_visible(False)
    axes.set_xlabel("x", fontsize=size)
    axes.set_ylabel("y", fontsize=size)
