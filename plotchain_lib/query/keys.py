"""API keys: found in the environment or in the working folder's `.env`, shown nowhere.

A key is read when a call needs it and travels in a `Key`, whose text only `reveal` gives away.
Every key that was found is remembered, so that `redact` can strip it from whatever is logged or
stored: a server may well repeat it in an error message.
"""

from __future__ import annotations

import json
import os
import re
from functools import lru_cache
from pathlib import Path
from typing import Any
from urllib.parse import quote

from plotchain_lib.item import PlotChainError

# Shorter ones ("EMPTY", "ollama") are what local servers take for a key; to strip these would
# spoil texts and save nothing.
_SHORTEST_SECRET = 8
_HIDDEN = "[key]"

# `NAME=value`, `export NAME='value'`, `NAME="value" # why`: what python-dotenv reads on one line.
_LINE = re.compile(
    r"""\s*(?:export\s+)?(?P<name>[A-Za-z_]\w*)\s*=\s*"""
    r"""(?:'(?P<literal>[^']*)'|"(?P<escaped>(?:[^"\\]|\\.)*)"|(?P<plain>[^'"\s].*?|))"""
    r"""\s*(?:(?<=\s)\#.*)?"""
)
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r"}

_secrets: dict[str, None] = {}


class KeyProblemError(PlotChainError):
    """A key that is missing or cannot be sent: one line that says what to do."""


class Key:
    """One key. Neither its text form nor its pickle shows it."""

    __slots__ = ("_text",)

    def __init__(self, text: str) -> None:
        """Remember the key, for `redact`."""
        self._text = text
        if len(text) >= _SHORTEST_SECRET:
            for form in (text, quote(text, safe=""), json.dumps(text)[1:-1]):
                _secrets[form] = None

    def reveal(self) -> str:
        """The key itself: for the header of a call and nothing else."""
        return self._text

    def __repr__(self) -> str:
        """Nothing of the key."""
        return "Key(hidden)"

    def __eq__(self, other: object) -> bool:
        """By the text."""
        return isinstance(other, Key) and self._text == other._text

    def __hash__(self) -> int:
        """By the text; the hash is salted anew in every process."""
        return hash(self._text)

    def __reduce__(self) -> Any:
        """Refuse: a pickle would hold the key."""
        raise TypeError("a key is never written down")


def find(variable: str, folder: Path) -> Key:
    """The key of that name: from the environment, else from `folder`'s `.env`.

    Raises KeyProblemError where there is none, or where no HTTP header could carry it.
    """
    text = os.environ.get(variable, "").strip()
    if not text:
        text = read_env_file(folder / ".env").get(variable, "").strip()
    if not text:
        raise KeyProblemError(
            f"{variable} is set neither in the environment nor in .env; set it and run again"
        )
    if not all("!" <= character <= "~" for character in text):
        raise KeyProblemError(
            f"{variable} holds a blank or a character that no key has; correct it and run again"
        )
    return Key(text)


def read_env_file(path: Path) -> dict[str, str]:
    """The variables of a `.env` file; none where there is no such file.

    Lines that set nothing are passed over. Raises KeyProblemError where it cannot be read.
    """
    try:
        status = path.stat()
        return _read(path, status.st_mtime_ns, status.st_size)
    except FileNotFoundError:
        return {}
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "not UTF-8 text"
        raise KeyProblemError(f"{path}: cannot be read ({reason}); mend it and run again") from None


@lru_cache(maxsize=8)
def _read(path: Path, _mtime_ns: int, _size: int) -> dict[str, str]:
    found = {}
    for line in path.read_text(encoding="utf-8-sig").splitlines():
        if match := _LINE.fullmatch(line + " "):
            escaped = match["escaped"]
            if escaped is not None:
                text = re.sub(r"\\(.)", lambda part: _ESCAPES.get(part[1], part[1]), escaped)
            else:
                text = match["literal"] if match["literal"] is not None else match["plain"]
            found[match["name"]] = text
    return found


def redact(text: str) -> str:
    """The text without any key that was found so far."""
    for secret in sorted(_secrets, key=len, reverse=True):
        if secret in text:
            text = text.replace(secret, _HIDDEN)
    return text


def redact_all(value: Any) -> Any:
    """A JSON value with `redact` applied to every string in it, names included."""
    if isinstance(value, str):
        return redact(value)
    if isinstance(value, dict):
        return {redact(str(name)): redact_all(entry) for name, entry in value.items()}
    if isinstance(value, list | tuple):
        return [redact_all(entry) for entry in value]
    return value
