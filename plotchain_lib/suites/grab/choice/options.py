"""Four wrong answers near the right one, such that the five say nothing about which is right.

The five lie on a line: of numbers, or of pairs or equations that differ by a fixed step. The gaps
between neighbours are drawn without regard to the right one, whose rank among the five is drawn
too: whoever sees the options alone can say no more than chance, save where a bound (no negative
length, no correlation above 1) leaves no room on one side.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from plotchain_lib.item import PlotChainError
from plotchain_lib.suites.grab.answers import FORMS, LETTERS, read_answer, write_answer
from plotchain_lib.suites.grab.dice import Dice
from plotchain_lib.suites.grab.replies import means

COUNT = len(LETTERS)
GAPS = (1, 2)  # steps of the asked precision between neighbours
ATTEMPTS = 400
STEP = {"integer": 1.0, "one_decimal": 0.1, "nearest_ten": 10.0}
# The lowest and highest value a property can have, where it has one.
_AT_LEAST_ONE = frozenset({"points", "series", "amplitude", "period", "domain_length"})
_AT_LEAST_ZERO = frozenset({"total_area", "variance", "interquartile_range", "range"})
_CORRELATIONS = frozenset({"pearson", "spearman", "kendall"})

Values = tuple[float, ...]


def options(answer: str, precision: str, prop: str, dice: Dice) -> list[str]:
    """Five answers of one precision, from low to high along their line; the right one among them.

    Raises PlotChainError where no four wrong ones can be found.
    """
    right = read_answer(answer, precision)
    if right is None:
        raise PlotChainError(f"{answer!r} is no answer of precision {precision}; draw again")
    form = _form_of(answer) if precision == "equation" else ""
    for _ in range(ATTEMPTS):
        rank = int(COUNT * dice.unit())
        steps = _steps(rank, dice)
        along = _direction(len(right), precision, dice)
        line = [tuple(v + n * d for v, d in zip(right, along, strict=True)) for n in steps]
        if not all(_possible(values, prop.removeprefix("data_"), form) for values in line):
            continue
        try:
            texts = [write_answer([round(v, 9) for v in vs], precision, form) for vs in line]
        except ValueError:  # a pair that does not rise
            continue
        if sum(means(text, answer) for text in texts) == 1:
            return texts
    raise PlotChainError(f"no four wrong answers near {answer!r} of {prop}; widen the bounds")


def _steps(rank: int, dice: Dice) -> list[int]:
    """Whole steps from the right answer, which has the given rank."""
    places = [0]
    for _ in range(COUNT - 1):
        places.append(places[-1] + dice.choice(GAPS))
    return [place - places[rank] for place in places]


def _direction(size: int, precision: str, dice: Dice) -> Values:
    """What one step changes: the number, both ends of a pair, two parameters of an equation."""
    if precision == "pair":
        return dice.choice(((1.0, 1.0), (1.0, 0.0), (0.0, 1.0), (-1.0, 1.0)))
    if precision == "equation":
        changed = set(dice.shuffled(range(size))[:2])
        return tuple(float(dice.sign()) if place in changed else 0.0 for place in range(size))
    return (STEP[precision],)


def _form_of(answer: str) -> str:
    """The form in which an equation is written."""
    values = read_answer(answer, "equation") or ()
    for form in FORMS:
        try:
            if write_answer(values, "equation", form) == answer:
                return form
        except ValueError:
            continue
    raise PlotChainError(f"{answer!r} is no equation of a known form; draw again")


def _possible(values: Sequence[float], prop: str, form: str) -> bool:
    """Whether the property can have these values at all: an impossible option is none."""
    if form == "sine":  # as the question asks for them
        amplitude, factor, shift, _ = values
        return amplitude >= 1 and factor >= 1 and -3 <= shift <= 3
    if form:
        return values[0] != 0
    low, high = -float("inf"), float("inf")
    if prop in _CORRELATIONS:
        low, high = -1.0, 1.0
    elif prop in _AT_LEAST_ONE:
        low = 1.0
    elif prop in _AT_LEAST_ZERO:
        low = 0.0
    return all(low - 1e-9 <= value <= high + 1e-9 for value in values)


def arranged(texts: Sequence[str], answer: str, place: int, dice: Dice) -> list[str]:
    """The options in a random order, the right one at `place`."""
    wrong = dice.shuffled([text for text in texts if text != answer])
    return [*wrong[:place], answer, *wrong[place:]]


def places(count: int, dice_of: Callable[[int], Dice]) -> list[int]:
    """Where the right option stands in each of `count` questions: every place once in five."""
    found: list[int] = []
    for block in range(-(-count // COUNT)):
        found += dice_of(block).shuffled(range(COUNT))
    return found[:count]
