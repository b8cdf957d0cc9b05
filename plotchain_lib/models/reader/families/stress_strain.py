"""Tensile test: engineering stress against engineering strain up to fracture.

The yield point is where a dot marks it; unmarked, the corner of a curve made of straight pieces, or
where the curve crosses the 0.2 % offset line if that is asked for.
"""

from __future__ import annotations

import numpy as np

from plotchain_lib.models.reader.fit import Fit, fit_curve, fit_model, pixel_unit, thinned
from plotchain_lib.models.reader.gathering import Gathering
from plotchain_lib.models.reader.marked import check_traced
from plotchain_lib.models.reader.scene import Scene
from plotchain_lib.models.reader.seen import Array, Marker, Reading, UnreadableError

FIELDS = frozenset(
    {"yield_strength_mpa", "uts_mpa", "fracture_strain", "cp_yield_strain", "cp_uts_strain"}
)

_LIMIT = 1.2  # of the fits' residuals, in pixels at 100 dots per inch
_OFFSET = 0.002
_EXPONENT = 2.6  # logarithm of the law's, tried first
_SURE = 0.012  # standard deviation of the yield strength, over it, without a dot
_Point = tuple[float, float]


def read(scene: Scene, prompt: str) -> Reading:
    """Marked points first, then the corners or the top of the curve.

    Raises:
        UnreadableError: no curve, or axes that are not linear.
    """
    if scene.x.scale != "linear" or scene.y.scale != "linear":
        raise UnreadableError("the axes of a tensile test are linear")
    check_traced(scene.curve)
    found = Gathering(FIELDS)
    yield_dot, top_dot = _dots(scene)
    # The frame may hide a part of a dot near it, so that its centre is not known well.
    cut = yield_dot is not None and yield_dot.x - 0.6 * yield_dot.size < scene.box.left
    polygon = _polygon(scene) if cut or not (yield_dot and top_dot) else None
    with found.trying("yield_strength_mpa", "cp_yield_strain"):
        if yield_dot and not (cut and polygon is not None):
            place = (yield_dot.x, yield_dot.y)
        elif "offset" in prompt:
            place = _offset_yield(scene)
        elif polygon is not None:
            place = (polygon[0], polygon[1])
        else:
            raise UnreadableError("the yield point is not marked, and the curve has no corner")
        found.put("yield_strength_mpa", scene.y.value(place[1]), *place)
        found.put("cp_yield_strain", scene.x.value(place[0]), *place)
    with found.trying("uts_mpa", "cp_uts_strain"):
        if top_dot:
            place = (top_dot.x, top_dot.y)
        else:
            place = _top(scene) if polygon is None else (polygon[2], polygon[3])
        found.put("uts_mpa", scene.y.value(place[1]), *place)
        found.put("cp_uts_strain", scene.x.value(place[0]), *place)
    end = _end(scene)
    found.put("fracture_strain", scene.x.value(end[0]), *end)
    return found.reading()


def _dots(scene: Scene) -> tuple[Marker | None, Marker | None]:
    """The dots on the curve: at the yield point, and at its top."""
    curve = scene.curve
    x = np.concatenate([curve.columns.line, curve.rows.centre])
    y = np.concatenate([curve.columns.centre, curve.rows.line])
    dots = [
        dot
        for dot in scene.markers
        if dot.shape == "dot" and np.hypot(x - dot.x, y - dot.y).min() < 0.75 * dot.size
    ]
    base = float(scene.y.place(0.0))
    high = [dot for dot in dots if dot.y - curve.y.min() < 0.03 * (base - curve.y.min())]
    top = float(curve.x[np.argmin(curve.y)])
    low = [dot for dot in dots if dot not in high and dot.x < top]
    # More than one of a kind mark something else.
    return (low[0] if len(low) == 1 else None), (high[0] if len(high) == 1 else None)


