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
    LINE,
    MUTED,
    ON_LIGHT,
    PAPER,
    WIDE_INCHES,
    Chart,
    inside,
    new_figure,
    settle,
    short,
)

SMALLEST_NAMED = 0.055  # of the whole: a narrower part has no room for its number
MOST_ABREAST = {"wide": 12, "narrow": 8}  # columns of a grid before it is broken
MOST_UPRIGHT = {"wide": 6, "narrow": 3}  # columns whose names stand upright, in lines
LETTER = 0.066  # inches
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
        lift = 0.16 if narrow else 0.0
        for place, (label, _, count) in enumerate(rows):
            if narrow:
                inside(
                    axes.text(0, place - 0.24, short(label), va="center", fontsize=8.5, color=INK)
                )
            axes.text(103, place + lift, f"{count:,}", va="center", fontsize=8.5, color=MUTED)
        _draw_bars(axes, [row[1] for row in rows], parts, lift, 0.21 if narrow else 0.31)
        finish_rows(axes, [] if narrow else [row[0] for row in rows], len(rows))
        axes.set_xlim(0, 118 if narrow else 112)
        axes.set_xticks(range(0, 101, 20))
        axes.set_xlabel(axis)
        _legend_above(figure, parts, narrow)
        return settle(figure)

    return Chart(*chart, draw=draw)


def _draw_bars(
    axes: Axes, rows: Sequence[Sequence[float]], parts: Sequence[Part], lift: float, half: float
) -> None:
    table = 100 * np.array(rows, dtype=float).reshape(len(rows), len(parts))
    ends = np.concatenate([np.zeros((len(rows), 1)), table.cumsum(axis=1)], axis=1)
    middles = np.arange(len(rows)) + lift
    for n, part in enumerate(parts):
        boxes = [
            [(left, y - half), (right, y - half), (right, y + half), (left, y + half)]
            for left, right, y in zip(ends[:, n], ends[:, n + 1], middles, strict=True)
            if right > left
        ]
        axes.add_collection(PolyCollection(boxes, facecolors=part.colour, edgecolors=PAPER,
                                           linewidths=0.8))  # fmt: skip
        for share, left, y in zip(table[:, n], ends[:, n], middles, strict=True):
            if share >= 100 * SMALLEST_NAMED:
                text = axes.text(left + share / 2, y, f"{share:.0f}", ha="center", va="center",
                                 fontsize=7.5, color=_letters(part))  # fmt: skip
                inside(text)


def _letters(part: Part) -> str:
    """What is read on a part, in dark mode too, where grey turns dark and the light parts stay."""
    if part.colour == LINE:
        return INK
    return ON_LIGHT if part.light else PAPER


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
        size = "narrow" if narrow else "wide"
        count = -(-len(columns) // MOST_ABREAST[size])
        abreast = -(-len(columns) // count)
        blocks = [columns[n : n + abreast] for n in range(0, len(columns), abreast)]
        names = {name: short(name) for name in columns}
        heads = LETTER * max(map(len, names.values()))
        if abreast <= MOST_UPRIGHT[size]:
            room = (width - LETTER * max(map(len, rows))) / abreast - 0.08
            names = {name: broken(short(name), int(room / LETTER)) for name in columns}
            heads = 0.1 + 0.14 * max(name.count("\n") + 1 for name in names.values())
        height = (CELL_HEIGHT * len(rows) + heads) * len(blocks) + 0.5
        figure = new_figure(width, height)
        all_axes = figure.subplots(len(blocks), 1, squeeze=False)[:, 0]
        for axes, block in zip(all_axes, blocks, strict=True):
            _draw_block(axes, shares, rows, block, parts, abreast)
            upright = abreast <= MOST_UPRIGHT[size]
            axes.set_xticklabels([names[name] for name in block], rotation=0 if upright else 90)
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
    axes.set_xticks(np.arange(len(columns)) + 0.47)
    axes.xaxis.tick_top()
    axes.set_yticks(np.arange(len(rows)) + 0.5, list(rows), fontsize=8)
    axes.tick_params(length=0)
    axes.tick_params(axis="x", labelsize=8)
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
