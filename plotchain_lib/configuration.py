"""Is the configuration right? One line that names the place and the remedy where it is not."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError, best_match

from plotchain_lib.item import PlotChainError


def _nearest(word: str, known: Iterable[str]) -> str:
    close = difflib.get_close_matches(word, list(known), n=1)
    return f"; did you mean {close[0]!r}?" if close else f"; known are: {', '.join(sorted(known))}"


def _unknown_key(error: ValidationError) -> str:
    schema: Any = error.schema
    known = schema.get("properties", {})
    instance: Any = error.instance
    unknown = next(key for key in instance if key not in known)
    return f"unknown key {unknown!r}{_nearest(unknown, known)}"


_MESSAGES = {
    "minimum": "{shown} is too small; give {rule} or more",
    "maximum": "{shown} is too large; give {rule} or less",
    "exclusiveMinimum": "{shown} is too small; give more than {rule}",
    "exclusiveMaximum": "{shown} is too large; give less than {rule}",
    "enum": "{shown} is not known; choose one of {rule}",
    "pattern": "{shown} is no label; up to 100 letters, digits, '.', '_', '-', no sign first, "
    "and nothing twenty times over at its end",
    "oneOf": "give either a seed (and items_per_family) or a release, not both",
    "minItems": "the list is empty; name at least one",
    "minProperties": "nothing is named; name at least one",
    "uniqueItems": "{shown} names something twice; remove one",
}


def _message(error: ValidationError) -> str:
    """What is wrong and how to mend it, in words of the configuration, not of JSON Schema."""
    value: Any = error.instance
    rule: Any = error.validator_value
    shown = repr(value) if len(repr(value)) < 60 else f"{repr(value)[:57]}..."
    if error.validator == "additionalProperties":
        return _unknown_key(error)
    if error.validator == "required":
        missing = next(key for key in rule if key not in value)
        return f"{missing!r} is missing; add it"
    if error.validator == "type":
        return f"{shown} is of the wrong type; give {_types(rule)}"
    template = _MESSAGES.get(str(error.validator), error.message)
    return template.format(shown=shown, rule=rule)


def _types(rule: Any) -> str:
    names = {"integer": "a whole number", "object": "a mapping", "array": "a list",
             "string": "a text", "number": "a number", "null": "null"}  # fmt: skip
    return " or ".join(names.get(t, t) for t in ([rule] if isinstance(rule, str) else rule))


def check(config: Mapping[str, Any], schema: Mapping[str, Any], source: str) -> None:
    """Raise PlotChainError with one line for the most telling fault; `source` names the file."""
    fault = best_match(Draft202012Validator(schema).iter_errors(config))
    if fault is None:
        return
    while fault.validator in ("propertyNames", "$ref") and fault.context:
        fault = fault.context[0]
    place = ".".join(str(part) for part in fault.absolute_path)
    raise PlotChainError(f"{source}: {place + ': ' if place else ''}{_message(fault)}")
