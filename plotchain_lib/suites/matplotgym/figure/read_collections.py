"""Collections: points, filled regions, sets of segments, events."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.collections import EventCollection, LineCollection, PathCollection, PolyCollection

from plotchain_lib.suites.matplotgym.figure.read_bars import HISTOGRAM_CALLERS
from plotchain_lib.suites.matplotgym.figure.reading import Reading, colour_style, floats, label_of
from plotchain_lib.suites.matplotgym.figure.spec import Floats, Mark, Overlay


def read_points(reading: Reading) -> None:
    """Scatter plots: one mark per colour and marker, or one with the mapped values."""
    for points in reading.left(PathCollection):
        reading.take([points])
        offsets: Any = np.ma.filled(np.ma.asarray(points.get_offsets(), dtype=float), np.nan)
        if not len(offsets) or not np.isfinite(offsets).all(axis=1).any():
            continue
        reading.marks.extend(_point_marks(points, offsets))


def _point_marks(points: PathCollection, offsets: Floats) -> list[Mark]:
    keep: Any = np.isfinite(offsets).all(axis=1)
    count = len(offsets)
    sizes = _each(np.asarray(points.get_sizes(), dtype=float), count)
    varied = sizes if len(np.unique(np.round(sizes, 6))) > 1 else None
    mapped = points.get_array()
    if mapped is not None and len(mapped) == count and len(np.unique(floats(mapped))) > 1:
        values = floats(mapped)
        mark = _points(points, offsets, keep, varied, ("mapped",))
        mark.color_key = {"type": "continuous", "values": values[keep]}
        return [mark]
    colours = np.round(_each(np.asarray(_colours(points), dtype=float), count), 3)
    kinds = _each(np.arange(float(len(points.get_paths()))), count)
    looks = np.column_stack([colours, kinds])
    if not np.ptp(looks[keep], axis=0).any():
        return [_points(points, offsets, keep, varied, tuple(looks[keep][0]))]
    _, first, group = np.unique(looks[keep], axis=0, return_index=True, return_inverse=True)
    number = np.full(count, -1)
    number[keep] = group.ravel()
    return [
        _points(points, offsets, number == g, varied, tuple(looks[keep][first[g]]))
        for g in np.argsort(first)
    ]


def _colours(points: PathCollection) -> Any:
    faces = points.get_facecolor()
    return faces if len(faces) else points.get_edgecolor()


def _each(values: Any, count: int) -> Any:
    """Values repeated in turn to one per point, as Matplotlib does."""
    return values[np.arange(count) % len(values)] if len(values) else np.zeros(count)


def _points(
    points: PathCollection, offsets: Floats, keep: Any, sizes: Any, style: tuple[Any, ...]
) -> Mark:
    mark = Mark("scatter", offsets[keep, 0], offsets[keep, 1], label=label_of(points))
    path = points.get_paths()[0] if points.get_paths() else None
    shape = len(np.asarray(path.vertices)) if path is not None else 0
    mark.style = (style, shape)
    if sizes is not None:
        mark.size_key = sizes[keep]
    return mark


def read_fills(reading: Reading) -> None:
    """Regions between two curves: an area here, later perhaps the band of a line."""
    for region in reading.left(PolyCollection):
        names = reading.names(region)
        reading.take([region])
        outlines = [np.asarray(path.vertices, dtype=float) for path in region.get_paths()]
        outlines = [points for points in outlines if len(points) > 4]
        if not outlines or region.get_array() is not None:
            if region.get_array() is not None:
                reading.unread.append("polygons coloured by value")
            continue
        sideways = "fill_betweenx" in names
        x, first, second = _two_curves(outlines, sideways)
        mark = Mark("area", x, first - second, "horizontal" if sideways else "vertical")
        mark.base = second
        mark.arrangement = "stacked" if names & {"stackplot", "pandas.area"} else None
        if names & HISTOGRAM_CALLERS and "kdeplot" not in names:
            mark.kind = "histogram" if _is_stepped(x) else "area"
            if mark.kind == "histogram":
                mark = _stepped_histogram(x, first, second, mark)
        mark.style = (colour_style(region.get_facecolor()),)
        mark.label = label_of(region)
        reading.marks.append(mark)


def _two_curves(outlines: list[Floats], sideways: bool) -> tuple[Floats, Floats, Floats]:
    """Upper and lower curve of polygons made by fill_between, each with 2 n + 3 corners."""
    key, value = (1, 0) if sideways else (0, 1)
    parts = []
    for points in outlines:
        n = (len(points) - 3) // 2
        there, back = points[1 : n + 1], points[n + 2 : 2 * n + 2][::-1]
        top, bottom = there[:, value], back[:, value]
        # fill_between goes out along its first curve or its second, by release
        upper, lower = np.maximum(top, bottom), np.minimum(top, bottom)
        parts.append((there[:, key], upper, lower))
    x, upper, lower = (np.concatenate(columns) for columns in zip(*parts, strict=True))
    order = np.argsort(x, kind="stable")
    return x[order], upper[order], lower[order]


def _is_stepped(x: Floats) -> bool:
    return len(np.unique(x)) <= len(x) // 2 + 1


def _stepped_histogram(x: Floats, top: Floats, bottom: Floats, mark: Mark) -> Mark:
    edges = np.unique(x)
    centres = (edges[:-1] + edges[1:]) / 2
    heights = (top - bottom)[:-1][np.diff(x) > 0]  # each edge is there twice, but the outer ones
    return Mark("histogram", centres, heights, mark.orientation, edges=edges)


def read_segments(reading: Reading) -> None:
    """Sets of segments: events, horizontal and vertical lines, or many lines in one."""
    for events in reading.left(EventCollection):
        reading.take([events])
        at = floats(events.get_positions())
        row = np.full(len(at), float(events.get_lineoffset()))
        flat = events.get_orientation() == "horizontal"
        style = (colour_style(events.get_color()),)
        if len(at):
            orientation = "horizontal" if flat else "vertical"
            reading.marks.append(Mark("event", row, at, orientation, style=style))
    for lines in reading.left(LineCollection):
        segments = [np.asarray(s, dtype=float) for s in lines.get_segments()]
        reading.take([lines])
        if lines.get_transform() != reading.axes.transData:
            _read_half_data(reading, segments, lines)
            continue
        reading.marks.extend(_segment_marks([s for s in segments if len(s) > 1], lines))


def _read_half_data(reading: Reading, segments: list[Floats], lines: LineCollection) -> None:
    """Segments in data along one axis and in the axes' fraction along the other: rug or lines."""
    axes, transform = reading.axes, lines.get_transform()
    upright = transform == axes.get_xaxis_transform(which="grid")
    if not segments or not (upright or transform == axes.get_yaxis_transform(which="grid")):
        reading.unread.append("segments outside data coordinates")
        return
    ends = np.stack([s[:2] for s in segments])
    at, fraction = (ends[:, 0, 0], ends[:, :, 1]) if upright else (ends[:, 0, 1], ends[:, :, 0])
    if np.ptp(fraction, axis=1).min() >= 0.99:
        side = "vertical" if upright else "horizontal"
        reading.overlays += [Overlay("reference_line", side, value=float(v)) for v in at]
        return
    style = (colour_style(lines.get_color()),)
    along = "horizontal" if upright else "vertical"
    reading.marks.append(Mark("event", np.zeros(len(at)), at, along, style=style))


def _segment_marks(segments: list[Floats], lines: LineCollection) -> list[Mark]:
    style = (colour_style(lines.get_color()),)
    label = label_of(lines)
    if segments and all(len(s) == 2 for s in segments):
        ends = np.stack(segments)
        for orientation, key in (("vertical", 0), ("horizontal", 1)):
            if np.all(ends[:, 0, key] == ends[:, 1, key]):
                value = ends[:, :, 1 - key]
                low, high = value.min(axis=1), value.max(axis=1)
                mark = Mark("interval", ends[:, 0, key], high - low, orientation, base=low)
                mark.style, mark.label = style, label
                return [mark]
    each = [colour_style(c) for c in _each(np.asarray(lines.get_color()), len(segments))]
    return [
        Mark("line", s[:, 0], s[:, 1], style=(colour,), label=label)
        for s, colour in zip(segments, each, strict=True)
    ]
