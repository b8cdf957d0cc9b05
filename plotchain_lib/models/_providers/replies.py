"""Reading replies that may hold anything: nothing here raises, whatever a body says."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from plotchain_lib.item import Outcome, Response
from plotchain_lib.wire import HttpReply

_LONGEST_MESSAGE = 300
_LONGEST_READ = 4000
_LARGEST_COUNT = 10**12
# What looks like a key: the prefixes providers use, what follows a header's or a query's name, and
# any long run of letters and digits that is no word.
_KEYS = re.compile(
    r"""(?ix)
    \b(?:sk|pk|rk|gsk|hf|xai|ghp|r8|nvapi|pplx|fw|csk)[-_][\w*.-]{4,}
    | \bAIza[\w*-]{8,} | \bAQ\.[\w*-]{8,} | \beyJ[\w*-]{6,}(?:\.[\w*-]+)*
    | (?<=bearer\s)[^\s"',;]{4,}
    | (?<=key[=:])\s*["']?[^\s"'&,;]{4,} | (?<=token[=:])\s*["']?[^\s"'&,;]{4,}
    | \b(?=\w*\d)(?=\w*[a-z])\w{28,}
    """
)


@dataclass(frozen=True, slots=True)
class Usage:
    """What a call was counted as, in one form for all providers.

    Attributes:
        input_tokens: everything billed as input, cached tokens included.
        output_tokens: everything billed as output, thinking included.
        parts: counts within those two: ``cached_tokens``, ``cache_write_tokens``,
            ``reasoning_tokens``.
        cost_usd: US dollars, where the provider says.
    """

    input_tokens: int | None = None
    output_tokens: int | None = None
    parts: Mapping[str, int] | None = None
    cost_usd: float | None = None


def json_object(body: bytes) -> Mapping[str, Any] | None:
    """The body's JSON object, also where it is alone in a list; None where it holds none."""
    try:
        value = json.loads(body, parse_constant=lambda _: None)
    except (ValueError, RecursionError):
        return None
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    return value if isinstance(value, Mapping) else None


def mapping(value: Any) -> Mapping[str, Any]:
    """The value if it is an object, else an empty one."""
    return value if isinstance(value, Mapping) else {}


def entries(value: Any) -> list[Mapping[str, Any]]:
    """The objects in a list; nothing for anything else."""
    return (
        [entry for entry in value if isinstance(entry, Mapping)] if isinstance(value, list) else []
    )


def text(value: Any) -> str:
    """The value if it is a text, else an empty one."""
    return value if isinstance(value, str) else ""


def count(value: Any) -> int | None:
    """The value if it is a count, else None."""
    return value if type(value) is int and 0 <= value <= _LARGEST_COUNT else None


def added(*values: int | None) -> int | None:
    """The sum of what is known; None where nothing is."""
    known = [value for value in values if value is not None]
    return sum(known) if known else None


def parts(**counts: Any) -> dict[str, int]:
    """The counts that are known, under their names."""
    known = {name: count(value) for name, value in counts.items()}
    return {name: value for name, value in known.items() if value is not None}


def dollars(value: Any) -> float | None:
    """The value as US dollars, else None."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if 0 <= value <= _LARGEST_COUNT and math.isfinite(value) else None


def one_line(message: Any) -> str:
    """A provider's message in one line of at most 300 characters, without what may be a key."""
    line = " ".join(text(message)[:_LONGEST_READ].split())
    line = "".join(letter for letter in line if letter.isprintable())
    line = _KEYS.sub("[key?]", line)
    return line if len(line) <= _LONGEST_MESSAGE else f"{line[: _LONGEST_MESSAGE - 1]}…"


def response_of(
    reply: HttpReply,
    said: str,
    usage: Usage,
    *,
    served_model: Any = "",
    outcome: Outcome = "answered",
    reason: str = "",
    received: Mapping[str, Any] | None = None,
) -> Response:
    """A Response from what was read. An answer of nothing but space is ``empty``.

    `received` keeps what is known of it: texts in one line, beside the parts of the usage and the
    provider's id of the request.
    """
    if outcome == "answered" and not said.strip():
        outcome, reason = "empty", reason or "the reply holds no text"
    kept = {
        "request_id": reply.headers.get("x-request-id") or reply.headers.get("request-id"),
        **(received or {}),
    }
    return Response(
        outcome,
        text=said,
        reason="" if outcome == "answered" else reason,
        input_tokens=usage.input_tokens,
        output_tokens=usage.output_tokens,
        cost_usd=usage.cost_usd,
        served_model=one_line(served_model),
        received={
            **{name: line for name, value in kept.items() if (line := one_line(value))},
            **(usage.parts or {}),
        },
    )
