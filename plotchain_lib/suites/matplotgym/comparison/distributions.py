"""Histograms, boxes and violins: distributions rather than points."""

from __future__ import annotations

from typing import Any

import numpy as np

from plotchain_lib.suites.matplotgym.comparison.points import (
    Floats,
    agreement,
    as_numbers,
    coordinates,
    credit,
    is_labels,
    span_of,
)
from plotchain_lib.suites.matplotgym.comparison.series import BOXES, Series

SHAPE_FULL, SHAPE_ZERO = 0.02, 0.12  # largest gap between two cumulative distributions
SAME_TOTAL = 0.02
OTHER_NORM = 0.5
BOX_TOLERANCE = (0.002, 0.05)
ROUGH_TOLERANCE = (0.08, 0.25)  # a smoothed density has wider quartiles than its points


def histograms(reference: Series, submitted: Series) -> float:
    """Agreement of two histograms; how many bins they have does not matter.

    The cumulative distributions are compared at the edges of the coarser one. Counts, shares and
    densities are different aggregations and cost half; totals that differ cost their ratio.
    """
    if reference.flat != submitted.flat and reference.kind == submitted.kind:
        pass  # turned over: the encoding's business
    one, other = _cumulative(reference), _cumulative(submitted)
    if one is None or other is None:
        return 0.0
    at = one[0] if len(one[0]) <= len(other[0]) else other[0]
    gap = np.abs(_at(at, one) - _at(at, other)).max()
    shape = float(credit(np.asarray([gap]), SHAPE_FULL, SHAPE_ZERO)[0])
    (norm, total), (other_norm, other_total) = _norm(reference), _norm(submitted)
    if norm != other_norm:
        return OTHER_NORM * shape
    ratio = min(total, other_total) / max(total, other_total) if total and other_total else 0.0
    return shape * (1.0 if ratio >= 1 - SAME_TOTAL else ratio)


def _cumulative(series: Series) -> tuple[Floats, Floats] | None:
    edges, heights = as_numbers(series.mark["edges"]), as_numbers(series.mark["y"])
    if edges is None or heights is None or len(edges) != len(heights) + 1:
        return None
    mass = heights * np.diff(edges) if _norm(series)[0] == "density" else heights
    mass = np.nan_to_num(np.abs(mass))
    if not mass.sum():
        return None
    return edges, np.concatenate([[0.0], np.cumsum(mass)]) / mass.sum()


def _at(where: Floats, curve: tuple[Floats, Floats]) -> Floats:
    return np.interp(where, curve[0], curve[1], left=0.0, right=1.0)


def _norm(series: Series) -> tuple[str, float]:
    heights = np.nan_to_num(np.asarray(series.mark["y"], dtype=float))
    area = float((heights * np.diff(np.asarray(series.mark["edges"], dtype=float))).sum())
    if abs(heights.sum() - 1) < SAME_TOTAL:
        return "share", 1.0
    return ("density", 1.0) if abs(area - 1) < SAME_TOTAL else ("count", float(heights.sum()))


def summaries(series: Series) -> tuple[list[Any], Floats] | None:
    """Categories and their (quartile, median, quartile), or None where there are none."""
    if series.kind in BOXES:
        z = np.asarray(series.mark["z"], dtype=float)
        return list(series.mark["x"]), z[:, 1:4]
    if series.kind == "histogram":
        curve = _cumulative(series)
        if curve is None:
            return None
        return [""], np.interp([0.25, 0.5, 0.75], curve[1], curve[0])[None, :]
    if series.kind == "scatter":
        for keys, values in ((series.x, series.y), (series.y, series.x)):
            numbers = as_numbers(values)
            if is_labels(keys) and numbers is not None:
                names = list(dict.fromkeys(keys))
                groups = [numbers[[k == name for k in keys]] for name in names]
                return names, np.stack([np.nanpercentile(g, [25, 50, 75]) for g in groups])
    return None


def boxes(reference: Series, submitted: Series) -> float | None:
    """Agreement of the quartiles per category, or None where either has none."""
    one, other = summaries(reference), summaries(submitted)
    if one is None or other is None:
        return None
    keys = coordinates(one[0], other[0], 1.0, log=False)
    span = span_of(one[1].ravel())
    rough = "violin" in (reference.kind, submitted.kind) and reference.kind != submitted.kind
    full, zero = ROUGH_TOLERANCE if rough else BOX_TOLERANCE
    if reference.kind == submitted.kind == "violin":
        full, zero = 0.02, 0.10
    left, right = one[1] / span, other[1] / span
    if keys is not None:
        left, right = np.column_stack([keys[0], left]), np.column_stack([keys[1], right])
    return agreement(left, right, full, zero)
