"""Agreement of many points: every short cut gives what looking at all pairs gives."""

from __future__ import annotations

import numpy as np
import pytest

from plotchain_lib.suites.matplotgym.comparison.points import (
    FEW,
    Column,
    Floats,
    agreement,
    as_numbers,
    credit,
    is_labels,
    tolerances,
)


def by_all_pairs(one: Floats, other: Floats, full: float, zero: float) -> float:
    """F1 from the whole matrix of distances."""
    distance = np.abs(one[:, None, :] - other[None, :, :]).max(axis=2)
    recall = credit(distance.min(axis=1), full, zero).mean()
    precision = credit(distance.min(axis=0), full, zero).mean()
    return float(2 * recall * precision / (recall + precision)) if recall + precision else 0.0


@pytest.mark.parametrize("dimensions", [1, 2, 4])
@pytest.mark.parametrize("blur", [0.0, 1e-4, 1e-3, 1e-2, 0.1])
@pytest.mark.parametrize("moved", [0.0, 0.02, 0.9, 3.0])
def test_short_cuts_agree_with_all_pairs(dimensions: int, blur: float, moved: float) -> None:
    rng = np.random.default_rng(round(1e4 * blur) + dimensions)
    one = rng.random((FEW + 40, dimensions))
    full, zero = tolerances(len(one), min(dimensions, 2))
    for other in (
        one + blur * rng.normal(size=one.shape) + moved,
        rng.permutation(one) + blur * rng.normal(size=one.shape) + moved,
        np.asfortranarray(one[: FEW + 3] + moved),
        np.concatenate([one, one[:7] + moved]),
    ):
        for first, second in ((one, other), (other, one)):
            got = agreement(first, second, full, zero)
            assert got == pytest.approx(by_all_pairs(first, second, full, zero), abs=1e-12)


def test_few_points_are_assigned_and_none_agree_with_none() -> None:
    # Two points on one: only one of them can be answered.
    assert agreement(np.zeros((2, 1)), np.zeros((1, 1)), 0.01, 0.1) == pytest.approx(2 / 3)
    nothing = np.zeros((0, 2))
    assert agreement(nothing, nothing, 0.01, 0.1) == 1.0
    assert agreement(nothing, np.zeros((100, 2)), 0.01, 0.1) == 0.0


@pytest.mark.parametrize("values", [[1, 2.5, None], ["a", "b"], ["1", "2"], [], [True, "x"]])
def test_a_column_reads_as_its_list(values: list[object]) -> None:
    column = Column(values)
    assert list(column) == values and is_labels(column) == is_labels(values)
    numbers = as_numbers(values)
    if numbers is None:
        assert as_numbers(column) is None
    else:
        np.testing.assert_array_equal(as_numbers(column), numbers)
        found = as_numbers(column)
        assert found is not None and found is as_numbers(column) and not found.flags.writeable