def _end(scene: Scene) -> _Point:
    """Where the curve ends: the cross there, or its last column less the line's cap."""
    x, y, stroke = scene.curve.x, scene.curve.y, scene.curve.stroke
    crosses = [mark for mark in scene.markers if mark.shape == "cross"]
    if crosses and abs(crosses[-1].x - x.max()) < 2.0 * crosses[-1].size:
        return crosses[-1].x, crosses[-1].y
    return float(x.max()) - 0.5 * (stroke - 1.0), float(y[-1])


def _elastic_rows(scene: Scene, least: float, most: float) -> tuple[Array, Array]:
    """Places (x, y) of the steep part, between two shares of the curve's height."""
    rows = scene.curve.rows
    base, top = float(scene.y.place(0.0)), float(scene.curve.y.min())
    _, first = np.unique(rows.line, return_index=True)
    share = (base - rows.line[first]) / (base - top)
    short = rows.end[first] - rows.start[first] < 3.0 * scene.curve.stroke
    chosen = first[(share > least) & (share < most) & short]
    # Where the frame's line may hide the left edge, the place follows from the right one.
    clear = rows.start > scene.box.left + scene.box.line + 1.0
    widths = (rows.end - rows.start)[chosen][clear[chosen]]
    half = 0.5 * (float(np.median(widths)) if widths.size > 5 else scene.curve.stroke)
    places = np.where(clear, rows.centre, rows.end - half)
    return places[chosen], rows.line[chosen]


def _polygon(scene: Scene) -> Array | None:
    """Places (x, y) of yield point and top, then the end's y, if the curve is three lines."""
    unit = pixel_unit(scene.curve)
    origin = np.array([scene.x.place(0.0), scene.y.place(0.0)])
    end, _ = _end(scene)
    flat = scene.curve.x > origin[0] + 0.03 * (end - origin[0])
    x, y = thinned(scene.curve.x[flat], scene.curve.y[flat])
    if x.size < 20:
        return None
    top = int(np.argmin(y))
    rise = (y[0] - y[top]) / max(x[top] - x[0], 1.0)
    start = np.array([x[0] - 5.0 * unit, y[0] + rise * 5.0 * unit, x[top], y[top], y[-1]])
    share = (origin[1] - start[1]) / (origin[1] - y[top])
    steep_x, steep_y = thinned(*_elastic_rows(scene, 0.5 * share, 0.9 * share), most=80)

    def distances(parameters: Array) -> Array:
        corner_x, corner_y, top_x, top_y, end_y = parameters
        knots_x = np.array([origin[0], corner_x, top_x, end])
        knots_y = np.array([origin[1], corner_y, top_y, end_y])
        slope = (corner_x - origin[0]) / (corner_y - origin[1])
        across = steep_x - (origin[0] + slope * (steep_y - origin[1]))
        return np.concatenate([across, np.interp(x, knots_x, knots_y) - y])

    try:
        fit = fit_model(distances, start, scale=unit)
    except UnreadableError:
        return None
    return fit.parameters if fit.fits(_LIMIT * unit) and _ordered(fit, origin[0], end) else None


def _ordered(fit: Fit, origin: float, end: float) -> bool:
    corner, _, top = fit.parameters[:3]
    return bool(origin < corner < top < end)


def _top(scene: Scene) -> _Point:
    """The top of a rounded curve: two half parabolas of different width that meet there."""
    x, y, unit = scene.curve.x, scene.curve.y, pixel_unit(scene.curve)
    highest = int(np.argmin(y))
    fall = float(y[-1] - y[highest])
    if fall < 2.0 * unit or x[-1] - x[highest] < 5.0 * unit:
        raise UnreadableError("the curve does not fall before it ends")
    before = np.nonzero(y[: highest + 1] > y[highest] + 0.3 * fall)[0]
    first = int(before[-1]) + 1 if before.size else 0
    near_x, near_y = x[first:], y[first:]

    def model(parameters: Array, at: Array) -> Array:
        place, level, left, right = parameters
        width = np.where(at < place, np.exp(-2.0 * left), np.exp(-2.0 * right))
        return np.asarray(level + (at - place) ** 2 * width)

    spans = [max(x[highest] - near_x[0], 4.0), x[-1] - x[highest]]
    widths = [np.log(spans[0] / np.sqrt(0.3 * fall)), np.log(spans[1] / np.sqrt(fall))]
    fit = fit_curve(model, np.array([x[highest], y[highest], *widths]), near_x, near_y)
    if not fit.fits(_LIMIT * unit) or not near_x[0] <= fit.parameters[0] <= near_x[-1]:
        raise UnreadableError("the top of the curve is not found")
    return float(fit.parameters[0]), float(fit.parameters[1])


