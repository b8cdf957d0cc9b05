"""What goes into the bodies of all providers: parameters, picture, schema."""

from __future__ import annotations

import base64
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from plotchain_lib.item import Request
from plotchain_lib.models._providers.parameters import why_left_out
from plotchain_lib.models._providers.settings import DECODING, url_of, with_defaults
from plotchain_lib.wire import HttpCall

SCHEMA_NAME = "answer"


@dataclass(frozen=True, slots=True)
class Asked:
    """A request, sorted.

    Attributes:
        settings: with all defaults.
        prompt: the item's prompt, the whole text that is sent.
        picture: the PNG's exact bytes in base64; None where none is sent.
        sent: the decoding parameters that are sent, by the names of the settings.
        left_out: those that were requested but are not sent, each with the reason.
        schema: the JSON schema of the answer; None where none is asked for.
        later: what was said after the prompt: (role, text), role ``assistant`` or ``user``.
    """

    settings: Mapping[str, Any]
    prompt: str
    picture: str | None
    sent: Mapping[str, Any]
    left_out: Mapping[str, str]
    schema: Mapping[str, Any] | None
    later: tuple[tuple[str, str], ...] = ()

    def named(self, **names: str) -> dict[str, Any]:
        """The sent parameters under the provider's names: ``named(max_tokens="maxTokens")``."""
        return {wire: self.sent[name] for name, wire in names.items() if name in self.sent}


def asked(request: Request) -> Asked:
    """Sort a request's parameters into sent and left out."""
    settings = with_defaults(request.settings)
    wanted = {name: settings[name] for name in DECODING if _is_wanted(settings.get(name))}
    picture = request.picture if settings["see_image"] else None
    if picture is None:
        wanted.pop("detail", None)
    named = settings.get("leave_out") or ()
    left_out = {name: why_left_out(settings, name) for name in wanted if name in named}
    if "structured" in wanted and not request.fields:
        left_out["structured"] = "the item asks for no fields"
    sent = {name: value for name, value in wanted.items() if name not in left_out}
    return Asked(
        settings=settings,
        prompt=request.messages[0]["text"] if request.messages else request.prompt,
        picture=None if picture is None else base64.b64encode(picture).decode("ascii"),
        sent=sent,
        left_out=left_out,
        schema=schema_of(request.fields) if "structured" in sent else None,
        later=tuple((message["role"], message["text"]) for message in request.messages[1:]),
    )


def messages_of(given: Asked, first: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The messages as three of the providers want them; `first` is the prompt's content."""
    later = [{"role": role, "content": text} for role, text in given.later]
    return [{"role": "user", "content": list(first)}, *later]


def schema_of(fields: Iterable[str]) -> dict[str, Any]:
    """The JSON schema of one object with exactly these fields, each a number or null."""
    names = list(fields)
    return {
        "type": "object",
        "properties": {name: {"type": ["number", "null"]} for name in names},
        "required": names,
        "additionalProperties": False,
    }


def http_call(
    given: Asked,
    path: str,
    body: Mapping[str, Any],
    key_header: tuple[str, str],
    headers: Mapping[str, str] | None = None,
) -> HttpCall:
    """The call of a finished body: `extra` merged in, address and headers put together."""
    extra: Mapping[str, Any] = given.settings.get("extra") or {}
    return HttpCall(
        url=url_of(given.settings, path),
        headers={"content-type": "application/json", **(headers or {})},
        body=merged(body, extra),
        key_variable=given.settings["key"],
        key_header=key_header,
        sent={**given.sent, **({"extra": extra} if extra else {})},
        left_out=given.left_out,
    )


def merged(body: Mapping[str, Any], extra: Mapping[str, Any]) -> dict[str, Any]:
    """Both, objects within objects too; where both have a value, `extra` has the say."""
    result = dict(body)
    for name, value in extra.items():
        old = result.get(name)
        if isinstance(old, Mapping) and isinstance(value, Mapping):
            value = merged(old, value)
        result[name] = value
    return result


def _is_wanted(value: Any) -> bool:
    return value is not None and value is not False and value != {}
