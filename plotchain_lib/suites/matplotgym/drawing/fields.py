"""Fields over the plane, drawn from a spec."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from matplotlib.colors import LogNorm

from plotchain_lib.suites.matplotgym.drawing.canvas import Canvas, Floats, numbers

Mark = Mapping[str, Any]


def _norm(mark: Mark, z: Floats) -> LogNorm | None:
    logarithmic = (mark.get("color_key") or {}).get("scale") == "log"
    positive = z[np.isfinite(z) & (z > 0)]
    if not logarithmic or not len(positive):
        return None
    return LogNorm(float(positive.min()), float(positive.max()))


def _edges(centres: Floats) -> Floats:
    """Edges of cells around these centres."""
    if len(centres) == 1:
        return np.asarray([centres[0] - 0.5, centres[0] + 0.5])
    middle = (centres[:-1] + centres[1:]) / 2
    return np.concatenate([[2 * centres[0] - middle[0]], middle, [2 * centres[-1] - middle[-1]]])


def _heatmap(canvas: Canvas, index: int, mark: Mark) -> None:
    x, y, z = canvas.along(mark["x"], "x"), canvas.along(mark["y"], "y"), numbers(mark["z"])
    if z.ndim == 1:
        _hexbin(canvas, index, mark)
        return
    columns, rows = np.argsort(x), np.argsort(y)
    grid = np.ma.masked_invalid(z[np.ix_(rows, columns)])
    canvas.axes.pcolormesh(_edges(x[columns]), _edges(y[rows]), grid, norm=_norm(mark, z))


def _contour(canvas: Canvas, index: int, mark: Mark) -> None:
    x, y, z = canvas.along(mark["x"], "x"), canvas.along(mark["y"], "y"), numbers(mark["z"])
    draw = canvas.axes.contourf if z.ndim == 2 else canvas.axes.tricontourf
    draw(x, y, z, norm=_norm(mark, z))


def _hexbin(canvas: Canvas, index: int, mark: Mark) -> None:
    """Cells fine enough that no two values of the spec fall into one."""
    x, y, z = numbers(mark["x"]), numbers(mark["y"]), numbers(mark["z"])
    canvas.axes.hexbin(x, y, C=z, gridsize=4 * int(np.ceil(np.sqrt(len(x)))) + 10)


def _quiver(canvas: Canvas, index: int, mark: Mark) -> None:
    z = numbers(mark["z"])
    draw = canvas.axes.quiver if mark["kind"] == "quiver" else canvas.axes.barbs
    draw(numbers(mark["x"]), numbers(mark["y"]), z[:, 0], z[:, 1])


def _grid(mark: Mark) -> tuple[Floats, Floats, tuple[int, int]]:
    x, y = np.unique(numbers(mark["x"])), np.unique(numbers(mark["y"]))
    return x, y, (len(y), len(x))


def _stream(canvas: Canvas, index: int, mark: Mark) -> None:
    x, y, shape = _grid(mark)
    z = numbers(mark["z"])
    canvas.axes.streamplot(x, y, z[:, 0].reshape(shape), z[:, 1].reshape(shape))


def _surface(canvas: Canvas, index: int, mark: Mark) -> None:
    x, y, shape = _grid(mark)
    axes: Any = canvas.axes
    axes.plot_surface(*np.meshgrid(x, y), numbers(mark["z"]).reshape(shape))


FIELD_DRAWERS: dict[str, Callable[[Canvas, int, Mark], None]] = {
    "heatmap": _heatmap,
    "contour": _contour,
    "hexbin": _hexbin,
    "quiver": _quiver,
    "barbs": _quiver,
    "stream": _stream,
    "surface": _surface,
}
