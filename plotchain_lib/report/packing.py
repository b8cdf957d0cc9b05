"""Data elements of the page as text: JSON, deflated, in base64, and never spelling an address."""

from __future__ import annotations

import base64
import json
import zlib
from typing import Any

_LEVEL = 9


def pack(value: Any) -> str:
    """JSON, deflated, in base64; the same text for the same value."""
    data = plain_json(value).encode("utf-8", "replace")  # half a surrogate pair is no text
    return in_base64(zlib.compress(data, _LEVEL))


def unpack(blob: str) -> Any:
    """The value that was packed."""
    return json.loads(zlib.decompress(base64.b64decode(blob)))


def plain_json(value: Any) -> str:
    """Compact JSON; a number that is none is refused."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def script_json(value: Any) -> str:
    """Compact JSON that cannot end the element it stands in."""
    return plain_json(value).replace("<", "\\u003c")


def in_base64(data: bytes) -> str:
    """Base64 with a blank, which a decoder skips, where chance would have spelled "http".

    Who searches the page for network addresses shall find none.
    """
    return base64.b64encode(data).decode("ascii").replace("http", "ht tp")
