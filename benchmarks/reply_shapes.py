"""Replies as models write them: one object of numbers in many dresses, some of them no answer."""

from __future__ import annotations

import json
from collections.abc import Callable
from random import Random

from plotchain_lib.item import Item, Outcome

Values = dict[str, float]

_STEP = (
    "Looking at the plot, the curve passes the grid line near {value:g} and the axis is labelled "
    "every {step:g}, so I interpolate between the two neighbouring ticks.\n"
)
_PARAGRAPHS = 12  # about two thousand characters of reasoning


def _object(values: Values, _item: Item) -> str:
    return json.dumps(values, indent=2)


def _line(values: Values, _item: Item) -> str:
    return json.dumps(values)


def _fenced(values: Values, _item: Item) -> str:
    return f"```json\n{json.dumps(values, indent=2)}\n```"


def _reasoned(values: Values, item: Item) -> str:
    numbers = list(values.values())
    steps = [_STEP.format(value=numbers[n % len(numbers)], step=n + 1) for n in range(_PARAGRAPHS)]
    return f"{''.join(steps)}\n{_fenced(values, item)}\n\nThe values were read by eye."


def _thought(values: Values, item: Item) -> str:
    return f"<think>\n{_reasoned(values, item)}\n</think>\n{_object(values, item)}"


def _with_units(values: Values, item: Item) -> str:
    return json.dumps({f.name: f"{values[f.name]:,.6g} {f.unit}".strip() for f in item.fields})


def _partly_null(values: Values, _item: Item) -> str:
    return json.dumps(dict.fromkeys(values, None) | dict(list(values.items())[:1]))


def _prose(values: Values, item: Item) -> str:
    lines = [f"- **{f.name}**: {values[f.name]:g} {f.unit}" for f in item.fields]
    return "Here is what I read:\n\n" + "\n".join(lines) + "\n"


def _python(values: Values, _item: Item) -> str:
    return f"The answer is {values!r}, approximately."


def _repaired(values: Values, _item: Item) -> str:
    inside = ",\n".join(f'  "{name}": {value!r}' for name, value in values.items())
    return f"{{\n{inside},\n}}"


def _none(_values: Values, _item: Item) -> str:
    return "I cannot make out the curve well enough to give numbers."


# Shape and how often it comes, in hundredths.
SHAPES: dict[Callable[[Values, Item], str], int] = {
    _object: 30, _line: 10, _fenced: 20, _reasoned: 15, _thought: 6, _with_units: 4,
    _partly_null: 3, _prose: 4, _python: 2, _repaired: 3, _none: 3,
}  # fmt: skip
_ENDED: dict[Outcome, int] = {
    "answered": 960, "refused": 12, "truncated": 12, "empty": 8, "blocked": 8,
}  # fmt: skip


def reply(item: Item, draws: Random) -> tuple[Outcome, str]:
    """How a call about an item ends, and its text: the truth, 5 % off at one sigma, in a shape.

    Of the calls that end otherwise than answered, the truncated bring the first half of a text.
    """
    values = {
        name: float(f"{float(truth) * (1 + draws.gauss(0, 0.05)):.4g}")
        for name, truth in item.truth.items()
    }
    shape = draws.choices(list(SHAPES), list(SHAPES.values()))[0]
    outcome = draws.choices(list(_ENDED), list(_ENDED.values()))[0]
    text = shape(values, item)
    if outcome == "truncated":
        return outcome, text[: len(text) // 2]
    return outcome, text if outcome == "answered" else ""
