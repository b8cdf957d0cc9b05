"""What a provider model's entry of the configuration may say, and what holds where it is silent.

=============  ===================================================================================
model          the provider's name for it
base_url       what stands before the method's path; without a path it gets the provider's own
key            the NAME of the environment variable that holds the key; empty: none is sent
temperature    default 0; null leaves it unsaid, as with every parameter below
top_p, top_k   where the API has them; top_k is 1 by default
max_tokens     the budget of one answer, thinking included
seed, detail   where the API has them
structured     true asks for JSON of exactly the fields, each a number or null
thinking       the provider's own options, such as {effort: low} or {budget_tokens: 4096}
see_image      false asks without the picture
timeout_s      how long one call may last, in seconds
extra          merged into the body, for example {provider: {only: [azure]}}
leave_out      parameters the model rejects: requested, but not sent
=============  ===================================================================================
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import parse_qsl, urlsplit, urlunsplit

from plotchain_lib.item import PlotChainError
from plotchain_lib.models import check_names

# The parameters of decoding: what `leave_out` may name and what a response records as sent.
DECODING = (
    "temperature", "top_p", "top_k", "max_tokens", "seed", "detail", "structured", "thinking",
)  # fmt: skip
_SHARED: Mapping[str, Any] = {
    "temperature": 0, "max_tokens": 2048, "structured": False, "see_image": True,
}  # fmt: skip
# In the request itself, so that no answer to another question is found in the cache.
DEFAULTS: Mapping[str, Mapping[str, Any]] = {
    "openai": {
        **_SHARED,
        "base_url": "https://api.openai.com/v1",
        "key": "OPENAI_API_KEY",
        "detail": "auto",
    },
    "openai_compatible": {**_SHARED, "key": "", "token_limit": "max_tokens"},
    "anthropic": {
        **_SHARED,
        "base_url": "https://api.anthropic.com/v1",
        "key": "ANTHROPIC_API_KEY",
        "top_k": 1,
        # The last version that has temperature and top_k (2026-10-21 took them away).
        "api_version": "2023-06-01",
    },
    "gemini": {
        **_SHARED,
        "base_url": "https://generativelanguage.googleapis.com/v1beta",
        "key": "GEMINI_API_KEY",
        "top_k": 1,
    },
}
_COMMON = {
    "model", "base_url", "key", "temperature", "top_p", "max_tokens", "structured", "thinking",
    "see_image", "timeout_s", "extra", "leave_out",
}  # fmt: skip
_DETAILS: Mapping[str, tuple[str, ...]] = {
    "openai": ("low", "high", "auto", "original"),
    "openai_compatible": ("low", "high", "auto"),
    "gemini": ("low", "medium", "high"),
}
_SECRET = re.compile(r"key|token|secret|sig|passw|auth|code", re.IGNORECASE)
_VARIABLE = re.compile(r"[A-Z][A-Z0-9_]{0,99}")

Test = Callable[[Any], bool]


def with_defaults(settings: Mapping[str, Any]) -> dict[str, Any]:
    """The settings with every default of their kind that they do not set."""
    return {**DEFAULTS[settings["kind"]], **settings}


def check_settings(
    settings: Mapping[str, Any],
    *,
    own: set[str],
    body: set[str],
    required: set[str] | None = None,
    hottest: float = 2,
) -> None:
    """Raise PlotChainError for the first setting that is missing, unknown or out of range.

    `own` are the settings the provider has beyond the common ones, `body` the keys of the body
    that `extra` may not touch, and `hottest` is the largest temperature.
    """
    check_names(settings, {"model"} | (required or set()), _COMMON | own)
    for name, value in settings.items():
        if name in _TESTS and not _TESTS[name][0](value):
            raise wrong(settings, name, _TESTS[name][1])
    temperature = settings.get("temperature")
    if temperature is not None and not _is_number(temperature, 0, hottest):
        raise wrong(settings, "temperature", f"give a number from 0 to {hottest:g}, or null")
    details = _DETAILS.get(settings.get("kind", ""), ())
    if settings.get("detail") is not None and settings["detail"] not in details:
        raise wrong(settings, "detail", f"give one of {', '.join(details)}, or null")
    _check_base_url(settings)
    if taken := sorted(body & set(settings.get("extra") or {})):
        raise wrong(settings, "extra", f"'{taken[0]}' is PlotChain's own to set; remove it")


def wrong(settings: Mapping[str, Any], name: str, mend: str) -> PlotChainError:
    """The error for a setting, without its value: that may be a key put in the wrong place."""
    return PlotChainError(f"a model of kind '{settings.get('kind', '?')}': {name}: {mend}")


def url_of(settings: Mapping[str, Any], path: str) -> str:
    """The method's address: `base_url`, the path, and the query of `base_url` (Azure's version)."""
    parts = urlsplit(str(settings["base_url"]))
    own = DEFAULTS[settings["kind"]].get("base_url", "https://x/v1")
    base = parts.path.rstrip("/") or urlsplit(own).path
    return urlunsplit((parts.scheme, parts.netloc, f"{base}/{path}", parts.query, ""))


def _check_base_url(settings: Mapping[str, Any]) -> None:
    if "base_url" not in settings:
        return
    mend = "give an address such as https://api.example.com/v1"
    try:
        parts = urlsplit(settings["base_url"])
        valid = parts.scheme in ("http", "https") and bool(parts.hostname) and not parts.fragment
        port_is_valid = parts.port is None or parts.port > 0
    except (ValueError, TypeError, AttributeError):
        raise wrong(settings, "base_url", mend) from None
    if not (valid and port_is_valid) or re.search(r"\s", settings["base_url"]):
        raise wrong(settings, "base_url", mend)
    named = [name for name, _ in parse_qsl(parts.query, keep_blank_values=True)]
    if parts.username or parts.password or any(_SECRET.search(name) for name in named):
        raise wrong(settings, "base_url", "an address holds no key; name its variable in 'key'")


def _is_number(value: Any, lowest: float, highest: float) -> bool:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return math.isfinite(value) and lowest <= value <= highest


def _is_count(lowest: int, highest: int) -> Test:
    return lambda value: type(value) is int and lowest <= value <= highest


def _or_null(test: Test) -> Test:
    return lambda value: value is None or test(value)


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and bool(value.strip()) and value.isprintable()


def _is_flag(value: Any) -> bool:
    return isinstance(value, bool)


def _is_options(value: Any) -> bool:
    if not isinstance(value, Mapping) or not all(isinstance(name, str) for name in value):
        return False
    try:
        json.dumps(value, allow_nan=False)
    except (ValueError, TypeError, RecursionError):
        return False
    return True


def _is_left_out(value: Any) -> bool:
    return isinstance(value, list | tuple) and all(name in DECODING for name in value)


_TESTS: Mapping[str, tuple[Test, str]] = {
    "model": (_is_text, "give the provider's name of the model"),
    "key": (
        lambda value: value == "" or (isinstance(value, str) and bool(_VARIABLE.fullmatch(value))),
        "give the NAME of the environment variable, such as OPENAI_API_KEY, never the key itself",
    ),
    "key_header": (
        lambda value: isinstance(value, str) and bool(re.fullmatch(r"[a-z][a-z-]{0,60}", value)),
        "give a header's name in lower case, such as api-key",
    ),
    "api_version": (
        lambda value: isinstance(value, str) and bool(re.fullmatch(r"\d{4}-\d\d-\d\d", value)),
        'give a date in quotes, such as "2023-06-01"',
    ),
    "token_limit": (
        lambda value: value in ("max_tokens", "max_completion_tokens"),
        "give max_tokens or max_completion_tokens, whichever the server knows",
    ),
    "top_p": (_or_null(lambda value: _is_number(value, 0, 1)), "give a number from 0 to 1"),
    "top_k": (_or_null(_is_count(1, 1000)), "give a whole number from 1 to 1000, or null"),
    "max_tokens": (_or_null(_is_count(1, 10**7)), "give a whole number of tokens from 1"),
    "seed": (_or_null(_is_count(-(2**63), 2**63 - 1)), "give a whole number"),
    "structured": (_is_flag, "give true or false"),
    "see_image": (_is_flag, "give true or false"),
    "thinking": (_or_null(_is_options), "give the provider's options, such as {effort: low}"),
    "extra": (_or_null(_is_options), "give options as the provider's body names them"),
    "timeout_s": (
        lambda value: _is_number(value, 1, 86400),
        "give seconds from 1 to 86400",
    ),
    "leave_out": (_is_left_out, f"give a list of names among {', '.join(DECODING)}"),
}
