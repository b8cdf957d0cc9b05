"""The best constant against a brute-force search, and the two ways to fit it."""

from __future__ import annotations

import json
import os
from pathlib import Path

import numpy as np
import pytest

from plotchain_lib.item import Item
from plotchain_lib.releases import read_release
from plotchain_lib.sampling import Stream
from plotchain_lib.suites.plotchain import families, floor
from plotchain_lib.suites.plotchain.suite import calibrate_release


def caught(constant: float, truths: np.ndarray, tolerance: tuple[float, float]) -> int:
    return int((np.abs(constant - truths) <= floor.half_widths(truths, tolerance)).sum())


@pytest.mark.parametrize("tolerance", [(0.1, 0.0), (0.0, 0.1), (0.05, 0.08)])
@pytest.mark.parametrize("case", range(5))
def test_no_other_constant_catches_more(tolerance: tuple[float, float], case: int) -> None:
    truths = 4.0 * Stream("floor", case).uniform(40) - 1.0
    best = caught(floor.best_constant(truths, tolerance), truths, tolerance)
    assert best >= max(caught(c, truths, tolerance) for c in np.linspace(-1.5, 3.5, 4001))


def test_single_and_equal_truths() -> None:
    assert floor.best_constant(np.array([3.0]), (0.0, 0.05)) == pytest.approx(3.0)
    assert floor.best_constant(np.array([2.0, 2.0, 9.0]), (0.5, 0.0)) == pytest.approx(2.0)


def item(number: int, value: float) -> Item:
    return Item(f"f_{number}", "plotchain", "f", "f", "", None, (), {"v": value}, {}, None, "clean")


def test_two_fold_gives_each_half_the_constants_of_the_other() -> None:
    items = [item(0, 1.0), item(1, 5.0), item(2, 1.0), item(3, 5.0)]
    even, odd = floor.two_fold_floor(items, {"v": (0.1, 0.0)})["folds"]
    assert (even["items"], even["constants"]) == (["f_0", "f_2"], {"v": pytest.approx(5.0)})
    assert (odd["items"], odd["constants"]) == (["f_1", "f_3"], {"v": pytest.approx(1.0)})


def test_calibration_sample_is_not_the_dataset() -> None:
    family = families.load("bandpass_response")
    own = floor.draw_item(family, 0, 0)[1]
    assert floor.draw_item(family, 0, 0, floor.CALIBRATION_SAMPLE)[1] != own
    first = floor.calibration_floor(family, 0)
    assert json.dumps(first) == json.dumps(floor.calibration_floor(family, 0))


def test_the_published_set_has_a_floor_of_40_percent() -> None:
    reference = os.environ.get("PLOTCHAIN_REFERENCE")
    if not reference:
        pytest.skip("PLOTCHAIN_REFERENCE names no copy of the published data")
    items = read_release(Path(reference) / "plotchain")
    passed = []
    for shard in sorted({item.shard for item in items}):
        own = [item for item in items if item.shard == shard]
        for fold in calibrate_release(own)["folds"]:
            for member in (i for i in own if i.id in fold["items"]):
                for name, truth in member.truth.items():
                    width = floor.half_widths(
                        np.array([float(truth)]), floor_tolerance(shard, name)
                    )[0]
                    passed.append(abs(fold["constants"][name] - float(truth)) <= width)
    assert len(passed) == 1721
    assert 0.38 <= np.mean(passed) <= 0.42


def floor_tolerance(shard: str, name: str) -> tuple[float, float]:
    from plotchain_lib.suites.plotchain.published import plotread

    return plotread(shard, name)
