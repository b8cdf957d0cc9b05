"""Google's Gemini through generateContent."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from plotchain_lib.item import Outcome, Request, Response
from plotchain_lib.models._providers.bodies import asked, http_call
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
from plotchain_lib.models._providers.settings import check_settings
from plotchain_lib.wire import Failure, HttpCall, HttpReply

sees_picture = True

_BODY = {"contents", "systemInstruction", "system_instruction"}
_TRUNCATED = ("MAX_TOKENS", "CONTINUATION")
_BLOCKED = (
    "SAFETY", "RECITATION", "LANGUAGE", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "MODEL_ARMOR",
    "ESCALATION", "IMAGE_SAFETY", "IMAGE_PROHIBITED_CONTENT", "IMAGE_RECITATION", "OTHER",
    "IMAGE_OTHER",
)  # fmt: skip


def check(settings: Mapping[str, Any]) -> None:
    """Raise PlotChainError where settings are missing, unknown or out of range."""
    check_settings(settings, own={"top_k", "seed", "detail"}, body=_BODY)


def call(request: Request) -> HttpCall:
    """What is sent for a request; the key travels in a header, never in the address."""
    given = asked(request)
    content: list[dict[str, Any]] = [{"text": given.prompt}]
    if given.picture is not None:
        content.insert(0, {"inlineData": {"mimeType": "image/png", "data": given.picture}})
    decoding = given.named(
        max_tokens="maxOutputTokens",
        temperature="temperature",
        top_p="topP",
        top_k="topK",
        seed="seed",
        thinking="thinkingConfig",
    )
    if "detail" in given.sent:
        decoding["mediaResolution"] = f"MEDIA_RESOLUTION_{given.sent['detail'].upper()}"
    if given.schema is not None:
        decoding["responseMimeType"] = "application/json"
        decoding["responseJsonSchema"] = given.schema
    contents = [{"role": "user", "parts": content}]
    for role, said in given.later:
        name = "model" if role == "assistant" else role
        contents.append({"role": name, "parts": [{"text": said}]})
    body = {"contents": contents, "generationConfig": decoding}
    model = given.settings["model"]
    path = model if "/" in model else f"models/{model}"
    return http_call(given, f"{quote(path)}:generateContent", body, ("x-goog-api-key", ""))


def read(reply: HttpReply) -> Response | Failure:
    """What a complete reply means. Never raises, whatever the body holds."""
    body = opened(reply)
    if isinstance(body, Failure):
        return body
    candidates = entries(body.get("candidates"))
    blocked = text(mapping(body.get("promptFeedback")).get("blockReason"))
    if not candidates and not blocked:
        return no_reply(reply, "the reply holds no candidate")
    candidate = candidates[0] if candidates else {}
    ending = text(candidate.get("finishReason"))
    if ending == "PUP_LIMITED_DISABLED":
        return Failure("stop", "the account is limited for breaches of the use policy; see Google")
    # A part that is a thought is no answer.
    spoken = (
        part
        for part in entries(mapping(candidate.get("content")).get("parts"))
        if not part.get("thought")
    )
    said = "".join(text(part.get("text")) for part in spoken)
    outcome, reason = _outcome(candidate, ending, "" if candidates else blocked, said)
    return response_of(
        reply,
        said,
        _usage(body),
        served_model=body.get("modelVersion"),
        outcome=outcome,
        reason=reason,
        received={"id": body.get("responseId"), "finish_reason": ending or blocked},
    )


def _outcome(
    candidate: Mapping[str, Any], ending: str, blocked: str, said: str
) -> tuple[Outcome, str]:
    if blocked:
        return "blocked", f"the prompt was blocked ({one_line(blocked)})"
    if ending in _TRUNCATED:
        return "truncated", "the token budget (max_tokens) was used up"
    why = ": ".join(filter(None, (one_line(ending), one_line(candidate.get("finishMessage")))))
    if ending in _BLOCKED:
        return "blocked", f"stopped by the provider ({why})"
    return "answered", "" if said.strip() else f"the reply holds no text ({why or 'no reason'})"


def _usage(body: Mapping[str, Any]) -> Usage:
    """The provider counts thoughts beside the candidates, and bills both as output."""
    usage = mapping(body.get("usageMetadata"))
    thoughts = count(usage.get("thoughtsTokenCount"))
    return Usage(
        added(count(usage.get("promptTokenCount")), count(usage.get("toolUsePromptTokenCount"))),
        added(count(usage.get("candidatesTokenCount")), thoughts),
        parts(
            cached_tokens=usage.get("cachedContentTokenCount"),
            reasoning_tokens=thoughts,
        ),
    )