def _offset_yield(scene: Scene) -> _Point:
    """Where Ramberg and Osgood's law, fitted to the curve up to there, has 0.2 % plastic strain."""
    left, base = float(scene.x.place(0.0)), float(scene.y.place(0.0))
    shift = float(scene.x.place(_OFFSET)) - left
    height = base - float(scene.curve.y.min())
    slope, level = _rough_yield(scene, left, base, shift)
    for _ in range(4):
        x, h = _early_points(scene, base, level)

        def distances(parameters: Array, x: Array = x, h: Array = h) -> Array:
            slope, exponent = parameters[0], np.exp(parameters[2])
            plastic = shift * np.exp(exponent * (np.log(h) - parameters[1]))
            steepness = np.hypot(1.0, slope + exponent * plastic / h)
            return np.asarray((left + slope * h + plastic - x) / steepness)

        at = np.log(level)
        low, high = np.array([0.0, at - 0.2, 0.9]), np.array([np.inf, at + 0.2, 4.4])
        fit = fit_model(distances, np.array([slope, at, _EXPONENT]), bounds=(low, high))
        slope, level = float(fit.parameters[0]), float(np.exp(fit.parameters[1]))
        moved = abs(float(fit.parameters[1] - at))
        if moved < _SURE:
            break
    deviation = float(np.sqrt(fit.covariance[1, 1]))
    sure = max(moved, deviation) < _SURE and level < min(1.06 * h.max(), 0.99 * height)
    if not sure or not fit.fits(_LIMIT * pixel_unit(scene.curve)):
        raise UnreadableError("the curve does not tell where it crosses the offset line")
    return left + slope * level + shift, base - level


def _rough_yield(scene: Scene, left: float, base: float, shift: float) -> tuple[float, float]:
    """Pixels in x for each in height of the straight beginning; height at the offset line."""
    x, y = _elastic_rows(scene, 0.06, 0.3)
    if x.size < 6:
        raise UnreadableError("the elastic part of the curve is not traced")
    slope = float(np.median((x - left) / (base - y)))
    curve = scene.curve
    along = np.concatenate([curve.rows.centre, curve.columns.line])
    heights = base - np.concatenate([curve.rows.line, curve.columns.centre])
    beyond = along - left - slope * heights - shift
    near = (np.abs(beyond) < 4.0 * pixel_unit(curve)) & (heights > 0.2 * heights.max())
    if near.sum() < 4 or not beyond[near].min() < 0.0 < beyond[near].max():
        raise UnreadableError("the curve does not cross the offset line")
    return slope, float(np.polynomial.polynomial.polyfit(beyond[near], heights[near], 1)[0])


def _early_points(scene: Scene, base: float, reach: float) -> tuple[Array, Array]:
    """Places in x and heights of the curve up to a height: by rows if steep, else by columns."""
    curve = scene.curve
    share = reach / (base - float(curve.y.min()))
    row_x, row_y = thinned(*_elastic_rows(scene, 0.06, share), most=120)
    columns = curve.columns
    short = columns.end - columns.start < 3.0 * curve.stroke
    short &= (base - columns.centre < reach) & (base - columns.centre > 0.06 * reach)
    x, y = thinned(columns.line[short], columns.centre[short], most=120)
    return np.concatenate([row_x, x]), base - np.concatenate([row_y, y])
