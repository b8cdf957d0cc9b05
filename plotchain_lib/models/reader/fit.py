"""Robust fits of a kind's physics to a traced curve, and straight reading where none fits.

All places are in pixels, residuals too: a limit means the same on every axis. Models take their
parameters and places in x and give places in y; a family turns pixels to values itself, by the
scene's axes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np
from scipy.optimize import least_squares

from plotchain_lib.models.reader.seen import Array, Curve, UnreadableError

Model = Callable[[Array, Array], Array]
Residuals = Callable[[Array], Array]

# Traces err by a few tenths of a pixel; a point further out counts ever less.
_SCALE = 0.5
_FAR = 1e6  # in place of a place that a trial's parameters do not have
_MOST_CALLS = 60
_THINNED = 240


@dataclass(frozen=True, slots=True)
class Fit:
    """A fitted model.

    Attributes:
        parameters: shape (n,), in the model's own units.
        covariance: of the parameters, by the spread of the residuals, shape (n, n); infinite where
            the points do not determine one.
        residual: root mean square distance of the points near the model from it, in pixels.
        share: share of the points that are near (within four times the typical distance).
        trend: root mean square of the mean distances of neighbouring points: what noise leaves of
            `residual` is small, what a wrong model leaves is all of it.
    """

    parameters: Array
    covariance: Array
    residual: float
    share: float
    trend: float

    def fits(self, limit: float) -> bool:
        """Whether the curve follows the model to `limit` pixels, its noise to four times that."""
        return self.trend <= limit and self.residual <= 4.0 * limit and self.share >= 0.8


def pixel_unit(curve: Curve) -> float:
    """How many pixels stand for one at 100 dots per inch, by the stroke (1.5 points there).

    Limits in pixels are multiplied with it, so that they hold at any resolution.
    """
    return max(curve.stroke / 2.1, 0.7)


def thinned(*arrays: Array, most: int = _THINNED) -> tuple[Array, ...]:
    """At most about `most` evenly chosen elements of each of some arrays of equal length."""
    step = max(1, int(np.ceil(arrays[0].size / most)))
    return tuple(array[::step] for array in arrays)


def fit_model(
    residuals: Residuals,
    start: Array,
    scale: float = _SCALE,
    bounds: tuple[Array, Array] | None = None,
    tolerance: float = 1e-6,
) -> Fit:
    """Least squares with a soft-L1 loss on residuals in pixels.

    Args:
        residuals: signed distances in pixels from parameters, neighbouring points in a row.
        start: first guess, shape (n,).
        scale: distance from which on points count less, in pixels.
        bounds: lowest and highest parameters, each of shape (n,).
        tolerance: relative change of the cost at which to stop.

    Raises:
        UnreadableError: too few points, or no finite distance at the first guess.
    """

    def finite(parameters: Array) -> Array:
        with np.errstate(all="ignore"):
            found = residuals(parameters)
        return np.asarray(np.clip(np.nan_to_num(found, nan=_FAR, posinf=_FAR), -_FAR, _FAR))

    first = np.asarray(start, dtype=np.float64)
    if finite(first).size < first.size + 2 or not np.isfinite(first).all():
        raise UnreadableError("too few points of the curve to fit")
    result = least_squares(
        finite,
        np.clip(first, bounds[0] + 1e-9, bounds[1] - 1e-9) if bounds else first,
        bounds=bounds or (-np.inf, np.inf),
        loss="soft_l1",
        f_scale=scale,
        x_scale="jac",
        ftol=tolerance,
        max_nfev=_MOST_CALLS,
    )
    return _summary(np.asarray(result.x), finite(result.x), np.asarray(result.jac))


def _summary(parameters: Array, distances: Array, jacobian: Array) -> Fit:
    typical = max(1.4826 * float(np.median(np.abs(distances))), 0.1)
    near = np.abs(distances) < 4.0 * typical
    residual = float(np.sqrt(np.mean(distances[near] ** 2)))
    sizes = np.sqrt((jacobian**2).sum(axis=0))
    covariance = np.full((parameters.size, parameters.size), np.inf)
    if np.all(sizes > 0.0):
        scaled = jacobian / sizes
        values, vectors = np.linalg.eigh(scaled.T @ scaled)
        if values[0] > 1e-10 * values[-1]:
            covariance = (
                (vectors / values) @ vectors.T * max(residual, 0.1) ** 2 / np.outer(sizes, sizes)
            )
    blocks = np.array_split(distances[near], max(parameters.size + 2, int(near.sum()) // 12))
    trend = float(np.sqrt(np.mean([float(np.mean(block)) ** 2 for block in blocks if block.size])))
    return Fit(parameters, covariance, residual, float(near.mean()), trend)


def fit_twice(
    prepare: Callable[[Array], Residuals],
    start: Array,
    scale: float = _SCALE,
    bounds: tuple[Array, Array] | None = None,
) -> Fit:
    """Fit by residuals made for a guess, then by those made for what the first fit found.

    So what changes little with the parameters, as the slopes do, is not worked out at every step.

    Raises:
        UnreadableError: see `fit_model`.
    """
    first = fit_model(prepare(start), start, scale, bounds, 1e-3).parameters
    return fit_model(prepare(first), first, scale, bounds)


def fit_curve(
    model: Model,
    start: Array,
    x: Array,
    y: Array,
    scale: float = _SCALE,
    bounds: tuple[Array, Array] | None = None,
) -> Fit:
    """Fit a model y = model(parameters, x) by the points' distances from it, all in pixels.

    The distance is the vertical one times the cosine of the model's slope, the distance from its
    tangent.

    Raises:
        UnreadableError: see `fit_model`.
    """
    x, y = thinned(np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64))

    def prepare(at: Array) -> Residuals:
        with np.errstate(all="ignore"):
            slopes = np.nan_to_num(model(at, x + 0.5) - model(at, x - 0.5), posinf=0.0, neginf=0.0)
        cosines = 1.0 / np.hypot(1.0, slopes)
        return lambda parameters: np.asarray((model(parameters, x) - y) * cosines)

    return fit_twice(prepare, start, scale, bounds)


def best_start(model: Model, starts: Array, x: Array, y: Array) -> tuple[Array, float]:
    """The first guess nearest to the curve, and the mean vertical distance of some 40 points.

    Args:
        model: one that takes parameters of shape (n, guesses, 1) as well.
        starts: shape (guesses, n).
        x, y: points of the curve in pixels.

    Raises:
        UnreadableError: none is near it at all.
    """
    x, y = thinned(x, y, most=40)
    with np.errstate(all="ignore"):
        errors = np.abs(model(starts.T[:, :, None], x) - y).mean(axis=1)
    errors = np.where(np.isfinite(errors), errors, np.inf)
    if not np.isfinite(errors.min()):
        raise UnreadableError("no first guess for the curve's fit")
    best = int(np.argmin(errors))
    return np.asarray(starts[best]), float(errors[best])


def first_fit(fits: Iterable[Fit], enough: float, advantage: float = 0.8) -> tuple[int, Fit]:
    """Which of some fits, the simpler first, and that fit.

    It is the first whose residual is below `enough` pixels; the others are not looked
    at then. If there is none, a later one has to beat the best before it clearly: by `advantage`
    times its residual and 0.02 pixels.
    """
    best: tuple[int, Fit] | None = None
    for index, fit in enumerate(fits):
        if best is None or fit.residual < min(
            advantage * best[1].residual, best[1].residual - 0.02
        ):
            best = index, fit
        if fit.residual <= enough and fit.share > 0.9:
            return index, fit
    if best is None:
        raise UnreadableError("no model to fit")
    return best


def line_through(x: Array, y: Array, scale: float = _SCALE) -> tuple[float, float]:
    """Slope and intercept of a robust straight line, weights by distance (soft L1).

    Raises:
        UnreadableError: fewer than two points.
    """
    if x.size < 2:
        raise UnreadableError("too few points of the curve for a line")
    weights = np.ones(x.size)
    slope = intercept = 0.0
    middle = float(x.mean())
    for _ in range(8):
        total = weights.sum()
        centre_x = float((weights * (x - middle)).sum() / total)
        centre_y = float((weights * y).sum() / total)
        spread = float((weights * (x - middle - centre_x) ** 2).sum())
        if spread <= 0.0:
            raise UnreadableError("the points of a line lie in one column")
        slope = float((weights * (x - middle - centre_x) * (y - centre_y)).sum() / spread)
        intercept = centre_y - slope * (middle + centre_x)
        distances = (y - intercept - slope * x) / np.hypot(1.0, slope)
        weights = 1.0 / np.sqrt(1.0 + (distances / scale) ** 2)
    return slope, intercept


def smoothed_at(x: Array, y: Array, place: float, reach: float) -> float:
    """Height of a curve at a place: a parabola through the points within `reach`, robust.

    Raises:
        UnreadableError: no points close to it, or none on one of its sides and it is not at most
            half of `reach` beyond the curve's end.
    """
    near = np.abs(x - place) <= reach
    if near.sum() < 4 or np.min(np.abs(x - place)) > reach / 2.0:
        raise UnreadableError("the curve does not run past the place asked about")
    distance, height = x[near] - place, y[near]
    weights = np.ones(height.size)
    level = float(np.median(height))
    for _ in range(4):
        degree = 2 if height.size > 6 else 1
        polynomial = np.polynomial.polynomial.polyfit(distance, height, degree, w=weights)
        level = float(polynomial[0])
        off = height - np.polynomial.polynomial.polyval(distance, polynomial)
        weights = (1.0 + (off / _SCALE) ** 2) ** -0.25  # polyfit squares them
    return level


def crossings(x: Array, y: Array, level: float, reach: float = 3.0) -> Array:
    """Places where a curve crosses a level, in order, each by a line through the points around it.

    Crossings closer than `reach` to each other, an odd number of them, count as one.
    """
    side = np.sign(y - level)
    side[side == 0] = 1.0
    before = np.nonzero(side[:-1] != side[1:])[0]
    places: list[float] = []
    group: list[int] = []
    for index in [*before, -1]:
        if group and (index < 0 or x[index] - x[group[-1]] > reach):
            if len(group) % 2:
                places.append(_crossing(x, y, level, (x[group[0]], x[group[-1] + 1]), reach))
            group = []
        group.append(int(index))
    return np.array(places)


def _crossing(x: Array, y: Array, level: float, ends: tuple[float, float], reach: float) -> float:
    """Between `ends`, which lie apart where a marker hides the curve."""
    near = (x >= ends[0] - reach) & (x <= ends[1] + reach)
    slope, intercept = line_through(x[near], y[near])
    found = (level - intercept) / slope if abs(slope) > 1e-9 else np.inf
    inside = ends[0] - reach <= found <= ends[1] + reach
    return float(found) if inside else 0.5 * (ends[0] + ends[1])


def vertex(x: Array, y: Array) -> tuple[float, float]:
    """The extremum of a parabola through points, (x, y).

    Raises:
        UnreadableError: fewer than five points, or it lies outside them.
    """
    if x.size < 5:
        raise UnreadableError("too few points at the extremum")
    middle = float(x.mean())
    c, b, a = np.polynomial.polynomial.polyfit(x - middle, y, 2)
    place = middle - b / (2.0 * a) if a != 0.0 else np.inf
    if not x.min() <= place <= x.max():
        raise UnreadableError("the curve has no extremum there")
    return float(place), float(c - b**2 / (4.0 * a))
