"""How a reply is read, and how an answer is judged."""

from __future__ import annotations

from collections.abc import Callable

from plotchain_lib.item import Item
from plotchain_lib.parse import Form, Reading
from plotchain_lib.parse.scan import without_thinking
from plotchain_lib.suites.grab.answers import LETTERS, is_answer, shape_of
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
