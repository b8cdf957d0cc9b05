"""Scatter charts whose points are named, not coloured: twenty models need no legend of colours."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, NullFormatter
from matplotlib.transforms import Bbox

from plotchain_lib.report.figures import (
    ACCENT,
    INK,
    LINE,
    MUTED,
    PAPER,
    WIDE_INCHES,
    Chart,
    new_figure,
    settle,
    short,
)

MOST_NAMES = 8
NAME_SIZE = 8.0
Offset = tuple[int, int, Literal["left", "center", "right"], Literal["top", "center", "bottom"]]
OFFSETS: tuple[Offset, ...] = (
    (7, 0, "left", "center"), (-7, 0, "right", "center"), (0, 6, "center", "bottom"),
    (0, -6, "center", "top"), (5, 5, "left", "bottom"), (5, -5, "left", "top"),
    (-5, 5, "right", "bottom"), (-5, -5, "right", "top"), (12, 12, "left", "bottom"),
    (12, -12, "left", "top"), (-12, 12, "right", "bottom"), (-12, -12, "right", "top"),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Point:
    """A named point; a baseline is drawn hollow."""

    label: str
    x: float
    y: float
    baseline: bool = False


@dataclass(frozen=True, slots=True)
class Scales:
    """What the axes say and how they run.

    Attributes:
        x, y: axis labels.
        log_x: seconds on a logarithmic axis.
        shares: both axes are percentages; the diagonal is drawn.
    """

    x: str
    y: str
    log_x: bool = False
    shares: bool = False


def scatter_chart(
    chart: tuple[str, str, str], points: Sequence[Point], scales: Scales, note: str = ""
) -> Chart:
    """Points with names beside them, or beyond eight with numbers and a key below."""
    numbered = len(points) > MOST_NAMES
    names = [str(n) if numbered else short(point.label) for n, point in enumerate(points, start=1)]

    def draw(width: float) -> Figure:
        narrow = width < WIDE_INCHES
        key_columns = _key_columns(points, width) if numbered else 1
        key_rows = -(-len(points) // key_columns) if numbered else 0
        plot_height, key_height = (3.4 if narrow else 4.2), 0.17 * key_rows + 0.1
        figure = new_figure(width, plot_height + (key_height if numbered else 0))
        if numbered:
            axes, key = figure.subplots(2, 1, height_ratios=[plot_height, key_height])
            _draw_key(key, [short(point.label) for point in points], key_columns, key_rows)
        else:
            axes = figure.subplots()
        _draw_points(axes, points, scales)
        settle(figure)  # before the names: where they fit depends on where the points are
        _place_names(axes, points, names)
        return figure

    return Chart(*chart, draw=draw, note=note)


def _draw_points(axes: Axes, points: Sequence[Point], scales: Scales) -> None:
    for point in points:
        axes.plot(point.x, point.y, "s" if point.baseline else "o", markersize=6.5, zorder=3,
                  color=PAPER if point.baseline else ACCENT, markeredgewidth=1.2,
                  markeredgecolor=MUTED if point.baseline else PAPER)  # fmt: skip
    axes.set_xlabel(scales.x)
    axes.set_ylabel(scales.y)
    axes.tick_params(length=0, labelcolor=MUTED)
    if scales.log_x:
        axes.set_xscale("log")
        axes.set_xlim(min(p.x for p in points) / 1.8, max(p.x for p in points) * 1.8)
        axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
        axes.xaxis.set_minor_formatter(NullFormatter())
        axes.minorticks_off()
        _few_log_ticks(axes, [p.x for p in points])
    low, high = _padded([p.y for p in points] + ([p.x for p in points] if scales.shares else []))
    axes.set_ylim(low, high)
    axes.set_yticks([tick for tick in axes.get_yticks() if 0 <= tick <= 100])
    axes.set_ylim(low, high)  # ticks widen the limits
    if scales.shares:
        axes.set_xlim(low, high)
        axes.plot([low, high], [low, high], color=LINE, linewidth=1, zorder=1)


def _few_log_ticks(axes: Axes, values: Sequence[float]) -> None:
    """1, 2 and 5 of each decade in sight, so that a narrow range still has ticks."""
    low, high = axes.get_xlim()
    ticks = [m * 10.0**e for e in range(-5, 6) for m in (1, 2, 5) if low <= m * 10.0**e <= high]
    if len(ticks) > 8:
        ticks = [10.0**e for e in range(-5, 6) if low <= 10.0**e <= high]
    axes.set_xticks(ticks or list(values)[:1])


def _padded(values: Sequence[float]) -> tuple[float, float]:
    """Limits of a percentage axis with room for names, never beyond what can be."""
    low, high = min(values), max(values)
    low = min(low, high - 10.0)
    margin = max(4.0, 0.12 * (high - low))
    return max(-3.0, low - margin), min(104.0, high + margin)


def _place_names(axes: Axes, points: Sequence[Point], names: Sequence[str]) -> None:
    """Each name goes where it covers least: the frame, the marks, the names set before it."""
    figure = axes.get_figure(root=True)
    pixel = figure.dpi / 72 if figure is not None else 1.0
    centres = [tuple(axes.transData.transform((point.x, point.y))) for point in points]
    taken = [Bbox.from_bounds(x - 4 * pixel, y - 4 * pixel, 8 * pixel, 8 * pixel)
             for x, y in centres]  # fmt: skip
    frame = axes.bbox
    for point, name, centre in zip(points, names, centres, strict=True):
        boxes = [_name_box(name, centre, offset, pixel) for offset in OFFSETS]
        costs = [sum(_overlap(box, other) for other in taken) + 3 * _outside(box, frame)
                 for box in boxes]  # fmt: skip
        best = costs.index(min(costs))
        taken.append(boxes[best])
        _annotate(axes, point, name, OFFSETS[best])


def _name_box(name: str, centre: Sequence[float], offset: Offset, pixel: float) -> Bbox:
    """The room a name takes; the average letter is about 0.6 of the font size wide."""
    dx, dy, horizontal, vertical = offset
    width, height = 0.62 * NAME_SIZE * len(name) * pixel, 1.2 * NAME_SIZE * pixel
    left = centre[0] + dx * pixel - {"left": 0.0, "center": width / 2, "right": width}[horizontal]
    bottom = centre[1] + dy * pixel - {"bottom": 0.0, "center": height / 2, "top": height}[vertical]
    return Bbox.from_bounds(left, bottom, width, height)


def _annotate(axes: Axes, point: Point, name: str, offset: Offset) -> None:
    dx, dy, horizontal, vertical = offset
    axes.annotate(
        name, (point.x, point.y), xytext=(dx, dy), textcoords="offset points", fontsize=NAME_SIZE,
        ha=horizontal, va=vertical, color=MUTED if point.baseline else INK, zorder=4,
    )  # fmt: skip


def _overlap(box: Bbox, other: Bbox) -> float:
    """The area two boxes share. By hand: `Bbox.intersection` takes twenty times as long."""
    width = min(box.x1, other.x1) - max(box.x0, other.x0)
    height = min(box.y1, other.y1) - max(box.y0, other.y0)
    return float(width * height) if width > 0 and height > 0 else 0.0


def _outside(box: Bbox, frame: Bbox) -> float:
    return float(box.width * box.height) - _overlap(box, frame)


def _key_columns(points: Sequence[Point], width: float) -> int:
    longest = max(len(short(point.label)) for point in points) + 4
    return max(1, int((width - 0.3) / (0.072 * longest)))


def _draw_key(axes: Axes, labels: Sequence[str], columns: int, rows: int) -> None:
    axes.set_axis_off()
    axes.set_xlim(0, columns)
    axes.set_ylim(rows, 0)
    for place, label in enumerate(labels):
        axes.text(place // rows, place % rows + 0.5, f"{place + 1}", fontsize=8, va="center",
                  ha="left", color=MUTED)  # fmt: skip
        axes.annotate(label, (place // rows, place % rows + 0.5), xytext=(15, 0), fontsize=8,
                      textcoords="offset points", va="center", color=INK)  # fmt: skip
