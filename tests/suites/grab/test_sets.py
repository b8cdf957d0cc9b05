"""Data series: their statistics against SciPy's, and no point that hides another."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from plotchain_lib.suites.grab import points, sets
from plotchain_lib.suites.grab.dice import Dice
from plotchain_lib.suites.grab.recipes import SERIES
from plotchain_lib.suites.grab.sets import Places
from plotchain_lib.suites.grab.shapes import Frame

WORTH = {
    "pearson": -0.6, "spearman": 0.4, "kendall": 0.8, "mean": 2.0, "median": -3.0,
    "interquartile_range": 5.0, "variance": 9.0, "domain_length": 7.5, "range": 11.0,
    "maximum": 4.0, "minimum": -6.0,
}  # fmt: skip


def test_statistics_by_hand() -> None:
    x, y = np.array([1.0, 2.0, 3.0, 4.0, 5.0]), np.array([2.0, 1.0, 4.0, 3.0, 10.0])
    assert points.mean(x, y) == 4.0
    assert points.median(x, y) == 3.0
    assert points.interquartile_range(x, y) == 2.0
    assert points.variance(x, y) == 10.0  # 4, 9, 0, 1, 36 over 5
    assert points.spearman(x, y) == pytest.approx(1 - 6 * 4 / (5 * 24))
    assert points.kendall(x, y) == pytest.approx((8 - 2) / 10)


@pytest.mark.parametrize("seed", range(5))
def test_statistics_agree_with_scipy(seed: int) -> None:
    dice = Dice("statistics", seed)
    x, y = dice.units(13), dice.units(13)
    assert points.pearson(x, y) == pytest.approx(stats.pearsonr(x, y).statistic)
    assert points.spearman(x, y) == pytest.approx(stats.spearmanr(x, y).statistic)
    assert points.kendall(x, y) == pytest.approx(stats.kendalltau(x, y).statistic)
    assert points.interquartile_range(x, y) == pytest.approx(stats.iqr(y))
    assert points.variance(x, y) == pytest.approx(np.var(y))


@pytest.mark.parametrize("name", sorted(SERIES))
def test_a_series_has_the_wanted_value_and_touches_no_other(name: str) -> None:
    frame, gap = Frame(10.0, 10.0), 0.034
    places, dice, made = Places(frame, gap), Dice("sets", name), []
    while len(made) < 6:
        found = sets.make(name, dice, WORTH[name], 9, places)
        if found is not None:
            made.append(found)
    near = 0.25 if name in ("spearman", "kendall") else 2e-3
    for x, y in made:
        assert points.STATISTICS[name](x, y) == pytest.approx(WORTH[name], abs=near)
        assert len(x) == 9 and len(set(x)) == len(set(y)) == 9
    everything = np.concatenate([np.column_stack(found) for found in made]) / 10.0
    apart = np.abs(everything[:, None] - everything).max(axis=-1)
    np.fill_diagonal(apart, 1.0)
    assert apart.min() >= gap and np.abs(everything).max() <= 1.0


def test_points_that_find_no_room_leave_nothing_behind() -> None:
    places = Places(Frame(1.0, 1.0), 0.9)
    assert places.take(0.0, 0.0) and not places.take(0.5, 0.5)
    assert not places.all_or_none([(1.0, 1.0), (0.95, 0.95)])
    assert len(places) == 1
