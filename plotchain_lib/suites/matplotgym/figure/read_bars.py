"""Bars and histograms, with the error bars their containers hold."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.container import BarContainer, ErrorbarContainer, StemContainer
from matplotlib.patches import PathPatch, Polygon, Rectangle, StepPatch

from plotchain_lib.suites.matplotgym.figure.calls import Call
from plotchain_lib.suites.matplotgym.figure.read_lines import line_mark
from plotchain_lib.suites.matplotgym.figure.reading import (
    Reading,
    colour_style,
    floats,
    label_of,
)
from plotchain_lib.suites.matplotgym.figure.spec import Floats, Mark, Overlay

HISTOGRAM_CALLERS = {"histplot", "displot", "plot_univariate_histogram"}


def read_histograms(reading: Reading) -> None:
    """Histograms by their call, whatever they are drawn with."""
    for call in reading.provenance.calls(reading.axes, "hist"):
        counts, edges, groups = call.result
        several = np.ndim(counts) == 2
        stacked = call.kwargs.get("stacked") or call.kwargs.get("histtype") == "barstacked"
        below = np.zeros(len(edges) - 1)
        for row, group in zip(np.atleast_2d(counts), groups if several else [groups], strict=False):
            heights = floats(row)
            if several and stacked:
                heights, below = heights - below, floats(row)
            patch = next(iter(group), None)
            mark = histogram(heights, floats(edges), _orientation(call))
            if several:
                mark.arrangement = "stacked" if stacked else "grouped"
            own = label_of(group) if isinstance(group, BarContainer) else None
            mark.label = own or (label_of(patch) if patch is not None else None)
            mark.style = _patch_style(patch) if patch is not None else ()
            reading.marks.append(mark)
        reading.take(call.made)
        reading.take(_containers_of(reading, call))


def _orientation(call: Call) -> str:
    return "horizontal" if call.kwargs.get("orientation") == "horizontal" else "vertical"


def _containers_of(reading: Reading, call: Call) -> list[Any]:
    made = {id(artist) for artist in call.made}
    return [
        container
        for container in reading.axes.containers
        if isinstance(container, BarContainer) and any(id(p) in made for p in container.patches)
    ]


def histogram(heights: Floats, edges: Floats, orientation: str) -> Mark:
    """A histogram's mark: `x` the centres, `y` the heights, `edges` one more than both."""
    centres = (edges[:-1] + edges[1:]) / 2
    return Mark("histogram", centres, heights, orientation, edges=edges)


def _patch_style(patch: Any) -> tuple[Any, ...]:
    face = patch.get_facecolor()
    shown = face if patch.get_fill() and face[3] > 0 else patch.get_edgecolor()
    return (colour_style(shown), str(patch.get_hatch()))


def read_containers(reading: Reading) -> None:
    """Bars, error bars and stems: Matplotlib keeps them together in containers."""
    for container in reading.axes.containers:
        if id(container) in reading.taken:
            continue
        if isinstance(container, ErrorbarContainer):
            _read_error_bar(reading, container)
        elif isinstance(container, StemContainer):
            _read_stem(reading, container)
        elif isinstance(container, BarContainer):
            _read_bar(reading, container)


def _read_bar(reading: Reading, container: BarContainer) -> None:
    patches = [patch for patch in container.patches if id(patch) not in reading.taken]
    boxes = [
        (p.get_x(), p.get_y(), p.get_width(), p.get_height()) for p in patches if p.get_visible()
    ]
    reading.take(patches)
    if not boxes:
        return
    horizontal = getattr(container, "orientation", "vertical") == "horizontal"
    x, y, width, height = np.asarray(boxes, dtype=float).T
    start, thick, base, length = (y, height, x, width) if horizontal else (x, width, y, height)
    if not (np.abs(thick) > 0).any():
        return
    orientation = "horizontal" if horizontal else "vertical"
    if reading.names(patches[0]) & HISTOGRAM_CALLERS:
        mark = histogram(length, np.append(start, start[-1] + thick[-1]), orientation)
    else:
        mark = Mark("bar", start + thick / 2, length, orientation, width=float(thick[0]))
    if np.any(np.abs(base) > 0):
        mark.base = base
    mark.label = label_of(container) or label_of(patches[0])
    mark.style = _patch_style(patches[0])
    reading.marks.append(mark)


