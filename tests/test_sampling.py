"""Draws are fixed for ever, spread evenly, and follow their density."""

from __future__ import annotations

import hashlib
import math

import numpy as np
import pytest

from plotchain_lib.sampling import Draw, Stream, significant, unit

NAMES = ("a", "b", "c")


def draw(index: int, attempt: int = 0, seed: int = 0) -> Draw:
    return Draw((seed, "suite", "family"), index, attempt, NAMES)


def test_unit_is_sha256_of_the_key() -> None:
    digest = hashlib.sha256(b"0\x1fsuite\x1fx").digest()
    assert unit((0, "suite", "x")) == (int.from_bytes(digest[:8], "little") >> 11) / 2**53


def test_stream_is_philox_keyed_by_sha256_and_frozen() -> None:
    digest = hashlib.sha256(b"noise").digest()
    key = np.frombuffer(digest[:16], dtype="<u8").astype(np.uint64)
    raw = np.random.Philox(counter=0, key=key).random_raw(3)
    assert Stream("noise").uniform(3).tolist() == [(int(r) >> 11) / 2**53 for r in raw]
    golden = [0.4888175724509809, 0.05730918938243257, 0.2165354327805371]
    assert Stream("noise").uniform(3).tolist() == golden


def test_normal_has_mean_zero_variance_one_and_is_bounded() -> None:
    values = Stream("n").normal(200_000)
    assert abs(values.mean()) < 0.01
    assert abs(values.std() - 1.0) < 0.01
    assert np.abs(values).max() < 6.0


def test_keys_do_not_run_together() -> None:
    assert unit(("a", "bc")) != unit(("ab", "c"))


def test_first_attempts_fill_the_unit_interval_evenly() -> None:
    places = sorted(draw(i).unit("a") for i in range(100))
    gaps = np.diff([0.0, *places, 1.0])
    assert gaps.max() < 0.03  # random draws leave gaps of 0.05 and more


def test_item_does_not_depend_on_the_number_of_items_or_order_of_draws() -> None:
    one, other = draw(7), draw(7)
    assert [one.unit("a"), one.unit("b")] == [other.unit("b"), other.unit("a")][::-1]


def test_retries_stay_near_then_go_anywhere() -> None:
    first = draw(3).unit("a")
    for attempt in range(1, 7):
        moved = abs(draw(3, attempt).unit("a") - first)
        assert min(moved, 1 - moved) <= 0.03
    assert any(abs(draw(3, attempt).unit("a") - first) > 0.1 for attempt in range(7, 17))


def test_position_replaces_the_index() -> None:
    assert draw(9).unit("a", position=2) == draw(2).unit("a")


def test_undeclared_names_are_refused() -> None:
    with pytest.raises(ValueError, match="tuple"):
        draw(0).unit("other")


@pytest.mark.parametrize(
    ("low", "high", "tolerance"),
    [(0.0, 10.0, (0.5, 0.1)), (1.0, 100.0, (0.0, 0.08)), (0.0, 2.0, (1.0, 0.1)),
     (0.5, 60.0, (0.1, 0.2)), (0.1, 3.0, (0.2, 0.0))],
)  # fmt: skip
def test_by_tolerance_puts_as_many_values_in_every_tolerance(
    low: float, high: float, tolerance: tuple[float, float]
) -> None:
    absolute, relative = tolerance
    values = np.sort([draw(i).by_tolerance("a", low, high, tolerance) for i in range(4000)])
    assert low <= values[0] and values[-1] < high
    grid = np.linspace(low, high, 20001)
    density = 1 / np.maximum(absolute, relative * grid)
    expected = np.concatenate([[0], np.cumsum((density[1:] + density[:-1]) / 2)])
    quantiles = np.interp(values, grid, expected / expected[-1])
    assert np.abs(quantiles - np.linspace(0, 1, 4000)).max() < 0.01


def test_log_uniform_is_even_in_the_logarithm() -> None:
    values = [draw(i).log_uniform("a", 1.0, 100.0) for i in range(1000)]
    assert abs(np.median(values) - 10.0) < 0.2
    assert min(values) >= 1.0 and max(values) < 100.0


def test_significant_rounds_to_six_digits() -> None:
    assert significant(123456.7) == 123457.0
    assert significant(1.23456789e-7) == 1.23457e-7
    assert significant(0.0) == 0.0
    assert significant(math.nextafter(0.1, 1)) == significant(0.1) == 0.1
