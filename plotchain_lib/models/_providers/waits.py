"""How long a provider asks to wait, in all the forms it says so."""

from __future__ import annotations

import math
import re
import time
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

# A longer wait is not waited for: the model stays pending until the next run.
LONGEST_S = 900.0
_UNITS_S = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}
_PART = re.compile(
    r"(\d{1,18}(?:\.\d{1,18})?)\s?"
    r"(milliseconds?|ms|seconds?|secs?|s|minutes?|mins?|m|hours?|h|days?|d)(?![a-z])",
    re.IGNORECASE,
)
_ASKED = re.compile(r"\b(?:re)?try(?:ing)?(?: again)? (?:in|after)\s+", re.IGNORECASE)
_NUMBER = re.compile(r"[+-]?\d+(?:\.\d*)?(?:[eE][+-]?\d{1,3})?")
_EPOCH_MS, _EPOCH_S = 1e11, 1e9  # a number beyond these is a point in time, not a span
_RESET = re.compile(r"(?:x-|anthropic-)?ratelimit-(?:reset(.*)|(.*)-reset)")


def wait_of(headers: Mapping[str, str], message: str = "", details: Any = ()) -> float | None:
    """The longest wait in seconds that headers, message and details ask for, or None.

    Where none of them asks for one, the headers that say when a limit starts afresh count, as far
    as that limit is used up.
    """
    now = _now(headers)
    asked = [
        *_from_headers(headers, now),
        *_from_message(message),
        *_from_details(details),
    ]
    if not asked:
        asked = list(_resets(headers, now))
    return max(max(asked), 0.0) if asked else None


def duration_s(text: str) -> float | None:
    """Seconds of a duration such as ``6m0s``, ``120ms`` or ``10h17m5.7s``; None for no duration."""
    text = text.strip()
    position, total = 0, 0.0
    while match := _PART.match(text, position):
        total += float(match[1]) * _UNITS_S[_unit(match[2])]
        position = match.end()
        while text[position : position + 1] in (" ", ","):
            position += 1
    return total if position and position >= len(text) else None


def human(seconds: float) -> str:
    """A wait as a person says it: ``40 s``, ``17 min``, ``10 h 17 min``."""
    if not seconds < 1e9:
        return "years"
    if seconds < 120:
        return f"{math.ceil(seconds)} s"
    minutes = math.ceil(seconds / 60)
    return f"{minutes} min" if minutes < 120 else f"{minutes // 60} h {minutes % 60} min"


def _unit(name: str) -> str:
    name = name.lower()
    return "ms" if name.startswith(("ms", "milli")) else name[0]


def _now(headers: Mapping[str, str]) -> float:
    """The provider's clock where it tells the time: ours may be wrong."""
    moment = _http_date(headers.get("date", ""))
    return time.time() if moment is None else moment


def _from_headers(headers: Mapping[str, str], now: float) -> Iterator[float]:
    milliseconds = _number(headers.get("retry-after-ms", ""))
    if milliseconds is not None:
        yield milliseconds / 1000
        return
    text = headers.get("retry-after", "")
    for seconds in (_number(text), duration_s(text)):
        if seconds is not None:
            yield seconds
            return
    moment = _http_date(text)
    if moment is not None:
        yield moment - now


def _from_message(message: str) -> Iterator[float]:
    for match in _ASKED.finditer(message):
        position, total, found = match.end(), 0.0, False
        while part := _PART.match(message, position):
            total, found = total + float(part[1]) * _UNITS_S[_unit(part[2])], True
            position = part.end()
            while message[position : position + 1] in (" ", ","):
                position += 1
        if found:
            yield total


def _from_details(details: Any) -> Iterator[float]:
    """The delay of Google's RetryInfo, as text or as seconds and nanoseconds."""
    for entry in details if isinstance(details, list) else ():
        delay = entry.get("retryDelay") if isinstance(entry, Mapping) else None
        if isinstance(delay, str):
            seconds = duration_s(delay)
            if seconds is not None:
                yield seconds
        elif isinstance(delay, Mapping):
            seconds = _number(str(delay.get("seconds", "")))
            if seconds is not None:
                yield seconds


def _resets(headers: Mapping[str, str], now: float) -> Iterator[float]:
    for name, text in headers.items():
        match = _RESET.fullmatch(name)
        if match is None:
            continue
        remaining = headers.get(name.replace("reset", "remaining"))
        if remaining is not None and _number(remaining) != 0:
            continue
        span = _span(text, now)
        if span is not None:
            yield span


def _span(text: str, now: float) -> float | None:
    """Seconds until a reset: a duration, a span in seconds, or a point in time."""
    number = _number(text)
    if number is not None:
        if number > _EPOCH_MS:
            return number / 1000 - now
        return number - now if number > _EPOCH_S else number
    span = duration_s(text)
    if span is not None:
        return span
    try:
        moment = datetime.fromisoformat(text.strip())
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp() - now
    except (ValueError, OverflowError):
        return None


def _number(text: str) -> float | None:
    """A number; infinite where it is too large for one, which is a long wait indeed."""
    text = text.strip()
    return float(text) if len(text) < 400 and _NUMBER.fullmatch(text) else None


def _http_date(text: str) -> float | None:
    try:
        return parsedate_to_datetime(text).timestamp()
    except (ValueError, TypeError, OverflowError, IndexError):
        return None
