"""The raw material of a reply: JSON objects, braces, code fences, thinking blocks.

Each function passes over the text once; patterns are possessive or bounded.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any


class NumberText(str):
    """A number as JSON wrote it: kept as text, so that no size of number can hurt."""

    __slots__ = ()


_DECODER = json.JSONDecoder(
    parse_int=NumberText, parse_float=NumberText, parse_constant=lambda _: NumberText("nan")
)
_MARK = re.compile(r'\\.|[{}"\n]', re.DOTALL)
_FENCE_LABEL = re.compile(r"(?:json|JSON)?\s*+")
_TRAILING_COMMA = re.compile(r",(?=\s*+[}\]])")
_FRACTION = re.compile(
    r"(?<=[:\[,])(\s*+)(-?\d++(?:\.\d++)?)\s*+/\s*+(-?\d++(?:\.\d++)?)(?=\s*+[,}\]])"
)
_THINKING = re.compile(
    r"(?<![`\"'])(?:<(?P<slash>/?)(?:think|thinking|thought|reasoning|seed:think)>"
    r"|\[(?P<bracket>/?)THINK\]|◁(?P<triangle>/?)think▷)",
    re.IGNORECASE,
)


def load(text: str) -> dict[str, Any] | None:
    """A JSON object; None for anything else, however large or deep."""
    if not text.startswith("{"):
        text = text.lstrip()
        if not text.startswith("{"):
            return None
    try:
        loaded = _DECODER.decode(text)
    except (ValueError, RecursionError):
        return None
    return loaded if isinstance(loaded, dict) else None


def sanitised(text: str) -> str:
    """Simple fractions divided out, trailing commas dropped; nothing else is touched."""

    def quotient(match: re.Match[str]) -> str:
        above, below = float(match[2]), float(match[3])
        return match[1] + repr(above / below) if below else match[0]

    return _TRAILING_COMMA.sub("", _FRACTION.sub(quotient, text))


def fenced_blocks(text: str) -> Iterator[str]:
    """The insides of closed code fences, in order."""
    position = text.find("```")
    while position >= 0:
        opened = _FENCE_LABEL.match(text, position + 3)
        start = opened.end() if opened else position + 3
        close = text.find("```", start)
        if close < 0:
            return
        yield text[start:close].strip()
        position = text.find("```", close + 3)


def balanced_spans(text: str) -> tuple[list[tuple[int, int]], int | None]:
    """The outermost closed ``{...}``, as (start, end), and where an unclosed one begins, if any.

    One pass: braces inside JSON strings do not count (a string ends at its quote or its line), and
    an unclosed brace in prose does not hide the objects after it.
    """
    spans: list[tuple[int, int]] = []
    stack: list[int] = []
    quoted = False
    for match in _MARK.finditer(text):
        mark = match.group()
        if mark == '"':
            quoted = bool(stack) and not quoted
        elif mark == "\n":
            quoted = False
        elif quoted or len(mark) == 2:
            continue
        elif mark == "{":
            stack.append(match.start())
        elif stack:
            start = stack.pop()
            while spans and spans[-1][0] > start:
                spans.pop()
            spans.append((start, match.end()))
    return spans, (stack[0] if stack else None)


def without_thinking(text: str) -> str | None:
    """The reply without its thinking blocks; None if one never closes.

    A closing mark without an opening one ends a block that the prompt template had opened.
    """
    if not any(mark in text for mark in "<[◁"):
        return text
    kept: list[str] = []
    position, thinking = 0, False
    for match in _THINKING.finditer(text):
        closes = "/" in match.group()
        if closes:
            if not thinking:
                kept.clear()
            position, thinking = match.end(), False
        elif not thinking:
            kept.append(text[position : match.start()])
            thinking = True
    if thinking:
        return None
    kept.append(text[position:])
    return "".join(kept)
