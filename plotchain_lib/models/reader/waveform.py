"""Periodic waveforms that swing between two levels, in pixels.

A period is a rise, a rest at the top, a fall and a rest at the bottom. Rises and falls are straight
(square waves, trapezoids, triangles) or half a cosine (sine waves and pulses); rests may be
nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

import numpy as np
import numpy.typing as npt

from plotchain_lib.models.reader.fit import Fit, Residuals, fit_twice, thinned
from plotchain_lib.models.reader.seen import Array, Curve, UnreadableError

Shape = Literal["straight", "cosine"]

# A waveform's parameters: middle of a rise, durations of rise, top, fall and bottom, the levels.
# Times are places in x, levels places in y.
_MIDDLE, _RISE, _TOP, _FALL, _BOTTOM, _HIGH, _LOW = range(7)

# Pairs of levels, shares of the swing; a helper line may lie in the middle.
_LEVELS = ((0.44, 0.56), (0.36, 0.64))
_APART = 0.14  # of the swing: over it the steepness of rises and falls is measured first
_STEEP_ROWS = (0.1, 0.9)  # shares of the swing between which rows are used
_LEAST = 0.05  # pixels: an edge without duration has its corners so far apart
_MOST_POINTS = 120  # of columns, and of rows
# Pixels of residual for each of a rest and of a level's way from the ink's extremes: what no point
# shows is taken for none.
_PULL = 0.003


@dataclass(frozen=True, slots=True)
class Crossings:
    """Where a curve passes a level on its way up and down, in order; the level is in pixels."""

    rises: Array
    falls: Array
    level: float

    def count(self) -> int:
        """How many there are."""
        return self.rises.size + self.falls.size

    def period(self) -> float:
        """Mean distance between crossings of the same kind.

        Raises:
            UnreadableError: no kind has two, or their distances differ.
        """
        steps = np.concatenate([np.diff(self.rises), np.diff(self.falls)])
        if steps.size == 0:
            raise UnreadableError("the picture shows less than one period between crossings")
        if float(np.ptp(steps)) > 0.04 * float(np.median(steps)) + 2.0:
            raise UnreadableError("the curve does not repeat itself")
        spans = [places[-1] - places[0] for places in (self.rises, self.falls) if places.size > 1]
        return float(sum(spans) / steps.size)


@dataclass(frozen=True, slots=True)
class Waveform:
    """A fitted waveform; times and levels in pixels, `period_error` its standard deviation."""

    period: float
    period_error: float
    rise: float
    duty: float
    high: float
    low: float


def levels(curve: Curve) -> tuple[float, float]:
    """Highest and lowest level of the curve: places in y, half a stroke inside its ink."""
    half = 0.5 * curve.stroke
    return float(curve.columns.start.min()) + half, float(curve.columns.end.max()) - half


def find_crossings(curve: Curve, high: float, low: float) -> Crossings:
    """Crossings of a level near the middle, by the rows' runs.

    Raises:
        UnreadableError: on no level do they alternate.
    """
    for share in (share for pair in _LEVELS for share in pair):
        found = _at_level(curve, high, low, share)
        if found is not None:
            return found
    raise UnreadableError("the curve does not go up and down")


def straight_waveform(curve: Curve, high: float, low: float) -> Waveform:
    """Without a fit: the mean of what crossings just below and above the middle tell.

    Raises:
        UnreadableError: they do not tell a period.
    """
    for pair in _LEVELS:
        both = [_at_level(curve, high, low, share) for share in pair]
        found = [crossings for crossings in both if crossings is not None]
        if len(found) < 2 or min(c.rises.size * c.falls.size for c in found) == 0:
            continue
        period = float(np.mean([crossings.period() for crossings in found]))
        widths = [
            np.median((crossings.falls[:, None] - crossings.rises) % period) for crossings in found
        ]
        rise = float(np.mean([crossings.rises[0] for crossings in found]))
        return Waveform(period, 0.0, rise, float(np.mean(widths)) / period, high, low)
    raise UnreadableError("the curve does not go up and down")


def _at_level(curve: Curve, high: float, low: float, share: float) -> Crossings | None:
    rows, level = curve.rows, float(np.round(low + share * (high - low)))
    longest = 3.0 * curve.stroke + 0.25 * abs(low - high)
    here = (rows.line == level) & (rows.end - rows.start < longest)
    places = np.sort(rows.centre[here])
    if places.size < 2:
        return None
    edges = np.concatenate([[-np.inf], places, [np.inf]])
    above: list[bool] = []
    for left, right in pairwise(edges):
        between = (curve.columns.line > left + 1.0) & (curve.columns.line < right - 1.0)
        if not between.any():  # the picture begins or ends in a crossing
            above.append(not above[-1] if above else False)
            continue
        above.append(bool(np.median(curve.columns.centre[between]) < level))
    if places.size and not np.isfinite(edges[0]):
        first = curve.columns.line < places[0] - 1.0
        above[0] = above[0] if first.any() else not above[1]
    sides = np.array(above)
    if np.any(sides[:-1] == sides[1:]):
        return None
    return Crossings(places[sides[1:]], places[~sides[1:]], level)


def fit_waveform(curve: Curve, found: Crossings, shape: Shape) -> Fit:
    """Fit a waveform of a shape to columns where it is flat and to rows where it is steep.

    Raises:
        UnreadableError: no first guess, or too few points.
    """
    start = _start(curve, found, shape)
    columns, rows = curve.columns, curve.rows
    short = columns.end - columns.start < 3.0 * curve.stroke
    x, y = thinned(columns.line[short], columns.centre[short], most=_MOST_POINTS)
    high, low = start[_HIGH], start[_LOW]
    share = (low - rows.line) / (low - high)
    steep = rows.end - rows.start < 3.0 * curve.stroke
    steep &= (share > _STEEP_ROWS[0]) & (share < _STEEP_ROWS[1])
    # Whole rows are chosen: each edge then has its part.
    (chosen,) = thinned(np.unique(rows.line[steep]), most=max(8, _MOST_POINTS // found.count()))
    steep &= np.isin(rows.line, chosen)
    row_x, row_y = rows.centre[steep], rows.line[steep]
    falls, turns = _nearest_edges(start, shape, row_x, row_y)

    def distances(parameters: Array, weights: tuple[Array, Array]) -> Array:
        down = (_heights(parameters, shape, x) - y) * weights[0]
        across = (_edge_places(parameters, shape, row_y, falls, turns) - row_x) * weights[1]
        rests = parameters[[_TOP, _BOTTOM]]
        moved = parameters[[_HIGH, _LOW]] - start[[_HIGH, _LOW]]
        return np.concatenate([down, across, _PULL * rests, _PULL * moved])

    def prepare(at: Array) -> Residuals:
        weights = _weights(at, shape, x, row_y, falls)
        return lambda parameters: distances(parameters, weights)

    durations = np.array([-np.inf, _LEAST, 0.0, _LEAST, 0.0, -np.inf, -np.inf])
    return fit_twice(prepare, start, bounds=(durations, np.full(7, np.inf)))


def likely_shapes(curve: Curve, found: Crossings) -> list[Shape]:
    """Both shapes, first the one whose first guess is nearer to the curve.

    Raises:
        UnreadableError: no first guess.
    """
    short = curve.columns.end - curve.columns.start < 3.0 * curve.stroke
    x, y = thinned(curve.columns.line[short], curve.columns.centre[short])
    shapes: list[Shape] = ["straight", "cosine"]

    def off(shape: Shape) -> float:
        return float(np.abs(_heights(_start(curve, found, shape), shape, x) - y).mean())

    return sorted(shapes, key=off)


def waveform(curve: Curve, fit: Fit, shape: Shape) -> Waveform:
    """What a fit says; the error is infinite where the curve does not determine the period."""
    middle, rise, top, fall, bottom, high, low = (float(value) for value in fit.parameters)
    durations = [_RISE, _TOP, _FALL, _BOTTOM]
    period = rise + top + fall + bottom
    variance = float(fit.covariance[np.ix_(durations, durations)].sum())
    error = float(np.sqrt(max(variance, 0.0)))
    # What is seen twice, a period apart, has to have a part of a rise or a fall in it.
    first, last = float(curve.columns.line.min()), float(curve.columns.line.max()) - period
    twice = _heights(fit.parameters, shape, np.linspace(first, max(first, last), 200))
    if float(np.ptp(twice)) < max(2.0 * curve.stroke, 0.03 * (low - high)):
        error = np.inf
    return Waveform(period, error, middle, (top + 0.5 * (rise + fall)) / period, high, low)


def _start(curve: Curve, found: Crossings, shape: Shape) -> Array:
    high, low = levels(curve)
    share = (low - found.level) / (low - high)
    if found.rises.size == 0 or found.falls.size == 0:
        raise UnreadableError("the picture shows no rise or no fall")
    try:
        period = found.period()
    except UnreadableError:
        if found.rises.size > 1 or found.falls.size > 1:
            raise
        period = 2.0 * abs(float(found.falls[0] - found.rises[0]))
    # Straight edges have the steepness of their duration, half cosines that times pi / 2.
    stretch = 1.0 if shape == "straight" else np.pi / 2.0
    rise, fall = (
        max(stretch * _run(curve, places, found.level, low - high) / _APART, 0.5)
        for places in (found.rises, found.falls)
    )
    above = float(np.median((found.falls[:, None] - found.rises[None, :]) % period))
    # From the level of the crossings to the middle of the swing.
    above += (share - 0.5) * (rise + fall) / stretch
    room = min(above, period - above)
    shrink = min(1.0, max(room, 1.0) / (0.5 * (rise + fall)))
    rise, fall = rise * shrink, fall * shrink
    middle = float(found.rises[0]) + (0.5 - share) * rise / stretch
    half = 0.5 * (rise + fall)
    return np.array(
        [middle, rise, max(above - half, 0.2), fall, max(period - above - half, 0.2), high, low]
    )


def _run(curve: Curve, places: Array, level: float, swing: float) -> float:
    """How far the crossings move in x while the level moves by `_APART` of the swing."""
    rows = curve.rows
    other = np.round(level - _APART * swing)
    there = rows.centre[rows.line == other]
    if there.size == 0:
        raise UnreadableError("the curve does not go up and down")
    return float(np.median(np.abs(there[None, :] - places[:, None]).min(axis=1)))


def _share(shape: Shape, passed: Array) -> Array:
    passed = np.clip(passed, 0.0, 1.0)
    return passed if shape == "straight" else np.asarray(0.5 - 0.5 * np.cos(np.pi * passed))


def _heights(parameters: Array, shape: Shape, x: Array) -> Array:
    """Places in y of the waveform at places in x."""
    middle, rise, top, fall, bottom, high, low = parameters
    since = (x - middle + 0.5 * rise) % (rise + top + fall + bottom)
    up = _share(shape, since / rise)
    down = _share(shape, (since - rise - top) / fall)
    return np.asarray(low + (high - low) * (up - down))


def _edge_places(
    parameters: Array, shape: Shape, y: Array, falls: npt.NDArray[np.bool_], turns: Array
) -> Array:
    """Places in x where the given rises and falls, so many periods on, pass places in y."""
    middle, rise, top, fall, bottom, high, low = parameters
    share = np.clip((y - low) / (high - low), 0.0, 1.0)
    passed = share if shape == "straight" else np.arccos(1.0 - 2.0 * share) / np.pi
    up = middle + (passed - 0.5) * rise
    down = middle + 0.5 * rise + top + (1.0 - passed) * fall
    return np.asarray(np.where(falls, down, up) + turns * (rise + top + fall + bottom))


def _nearest_edges(
    parameters: Array, shape: Shape, x: Array, y: Array
) -> tuple[npt.NDArray[np.bool_], Array]:
    """For each point of a steep part: whether it is on a fall, and of which period."""
    period = float(parameters[_RISE : _BOTTOM + 1].sum())
    none = np.zeros(x.size)
    distances, turns = [], []
    for falls in (False, True):
        places = _edge_places(parameters, shape, y, np.full(x.size, falls), none)
        turn = np.round((x - places) / period)
        turns.append(turn)
        distances.append(np.abs(x - places - turn * period))
    on_fall = distances[1] < distances[0]
    return on_fall, np.where(on_fall, turns[1], turns[0])


def _weights(
    parameters: Array, shape: Shape, x: Array, y: Array, falls: npt.NDArray[np.bool_]
) -> tuple[Array, Array]:
    """What turns vertical and horizontal distances to those from the curve's tangents."""
    slopes = _heights(parameters, shape, x + 0.5) - _heights(parameters, shape, x - 0.5)
    high, low = parameters[_HIGH], parameters[_LOW]
    duration = np.where(falls, parameters[_FALL], parameters[_RISE])
    share = np.clip((y - low) / (high - low), 0.0, 1.0)
    steepness = np.ones(y.size) if shape == "straight" else np.pi * np.sqrt(share * (1.0 - share))
    slope = np.maximum(np.abs(high - low) * steepness, 1e-3) / duration
    return 1.0 / np.hypot(1.0, slopes), 1.0 / np.hypot(1.0, 1.0 / slope)
