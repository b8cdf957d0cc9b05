"""Rates along a scale: a few models as named lines, many as rows of shades."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import NullLocator

from plotchain_lib.report.bars import broken
from plotchain_lib.report.charts import draw_heat
from plotchain_lib.report.figures import (
    INK,
    LINE,
    MUTED,
    PAPER,
    SERIES,
    WIDE_INCHES,
    Chart,
    new_figure,
    settle,
    short,
)

MOST_LINES = len(SERIES)
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "p")
WIDE_NAME, NARROW_NAME = 34, 15  # letters a name beside a line may take before it is broken
LINE_ROOM = 0.17  # inches from one such name to the next


@dataclass(frozen=True, slots=True)
class Line:
    """One model's percentages along the scale; a baseline is drawn grey and dashed."""

    label: str
    values: tuple[float, ...]
    baseline: bool = False


def line_chart(
    chart: tuple[str, str, str],
    lines: Sequence[Line],
    scales: npt.NDArray[np.float64],
    labels: tuple[str, str],
) -> Chart:
    """Lines on a logarithmic scale (factors of two), each with its name at its right end."""

    def draw(width: float) -> Figure:
        narrow = width < WIDE_INCHES
        height = max(3.2 if narrow else 4.2, LINE_ROOM * len(lines) + 1.0)
        figure = new_figure(width, height)
        axes = figure.subplots()
        looks = zip(SERIES, MARKERS, strict=True)
        axes.axvline(1.0, color=LINE, linewidth=1.0, zorder=1)
        shown = [line for line in lines if np.isfinite(line.values).any()]
        for line in shown:
            colour, marker = (MUTED, "") if line.baseline else next(looks)
            axes.plot(scales, line.values, color=colour, linewidth=1.3 if line.baseline else 1.8,
                      linestyle=(0, (4, 2)) if line.baseline else "-", zorder=3, marker=marker,
                      markevery=4, markersize=5.5, markeredgecolor=PAPER, markeredgewidth=0.6,
                      clip_on=False)  # fmt: skip
        _scale(axes, scales)
        axes.set_ylim(0, 102)
        axes.set_xlabel(labels[0])
        axes.set_ylabel(labels[1])
        axes.tick_params(length=0, labelcolor=MUTED)
        _name(axes, shown, float(scales[-1]), height - 0.8, NARROW_NAME if narrow else WIDE_NAME)
        return settle(figure)

    return Chart(*chart, draw=draw)


def _scale(axes: Axes, scales: npt.NDArray[np.float64]) -> None:
    axes.set_xscale("log", base=2)
    axes.set_xlim(scales[0], scales[-1])
    marks = [scale for scale in scales if np.log2(scale) % 1 == 0]
    axes.set_xticks(marks, [f"{mark:g}" for mark in marks])
    axes.xaxis.set_minor_locator(NullLocator())


def _name(axes: Axes, lines: Sequence[Line], end: float, height: float, most: int) -> None:
    """Names beside the lines' ends, moved apart where they would cover each other."""
    ordered = sorted(lines, key=lambda line: line.values[-1])
    names = [broken(short(line.label), most) for line in ordered]
    step = 102 * LINE_ROOM / height * (0.6 + 0.4 * max(name.count("\n") + 1 for name in names))
    places = spread([line.values[-1] for line in ordered], step, (1.0, 101.0))
    colours = dict(zip([line.label for line in lines if not line.baseline], SERIES, strict=False))
    for line, name, place in zip(ordered, names, places, strict=True):
        axes.annotate(
            name, (end, line.values[-1]), xytext=(1.03, place / 102), textcoords="axes fraction",
            va="center", fontsize=8, color=MUTED if line.baseline else colours[line.label],
            annotation_clip=False, linespacing=0.95,
            arrowprops={"arrowstyle": "-", "color": LINE, "linewidth": 0.7, "shrinkA": 1,
                        "shrinkB": 0, "relpos": (0.0, 0.5)},
        )  # fmt: skip


def spread(values: Sequence[float], step: float, room: tuple[float, float]) -> list[float]:
    """Rising places near rising `values`, at least `step` apart, inside `room` where it is enough.

    Neighbours that are too close become a block around their mean, until no two blocks touch.
    """
    blocks: list[list[float]] = []  # sum of the wanted first places, count
    for value in values:
        blocks.append([value, 1.0])
        while len(blocks) > 1 and _start(blocks[-2], step, room) + blocks[-2][1] * step > _start(
            blocks[-1], step, room
        ):
            last = blocks.pop()
            blocks[-1][0] += last[0] - step * blocks[-1][1] * last[1]
            blocks[-1][1] += last[1]
    return [_start(b, step, room) + n * step for b in blocks for n in range(int(b[1]))]


def _start(block: Sequence[float], step: float, room: tuple[float, float]) -> float:
    top = room[1] - step * (block[1] - 1)
    return max(room[0], min(block[0] / block[1], top))


def shade_chart(
    chart: tuple[str, str, str],
    lines: Sequence[Line],
    scales: npt.NDArray[np.float64],
    label: str,
) -> Chart:
    """One row a model, one column a scale, the number of every second column written in it."""
    columns = [f"{scale:.2g}" for scale in scales]

    def draw(width: float) -> Figure:
        figure = new_figure(width, 0.24 * len(lines) + 0.9)
        axes = figure.subplots()
        shares = {
            line.label: {c: v / 100 for c, v in zip(columns, line.values, strict=True)}
            for line in lines
        }
        names = [short(line.label) for line in lines]
        draw_heat(axes, "", shares, names, columns, numbers=width >= WIDE_INCHES)
        axes.set_yticklabels(names, fontsize=8)
        axes.set_xlabel(label)
        for text in axes.get_xticklabels():
            text.set_color(INK if text.get_text() == "1" else MUTED)
        return settle(figure)

    return Chart(*chart, draw=draw)
