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
    new_figure,
    settle,
)
from plotchain_lib.report.formatting import MISSING, is_missing, write_number

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
        for place, ridge in enumerate(ridges):
            _draw_ridge(axes, place, ridge, scale, one)
            if narrow:
                axes.text(0.0, place - 0.53, ridge.label, va="top", fontsize=8.5, color=INK)
        _finish(axes, ridges, edges, one, narrow)
        return settle(figure)

    return Chart(*chart, draw=draw, note=_note(ridges))


def _note(ridges: Sequence[Ridge]) -> str:
    cut = any(max(r.shares, default=0.0) > HIGHEST for r in ridges)
    return f"Bars of more than {100 * HIGHEST:.0f} % are cut off and numbered." if cut else ""


def _draw_ridge(axes: Axes, place: int, ridge: Ridge, scale: float, one: int) -> None:
    base = place + 0.4
    heights = [scale * min(share, HIGHEST) for share in (*ridge.shares, ridge.none)]
    lefts = [float(n) for n in range(len(ridge.shares))] + [len(ridge.shares) + 0.8]
    bars = [
        [(x + 0.06, base), (x + 0.94, base), (x + 0.94, base - h), (x + 0.06, base - h)]
        for x, h in zip(lefts, heights, strict=True)
    ]
    for chosen, colour in (
        (bars[:one], ACCENT), (bars[one:-1], SECOND), (bars[-1:], MUTED)
    ):  # fmt: skip
        axes.add_collection(PolyCollection(chosen, facecolors=colour, linewidths=0))
    axes.plot([0, len(ridge.shares) + 1.8], [base, base], color=LINE, linewidth=0.8, zorder=0.5)
    for x, share in zip(lefts, (*ridge.shares, ridge.none), strict=True):
        if share > HIGHEST:
            axes.text(x + 0.5, base - scale * HIGHEST + 0.04, f"{100 * share:.0f}", ha="center",
                      va="top", fontsize=6.5, color=PAPER)  # fmt: skip
    axes.text(len(ridge.shares) + 4.4, base - 0.06, _median(ridge.median), ha="right", va="bottom",
              fontsize=8.5, color=INK)  # fmt: skip


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
