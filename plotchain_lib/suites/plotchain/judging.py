"""How a reply is read, and how an answer is judged: by what all suites share."""

from __future__ import annotations

from plotchain_lib.item import Item, PlotChainError


def reader(_parsing: str) -> None:
    """One object of numbers, as `plotchain_lib.parse.parse_object` reads it."""


def match(_rule: str) -> None:
    """Values are judged by tolerances."""


def extraction_prompt(_item: Item, _reply: str) -> str:
    """Objects of numbers are read without a model. Raises PlotChainError."""
    raise PlotChainError("plotchain: no model reads replies here; use parsing tolerant or paper")
