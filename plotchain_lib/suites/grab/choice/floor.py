"""The blind floor of questions with options: one letter for all, as good as any other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from plotchain_lib.item import Item

LETTER = "A"


def constant_letter(shard_items: Sequence[Item]) -> dict[str, Any]:
    """One shard of `floor.json`: without the picture no letter is likelier than another."""
    folds = [{"items": [item.id for item in shard_items], "constants": {"answer": LETTER}}]
    return {"folds": folds}
