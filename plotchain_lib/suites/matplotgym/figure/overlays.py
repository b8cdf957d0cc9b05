"""What is laid over the data: error bars, bands, reference lines and fits, with their marks."""

from __future__ import annotations

from collections import defaultdict

import numpy as np

from plotchain_lib.suites.matplotgym.figure.canonical import replace
from plotchain_lib.suites.matplotgym.figure.reading import Reading
from plotchain_lib.suites.matplotgym.figure.spec import Floats, Mark, Overlay

CARRIERS = ("bar", "scatter", "line", "step", "stem", "histogram")
STRAIGHT = 1e-6


def find_overlays(reading: Reading) -> None:
    """Turn the marks that serve another mark into its overlays."""
    _two_point_error_bars(reading)
    _segment_error_bars(reading)
    _own(reading)
    _bands(reading)
    _reference_lines(reading)
    _fits(reading)


def _points(mark: Mark, orientation: str) -> tuple[Floats, Floats]:
    """Positions of a mark across and along an error bar's direction, in data coordinates."""
    x, y = np.asarray(mark.x, dtype=float), np.asarray(mark.y, dtype=float)
    if mark.orientation is not None:
        y = y if mark.base is None else y + np.asarray(mark.base, dtype=float)
        if mark.orientation == "horizontal":
            x, y = y, x
    return (x, y) if orientation == "vertical" else (y, x)


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
        across, along = _points(mark, str(overlay.orientation))
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
        across, along = _points(mark, str(area.orientation))
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


def _extent(marks: list[Mark], axis: str) -> tuple[float, float] | None:
    """Range of the data along x or y, or None where there is none."""
    parts = []
    for mark in marks:
        across, along = _points(mark, "vertical")
        parts.append(across if axis == "x" else along)
    values = np.concatenate(parts) if parts else np.zeros(0)
    values = values[np.isfinite(values)]
    return (float(values.min()), float(values.max())) if len(values) else None


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
        overlay = _two_point_reference(mark, data)
        if overlay is not None:
            reading.overlays.append(overlay)
            reading.marks = [m for m in reading.marks if m is not mark]
    for mark in segments:
        _segments_as_references(reading, mark, data)


def _spans(low: float, high: float, extent: tuple[float, float] | None) -> bool:
    if extent is None:
        return False
    width = extent[1] - extent[0]
    return min(high, extent[1]) - max(low, extent[0]) >= 0.6 * width


def _two_point_reference(mark: Mark, data: list[Mark]) -> Overlay | None:
    x, y = np.asarray(mark.x, dtype=float), np.asarray(mark.y, dtype=float)
    if not np.isfinite([*x, *y]).all():
        return None
    if y[0] == y[1]:
        spans = _spans(x.min(), x.max(), _extent(data, "x"))
        return Overlay("reference_line", "horizontal", value=float(y[0])) if spans else None
    if x[0] == x[1]:
        spans = _spans(y.min(), y.max(), _extent(data, "y"))
        return Overlay("reference_line", "vertical", value=float(x[0])) if spans else None
    if not _spans(x.min(), x.max(), _extent(data, "x")):
        return None
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
    extent = _extent(data, across)
    ends = {(round(float(a), 9), round(float(b), 9)) for a in mark.x for b in (*low, *high)}
    for points in [m for m in data if m.kind == "scatter"]:  # dumbbells end on points
        keys, along = _points(points, str(mark.orientation))
        places = {
            (round(float(a), 9), round(float(b), 9)) for a, b in zip(keys, along, strict=True)
        }
        if len(ends & places) >= len(mark.x):
            return
    if np.ptp(low) or np.ptp(high):  # ranges of their own, not one value across the panel
        return
    if all(_spans(a, b, extent) for a, b in zip(low, high, strict=True)):
        for value in np.asarray(mark.x, dtype=float):
            line = Overlay("reference_line", mark.orientation, value=float(value))
            reading.overlays.append(line)
        reading.marks = [m for m in reading.marks if m is not mark]


def _fits(reading: Reading) -> None:
    """A smooth line through the points of a scatter is a fit to them."""
    clouds = [m for m in reading.marks if m.kind == "scatter" and len(m.x) >= 3]
    for line in [m for m in reading.marks if m.kind == "line" and len(m.x) >= 2]:
        for points in clouds:
            if _fits_through(line, points):
                x, y = np.asarray(line.x, float), np.asarray(line.y, float)
                fit = Overlay("fit", x=x, y=y, owner=points)
                replace(reading, line, points)
                reading.overlays.append(fit)
                break


def _fits_through(line: Mark, points: Mark) -> bool:
    x, y = np.asarray(line.x, float), np.asarray(line.y, float)
    px, py = np.asarray(points.x, float), np.asarray(points.y, float)
    if not np.isfinite([*x, *y]).all() or np.ptp(x) <= 0 or not _smooth(x, y):
        return False
    shared = np.isin(np.round(py, 9), np.round(y, 9)) & np.isin(px, x)
    if shared.mean() > 0.5 and len(x) > 2 and len(px) > 2 and not _straight(x, y):
        return False
    overlap = min(x.max(), px.max()) - max(x.min(), px.min())
    if overlap < 0.5 * np.ptp(px):
        return False
    order = np.argsort(x)
    inside = (px >= x.min()) & (px <= x.max())
    if inside.sum() < 3:
        return False
    rest = py[inside] - np.interp(px[inside], x[order], y[order])
    spread = float(np.ptp(py[inside]))
    return bool(abs(float(np.mean(rest))) <= 0.15 * spread)


def _straight(x: Floats, y: Floats) -> bool:
    fitted = np.polyval(np.polyfit(x, y, 1), x) if len(x) > 2 else y
    return bool(np.abs(fitted - y).max() <= STRAIGHT * max(float(np.ptp(y)), 1e-300))


def _smooth(x: Floats, y: Floats) -> bool:
    """Straight, or sampled finely with few changes of curvature."""
    if _straight(x, y):
        return True
    if len(x) < 15:
        return False
    order = np.argsort(x)
    bends = np.diff(y[order], 2)
    bends = bends[np.abs(bends) > 1e-9 * max(float(np.abs(y).max()), 1e-300)]
    return bool(np.count_nonzero(np.diff(np.sign(bends))) <= 4)
