"""Fields of values over the plane: heat maps, contours, hexagons, arrows, pies."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.collections import PolyCollection, PolyQuadMesh, QuadMesh
from matplotlib.colors import LogNorm
from matplotlib.contour import ContourSet
from matplotlib.image import AxesImage
from matplotlib.patches import FancyArrowPatch, Wedge
from matplotlib.quiver import Barbs, Quiver

from plotchain_lib.suites.matplotgym.figure.calls import Call
from plotchain_lib.suites.matplotgym.figure.reading import Reading, floats, label_of
from plotchain_lib.suites.matplotgym.figure.spec import Floats, Mark

MOST_CELLS = 250_000
CONTOURS = ("contour", "contourf", "tricontour", "tricontourf")


def field_mark(kind: str, x: Floats, y: Floats, z: Any, artist: Any) -> Mark:
    """A field with ascending coordinates; a very large one is thinned evenly."""
    grid: Any = np.ma.filled(np.ma.asarray(z, dtype=float), np.nan)
    columns, rows = np.argsort(x, kind="stable"), np.argsort(y, kind="stable")
    x, y, grid = x[columns], y[rows], grid[np.ix_(rows, columns)]
    stride = int(np.ceil(np.sqrt(grid.size / MOST_CELLS))) if grid.size > MOST_CELLS else 1
    mark = Mark(kind, x[::stride], y[::stride], z=grid[::stride, ::stride])
    mark.color_key = {"type": "continuous", "scale": _colour_scale(artist)}
    return mark


def _colour_scale(artist: Any) -> str:
    return "log" if isinstance(getattr(artist, "norm", None), LogNorm) else "linear"


def read_images(reading: Reading) -> None:
    """`imshow`, `matshow`, `pcolorfast`: a cell per value; true-colour pictures are not data."""
    for image in reading.left(AxesImage):
        reading.take([image])
        data = image.get_array()
        if data is None or data.ndim != 2:
            reading.unread.append("a true-colour picture")
            continue
        left, right, bottom, top = image.get_extent()
        rows, columns = data.shape
        if image.origin == "upper":
            bottom, top = top, bottom
        x = left + (np.arange(columns) + 0.5) * (right - left) / columns
        y = bottom + (np.arange(rows) + 0.5) * (top - bottom) / rows
        reading.marks.append(field_mark("heatmap", x, y, data, image))


def read_meshes(reading: Reading) -> None:
    """`pcolormesh`, `pcolor`, `hist2d` and what seaborn's heat map draws."""
    for mesh in reading.left(QuadMesh, PolyQuadMesh):
        reading.take([mesh])
        corners = np.asarray(mesh.get_coordinates(), dtype=float)
        rows, columns = corners.shape[0] - 1, corners.shape[1] - 1
        data: Any = np.ma.asarray(mesh.get_array(), dtype=float)
        if data.size == (rows + 1) * (columns + 1):  # Gouraud: values sit on the corners
            grid, xs, ys = data.reshape(rows + 1, columns + 1), corners[0, :, 0], corners[:, 0, 1]
        else:
            grid = data.reshape(rows, columns)
            xs = (corners[0, :-1, 0] + corners[0, 1:, 0]) / 2
            ys = (corners[:-1, 0, 1] + corners[1:, 0, 1]) / 2
        reading.marks.append(field_mark("heatmap", xs, ys, grid, mesh))


def read_contours(reading: Reading) -> None:
    """Contours keep only their levels, so the field comes from the call."""
    done: list[Mark] = []
    for call in reading.provenance.calls(reading.axes, *CONTOURS):
        reading.take(call.made)
        mark = _contour_mark(call)
        if mark is None:
            reading.unread.append(f"the field behind {call.name}")
        elif not any(_same_field(mark, other) for other in done):  # lines over a filled contour
            done.append(mark)
    reading.marks.extend(done)
    for contours in reading.left(ContourSet):
        reading.take([contours])
        reading.unread.append("contours drawn without a call that shows their field")


