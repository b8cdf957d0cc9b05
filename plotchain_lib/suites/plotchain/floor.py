"""The blind floor: what a guesser that never sees a picture passes with one constant per field.

The constants are fitted on a sample of their own and then frozen with the dataset, under the
suite's published tolerances whatever policy judges later.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from plotchain_lib.item import Item
from plotchain_lib.suites.plotchain.family import Array, Family
from plotchain_lib.suites.plotchain.generate import draw_item

CALIBRATION_ITEMS = 300
CALIBRATION_SAMPLE = "plotchain calibration"

Tolerances = Mapping[str, tuple[float, float]]


def half_widths(truths: Array, tolerance: tuple[float, float]) -> Array:
    """How far from each truth (shape (n,)) a value still passes."""
    absolute, relative = tolerance
    return np.asarray(np.maximum(absolute, relative * np.maximum(np.abs(truths), 1e-12)))


def best_constant(truths: Array, tolerance: tuple[float, float]) -> float:
    """The value within tolerance of the most truths: the middle of the best stretch.

    `truths` has shape (n,), n >= 1. A sweep over the ends of all passing intervals.
    """
    widths = half_widths(truths, tolerance)
    starts, ends = np.sort(truths - widths), np.sort(truths + widths)
    covered = np.arange(1, len(starts) + 1) - np.searchsorted(ends, starts, side="left")
    best = int(covered.argmax())
    end = ends[np.searchsorted(ends, starts[best], side="left")]
    return float(f"{(starts[best] + end) / 2:.6g}")


def best_constants(truths: Sequence[Mapping[str, Any]], tolerances: Tolerances) -> dict[str, float]:
    """The best constant of every field over these truths; fields may be missing in some."""
    names = list(dict.fromkeys(name for truth in truths for name in truth))
    return {
        name: best_constant(
            np.array([float(truth[name]) for truth in truths if name in truth]), tolerances[name]
        )
        for name in names
    }


def plotread_tolerances(family: Family) -> dict[str, tuple[float, float]]:
    """Field name to (absolute, relative) of the published policy plotread."""
    return {name: tolerance.plotread for name, tolerance in family.tolerances.items()}


def calibration_floor(family: Family, seed: int) -> dict[str, Any]:
    """One shard of `floor.json` for a generated family: constants from 300 other items."""
    truths = [
        draw_item(family, seed, index, CALIBRATION_SAMPLE)[1] for index in range(CALIBRATION_ITEMS)
    ]
    constants = best_constants(truths, plotread_tolerances(family))
    return {"folds": [{"items": None, "constants": constants}]}


def two_fold_floor(items: Sequence[Item], tolerances: Tolerances) -> dict[str, Any]:
    """One shard of `floor.json` for a release: each half gets the other half's constants."""
    halves = items[0::2], items[1::2]
    folds = [
        {
            "items": [item.id for item in half],
            "constants": best_constants([item.truth for item in other or half], tolerances),
        }
        for half, other in (halves, halves[::-1])
        if half
    ]
    return {"folds": folds}
