"""What replies mean, each reading as a person would give it."""

from __future__ import annotations

import time

import pytest

from plotchain_lib.suites.grab.replies import meaning_of, means


@pytest.mark.parametrize(
    ("text", "answer", "right"),
    [
        ("-9", "-9", True),
        ("−9", "-9", True),  # a true minus sign
        ("  -9.0\n", "-9", True),
        ("9", "-9", False),
        ("The x-intercept is -9.", "-9", True),
        ("The mean of the 3 functions is 4.", "4", True),
        ("The period is 6, from peaks at 1 and 7.", "6", True),
        ("The period is 6, from peaks at 1 and 7.", "7", False),
        ("(2 + 4 + 6)/3 = 4", "4", True),
        ("Reading 2.5 and 3.5, half of the sum: 3", "3", True),
        ("**Answer:** 1.50", "1.5", True),
        ("Answer: 7\n\nBecause 7 is 3 more than 4.", "7", True),
        ("\\boxed{-120} is what 100 - 220 gives", "-120", True),
        ("$\\boxed{\\text{12}}$", "12", True),
        ("1,200", "1200", True),
        ("about 0.5", "0.5", True),
        (".5", "0.5", True),
        ("1/2", "0.5", True),
        ("5.04", "5.0", False),  # equal numbers, not rounded ones
        ("10", "1", False),
        ("no idea", "0", False),
        ("The x-intercept is at (5, 0).", "0", False),  # which of the two is not said
        ("The answer is (-9, 0).", "-9", False),
        ("Over [0, 4] the mean is 3.", "3", True),
        ("—9", "-9", True),
        ("", "0", False),
        ("<think>maybe 4</think>5", "5", True),
        ("<think>maybe 5", "5", False),  # cut off before it answered
        ("[-10, -3]", "[-10, -3]", True),
        ("[-10,-3]", "[-10, -3]", True),
        ("(-10.0, -3.0)", "[-10, -3]", True),
        ("[-3, -10]", "[-10, -3]", True),  # the order is form
        ("x = -10 and x = -3", "[-10, -3]", True),
        ("The points are at [x_coordinate1, x_coordinate2] = [-10, -3].", "[-10, -3]", True),
        ("[-10, 3]", "[-10, -3]", False),
        ("-10", "[-10, -3]", False),
        ("y = 6x + 9", "y = 6x + 9", True),
        ("y=6x+9", "y = 6x + 9", True),
        ("f(x) = 6x + 9", "y = 6x + 9", True),
        ("**y = 6x + 9**", "y = 6x + 9", True),
        ("So the line is $y = 6x + 9$.", "y = 6x + 9", True),
        ("\\(y = 6x + 9\\)", "y = 6x + 9", True),
        ("\\[ y = 6x + 9 \\]", "y = 6x + 9", True),
        ("y = 6x + 9 (a line)", "y = 6x + 9", True),
        ("y = 6x - 9", "y = 6x + 9", False),
        ("y = x^2 - 4x", "y = 1x^2 - 4x + 0", True),
        ("y = x² - 4x", "y = 1x^2 - 4x + 0", True),
        ("y = x**2 - 4*x", "y = 1x^2 - 4x + 0", True),
        ("y = -2x^2 + 5x + 2", "y = 0x^3 - 2x^2 + 5x + 2", True),
        ("y = -2x^3 + 5x + 2", "y = 0x^3 - 2x^2 + 5x + 2", False),
        ("y = 8 \\sin(6x - 8) + 1", "y = 8sin(6x - 8) + 1", True),
        ("y = 8sin(6(x - 8)) + 1", "y = 8sin(6x - 8) + 1", False),
        ("y = sin(x)", "y = 1sin(1x + 0) + 0", True),
        ("y = 1 + 8 sin(6x - 8)", "y = 8sin(6x - 8) + 1", True),
        ("y = -8sin(-6x + 8) + 1", "y = 8sin(6x - 8) + 1", False),  # by its numbers
        ("6x + 9", "y = 6x + 9", False),
        ("B", "B", True),
        ("C", "B", False),
    ],
)
def test_meaning_against_the_answer(text: str, answer: str, right: bool) -> None:
    assert means(text, answer) is right


OPTIONS = ("-4", "-3", "-2", "12", "y = 1x + 2")


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("B", 1), ("(B)", 1), ("b", None), ("B)", 1), ("B. -3", 1), ("**B**", 1), ("B: -3", 1),
        ("Answer: B", 1), ("The answer is (B) -3", 1), ("I choose option D.", 3),
        ("A curve falls here, so the answer is E", 4), ("\\boxed{C}", 2), ("-2", 2),
        ("y = 1x + 2", 4), ("A or B", None), ("F", None), ("", None), ("no", None),
        ("The function falls.\nC", 2),
    ],
)  # fmt: skip
def test_letter_of_an_option(text: str, place: int | None) -> None:
    found = meaning_of(text, "choice", OPTIONS)
    assert (None if found is None else found[0][1]) == place


@pytest.mark.parametrize("shape", ["number", "pair", "equation", "choice"])
@pytest.mark.parametrize(
    "text",
    ["1" * 200_000, "answer " * 50_000, "\\boxed{" * 30_000, "[1, " * 50_000, "y=" * 100_000,
     "- " * 100_000, "x^" * 100_000, "1,000" * 40_000, "A B " * 50_000],
)  # fmt: skip
def test_hostile_replies_take_no_time(text: str, shape: str) -> None:
    started = time.process_time()
    meaning_of(text, shape, OPTIONS)
    assert time.process_time() - started < 0.5
