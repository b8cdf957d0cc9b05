"""Scalar fields, compared up to scale and offset."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.interpolate import NearestNDInterpolator, RegularGridInterpolator

from plotchain_lib.suites.matplotgym.comparison.points import Floats, as_numbers, is_labels, tidy
from plotchain_lib.suites.matplotgym.comparison.series import Series

LEAST, MOST = 0.5, 0.999  # of r squared: no credit, full credit


def fields(reference: Series, submitted: Series) -> float:
    """Credit for r squared between the fields where both are defined; r must be positive."""
    one, other = np.asarray(reference.mark["z"], float), _aligned(reference, submitted)
    if other is None:
        return 0.0
    both = np.isfinite(one) & np.isfinite(other)
    if both.sum() < 0.5 * np.isfinite(one).sum() or not both.any():
        return 0.0
    best = scaled_agreement(one[both], other[both])
    if "log" in (_scale(reference), _scale(submitted)):
        positive = both & (one > 0) & (other > 0)
        for a, b in ((np.log10, _same), (_same, np.log10), (np.log10, np.log10)):
            with np.errstate(invalid="ignore", divide="ignore"):
                best = max(best, scaled_agreement(a(one[positive]), b(other[positive])))
    return best


def _same(values: Floats) -> Floats:
    return values


def _scale(series: Series) -> str:
    return str((series.mark.get("color_key") or {}).get("scale", "linear"))


def scaled_agreement(one: Floats, other: Floats) -> float:
    """Credit for two arrays that may differ by a positive factor and an offset."""
    if len(one) < 2 or np.ptp(one) == 0 or np.ptp(other) == 0:
        return float(len(one) == len(other) and np.ptp(one) == np.ptp(other)) if len(one) else 0.0
    a = (one - one.mean()) / np.ptp(one)
    b = (other - other.mean()) / np.ptp(other)
    r = float((a * b).sum() / np.sqrt((a * a).sum() * (b * b).sum()))
    return float(np.clip((r * abs(r) - LEAST) / (MOST - LEAST), 0.0, 1.0))


def _aligned(reference: Series, submitted: Series) -> Floats | None:
    """The submitted field at the reference's cells."""
    one, other = np.asarray(reference.mark["z"], float), np.asarray(submitted.mark["z"], float)
    if one.ndim == other.ndim == 2:
        rows = _order(reference.mark["y"], submitted.mark["y"])
        columns = _order(reference.mark["x"], submitted.mark["x"])
        if rows is not None and columns is not None:
            return np.asarray(other[np.ix_(rows, columns)], dtype=float)
    if _named(reference) or _named(submitted):
        return other if one.shape == other.shape else None
    if other.ndim == 2:
        return _from_grid(reference, submitted, other)
    x, y = np.asarray(submitted.mark["x"], float), np.asarray(submitted.mark["y"], float)
    known = np.isfinite(x) & np.isfinite(y)
    if not known.any():
        return None
    look_up = NearestNDInterpolator(np.stack([x, y], 1)[known], other[known])
    return np.asarray(look_up(*_where(reference, one)))


def _named(series: Series) -> bool:
    return is_labels(series.mark["x"]) or is_labels(series.mark["y"])


def _order(reference: list[Any], submitted: list[Any]) -> list[int] | None:
    """Where each of the reference's rows is in the submission, by label or by number."""
    one, other = as_numbers(reference), as_numbers(submitted)
    if one is not None and other is not None:
        same = len(one) == len(other) and np.allclose(
            one, other, atol=0.02 * max(float(np.ptp(one)), 1e-12)
        )
        return list(range(len(one))) if same else None
    places = {tidy(label): i for i, label in enumerate(submitted)}
    if {tidy(label) for label in reference} != set(places) or len(reference) != len(submitted):
        return None
    return [places[tidy(label)] for label in reference]


def _where(series: Series, z: Floats) -> tuple[Floats, Floats]:
    x, y = np.asarray(series.mark["x"], float), np.asarray(series.mark["y"], float)
    if z.ndim == 2:
        x, y = np.meshgrid(x, y)
    return x, y


def _from_grid(reference: Series, submitted: Series, other: Floats) -> Floats | None:
    x, y = np.asarray(submitted.mark["x"], float), np.asarray(submitted.mark["y"], float)
    if len(x) < 2 or len(y) < 2 or not (np.all(np.diff(x) > 0) and np.all(np.diff(y) > 0)):
        return None
    look_up = RegularGridInterpolator((y, x), other, bounds_error=False, fill_value=np.nan)
    at_x, at_y = _where(reference, np.asarray(reference.mark["z"], float))
    return np.asarray(look_up(np.stack([at_y, at_x], axis=-1)), dtype=float)
