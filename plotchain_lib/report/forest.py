"""Estimates with intervals, one row each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
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
        figure = new_figure(width, 0.75 + (0.66 if narrow else 0.4) * len(spans))
        axes = figure.subplots()
        if logarithmic:
            axes.set_xscale("symlog", linthresh=3.0, linscale=1.2)
            axes.xaxis.set_minor_locator(NullLocator())
            axes.set_xticks(_ticks(ends))
            axes.xaxis.set_major_formatter(FuncFormatter(_plain))
        if band is not None:
            axes.axvspan(-band, band, color=FAINT, linewidth=0, zorder=0.4)
        axes.axvline(0, color=MUTED, linewidth=0.9, zorder=1)
        for place, span in enumerate(spans):
            _draw_span(axes, place + (0.22 if narrow else 0.0), span, far)
        _label(axes, spans, narrow)
        axes.set_xlabel(axis)
        return settle(figure)

    return Chart(*chart, draw=draw)


def _draw_span(axes: Axes, row: float, span: Span, far: float) -> None:
    if span.band is not None:
        axes.barh(row, 2 * span.band, left=-span.band, height=0.4, color=FAINT, zorder=0.4)
    lower, upper = (min(max(end, -2 * far), 2 * far) for end in (span.lower, span.upper))
    axes.plot([lower, upper], [row, row], color=INK, linewidth=1.2, zorder=3)
    axes.plot([lower, upper], [row, row], "|", color=INK, markersize=5, zorder=3)
    axes.plot([span.value], [row], "o", color=ACCENT, markersize=6, zorder=4)


def _label(axes: Axes, spans: Sequence[Span], narrow: bool) -> None:
    if narrow:
        for place, span in enumerate(spans):
            axes.text(0.0, place + 0.02, f"{span.label}\n{span.detail}", va="bottom", fontsize=7.5,
                      color=INK, transform=axes.get_yaxis_transform())  # fmt: skip
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
