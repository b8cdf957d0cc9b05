"""Anthropic through its Messages API."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from plotchain_lib.item import Outcome, Request, Response
from plotchain_lib.models._providers.bodies import Asked, asked, http_call, messages_of
from plotchain_lib.models._providers.failures import no_reply, opened
from plotchain_lib.models._providers.replies import (
    Usage,
    added,
    count,
    entries,
    mapping,
    one_line,
    parts,
    response_of,
    text,
)
from plotchain_lib.models._providers.settings import check_settings, wrong
from plotchain_lib.wire import Failure, HttpCall, HttpReply

sees_picture = True

_BODY = {"model", "messages", "system", "stream"}
_LEAST_BUDGET = 1024
_ENDINGS: Mapping[str, tuple[Outcome, str]] = {
    "max_tokens": ("truncated", "the token budget (max_tokens) was used up"),
    "model_context_window_exceeded": ("truncated", "the model's context window is full"),
    "refusal": ("refused", "the model refused"),
}


def check(settings: Mapping[str, Any]) -> None:
    """Raise PlotChainError where settings are missing, unknown or out of range."""
    check_settings(settings, own={"top_k", "api_version"}, body=_BODY, hottest=1)
    if "max_tokens" in (settings.get("leave_out") or ()) or settings.get("max_tokens", 1) is None:
        raise wrong(settings, "max_tokens", "this provider needs it; give a number of tokens")
    budget = mapping(settings.get("thinking")).get("budget_tokens")
    if budget is None:
        return
    if type(budget) is not int or budget < _LEAST_BUDGET:
        raise wrong(settings, "thinking", f"give budget_tokens of {_LEAST_BUDGET} or more")
    if "max_tokens" in settings and budget >= settings["max_tokens"]:
        raise wrong(settings, "thinking", "budget_tokens must be less than max_tokens")


def call(request: Request) -> HttpCall:
    """What is sent for a request: the picture first, as the provider advises."""
    given = asked(request)
    content: list[dict[str, Any]] = [{"type": "text", "text": given.prompt}]
    if given.picture is not None:
        source = {"type": "base64", "media_type": "image/png", "data": given.picture}
        content.insert(0, {"type": "image", "source": source})
    body = {
        "model": given.settings["model"],
        "messages": messages_of(given, content),
        **given.named(
            max_tokens="max_tokens", temperature="temperature", top_p="top_p", top_k="top_k"
        ),
        **_thinking_and_output(given),
    }
    version = {"anthropic-version": given.settings["api_version"]}
    return http_call(given, "messages", body, ("x-api-key", ""), version)


def read(reply: HttpReply) -> Response | Failure:
    """What a complete reply means. Never raises, whatever the body holds."""
    body = opened(reply)
    if isinstance(body, Failure):
        return body
    if not isinstance(body.get("content"), list):
        return no_reply(reply, "the reply holds no content")
    ending = text(body.get("stop_reason"))
    blocks = entries(body["content"])
    said = "".join(text(block.get("text")) for block in blocks if block.get("type") == "text")
    outcome, reason = _ENDINGS.get(ending, ("answered", ""))
    details = mapping(body.get("stop_details"))
    if outcome == "refused":
        why = one_line(details.get("explanation")) or one_line(details.get("category"))
        reason = f"{reason}: {why}" if why else reason
    elif outcome == "answered" and not said.strip():
        reason = f"the reply holds no text (stop_reason '{one_line(ending)}')"
    return response_of(
        reply,
        said,
        _usage(body),
        served_model=body.get("model"),
        outcome=outcome,
        reason=reason,
        received={
            "id": body.get("id"),
            "finish_reason": ending,
            "category": details.get("category"),
            "service_tier": mapping(body.get("usage")).get("service_tier"),
        },
    )


def _thinking_and_output(given: Asked) -> dict[str, Any]:
    """`thinking` is two things in this API: how to think, and (`effort`) how hard to try."""
    options = dict(mapping(given.sent.get("thinking")))
    output: dict[str, Any] = {}
    if "effort" in options:
        output["effort"] = options.pop("effort")
    if given.schema is not None:
        output["format"] = {"type": "json_schema", "schema": given.schema}
    if "budget_tokens" in options:
        options.setdefault("type", "enabled")
    return {
        **({"thinking": options} if options else {}),
        **({"output_config": output} if output else {}),
    }


def _usage(body: Mapping[str, Any]) -> Usage:
    """The provider counts what it read from or wrote to its cache beside the input."""
    usage = mapping(body.get("usage"))
    cached = count(usage.get("cache_read_input_tokens"))
    written = count(usage.get("cache_creation_input_tokens"))
    reasoning = mapping(usage.get("output_tokens_details")).get("thinking_tokens")
    return Usage(
        added(count(usage.get("input_tokens")), cached, written),
        count(usage.get("output_tokens")),
        parts(cached_tokens=cached, cache_write_tokens=written, reasoning_tokens=reasoning),
    )
