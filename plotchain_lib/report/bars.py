"""Stacked bars: how a whole splits, one row a model, and the same by family and model."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from plotchain_lib.report.charts import finish_rows
from plotchain_lib.report.figures import (
    INK,
    MUTED,
    PAPER,
    WIDE_INCHES,
    Chart,
    new_figure,
    settle,
)

SMALLEST_NAMED = 0.055  # of the whole: a narrower part has no room for its number
ON_LIGHT = "#0a0d10"  # stays dark in dark mode, as the light parts stay light
MOST_UPRIGHT = 6  # columns whose names stand upright, broken where they are long
MOST_ABREAST = {"wide": 12, "narrow": 4}  # columns of a grid before it is broken
CELL_HEIGHT = 0.19


@dataclass(frozen=True, slots=True)
class Part:
    """One part of every bar: its name, its colour, and whether dark letters stand on it."""

    name: str
    colour: str
    light: bool


def stacked_chart(
    chart: tuple[str, str, str],
    rows: Sequence[tuple[str, Sequence[float], int]],
    parts: Sequence[Part],
    axis: str,
) -> Chart:
    """Bars from 0 to 100 %; `rows` is label, share of each part, and how many that is of."""

    def draw(width: float) -> Figure:
        narrow = width < WIDE_INCHES
        figure = new_figure(width, 1.15 + (0.46 if narrow else 0.31) * len(rows))
        axes = figure.subplots()
        for place, (label, shares, count) in enumerate(rows):
            row = place + (0.16 if narrow else 0.0)
            if narrow:
                axes.text(0, place - 0.24, label, va="center", fontsize=8.5, color=INK)
            axes.text(103, row, f"{count:,}", va="center", fontsize=8.5, color=MUTED)
            _draw_bar(axes, row, shares, parts, 0.42 if narrow else 0.62)
        finish_rows(axes, [] if narrow else [row[0] for row in rows], len(rows))
        axes.set_xlim(0, 118 if narrow else 112)
        axes.set_xticks(range(0, 101, 20))
        axes.set_xlabel(axis)
        _legend(axes, parts, narrow)
        return settle(figure)

    return Chart(*chart, draw=draw)


def _draw_bar(
    axes: Axes, row: float, shares: Sequence[float], parts: Sequence[Part], height: float
) -> None:
    left = 0.0
    for share, part in zip(shares, parts, strict=True):
        if not share > 0:
            continue
        axes.barh(row, 100 * share, left=left, height=height, color=part.colour, edgecolor=PAPER,
                  linewidth=0.8)  # fmt: skip
        if share >= SMALLEST_NAMED:
            axes.text(left + 50 * share, row, f"{100 * share:.0f}", ha="center", va="center",
                      fontsize=7.5, color=ON_LIGHT if part.light else PAPER)  # fmt: skip
        left += 100 * share


def _legend(axes: Axes, parts: Sequence[Part], narrow: bool) -> None:
    axes.legend(
        handles=[Patch(facecolor=part.colour, label=part.name) for part in parts],
        loc="lower left", bbox_to_anchor=(0, 1), ncols=2 if narrow else len(parts), frameon=False,
        borderaxespad=0.2, handlelength=1.0, handleheight=1.0, handletextpad=0.4,
        columnspacing=1.2,
    )  # fmt: skip


def grid_chart(
    chart: tuple[str, str, str],
    shares: Mapping[tuple[str, str], Sequence[float]],
    rows: Sequence[str],
    columns: Sequence[str],
    parts: Sequence[Part],
) -> Chart:
    """One small bar for each row and column; broken into blocks where columns are many."""

    def draw(width: float) -> Figure:
        narrow = width < WIDE_INCHES
        most = MOST_ABREAST["narrow" if narrow else "wide"]
        count = -(-len(columns) // most)
        abreast = -(-len(columns) // count)
        blocks = [columns[n : n + abreast] for n in range(0, len(columns), abreast)]
        upright = abreast <= MOST_UPRIGHT
        heads = 0.35 if upright else 0.066 * max(map(len, columns))
        height = CELL_HEIGHT * len(rows) * len(blocks) + heads * len(blocks) + 0.5
        figure = new_figure(width, height)
        all_axes = figure.subplots(len(blocks), 1, squeeze=False)[:, 0]
        for axes, block in zip(all_axes, blocks, strict=True):
            _draw_block(axes, shares, rows, block, parts, abreast)
            if upright:
                wrapped = [
                    broken(name, 62 // abreast if narrow else 84 // abreast) for name in block
                ]
                axes.set_xticklabels(wrapped, rotation=0)
        _legend_above(figure, parts, narrow)
        return settle(figure)

    return Chart(*chart, draw=draw)


def _draw_block(
    axes: Axes,
    shares: Mapping[tuple[str, str], Sequence[float]],
    rows: Sequence[str],
    columns: Sequence[str],
    parts: Sequence[Part],
    abreast: int,
) -> None:
    table = np.array([[shares.get((r, c), [0.0] * len(parts)) for c in columns] for r in rows])
    ends = np.concatenate([np.zeros((*table.shape[:2], 1)), table.cumsum(axis=2)], axis=2)
    for n, part in enumerate(parts):
        boxes = _boxes(ends[:, :, n], ends[:, :, n + 1])
        axes.add_collection(PolyCollection(boxes, facecolors=part.colour, linewidths=0))
    axes.set_xlim(0, abreast)
    axes.set_ylim(len(rows), 0)
    axes.set_xticks(np.arange(len(columns)) + 0.47, columns, rotation=90, fontsize=8)
    axes.xaxis.tick_top()
    axes.set_yticks(np.arange(len(rows)) + 0.5, list(rows), fontsize=8)
    axes.tick_params(length=0)
    axes.grid(False)
    for spine in axes.spines.values():
        spine.set_visible(False)


def _boxes(
    lefts: npt.NDArray[np.float64], rights: npt.NDArray[np.float64]
) -> list[list[tuple[float, float]]]:
    """Rectangles inside their cells of one by one; the empty ones left out."""
    return [
        [(column + 0.94 * left, row + 0.12), (column + 0.94 * right, row + 0.12),
         (column + 0.94 * right, row + 0.88), (column + 0.94 * left, row + 0.88)]
        for (row, column), left in np.ndenumerate(lefts)
        if (right := rights[row, column]) > left
    ]  # fmt: skip


def broken(name: str, most: int) -> str:
    """A name in lines of about `most` letters, broken after hyphens and the like."""
    lines = [""]
    for piece in re.findall(r"[^-_.]+[-_.]?|[-_.]", name):
        if lines[-1] and len(lines[-1]) + len(piece) > most:
            lines.append("")
        lines[-1] += piece
    return "\n".join(lines)


def _legend_above(figure: Figure, parts: Sequence[Part], narrow: bool) -> None:
    figure.legend(
        handles=[Patch(facecolor=part.colour, label=part.name) for part in parts],
        loc="outside upper left", ncols=2 if narrow else len(parts), frameon=False,
        handlelength=1.0, handleheight=1.0, handletextpad=0.4, columnspacing=1.2,
    )  # fmt: skip