def _contour_mark(call: Call) -> Mark | None:
    if call.name.startswith("tri"):
        arrays = [np.asarray(a, dtype=float) for a in call.args[:3] if np.ndim(a) == 1]
        if len(arrays) < 3:
            return None
        return Mark("contour", arrays[0], arrays[1], z=arrays[2], color_key={"type": "continuous"})
    arrays = []
    for value in call.args[:3]:
        if np.ndim(value) == 0 or isinstance(value, str):
            break
        arrays.append(np.ma.asarray(value, dtype=float))
    if len(arrays) < 3 and arrays:
        arrays = arrays[:1]
    if not arrays or arrays[-1].ndim != 2:
        return None
    z = arrays[-1]
    x = np.arange(z.shape[1], dtype=float)
    y = np.arange(z.shape[0], dtype=float)
    if len(arrays) == 3:
        x = floats(arrays[0][0] if arrays[0].ndim == 2 else arrays[0])
        y = floats(arrays[1][:, 0] if arrays[1].ndim == 2 else arrays[1])
    return field_mark("contour", x, y, z, call.result)


def _same_field(one: Mark, other: Mark) -> bool:
    a, b = np.asarray(one.z), np.asarray(other.z)
    return a.shape == b.shape and np.array_equal(a, b, equal_nan=True)


def read_hexagons(reading: Reading) -> None:
    """`hexbin` and `tripcolor`: centres with their values."""
    for cells in reading.left(PolyCollection):
        names = reading.names(cells)
        if not names & {"hexbin", "tripcolor", "pcolor"} or cells.get_array() is None:
            continue
        reading.take([cells])
        centres = np.asarray(cells.get_offsets(), dtype=float)
        if len(centres) < len(cells.get_array()):
            centres = np.stack([p.vertices[:-1].mean(axis=0) for p in cells.get_paths()])
        values = floats(cells.get_array())
        kind = "hexbin" if "hexbin" in names else "heatmap"
        mark = Mark(kind, centres[:, 0], centres[:, 1], z=values)
        mark.color_key = {"type": "continuous", "scale": _colour_scale(cells)}
        reading.marks.append(mark)


def read_arrows(reading: Reading) -> None:
    """Arrows, barbs and streamlines: `z` holds both components at each point."""
    for arrows in reading.left(Quiver, Barbs):
        reading.take([arrows])
        u, v = (arrows.U, arrows.V) if isinstance(arrows, Quiver) else (arrows.u, arrows.v)
        offsets = np.asarray(arrows.get_offsets(), dtype=float)
        kind = "quiver" if isinstance(arrows, Quiver) else "barbs"
        z = np.stack([floats(u), floats(v)], axis=1)
        reading.marks.append(Mark(kind, offsets[:, 0], offsets[:, 1], z=z))
    for call in reading.provenance.calls(reading.axes, "streamplot"):
        reading.take(call.made)
        reading.take(a for a in reading.left(FancyArrowPatch) if "streamplot" in reading.names(a))
        grid_x, grid_y = np.asarray(call.args[0], float), np.asarray(call.args[1], float)
        if grid_x.ndim == 1:
            grid_x, grid_y = np.meshgrid(grid_x, grid_y)
        z = np.stack([floats(call.args[2]), floats(call.args[3])], axis=1)
        reading.marks.append(Mark("stream", grid_x.ravel(), grid_y.ravel(), z=z))


def read_pies(reading: Reading) -> None:
    """Pies: `x` the labels of the slices, `y` their shares."""
    for call in reading.provenance.calls(reading.axes, "pie"):
        wedges = [a for a in call.made if isinstance(a, Wedge)]
        shares = floats([wedge.theta2 - wedge.theta1 for wedge in wedges])
        labels = [label_of(wedge) or "" for wedge in wedges]
        reading.take(call.made)
        if len(wedges):
            known = any(labels)
            x: Any = labels if known else np.arange(len(wedges), dtype=float)
            reading.marks.append(Mark("pie", x, shares / np.abs(shares).sum()))
