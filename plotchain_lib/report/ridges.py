"""Histograms above each other, one row a model: shapes are compared without a legend."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection
from matplotlib.figure import Figure

from plotchain_lib.report.charts import finish_rows
from plotchain_lib.report.figures import (
    ACCENT,
    INK,
    LINE,
    MUTED,
    PAPER,
    SECOND,
    WIDE_INCHES,
    Chart,
    inside,
    new_figure,
    settle,
    short,
)
from plotchain_lib.report.formatting import MISSING, is_missing, write_number

BASE = 0.4  # of a row, below its middle: where its bars stand
NONE_GAP = 0.8  # bins between the last bin and the bar of missing values
ROOM = 0.86  # of a row: the height of the highest bar
HIGHEST = 0.2  # a share from which on bars are cut and numbered, so that small ones can be seen


@dataclass(frozen=True, slots=True)
class Ridge:
    """One model.

    Attributes:
        label: its name.
        shares: of all fields, by bin; the last bin has no end.
        none: the share without a value.
        median: of the error; NaN where there is none.
    """

    label: str
    shares: tuple[float, ...]
    none: float
    median: float


def ridge_chart(
    chart: tuple[str, str, str], ridges: Sequence[Ridge], edges: npt.NDArray[np.float64]
) -> Chart:
    """Bars per row in bins whose upper edges are `edges` (powers of two); a line marks 1."""
    one = int(np.searchsorted(edges, 1.0)) + 1  # so many bins lie within the tolerance

    def draw(width: float) -> Figure:
        narrow = width < WIDE_INCHES
        figure = new_figure(width, 1.0 + (0.56 if narrow else 0.42) * len(ridges))
        axes = figure.subplots()
        highest = max((share for r in ridges for share in (*r.shares, r.none)), default=0.0)
        scale = (0.58 if narrow else ROOM) / max(min(highest, HIGHEST), 1e-9)
        _draw_bars(axes, ridges, scale, one)
        for place, ridge in enumerate(ridges):
            if narrow:
                inside(
                    axes.text(
                        0.0, place - 0.53, short(ridge.label), va="top", fontsize=8.5, color=INK
                    )
                )
            axes.text(len(edges) + 5.4, place + 0.34, _median(ridge.median), ha="right",
                      va="bottom", fontsize=8.5, color=INK)  # fmt: skip
        _finish(axes, ridges, edges, one, narrow)
        return settle(figure)

    return Chart(*chart, draw=draw, note=_note(ridges))


def _note(ridges: Sequence[Ridge]) -> str:
    cut = any(max(r.shares, default=0.0) > HIGHEST for r in ridges)
    return f"Bars of more than {100 * HIGHEST:.0f} % are cut off and numbered." if cut else ""


def _draw_bars(axes: Axes, ridges: Sequence[Ridge], scale: float, one: int) -> None:
    """All bars in three colours: within the tolerance, beyond it, without a value."""
    bars: list[list[list[tuple[float, float]]]] = [[], [], []]
    for base, ridge in enumerate(ridges):
        y, last = base + BASE, len(ridge.shares)
        for n, share in enumerate((*ridge.shares, ridge.none)):
            x = float(n) if n < last else n + NONE_GAP
            top = y - scale * min(share, HIGHEST)
            box = [(x + 0.06, y), (x + 0.94, y), (x + 0.94, top), (x + 0.06, top)]
            if share > 0:
                bars[0 if n < one else 1 if n < last else 2].append(box)
            if share > HIGHEST:
                inside(axes.text(x + 0.5, top + 0.04, f"{100 * share:.0f}", ha="center", va="top",
                                 fontsize=6.5, color=PAPER))  # fmt: skip
        axes.plot([0, last + 1 + NONE_GAP], [y, y], color=LINE, linewidth=0.8, zorder=0.5)
    for boxes, colour in zip(bars, (ACCENT, SECOND, MUTED), strict=True):
        axes.add_collection(PolyCollection(boxes, facecolors=colour, linewidths=0))


def _median(value: float) -> str:
    if is_missing(value):
        return MISSING
    return f"{value:.2f}" if value < 10 else write_number(value)


def _finish(
    axes: Axes,
    ridges: Sequence[Ridge],
    edges: npt.NDArray[np.float64],
    one: int,
    narrow: bool,
) -> None:
    finish_rows(axes, [] if narrow else [ridge.label for ridge in ridges], len(ridges))
    axes.set_ylim(len(ridges) - 0.4, -0.75)
    bins = len(edges) + 1
    axes.set_xlim(-0.2, bins + 4.5)
    axes.axvline(one, color=INK, linewidth=1.0, zorder=2)
    marks = [n for n, edge in enumerate(edges, start=1) if np.log2(edge) % 2 == 0]
    labels = [_power(float(edges[n - 1])) for n in marks]
    axes.set_xticks([*marks, bins + 1.3], [*labels, "none"])
    axes.grid(False, axis="x")
    axes.set_xlabel("error in units of the tolerance, logarithmic")
    for text, x, shift, side, colour in (
        ("passes", one, -4, "right", ACCENT), ("fails", one, 4, "left", SECOND),
        ("median", bins + 4.4, 0, "right", MUTED),
    ):  # fmt: skip
        axes.annotate(
            text,
            (x, 1),
            xycoords=("data", "axes fraction"),
            xytext=(shift, 2),
            ha=side,
            textcoords="offset points",
            va="bottom",
            color=colour,
            fontsize=8.5,
        )


def _power(value: float) -> str:
    return f"{value:g}" if value >= 1 else f"1/{1 / value:g}"
