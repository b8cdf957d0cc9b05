"""Five options a question: near, possible, one right, and telling nothing of which it is."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest

from plotchain_lib.item import Field, Item, PlotChainError
from plotchain_lib.suites.grab.answers import LETTERS, is_answer
from plotchain_lib.suites.grab.choice.items import with_options
from plotchain_lib.suites.grab.choice.opened import open_item
from plotchain_lib.suites.grab.choice.options import options, places
from plotchain_lib.suites.grab.dice import Dice
from plotchain_lib.suites.grab.replies import means


@pytest.mark.parametrize(
    ("answer", "precision", "prop", "step"),
    [("-4", "integer", "x_intercept", 1.0), ("3", "integer", "points", 1.0),
     ("0.9", "one_decimal", "pearson", 0.1), ("120", "nearest_ten", "net_area", 10.0)],
)  # fmt: skip
def test_numbers_are_near_possible_and_apart(
    answer: str, precision: str, prop: str, step: float
) -> None:
    for seed in range(40):
        texts = options(answer, precision, prop, Dice(seed, "test"))
        values = [float(text) for text in texts]
        gaps = [high - low for low, high in pairwise(values)]
        assert answer in texts
        assert all(is_answer(text, precision) for text in texts)
        assert all(gap == pytest.approx(step) or gap == pytest.approx(2 * step) for gap in gaps)
        assert [means(text, answer) for text in texts].count(True) == 1
        if prop == "points":
            assert min(values) >= 1
        if prop == "pearson":
            assert max(values) <= 1


@pytest.mark.parametrize(
    ("answer", "precision", "prop"),
    [("[-10, -3]", "pair", "stationary_points"), ("y = 6x + 9", "equation", "linear_equation"),
     ("y = 1x^2 + 0x - 3", "equation", "quadratic_equation"),
     ("y = 2sin(3x - 1) + 6", "equation", "sine_equation")],
)  # fmt: skip
def test_pairs_and_equations(answer: str, precision: str, prop: str) -> None:
    for seed in range(20):
        texts = options(answer, precision, prop, Dice(seed, "test"))
        assert len(set(texts)) == 5
        assert all(is_answer(text, precision) for text in texts)
        assert [means(text, answer) for text in texts].count(True) == 1
        assert not any("y = 0x^2" in text for text in texts)


def test_rank_of_the_right_one_says_nothing() -> None:
    ranks: Counter[int] = Counter()
    for seed in range(500):
        ranks[options("0", "integer", "y_intercept", Dice(seed, "rank")).index("0")] += 1
    assert set(ranks) == set(range(5))
    assert all(60 <= count <= 140 for count in ranks.values())  # 100 expected, sd 9


def test_places_are_even() -> None:
    found = places(23, lambda block: Dice("place", block))
    assert len(found) == 23
    assert sorted(found[:20]) == sorted(list(range(5)) * 4)
    assert found[:10] == places(10, lambda block: Dice("place", block))


def open_items() -> list[Item]:
    prompt = "For the function in the figure, find the gradient, the change of y per unit of x."
    return [
        Item(f"properties_x_{n:03d}", "grab", "properties_x", "properties/x/gradient", prompt,
             f"images/properties_x/properties_x_{n:03d}.png", (Field("answer", "", "", "final"),),
             {"answer": str(n - 5)},
             {"precision": "integer", "property": "gradient", "complexity": 0, "value": n - 5.0},
             3, "0")
        for n in range(10)
    ]  # fmt: skip


def test_items_with_options() -> None:
    asked = open_items()
    items = with_options(asked, 3, "properties_x")
    for before, item in zip(asked, items, strict=True):
        shown = item.params["options"]
        letter = str(item.truth["answer"])
        assert shown[LETTERS.index(letter)] == before.truth["answer"]
        assert item.id == before.id
        assert item.params["precision"] == "choice"
        assert open_item(item).params == before.params
        assert open_item(item).truth == before.truth
        for place, text in zip(LETTERS, shown, strict=True):
            assert f"\n{place}) {text}\n" in item.prompt
    assert Counter(str(i.truth["answer"]) for i in items) == dict.fromkeys(LETTERS, 2)
    assert with_options(asked[:4], 3, "properties_x") == items[:4]  # whatever the set's size


def test_what_has_no_options() -> None:
    with pytest.raises(PlotChainError, match="'x' is no answer of precision integer"):
        options("x", "integer", "gradient", Dice(0))
