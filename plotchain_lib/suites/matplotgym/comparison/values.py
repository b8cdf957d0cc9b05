"""How well the values of two series agree, whatever they are drawn as: 0 to 1."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from plotchain_lib.suites.matplotgym.comparison.distributions import boxes, histograms
from plotchain_lib.suites.matplotgym.comparison.fields import fields, scaled_agreement
from plotchain_lib.suites.matplotgym.comparison.points import (
    Floats,
    agreement,
    as_numbers,
    coordinates,
    credit,
    is_labels,
    log_of,
    span_of,
    tolerances,
)
from plotchain_lib.suites.matplotgym.comparison.series import (
    ARROWS,
    BOXES,
    FIELDS,
    ZERO_BASED,
    Series,
)

CURVES = frozenset({"line", "step", "area"})
CURVE_TOLERANCE = (0.01, 0.05)
CLEARLY = 0.1  # by which the swapped reading must be better to count as swapped
DATA_KEYS = ("x", "y", "z", "edges")


def similarity(reference: Series, submitted: Series) -> tuple[float, bool]:
    """Agreement of values from 0 to 1, and whether x and y had to be exchanged for it."""
    one, other = reference.mark, submitted.mark
    turned = reference.flat != submitted.flat
    if not turned and all(one.get(key) == other.get(key) for key in DATA_KEYS):
        return 1.0, False
    straight = _agree(reference, submitted)
    if straight > 1 - CLEARLY:
        return straight, False
    swapped = _agree(reference, submitted.exchanged)
    return (swapped, True) if swapped > straight + CLEARLY else (straight, False)


def _agree(reference: Series, submitted: Series) -> float:
    kinds = reference.kind, submitted.kind
    if reference.kind in FIELDS or submitted.kind in FIELDS:
        both = reference.kind in FIELDS and submitted.kind in FIELDS
        return fields(reference, submitted) if both else 0.0
    if reference.kind in ARROWS and submitted.kind in ARROWS:
        return _arrows(reference, submitted)
    if kinds == ("histogram", "histogram"):
        return histograms(reference, submitted)
    best = 0.0
    if reference.kind in BOXES or submitted.kind in BOXES:
        best = boxes(reference, submitted) or 0.0
        if reference.kind in BOXES and submitted.kind in BOXES:
            return best
    if "pie" in kinds:
        return _shares(reference, submitted)
    if set(kinds) <= CURVES:
        best = max(best, curves(reference, submitted))
    return max(best, points(reference, submitted))


def _arrows(reference: Series, submitted: Series) -> float:
    one = np.asarray(reference.mark["z"], dtype=float)
    other = np.asarray(submitted.mark["z"], dtype=float)
    return scaled_agreement(one.ravel(), other.ravel()) if one.shape == other.shape else 0.0


def _shares(reference: Series, submitted: Series) -> float:
    def share(series: Series) -> tuple[Sequence[Any], Floats] | None:
        numbers = as_numbers(series.mark["y"])
        if numbers is None or not np.nansum(numbers):
            return None
        return series.mark["x"], numbers / np.nansum(numbers)

    one, other = share(reference), share(submitted)
    if one is None or other is None:
        return 0.0
    keys = coordinates(one[0], other[0], 1.0, log=False)
    return _matched(keys, (one[1], other[1]))


def points(reference: Series, submitted: Series) -> float:
    """F1 of the points, with the base of floating marks and the third coordinate where present.

    The edges of a grid, as streamlines have, are no points: 0.
    """
    if len(reference.x) != len(reference.y) or len(submitted.x) != len(submitted.y):
        return 0.0
    axes = [_axis(reference, submitted, name) for name in ("x", "y")]
    scores = [_matched(axes[0], axes[1])]
    for key in ("base", "z"):
        one, other = reference.mark.get(key), submitted.mark.get(key)
        if key == "base" and not _floats_free(reference):
            continue
        if one is None or np.ndim(one) != 1 or len(one) != len(reference.mark["x"]):
            continue
        if other is None or np.ndim(other) != 1:
            if submitted.kind == reference.kind:  # another kind has none: the encoding's loss
                scores.append(0.0)
            continue
        numbers = np.asarray(one, dtype=float), np.asarray(other, dtype=float)
        span = span_of(numbers[0])
        key_axis = axes[1] if reference.flat else axes[0]
        scores.append(_matched(key_axis, (numbers[0] / span, numbers[1] / span)))
    return float(np.mean(scores))


def _floats_free(series: Series) -> bool:
    stacked = series.mark.get("arrangement") == "stacked"
    return not stacked and bool(np.any(np.asarray(series.mark.get("base") or [0.0], dtype=float)))


def _axis(reference: Series, submitted: Series, name: str) -> tuple[Floats, Floats] | None:
    one, other = getattr(reference, name), getattr(submitted, name)
    numbers = as_numbers(one)
    log = reference.log(name)
    span = 1.0
    if numbers is not None and not is_labels(one):
        value_axis = (name == "x") == reference.flat
        zero = reference.kind in ZERO_BASED and value_axis and not log
        extent = 0.0 if log else getattr(reference, f"extent_{name}")
        span = span_of(log_of(numbers) if log else numbers, zero_based=zero, least=extent)
    return coordinates(one, other, span, log=log)


def axis_agreement(reference: Series, submitted: Series) -> float | None:
    """The better of the agreements of x alone and of y alone; None where marks have no such axes.

    What is drawn at the same positions, or has the same values elsewhere, is the same thing.
    """
    apart = FIELDS | ARROWS | BOXES | {"histogram", "pie"}
    if reference.kind in apart or submitted.kind in apart:
        return None
    axes = [_axis(reference, submitted, name) for name in ("x", "y")]
    return max(_matched(axis, None) for axis in axes)


def _matched(x: tuple[Floats, Floats] | None, y: tuple[Floats, Floats] | None) -> float:
    """F1 over the axes that can be compared."""
    axes = [axis for axis in (x, y) if axis is not None]
    if not axes:
        return 0.0
    one, other = (_finite(columns) for columns in zip(*axes, strict=True))
    full, zero = tolerances(len(one), len(axes))
    return agreement(one, other, full, zero)


def _finite(columns: Sequence[Floats]) -> Floats:
    """The points of which every coordinate is finite, shape (points, columns)."""
    keep = np.logical_and.reduce([np.isfinite(column) for column in columns])
    return np.stack([column[keep] for column in columns]).T


def curves(reference: Series, submitted: Series) -> float:
    """Agreement of two curves over x however finely each is sampled; 0 where x turns back.

    The credit along the shared range of x, times the share of both ranges it covers.
    """
    axes = [_axis(reference, submitted, name) for name in ("x", "y")]
    if axes[0] is None or axes[1] is None:
        return 0.0
    curve = []
    for side in (0, 1):
        x, y = axes[0][side], axes[1][side]
        keep = np.isfinite(x) & np.isfinite(y)
        order = np.argsort(x[keep], kind="stable")
        curve.append((x[keep][order], y[keep][order]))
        if len(order) < 3 or np.any(np.diff(curve[-1][0]) <= 0):
            return 0.0
    (x, y), (other_x, other_y) = curve
    low, high = max(x[0], other_x[0]), min(x[-1], other_x[-1])
    if high <= low:
        return 0.0
    cover = (high - low) / (max(x[-1], other_x[-1]) - min(x[0], other_x[0]))
    at = np.linspace(low, high, 400)
    gap = np.abs(np.interp(at, x, y) - np.interp(at, other_x, other_y))
    return float(cover * credit(gap, *CURVE_TOLERANCE).mean())
