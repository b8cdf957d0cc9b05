"""Back from a question with options to the open one, whose picture it has."""

from __future__ import annotations

from dataclasses import replace

from plotchain_lib.item import Item
from plotchain_lib.suites.grab.answers import LETTERS


def open_item(item: Item) -> Item:
    """The item as it is asked openly, but for its prompt."""
    letter = str(item.truth["answer"])
    params = dict(item.params)
    shown = params.pop("options")
    params["precision"] = params.pop("open_precision")
    return replace(item, params=params, truth={"answer": shown[LETTERS.index(letter)]})
