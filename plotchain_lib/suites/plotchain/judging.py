"""How a reply is read, and how an answer is judged: by what all suites share."""

from __future__ import annotations


def reader(_parsing: str) -> None:
    """One object of numbers, as `plotchain_lib.parse.parse_object` reads it."""


def match(_rule: str) -> None:
    """Values are judged by tolerances."""
