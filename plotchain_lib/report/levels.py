"""Accuracy against complexity: one panel a task, one line a model, its interval as a band."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from plotchain_lib.report.figures import (
    ACCENT,
    MUTED,
    PAPER,
    SECOND,
    WIDE_INCHES,
    Chart,
    new_figure,
    settle,
)

MARKERS = "os^Dvp"
DASHES = ("-", (0, (5, 2)), (0, (1, 1.4)), (0, (4, 1.5, 1, 1.5)), (0, (7, 3)), (0, (2, 2)))
SHADES = (ACCENT, SECOND)
MOST_LINES = len(MARKERS)


@dataclass(frozen=True, slots=True)
class Line:
    """One model in one panel, all of one length; shares in [0, 1].

    Attributes:
        label: the model.
        levels: the complexities.
        values, lower, upper: the rate and its interval at each.
        baseline: drawn in grey, without a band.
    """

    label: str
    levels: Sequence[int]
    values: Sequence[float]
    lower: Sequence[float]
    upper: Sequence[float]
    baseline: bool = False


def level_chart(
    chart: tuple[str, str, str], panels: Mapping[str, Sequence[Line]], note: str = ""
) -> Chart:
    """Panels of lines; `chart` is name, title, caption. All panels share both axes."""

    def draw(width: float) -> Figure:
        columns = 2 if width >= WIDE_INCHES and len(panels) > 1 else 1
        rows = -(-len(panels) // columns)
        figure = new_figure(width, 0.5 + 2.2 * rows)
        grid = figure.subplots(rows, columns, squeeze=False, sharex=True, sharey=True)
        for axes, (title, lines) in zip(grid.flat, panels.items(), strict=False):
            for place, line in enumerate(lines):
                _draw(axes, line, place)
            axes.set_title(title, pad=4)
            axes.set_xticks(range(10))
            axes.set_ylim(-2, 102)
        for axes in grid.flat[len(panels) :]:
            axes.set_visible(False)
        for axes in grid[:, 0]:
            axes.set_ylabel("questions right (%)")
        for axes in grid[-1]:
            axes.set_xlabel("complexity")
        handles, labels = grid.flat[0].get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside upper left", ncols=3 if columns == 2 else 2,
                      frameon=False)  # fmt: skip
        return settle(figure)

    return Chart(*chart, draw=draw, note=note)


def _draw(axes: Axes, line: Line, place: int) -> None:
    shade = MUTED if line.baseline else SHADES[place % len(SHADES)]
    values, lower, upper = (
        [100 * v for v in part] for part in (line.values, line.lower, line.upper)
    )
    if not line.baseline:
        axes.fill_between(line.levels, lower, upper, color=shade, alpha=0.09, linewidth=0)
    axes.plot(line.levels, values, marker=MARKERS[place % len(MARKERS)], markersize=4.5,
              color=shade, linestyle=DASHES[place % len(DASHES)], linewidth=1.3, label=line.label,
              markeredgecolor=PAPER, markeredgewidth=0.5)  # fmt: skip
