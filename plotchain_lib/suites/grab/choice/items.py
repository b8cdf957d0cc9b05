"""Open questions of the properties task, asked again with options."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from plotchain_lib.item import Item
from plotchain_lib.suites.grab.answers import LETTERS
from plotchain_lib.suites.grab.choice.options import arranged, options, places
from plotchain_lib.suites.grab.dice import Dice
from plotchain_lib.suites.grab.wording import REPLIES

TASK = "properties"
_ROUNDED = {
    "integer": "The number is rounded to the nearest whole one.",
    "one_decimal": "The number is rounded to one decimal.",
    "nearest_ten": "The number is rounded to the nearest multiple of ten.",
}
_EQUATION = " Reply with the equation"


def with_options(open_items: Sequence[Item], seed: int, shard: str) -> list[Item]:
    """The items of a shard with five options each, under the same ids."""
    key = (seed, "grab choice", shard)
    where = places(len(open_items), lambda block: Dice(*key, "place", block))
    return [
        _item(item, place, Dice(*key, item.id))
        for item, place in zip(open_items, where, strict=True)
    ]


def _item(item: Item, place: int, dice: Dice) -> Item:
    answer, precision = str(item.truth["answer"]), str(item.params["precision"])
    found = options(answer, precision, str(item.params["property"]), dice)
    shown = arranged(found, answer, place, dice)
    return replace(
        item,
        prompt=prompt(_asked(item.prompt, precision), precision, shown),
        truth={"answer": LETTERS[place]},
        params={**item.params, "precision": "choice", "open_precision": precision,
                "options": shown},
    )  # fmt: skip


def _asked(text: str, precision: str) -> str:
    """The open question without the form of its reply."""
    return text.partition(_EQUATION)[0].removesuffix(REPLIES.get(precision, "")).strip()


def prompt(asked: str, precision: str, shown: Sequence[str]) -> str:
    """The whole text a model is sent with the picture."""
    lines = [f"{letter}) {text}" for letter, text in zip(LETTERS, shown, strict=True)]
    counted = asked.startswith("Count ")
    rounded = f" {_ROUNDED[precision]}" if precision in _ROUNDED and not counted else ""
    return "\n".join(
        [f"{asked}{rounded}", *lines,
         "Exactly one option is right. Reply with its letter and nothing else."]
    )  # fmt: skip
