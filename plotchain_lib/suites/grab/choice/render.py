"""The pictures of the open questions, unchanged."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from plotchain_lib.item import Item
from plotchain_lib.suites.grab.answers import LETTERS
from plotchain_lib.suites.grab.choice.opened import open_item
from plotchain_lib.suites.grab.render import render


def draw(item: Item) -> tuple[bytes, Mapping[str, Any], Mapping[str, str]]:
    """PNG bytes, geometry, and the letter of the option that was measured ("" for none)."""
    picture = render(open_item(item).params)
    options = item.params["options"]
    found = picture.measured["answer"]
    letter = LETTERS[options.index(found)] if found in options else ""
    return picture.png, picture.geometry, {"answer": letter}
