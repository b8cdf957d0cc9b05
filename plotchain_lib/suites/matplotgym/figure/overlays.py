"""What is laid over the data: error bars, bands, reference lines and fits, with their marks."""

from __future__ import annotations

from collections import defaultdict

import numpy as np

from plotchain_lib.suites.matplotgym.figure.extents import (
    extent_of,
    on_log_axes,
    points_of,
    spans,
)
from plotchain_lib.suites.matplotgym.figure.fits import find_fits
from plotchain_lib.suites.matplotgym.figure.reading import Reading
from plotchain_lib.suites.matplotgym.figure.spec import Floats, Mark, Overlay

CARRIERS = ("bar", "scatter", "line", "step", "stem", "histogram")


def find_overlays(reading: Reading) -> None:
    """Turn the marks that serve another mark into its overlays."""
    _two_point_error_bars(reading)
    _segment_error_bars(reading)
    _own(reading)
    _bands(reading)
    _reference_lines(reading)
    find_fits(reading)


def _carrier(
    reading: Reading, overlay: Overlay, skip: Mark | None = None, *, strict: bool = True
) -> Mark | None:
    """The mark whose points all error bars stand at, with every point inside its bar.

    Strictly: some point away from both ends, or dumbbells and range bars would pass.
    """
    at = np.asarray(overlay.x, dtype=float)
    for mark in reading.marks:
        if mark is skip or mark.kind not in CARRIERS:
            continue
        across, along = points_of(mark, str(overlay.orientation))
        keep = np.isfinite(across) & np.isfinite(along)
        across, along = across[keep], along[keep]
        if not len(across) or len(across) < len(at):
            continue
        reach = 1e-6 * max(float(np.ptp(across)), float(np.abs(across).max()), 1e-12)
        here = np.abs(np.subtract.outer(at, across)) <= reach
        low, high = np.asarray(overlay.lower)[:, None], np.asarray(overlay.upper)[:, None]
        slack = 1e-9 * np.abs(along)
        inside = here & (along >= low - slack) & (along <= high + slack)
        between = here & (along > low + slack) & (along < high - slack)
        if np.all(inside.any(axis=1)) and (between.any() or not strict):
            return mark
    return None


def _bar_of_line(mark: Mark) -> Overlay | None:
    """A line read as one error bar, with or without caps, or None."""
    x, y = np.asarray(mark.x, dtype=float), np.asarray(mark.y, dtype=float)
    if len(x) == 8 and np.isnan(x[[2, 5]]).all():
        x, y = x[3:5], y[3:5]
    if mark.kind != "line" or len(x) != 2 or not np.isfinite([*x, *y]).all():
        return None
    if x[0] == x[1]:
        return Overlay("error_bar", "vertical", x=x[:1], lower=[y.min()], upper=[y.max()])
    if y[0] == y[1]:
        return Overlay("error_bar", "horizontal", x=y[:1], lower=[x.min()], upper=[x.max()])
    return None


def _two_point_error_bars(reading: Reading) -> None:
    """Error bars drawn one line each, as seaborn does: joined to one overlay per mark."""
    found: dict[tuple[int, str], list[Overlay]] = defaultdict(list)
    owners: dict[int, Mark] = {}
    for mark in list(reading.marks):
        bar = _bar_of_line(mark)
        owner = _carrier(reading, bar, mark) if bar is not None else None
        if bar is not None and owner is not None and _bar_of_line(owner) is None:
            found[id(owner), str(bar.orientation)].append(bar)
            owners[id(owner)] = owner
            reading.marks = [m for m in reading.marks if m is not mark]
    for (key, orientation), bars in found.items():
        overlay = Overlay("error_bar", orientation, owner=owners[key])
        overlay.x = np.concatenate([bar.x for bar in bars])
        overlay.lower = np.concatenate([bar.lower for bar in bars])
        overlay.upper = np.concatenate([bar.upper for bar in bars])
        reading.overlays.append(overlay)


def _segment_error_bars(reading: Reading) -> None:
    """`vlines` and `hlines` around the points of a mark are its error bars."""
    for mark in [m for m in reading.marks if m.kind == "interval"]:
        low = np.asarray(mark.base, dtype=float)
        bar = Overlay("error_bar", mark.orientation, x=mark.x, lower=low, upper=low + mark.y)
        owner = _carrier(reading, bar, mark)
        if owner is not None:
            bar.owner = owner
            reading.overlays.append(bar)
            reading.marks = [m for m in reading.marks if m is not mark]


def _own(reading: Reading) -> None:
    """Give error bars without a data line the mark they stand on."""
    for overlay in reading.overlays:
        if overlay.kind == "error_bar" and overlay.owner is None:
            overlay.owner = _carrier(reading, overlay, strict=False)