def _read_error_bar(reading: Reading, container: ErrorbarContainer) -> None:
    data_line, caps, bars = container.lines
    owner: Mark | None = None
    if data_line is not None:
        x, y = floats(data_line.get_xdata(orig=False)), floats(data_line.get_ydata(orig=False))
        if id(data_line) not in reading.taken and data_line.get_visible():
            mark = line_mark(data_line, x, y)
            mark.label = label_of(container) or mark.label
            if mark.kind != "scatter" or str(data_line.get_marker()) not in ("None", ""):
                owner = mark
                reading.marks.append(mark)
    reading.take([data_line, *caps, *bars])
    axes = ["horizontal"] * container.has_xerr + ["vertical"] * container.has_yerr
    for orientation, collection in zip(axes, bars, strict=False):
        overlay = error_bars(collection.get_segments(), orientation)
        if overlay is not None:
            overlay.owner = owner
            reading.overlays.append(overlay)


def error_bars(segments: Any, orientation: str) -> Overlay | None:
    """Error bars from their segments: `x` the positions, `lower` and `upper` the ends."""
    ends = [np.asarray(s, dtype=float) for s in segments if len(s) == 2]
    ends = [s for s in ends if np.isfinite(s).all()]
    if not ends:
        return None
    values = np.stack(ends)
    along, across = (1, 0) if orientation == "vertical" else (0, 1)
    low, high = values[:, :, along].min(axis=1), values[:, :, along].max(axis=1)
    return Overlay("error_bar", orientation, x=values[:, 0, across], lower=low, upper=high)


def _read_stem(reading: Reading, container: StemContainer) -> None:
    markers, stems, baseline = container
    x, y = floats(markers.get_xdata(orig=False)), floats(markers.get_ydata(orig=False))
    segments = stems.get_segments() if hasattr(stems, "get_segments") else []
    across = bool(len(segments)) and all(
        s[0][1] == s[-1][1] and s[0][0] != s[-1][0] for s in segments
    )
    reading.take([markers, baseline, *(stems if isinstance(stems, list) else [stems])])
    style = (colour_style(markers.get_color()),)
    orientation = "horizontal" if across else "vertical"
    key, value = (y, x) if across else (x, y)
    reading.marks.append(
        Mark("stem", key, value, orientation, style=style, label=label_of(container))
    )


def read_stairs(reading: Reading) -> None:
    """`stairs` draws a histogram already counted, unless it has no base to stand on."""
    for patch in reading.left(StepPatch):
        reading.take([patch])
        data = patch.get_data()
        orientation = "vertical" if patch.orientation == "vertical" else "horizontal"
        mark = histogram(floats(data.values), floats(data.edges), orientation)
        if data.baseline is None:
            mark = Mark("step", floats(data.edges)[:-1], floats(data.values))
        mark.style, mark.label = _patch_style(patch), label_of(patch)
        reading.marks.append(mark)


def read_patches(reading: Reading) -> None:
    """Patches nobody claimed: rectangles are bars; the rest cannot be represented."""
    loose = [p for p in reading.left(Rectangle) if p.get_transform() != reading.axes.transAxes]
    solid = [p for p in loose if p.get_width() and p.get_height()]
    reading.take(loose)
    if solid:
        x, y, width, height = np.asarray(
            [(p.get_x(), p.get_y(), p.get_width(), p.get_height()) for p in solid], dtype=float
        ).T
        bars = Mark("bar", x + width / 2, height, "vertical", width=float(width[0]))
        bars.base = y if np.any(y) else None
        bars.style = _patch_style(solid[0])
        reading.marks.append(bars)
    for patch in reading.left(Polygon):
        reading.take([patch])
        points = np.asarray(patch.get_xy(), dtype=float)
        if len(points):
            area = Mark("polygon", points[:, 0], points[:, 1], style=_patch_style(patch))
            area.label = label_of(patch)
            reading.marks.append(area)
    for patch in reading.left(PathPatch):
        if not len(patch.get_path().vertices):
            reading.take([patch])
