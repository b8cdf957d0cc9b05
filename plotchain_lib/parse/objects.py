"""Finding the object of numbers in a reply.

Two ways. ``paper`` follows the published rules (arXiv 2602.13232, section IV-C): the whole reply as
JSON, else a fenced block, else the first braced object, else the same with simple fractions and
trailing commas made valid; if that fails, every field is missing. ``tolerant`` gives the same
values wherever the whole reply is an object, and otherwise reads what a person would read.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache
from typing import Any, Literal, get_args

from plotchain_lib.item import PlotChainError
from plotchain_lib.parse.numbers import read_leading_number, read_number
from plotchain_lib.parse.scan import (
    NumberText,
    balanced_spans,
    fenced_blocks,
    load,
    sanitised,
    without_thinking,
)

Mode = Literal["paper", "tolerant"]


class Form(StrEnum):
    """Where in the reply the object was found, best first."""

    DIRECT = "direct"  # the whole reply is one JSON object
    FENCED = "fenced"  # inside a code fence
    BRACED = "braced"  # among other text
    REPAIRED = "repaired"  # after fractions and trailing commas were made valid JSON
    LOOSE = "loose"  # tolerant: an object that is no JSON, read key by key
    PROSE = "prose"  # tolerant: no object; "name: number" in running text, or one bare number
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Reading:
    """What one reply says.

    Attributes:
        values: every requested field to its number; None where there is none.
        texts: field to the text of its value as written, where there is one (200 characters).
        form: where the object was found.
        truncated: the reply ends inside a thinking block, so it has no answer.
    """

    values: Mapping[str, float | None]
    texts: Mapping[str, str] = field(default_factory=dict)
    form: Form = Form.NONE
    truncated: bool = False


_FENCE_OPENS = re.compile(r"```[\w-]{0,20}\s*\Z")
_NUMERIC_STRING = re.compile(r"[+-]?(?:\d++(?:\.\d*+)?|\.\d++)(?:[eE][+-]?\d++)?")
_CUT_OBJECT = re.compile(r"\{\s*+[\"'}]")
_NO_NUMBER = re.compile(r"[\s\"'`*]{0,4}(?:null|none|n/a|nan|-?infinity|unknown)\b", re.IGNORECASE)
_TEXT_LIMIT = 200


def parse_object(text: str, fields: Mapping[str, str], mode: str) -> Reading:
    """The requested numbers in a reply.

    Args:
        text: the reply, exactly as the model gave it. Never evaluated.
        fields: field name to its unit (empty for a ratio or a count).
        mode: ``paper`` or ``tolerant``.

    Raises PlotChainError for another mode; never for any text. Takes time linear in the text.
    """
    if mode not in get_args(Mode):
        raise PlotChainError(f"parsing {mode!r} is unknown; use paper or tolerant")
    tolerant = mode == "tolerant"
    whole = load(text.strip("\ufeff \t\r\n"))
    if whole is not None:
        found = _collected(whole, fields) if tolerant else whole
        return _reading(found, fields, Form.DIRECT, tolerant)
    visible = without_thinking(text)
    if visible is None:
        return Reading(dict.fromkeys(fields), truncated=True)
    return _tolerant(visible, fields) if tolerant else _paper(text, fields)


def _paper(text: str, fields: Mapping[str, str]) -> Reading:
    spans, _ = balanced_spans(text)
    braced = [text[slice(*spans[0])]] if spans else []
    candidates = [(block, Form.FENCED) for block in fenced_blocks(text)]
    candidates += [(block, Form.BRACED) for block in braced]
    for block, form in candidates:
        found = load(block)
        if found is not None:
            return _reading(found, fields, form, tolerant=False)
    for block in [text.strip(), *(block for block, _ in candidates)]:
        found = load(sanitised(block))
        if found is not None:
            return _reading(found, fields, Form.REPAIRED, tolerant=False)
    return Reading(dict.fromkeys(fields))


def _tolerant(text: str, fields: Mapping[str, str]) -> Reading:
    """The object with the most requested keys, the last of several such; else running text."""
    best, most = Reading(dict.fromkeys(fields)), 0
    spans, cut = balanced_spans(text)
    for start, end in reversed(spans):
        block = text[start:end]
        if not any(name in block for name in fields):
            continue
        fenced = _FENCE_OPENS.search(text, max(0, start - 40), start) is not None
        reading, present = _object(block, fields, Form.FENCED if fenced else Form.BRACED)
        if present > most or (best.form is Form.NONE and reading.form is not Form.NONE):
            best, most = reading, present
        if most == len(fields):
            break
    if most:
        return best
    # An object that breaks off may end inside a number: what stands in it is not read.
    running = text[:cut] if cut is not None and _CUT_OBJECT.match(text, cut) else text
    labelled = _labelled(running, fields, across_lines=False)
    if labelled:
        return _labelled_reading(labelled, fields, Form.PROSE)
    if len(fields) == 1:
        name, unit = next(iter(fields.items()))
        value = read_number(running, unit)
        if value is not None:
            return Reading({name: value}, {name: running.strip()[:_TEXT_LIMIT]}, Form.PROSE)
    return best


def _object(block: str, fields: Mapping[str, str], form: Form) -> tuple[Reading, int]:
    """Read one braced block; also how many requested keys have a number or an explicit null."""
    loaded = load(block)
    if loaded is None:
        loaded, form = load(sanitised(block)), Form.REPAIRED
    if loaded is None:
        labelled = _labelled(block, fields, across_lines=True)
        return _labelled_reading(labelled, fields, Form.LOOSE), len(labelled)
    found = _collected(loaded, fields)
    reading = _reading(found, fields, form if found else Form.NONE, tolerant=True)
    present = sum(found[name] is None or reading.values[name] is not None for name in found)
    return reading, present


def _collected(found: Mapping[str, Any], fields: Mapping[str, str]) -> dict[str, Any]:
    """The requested keys of an object; of the objects in it, if it has none of them itself."""
    level: list[Mapping[str, Any]] = [found]
    collected: dict[str, Any] = {}
    while level and not collected:
        for entry in level:
            collected.update({name: entry[name] for name in fields if name in entry})
        level = [value for entry in level for value in entry.values() if isinstance(value, dict)]
    return collected


def _number(value: Any, unit: str, tolerant: bool) -> float | None:
    if isinstance(value, NumberText):
        number = float(value)
        return number if math.isfinite(number) else None
    if not isinstance(value, str):
        return None
    if tolerant:
        return read_number(value, unit)
    plain = _NUMERIC_STRING.fullmatch(value.strip())
    return _number(NumberText(plain.group()), unit, tolerant) if plain else None


def _reading(
    found: Mapping[str, Any], fields: Mapping[str, str], form: Form, tolerant: bool
) -> Reading:
    values = {name: _number(found.get(name), unit, tolerant) for name, unit in fields.items()}
    texts = {n: str(found[n])[:_TEXT_LIMIT] for n in fields if isinstance(found.get(n), str)}
    return Reading(values, texts, form)


@lru_cache(maxsize=256)
def _labels(names: tuple[str, ...]) -> re.Pattern[str]:
    either = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))
    return re.compile(
        rf"(?<!\w)(?P<name>{either})(?!\w)[\"'`*)\]]{{0,6}}\s{{0,8}}(?:\([^()\n]{{0,40}}\)[*\s]{{0,4}})?"
        r"(?:[:=≈→]|\bis\b|\bwas\b|\bof\b)"
    )


def _labelled(
    text: str, fields: Mapping[str, str], across_lines: bool
) -> dict[str, tuple[float | None, str]]:
    """Field to (number, text) wherever ``name: number`` stands; of several, the last readable."""
    found: dict[str, tuple[float | None, str]] = {}
    labels = list(_labels(tuple(fields)).finditer(text)) if fields else []
    ends = [match.start() for match in labels[1:]] + [len(text)]
    for match, end in zip(labels, ends, strict=bool(labels)):
        name, chunk = match["name"], text[match.end() : min(end, match.end() + _TEXT_LIMIT)]
        if match.end() + _TEXT_LIMIT < end and not chunk[-1].isspace():
            chunk = chunk[: -len(re.split(r"\s", chunk)[-1])]  # never cut a number short
        chunk = (chunk.lstrip() if across_lines else chunk).split("\n", 1)[0]
        value = read_leading_number(chunk, fields[name])
        if value is None and match.group()[-1] in "=≈":  # bandwidth_hz = 400 - 100 = 300 Hz
            value = read_leading_number(re.split("[=≈]", chunk)[-1], fields[name])
        if value is not None:
            found[name] = (value, chunk.strip())
        elif _NO_NUMBER.match(chunk):
            found.setdefault(name, (None, ""))
    return found


def _labelled_reading(
    found: Mapping[str, tuple[float | None, str]], fields: Mapping[str, str], form: Form
) -> Reading:
    values = {name: found[name][0] if name in found else None for name in fields}
    texts = {name: text for name, (value, text) in found.items() if value is not None}
    return Reading(values, texts, form if texts else Form.NONE)
