"""Lines fitted to points, and straight lines the data are read against."""

from __future__ import annotations

import numpy as np

from plotchain_lib.suites.matplotgym.figure.canonical import replace
from plotchain_lib.suites.matplotgym.figure.extents import as_shown, is_bare, on_log_axes, spans
from plotchain_lib.suites.matplotgym.figure.reading import Reading
from plotchain_lib.suites.matplotgym.figure.spec import Floats, Mark, Overlay

STRAIGHT = 1e-6
_OWN_PLACES = 0.5  # at most this share of its positions are those of other marks
_MOST_AWAY = 0.15  # mean distance of a fit from its points, of their spread
Curve = tuple[Floats, Floats]


def find_fits(reading: Reading) -> None:
    """Turn smooth lines through points, and straight lines among data, into overlays.

    All is looked at as it is shown: on logarithmic axes a power law is straight.
    """
    clouds = [m for m in reading.marks if m.kind == "scatter" and len(m.x) >= 3]
    for line in [m for m in reading.marks if m.kind == "line" and len(m.x) >= 2]:
        curve = as_shown(reading, line)
        shown = {id(points): as_shown(reading, points) for points in clouds}
        through = [points for points in clouds if _fits_through(curve, shown[id(points)])]
        if through:
            points = min(through, key=lambda points: _distance(curve, shown[id(points)]))
            fit = Overlay("fit", x=np.asarray(line.x, float), y=np.asarray(line.y, float))
            fit.owner = points
            replace(reading, line, points)
            reading.overlays.append(fit)
        elif is_bare(line) and _is_law(reading, line, curve):
            reading.overlays.append(_law(reading, line))
            reading.marks = [mark for mark in reading.marks if mark is not line]


def _is_law(reading: Reading, line: Mark, curve: Curve) -> bool:
    """Whether a line is drawn to read the others against: straight among data that are not.

    Of more than two points, on linear axes, only with positions of its own: data can be straight.
    """
    x, y = curve
    own = len(x) == 2 or on_log_axes(reading)
    if not np.isfinite([*x, *y]).all() or not np.ptp(x) or not np.ptp(y) or not straight(x, y):
        return False
    extents = []
    for other in reading.marks:
        if other is line or other.kind not in ("line", "step", "scatter") or len(other.x) < 3:
            continue
        across, along = as_shown(reading, other)
        if not own and np.isin(x, across).mean() > _OWN_PLACES:
            return False
        keep = np.isfinite(across) & np.isfinite(along)
        if keep.sum() > 2 and not straight(across[keep], along[keep]):
            extents += [across[keep].min(), across[keep].max()]
    extent = (min(extents), max(extents)) if extents else None
    return spans(float(x.min()), float(x.max()), extent)


def _law(reading: Reading, line: Mark) -> Overlay:
    x, y = np.asarray(line.x, float), np.asarray(line.y, float)
    if on_log_axes(reading):
        return Overlay("fit", x=x, y=y)
    slope = float((y[-1] - y[0]) / (x[-1] - x[0]))
    return Overlay("reference_line", "sloped", value=float(y[0] - slope * x[0]), slope=slope)


def _distance(curve: Curve, points: Curve) -> float:
    """How far a line is from being fitted to these points: of several clouds, one is its own."""
    inside, rest = _rest(curve, points)
    x, px = curve[0], points[0]
    ends = abs(float(x.min() - px.min())) + abs(float(x.max() - px.max()))
    spread = float(np.ptp(points[1][inside])) or 1.0
    return ends / (float(np.ptp(px)) or 1.0) + abs(float(np.mean(rest))) / spread


def _rest(curve: Curve, points: Curve) -> Curve:
    """Which points stand within a line's extent, and their distances from it along y."""
    (x, y), (px, py) = curve, points
    order = np.argsort(x)
    inside = (px >= x.min()) & (px <= x.max())
    return inside, py[inside] - np.interp(px[inside], x[order], y[order])


def _fits_through(curve: Curve, points: Curve) -> bool:
    (x, y), (px, py) = curve, points
    if not np.isfinite([*x, *y]).all() or np.ptp(x) <= 0 or not _smooth(x, y):
        return False
    if not np.isfinite([*px, *py]).all():
        return False
    shared = np.isin(np.round(py, 9), np.round(y, 9)) & np.isin(px, x)
    if shared.mean() > 0.5 and len(x) > 2 and len(px) > 2 and not straight(x, y):
        return False
    overlap = min(x.max(), px.max()) - max(x.min(), px.min())
    if overlap < 0.5 * np.ptp(px):
        return False
    inside, rest = _rest(curve, points)
    if len(rest) < 3:
        return False
    spread = float(np.ptp(py[inside]))
    return bool(abs(float(np.mean(rest))) <= _MOST_AWAY * spread)


def straight(x: Floats, y: Floats) -> bool:
    """Whether points lie on one straight line."""
    fitted = np.polyval(np.polyfit(x, y, 1), x) if len(x) > 2 else y
    return bool(np.abs(fitted - y).max() <= STRAIGHT * max(float(np.ptp(y)), 1e-300))


def _smooth(x: Floats, y: Floats) -> bool:
    """Straight, or sampled finely with few changes of curvature."""
    if straight(x, y):
        return True
    if len(x) < 15:
        return False
    order = np.argsort(x)
    bends = np.diff(y[order], 2)
    bends = bends[np.abs(bends) > 1e-9 * max(float(np.abs(y).max()), 1e-300)]
    return bool(np.count_nonzero(np.diff(np.sign(bends))) <= 4)
