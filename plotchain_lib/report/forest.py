"""Estimates with intervals, one row each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, NullLocator

from plotchain_lib.report.charts import finish_rows
from plotchain_lib.report.figures import (
    ACCENT,
    FAINT,
    INK,
    MUTED,
    WIDE_INCHES,
    Chart,
    inside,
    new_figure,
    settle,
)


@dataclass(frozen=True, slots=True)
class Span:
    """One row: what, of whom, the value with its interval, and half the width of its own band."""

    label: str
    detail: str
    value: float
    lower: float
    upper: float
    band: float | None = None


def forest_chart(
    chart: tuple[str, str, str], spans: Sequence[Span], axis: str, band: float | None = None
) -> Chart:
    """Rows from the top; grey is the common `band` around zero, or each row's own.

    The axis turns logarithmic beyond three where values run further.
    """
    ends = [end for s in spans for end in (s.value, s.lower, s.upper) if np.isfinite(end)]
    far = max((abs(end) for end in ends), default=1.0)
    logarithmic = band is not None and far > 6 * band

    def draw(width: float) -> Figure:
        narrow = width < WIDE_INCHES
        figure = new_figure(width, 0.75 + (0.7 if narrow else 0.4) * len(spans))
        axes = figure.subplots()
        if logarithmic:
            axes.set_xscale("symlog", linthresh=3.0, linscale=1.2)
            axes.xaxis.set_minor_locator(NullLocator())
            axes.set_xticks(_ticks(ends))
            axes.xaxis.set_major_formatter(FuncFormatter(_plain))
        if band is not None:
            axes.axvspan(-band, band, color=FAINT, linewidth=0, zorder=0.4)
        axes.axvline(0, color=MUTED, linewidth=0.9, zorder=1)
        _draw_spans(axes, spans, np.arange(float(len(spans))) + (0.22 if narrow else 0.0), 2 * far)
        _label(axes, spans, narrow)
        axes.set_xlabel(axis)
        return settle(figure)

    return Chart(*chart, draw=draw)


def _draw_spans(
    axes: Axes, spans: Sequence[Span], rows: npt.NDArray[np.float64], most: float
) -> None:
    bands = [0.0 if span.band is None else span.band for span in spans]
    if any(bands):
        axes.barh(rows, 2 * np.array(bands), left=-np.array(bands), height=0.4, color=FAINT,
                  zorder=0.4)  # fmt: skip
    # An error over no tolerance at all is infinite; it is drawn beyond the farthest other one.
    ends = [[span.value, span.lower, span.upper] for span in spans]
    value, lower, upper = np.clip(ends, -most, most).T
    axes.hlines(rows, lower, upper, color=INK, linewidth=1.2, zorder=3)
    axes.plot([*lower, *upper], [*rows, *rows], "|", color=INK, markersize=5, zorder=3)
    axes.plot(value, rows, "o", color=ACCENT, markersize=6, zorder=4)


def _label(axes: Axes, spans: Sequence[Span], narrow: bool) -> None:
    if narrow:
        for place, span in enumerate(spans):
            name = f"{span.label}\n{span.detail}"
            inside(axes.text(0.0, place + 0.02, name, va="bottom", fontsize=8.2, color=INK,
                             transform=axes.get_yaxis_transform()))  # fmt: skip
    names = [] if narrow else [f"{span.label}\n{span.detail}" for span in spans]
    finish_rows(axes, names, len(spans))
    for text in axes.get_yticklabels():
        text.set_fontsize(8)


def _ticks(values: Sequence[float]) -> list[float]:
    """0, ±1, ±3 and powers of ten, as far as values go on either side."""
    steps = [1.0, 3.0, *(10.0**n for n in range(1, 9))]
    low, high = min([0.0, *values]), max([0.0, *values])
    return (
        [-s for s in reversed(steps) if -s >= 1.5 * low]
        + [0.0]
        + [s for s in steps if s <= 1.5 * high]
    )


def _plain(value: float, _: object) -> str:
    text = f"{abs(value):,.0f}" if abs(value) < 1e6 else f"{abs(value):.0e}"
    return f"−{text}" if value < 0 else text