def _bands(reading: Reading) -> None:
    """A filled region around a line is that line's band."""
    for area in [m for m in reading.marks if m.kind == "area" and m.arrangement != "stacked"]:
        low = np.asarray(area.base, dtype=float)
        high = low + np.asarray(area.y, dtype=float)
        if np.ptp(low) == 0 and low.size > 1:  # an area on a straight base
            continue
        owner = _line_inside(reading, area, low, high)
        if owner is not None:
            band = Overlay("band", area.orientation, x=area.x, lower=low, upper=high, owner=owner)
            reading.overlays.append(band)
            reading.marks = [m for m in reading.marks if m is not area]


def _line_inside(reading: Reading, area: Mark, low: Floats, high: Floats) -> Mark | None:
    best: tuple[float, Mark] | None = None
    for mark in reading.marks:
        if mark.kind not in ("line", "step", "scatter") or len(mark.x) < 2:
            continue
        across, along = points_of(mark, str(area.orientation))
        keep = np.isfinite(across) & np.isfinite(along)
        across, along = across[keep], along[keep]
        inside_x = (across >= np.min(area.x)) & (across <= np.max(area.x))
        if inside_x.sum() < max(2, 0.5 * len(across)):
            continue
        slack = 1e-6 * max(float(np.ptp(high)), 1e-12)
        lower = np.interp(across[inside_x], area.x, low) - slack
        upper = np.interp(across[inside_x], area.x, high) + slack
        values = along[inside_x]
        share = float(np.mean((values >= lower) & (values <= upper)))
        centred = float(np.mean(np.abs(values - (lower + upper) / 2) / (upper - lower + 1e-300)))
        if share >= 0.9 and (best is None or centred < best[0] - 1e-9):
            best = (centred, mark)
    return best[1] if best else None


def _reference_lines(reading: Reading) -> None:
    """Two-point and single-segment lines that refer to a value the data are read against."""
    numeric = list(reading.marks)
    owners = {id(o.owner) for o in reading.overlays}
    lines = [m for m in numeric if m.kind == "line" and len(m.x) == 2 and id(m) not in owners]
    segments = [m for m in numeric if m.kind == "interval"]
    data = [m for m in numeric if m not in segments and (m.kind != "line" or len(m.x) > 2)]
    if not data:
        return
    for mark in lines:
        overlay = _two_point_reference(reading, mark, data)
        if overlay is not None:
            reading.overlays.append(overlay)
            reading.marks = [m for m in reading.marks if m is not mark]
    for mark in segments:
        _segments_as_references(reading, mark, data)


def _two_point_reference(reading: Reading, mark: Mark, data: list[Mark]) -> Overlay | None:
    x, y = np.asarray(mark.x, dtype=float), np.asarray(mark.y, dtype=float)
    if not np.isfinite([*x, *y]).all():
        return None
    if y[0] == y[1]:
        across = spans(x.min(), x.max(), extent_of(data, "x"))
        return Overlay("reference_line", "horizontal", value=float(y[0])) if across else None
    if x[0] == x[1]:
        across = spans(y.min(), y.max(), extent_of(data, "y"))
        return Overlay("reference_line", "vertical", value=float(x[0])) if across else None
    if on_log_axes(reading) or not spans(x.min(), x.max(), extent_of(data, "x")):
        return None  # what is straight there, `find_fits` looks at
    slope = float((y[1] - y[0]) / (x[1] - x[0]))
    value = float(y[0] - slope * x[0])
    if any(_is_fit(slope, value, m) for m in data if m.kind == "scatter"):
        return None
    return Overlay("reference_line", "sloped", value=value, slope=slope)


def _is_fit(slope: float, value: float, points: Mark) -> bool:
    """Whether a straight line is the least-squares line of these points, roughly."""
    x, y = np.asarray(points.x, dtype=float), np.asarray(points.y, dtype=float)
    if len(x) < 3 or np.ptp(x) == 0:
        return False
    fitted = np.polyfit(x, y, 1)
    gap = np.abs(np.polyval(fitted, x) - (slope * x + value))
    return bool(gap.max() <= 0.05 * max(float(np.ptp(y)), 1e-300))


def _segments_as_references(reading: Reading, mark: Mark, data: list[Mark]) -> None:
    across = "y" if mark.orientation == "vertical" else "x"
    low = np.asarray(mark.base, dtype=float)
    high = low + np.asarray(mark.y, dtype=float)
    extent = extent_of(data, across)
    ends = {(round(float(a), 9), round(float(b), 9)) for a in mark.x for b in (*low, *high)}
    for points in [m for m in data if m.kind == "scatter"]:  # dumbbells end on points
        keys, along = points_of(points, str(mark.orientation))
        places = {
            (round(float(a), 9), round(float(b), 9)) for a, b in zip(keys, along, strict=True)
        }
        if len(ends & places) >= len(mark.x):
            return
    if np.ptp(low) or np.ptp(high):  # ranges of their own, not one value across the panel
        return
    if all(spans(a, b, extent) for a, b in zip(low, high, strict=True)):
        for value in np.asarray(mark.x, dtype=float):
            line = Overlay("reference_line", mark.orientation, value=float(value))
            reading.overlays.append(line)
        reading.marks = [m for m in reading.marks if m is not mark]
