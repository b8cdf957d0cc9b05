"""OpenAI through its Responses API."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from plotchain_lib.item import Outcome, Request, Response
from plotchain_lib.models._providers.bodies import SCHEMA_NAME, asked, http_call, messages_of
from plotchain_lib.models._providers.failures import failed_within, no_reply, opened
from plotchain_lib.models._providers.replies import (
    Usage,
    count,
    entries,
    mapping,
    one_line,
    parts,
    response_of,
    text,
)
from plotchain_lib.models._providers.settings import check_settings
from plotchain_lib.wire import Failure, HttpCall, HttpReply

sees_picture = True

_BODY = {"model", "input", "instructions", "store", "stream", "background"}
_ENDINGS: Mapping[str, tuple[Outcome, str]] = {
    "max_output_tokens": ("truncated", "the token budget (max_tokens) was used up"),
    "content_filter": ("blocked", "stopped by the content filter"),
}


def check(settings: Mapping[str, Any]) -> None:
    """Raise PlotChainError where settings are missing, unknown or out of range."""
    check_settings(settings, own={"detail"}, body=_BODY)


def call(request: Request) -> HttpCall:
    """What is sent for a request; not stored there, so that no run leaves pictures behind."""
    given = asked(request)
    content: list[dict[str, Any]] = [{"type": "input_text", "text": given.prompt}]
    if given.picture is not None:
        url = f"data:image/png;base64,{given.picture}"
        content.append({"type": "input_image", "image_url": url, **given.named(detail="detail")})
    body: dict[str, Any] = {
        "model": given.settings["model"],
        "input": messages_of(given, content),
        "store": False,
        **given.named(
            max_tokens="max_output_tokens",
            temperature="temperature",
            top_p="top_p",
            thinking="reasoning",
        ),
    }
    if given.schema is not None:
        schema = {"name": SCHEMA_NAME, "schema": given.schema, "strict": True}
        body["text"] = {"format": {"type": "json_schema", **schema}}
    return http_call(given, "responses", body, ("authorization", "Bearer "))


def read(reply: HttpReply) -> Response | Failure:
    """What a complete reply means. Never raises, whatever the body holds."""
    body = opened(reply)
    if isinstance(body, Failure):
        return body
    status = text(body.get("status"))
    if status == "failed":
        return failed_within(reply, body.get("error"))
    if status not in ("completed", "incomplete") or not isinstance(body.get("output"), list):
        return no_reply(reply, f"no complete response (status '{one_line(status)}')")
    said, refusal = _said(body)
    outcome, reason = _outcome(body, status, refusal)
    return response_of(
        reply,
        said or refusal,
        _usage(body),
        served_model=body.get("model"),
        outcome=outcome,
        reason=reason,
        received={
            "id": body.get("id"),
            "status": status,
            "finish_reason": mapping(body.get("incomplete_details")).get("reason"),
            "service_tier": body.get("service_tier"),
        },
    )


def _said(body: Mapping[str, Any]) -> tuple[str, str]:
    """The answer's text and the refusal's. Reasoning and comments on the way are neither."""
    messages = [
        item
        for item in entries(body.get("output"))
        if item.get("type") == "message" and item.get("phase") != "commentary"
    ]
    content = [part for message in messages for part in entries(message.get("content"))]
    said = (text(part.get("text")) for part in content if part.get("type") == "output_text")
    refusals = (text(part.get("refusal")) for part in content if part.get("type") == "refusal")
    return "".join(said), "".join(refusals)


def _outcome(body: Mapping[str, Any], status: str, refusal: str) -> tuple[Outcome, str]:
    if refusal:
        return "refused", f"the model refused: {one_line(refusal)}"
    if status == "completed":
        return "answered", ""
    why = text(mapping(body.get("incomplete_details")).get("reason"))
    return _ENDINGS.get(why, ("truncated", f"ended early: {one_line(why) or 'no reason given'}"))


def _usage(body: Mapping[str, Any]) -> Usage:
    usage = mapping(body.get("usage"))
    inputs = mapping(usage.get("input_tokens_details"))
    outputs = mapping(usage.get("output_tokens_details"))
    return Usage(
        count(usage.get("input_tokens")),
        count(usage.get("output_tokens")),
        parts(
            cached_tokens=inputs.get("cached_tokens"),
            cache_write_tokens=inputs.get("cache_write_tokens"),
            reasoning_tokens=outputs.get("reasoning_tokens"),
        ),
    )
