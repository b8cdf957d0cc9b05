"""How a reply is read, and how an answer is judged."""

from __future__ import annotations

from collections.abc import Callable

from plotchain_lib.item import Item
from plotchain_lib.parse import Form, Reading
from plotchain_lib.parse.scan import without_thinking
from plotchain_lib.suites.grab.answers import FORMS, LETTERS, is_answer, shape_of
from plotchain_lib.suites.grab.replies import meaning_of, means

RULES: dict[str, Callable[[str, str], bool]] = {"lenient": means}


def reader(_parsing: str) -> Callable[[str, Item], Reading]:
    """Reads one reply to one item."""
    return read_reply


def read_reply(text: str, item: Item) -> Reading:
    """A reply as it stands, with the number it gives.

    The text of an open question is the whole reply, because exact matching wants every character.
    Of a multiple-choice question it is the letter of the option chosen, the whole reply where none
    is. The form is ``direct`` where the reply keeps the contract, ``prose`` where its meaning had
    to be found, ``none`` where it has none.
    """
    name = item.fields[0].name
    if without_thinking(text) is None:
        return Reading({name: None}, truncated=True)
    options = item.params.get("options", ())
    shape = "choice" if options else shape_of(str(item.truth[name]))
    meaning = meaning_of(text, shape, options)
    if meaning is None:
        return Reading({name: None}, {name: text}, Form.NONE)
    precision = "choice" if options else str(item.params.get("precision", ""))
    kept = is_answer(text.lstrip(), precision)
    form = Form.DIRECT if kept else Form.PROSE
    if options:
        return Reading({name: None}, {name: LETTERS[int(meaning[0][1])]}, form)
    return Reading({name: meaning[0][1] if shape == "number" else None}, {name: text}, form)


def match(rule: str) -> Callable[[str, str], bool] | None:
    """The suite's own match rule of this name; None where it has none."""
    return RULES.get(rule)


_ASKED = {
    "integer": "a whole number in digits, for example -9",
    "one_decimal": "a number with exactly one digit after the point, for example 0.5",
    "nearest_ten": "a multiple of ten in digits, for example -120",
    "pair": "two whole numbers, the smaller one first, for example [-10, -3]",
    "equation": "an equation in one of the forms " + "; ".join(FORMS.values()) + ", with every "
    "number written, also 0 and 1",
    "choice": f"one of the letters {', '.join(LETTERS)}",
}


def extraction_prompt(item: Item, reply: str) -> str:
    """What a model is sent that shall copy the answer out of a reply; neither question nor truth.

    The form is the one the question asks for; a number in another form is to be written in it.
    """
    asked = _ASKED[str(item.params["precision"])]
    return (
        "Below the line is a reply to a question about a graph. Find the final answer that the "
        f"reply gives and write it as {asked}. Do not work out or correct anything. Reply with "
        "the answer and nothing else, or with the word none if the reply gives no answer.\n"
        f"-----\n{reply}"
    )
