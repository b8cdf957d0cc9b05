"""The prompt: what the picture shows, what every field is, and the form of the answer."""

from __future__ import annotations

from plotchain_lib.item import Field
from plotchain_lib.suites.plotchain.family import Family


def _line(field: Field) -> str:
    unit = f" ({field.unit})" if field.unit else ""
    decimals = field.decimals or 0
    precision = f"{decimals} decimal{'s' if decimals != 1 else ''}" if decimals else "whole number"
    return f'- "{field.name}"{unit}: {field.definition} [{precision}]'


def prompt_for(family: Family) -> str:
    """The whole text a model is sent with each picture of the family."""
    keys = ", ".join(f'"{field.name}": ...' for field in family.fields)
    finals = [_line(field) for field in family.fields if field.scope == "final"]
    checkpoints = [_line(field) for field in family.fields if field.scope == "checkpoint"]
    parts = [family.question.strip(), "", "Read these values from the picture:", *finals]
    if checkpoints:
        parts += ["Intermediate values, read or worked out on the way:", *checkpoints]
    parts += [
        "",
        "Answer with one JSON object and nothing else, with these keys in this order:",
        f"{{{keys}}}",
        "Each value is a plain number in the unit given, or null if it cannot be read.",
    ]
    return "\n".join(parts)
