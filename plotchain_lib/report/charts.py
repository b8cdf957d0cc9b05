"""The charts of the report: each a function from plain numbers to a `Chart`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import cycle

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from plotchain_lib.report.figures import (
    ACCENT,
    FAINT,
    INK,
    LINE,
    MUTED,
    ON_DEEP,
    ON_LIGHT,
    PAPER,
    SECOND,
    WIDE_INCHES,
    Chart,
    inside,
    new_figure,
    settle,
    short,
)
from plotchain_lib.report.formatting import write_value

HEAT = LinearSegmentedColormap.from_list("heat", ["#f1f5f9", "#8db9dc", "#0b4a80"])
MOST_COLUMNS_ABREAST = 8
MARKERS = "os^Dv"
SHADES = (ACCENT, MUTED, SECOND)


@dataclass(frozen=True, slots=True)
class Level:
    """A share in [0, 1] with its interval; None where it is undefined."""

    label: str
    value: float | None
    lower: float | None = None
    upper: float | None = None


def standing_chart(
    chart: tuple[str, str, str],
    levels: Sequence[Level],
    floor: Level | None,
    ceiling: Level | None,
    counted: str = "fields passed",
) -> Chart:
    """Each model's bar on the track from floor to ceiling; `chart` is name, title, caption."""

    def draw(width: float) -> Figure:
        narrow = width < WIDE_INCHES
        figure = new_figure(width, 0.85 + (0.44 if narrow else 0.32) * len(levels))
        axes = figure.subplots()
        span = (100 * _value(floor, 0.0), 100 * _value(ceiling, 1.0))
        marks = [
            100 * level.value for level in (floor, ceiling) if level and level.value is not None
        ]
        _draw_ends(axes, floor, ceiling)
        for place, level in enumerate(levels):
            # On a phone the label stands above its bar, so track and marks keep to the bar.
            bar = place + (0.16 if narrow else 0.0)
            room = 0.4 if narrow else 1.0
            axes.barh(bar, span[1] - span[0], left=span[0], height=room, color=FAINT, zorder=0.5)
            axes.vlines(marks, bar - room / 2, bar + room / 2, color=MUTED, linewidth=1.0,
                        linestyle=(0, (3, 2)), zorder=2)  # fmt: skip
            _draw_level(axes, bar, level, span[0], 0.28 if narrow else 0.5)
            if narrow:
                axes.text(
                    0.8, place - 0.24, short(level.label), va="center", fontsize=8.5, color=INK
                )
        finish_rows(axes, [] if narrow else [level.label for level in levels], len(levels))
        axes.set_xlim(0, 114)
        axes.set_xticks(range(0, 101, 20))
        axes.set_xlabel(f"{counted} (%)")
        return settle(figure)

    return Chart(*chart, draw=draw)


def _draw_ends(axes: Axes, floor: Level | None, ceiling: Level | None) -> None:
    """Names and values of floor and ceiling above the track, apart even where the two are close."""
    for level, role, side in ((floor, "floor", "right"), (ceiling, "ceiling", "left")):
        if level is None or level.value is None:
            continue
        position = 100 * level.value
        close = abs(_value(ceiling, 1.0) - _value(floor, 0.0)) < 0.3
        alignment = side if close else ("left" if position < 50 else "right")
        axes.annotate(
            f"{role} {write_value(level.value, 'percent')}", (position, 1),
            xycoords=("data", "axes fraction"), xytext=(0, 3), textcoords="offset points",
            ha=alignment, va="bottom", color=MUTED, fontsize=8,
        )  # fmt: skip


def _draw_level(axes: Axes, bar: float, level: Level, start: float, height: float) -> None:
    shown = "no value yet" if level.value is None else write_value(level.value, "percent")
    axes.text(113, bar, shown, va="center", ha="right", fontsize=8.5, color=INK, zorder=4)
    if level.value is None:
        return
    # Below the floor the bar is what lacks to it, and must not look like something reached.
    shade = ACCENT if 100 * level.value >= start else LINE
    axes.barh(bar, 100 * level.value - start, left=start, height=height, color=shade, zorder=1.5)
    if level.lower is not None and level.upper is not None:
        ends = [100 * level.lower, 100 * level.upper]
        axes.plot(ends, [bar, bar], color=INK, linewidth=1.1, zorder=3, solid_capstyle="butt")
        axes.plot(ends, [bar, bar], "|", color=INK, markersize=5, zorder=3)


def difficulty_chart(
    chart: tuple[str, str, str],
    models: Sequence[str],
    shares: Mapping[str, Mapping[str, float]],
    counted: str = "fields passed",
) -> Chart:
    """One row a model, one mark a difficulty; `shares` is difficulty to model to share."""

    def draw(width: float) -> Figure:
        narrow = width < WIDE_INCHES
        figure = new_figure(width, 1.05 + (0.4 if narrow else 0.28) * len(models))
        axes = figure.subplots()
        rows = np.arange(len(models)) + (0.14 if narrow else 0.0)
        for row, model in zip(rows, models, strict=True):
            values = [100 * share[model] for share in shares.values() if model in share]
            if values:
                axes.plot([min(values), max(values)], [row, row], color=LINE, linewidth=1.6)
        for (name, share), shade, marker in zip(
            shares.items(), cycle(SHADES), cycle(MARKERS), strict=False
        ):
            points = [100 * share.get(model, np.nan) for model in models]
            axes.plot(points, rows, marker, color=shade, markersize=6.5, label=name,
                      markeredgecolor=PAPER, markeredgewidth=0.6)  # fmt: skip
        if narrow:
            for place, model in enumerate(models):
                axes.text(0.8, place - 0.27, short(model), va="center", fontsize=8.5, color=INK)
        finish_rows(axes, [] if narrow else models, len(models))
        axes.set_xlim(-1, 102)
        axes.set_xlabel(f"{counted} (%)")
        axes.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=5, frameon=False,
                    borderaxespad=0.2, handletextpad=0.1, columnspacing=1.4)  # fmt: skip
        return settle(figure)

    return Chart(*chart, draw=draw)


