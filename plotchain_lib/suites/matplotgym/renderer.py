"""A figure from a spec alone: what its decisions say and nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from plotchain_lib.suites.matplotgym.drawing.canvas import Canvas
from plotchain_lib.suites.matplotgym.drawing.marks import draw_marks
from plotchain_lib.suites.matplotgym.drawing.overlays import draw_overlays


def render(spec: Mapping[str, Any], figure: Figure) -> None:
    """Draw a spec as `figure.run` writes it on an empty figure.

    Draws through the methods of Axes, so that the figure can be read like any other. Marks of a
    kind that is not known are left out.
    """
    axes_of: dict[int, Axes] = {}
    panels = spec["panels"]
    mains = [p for p in panels if p["role"] == "main"]
    rows = max((p["row"] + p["row_span"] for p in mains), default=1)
    columns = max((p["column"] + p["column_span"] for p in mains), default=1)
    figure.set_size_inches(4 * columns, 3 * rows)
    grid = figure.add_gridspec(rows, columns)
    for number, panel in enumerate(panels):
        axes = _axes(figure, grid, panel, number, panels, axes_of)
        axes_of[number] = axes
        canvas = Canvas(axes, panel)
        canvas.set_scales()
        draw_marks(canvas)
        draw_overlays(canvas)
        canvas.set_ticks()
        canvas.set_limits()


def _axes(
    figure: Figure,
    grid: Any,
    panel: Mapping[str, Any],
    number: int,
    panels: list[Mapping[str, Any]],
    axes_of: Mapping[int, Axes],
) -> Axes:
    host = axes_of.get(panel["of"]) if panel["of"] is not None else None
    if host is not None and panel["role"] == "twin":
        upright = np.allclose(panel["x"]["limits"], panels[panel["of"]]["x"]["limits"])
        twin: Axes = host.twinx() if upright else host.twiny()
        return twin
    if host is not None and panel["role"] == "inset":
        taken = sum(p["of"] == panel["of"] for p in panels[:number])
        return host.inset_axes((0.6, 0.6 - 0.3 * (taken % 2), 0.35, 0.25))
    shared: dict[str, Axes] = {}
    for name in ("x", "y"):
        group = panel[f"share_{name}"]
        first = next((i for i, p in enumerate(panels) if p[f"share_{name}"] == group), number)
        if group is not None and first < number:
            shared[f"share{name}"] = axes_of[first]
    row, column = panel["row"], panel["column"]
    cell = grid[row : row + panel["row_span"], column : column + panel["column_span"]]
    axes: Axes = figure.add_subplot(cell, projection=panel["projection"], **shared)
    return axes