def heat_chart(
    chart: tuple[str, str, str],
    panels: Mapping[str, Mapping[str, Mapping[str, float]]],
    rows: Sequence[str],
    columns: Sequence[str],
) -> Chart:
    """Shares by row and column, one panel each; `panels` is title to row to column to share."""
    abreast = len(columns) <= MOST_COLUMNS_ABREAST

    def draw(width: float) -> Figure:
        names = 0.062 * max((len(short(column)) for column in columns), default=0)
        body, count = 0.24 * len(rows) + 0.3, len(panels)
        figure = new_figure(width, names + (body if abreast else body * count))
        grid = figure.subplots(1 if abreast else count, count if abreast else 1, squeeze=False)
        drawn = zip(grid.flat, panels.items(), strict=True)
        for place, (axes, (title, shares)) in enumerate(drawn):
            draw_heat(axes, title, shares, rows, columns)
            axes.set_yticklabels(rows if place == 0 or not abreast else [], fontsize=8)
            if not abreast and place < count - 1:
                axes.set_xticklabels([])
        return settle(figure)

    return Chart(*chart, draw=draw)


def bar_chart(
    chart: tuple[str, str, str],
    labels: Sequence[str],
    bars: Mapping[str, Sequence[int]],
    counted: str,
) -> Chart:
    """Stacked horizontal bars, one a label; `bars` is name to a count for each label."""

    def draw(width: float) -> Figure:
        figure = new_figure(width, 0.9 + 0.3 * len(labels))
        axes = figure.subplots()
        starts = np.zeros(len(labels))
        shades = (ACCENT, "#8db9dc", SECOND, MUTED)
        for (name, counts), shade in zip(bars.items(), cycle(shades), strict=False):
            axes.barh(range(len(labels)), counts, left=starts, height=0.62, color=shade, label=name)
            starts = starts + np.asarray(counts)
        for place, total in enumerate(starts):
            axes.text(total, place, f" {total:.0f}", va="center", fontsize=8.5, color=INK)
        finish_rows(axes, labels, len(labels))
        axes.set_xlim(0, 1.09 * max(starts, default=1))
        axes.xaxis.set_major_locator(MaxNLocator(5, integer=True))
        axes.set_xlabel(counted)
        columns = 2 if width < WIDE_INCHES else 4
        axes.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=columns, frameon=False,
                    borderaxespad=0.2, handlelength=1.0, columnspacing=1.2)  # fmt: skip
        return settle(figure)

    return Chart(*chart, draw=draw)


def draw_heat(
    axes: Axes,
    title: str,
    shares: Mapping[str, Mapping[str, float]],
    rows: Sequence[str],
    columns: Sequence[str],
    numbers: bool = True,
) -> None:
    """Cells shaded by share, with the share in percent; axes from the upper left."""
    values = np.array([[shares.get(r, {}).get(c, np.nan) for c in columns] for r in rows])
    axes.pcolormesh(np.ma.masked_invalid(values), cmap=HEAT, vmin=0, vmax=1, edgecolors=PAPER,
                    linewidth=1.2)  # fmt: skip
    for (row, column), value in np.ndenumerate(values) if numbers else ():
        shown = "" if np.isnan(value) else f"{100 * value:.0f}"
        deep = not np.isnan(value) and value > 0.65
        inside(axes.text(
            column + 0.5, row + 0.5, shown, ha="center", va="center",
            fontsize=7 if len(columns) > 12 else 7.5, color=ON_DEEP if deep else ON_LIGHT,
        ))  # fmt: skip
    axes.invert_yaxis()
    axes.set_title(title, color=INK, pad=4)
    names = [short(column) for column in columns]
    axes.set_xticks(np.arange(len(columns)) + 0.5, names, rotation=90, fontsize=8)
    axes.set_yticks(np.arange(len(rows)) + 0.5)
    axes.tick_params(length=0)
    axes.grid(False)
    for spine in axes.spines.values():
        spine.set_visible(False)


def finish_rows(axes: Axes, labels: Sequence[str], count: int) -> None:
    """Rows from top to bottom, no frame, labels only where there is room beside the rows."""
    axes.set_ylim(count - 0.4, -0.6)
    axes.set_yticks(range(count) if labels else [], [short(label) for label in labels])
    axes.tick_params(length=0)
    axes.grid(False, axis="y")
    axes.spines[["left", "bottom"]].set_visible(False)


def _value(level: Level | None, default: float) -> float:
    return default if level is None or level.value is None else level.value
