"""Servers that speak OpenAI's Chat Completions: vLLM, Ollama, llama.cpp, LM Studio, OpenRouter,
LiteLLM, Azure.

`token_limit` is the name the server has for the budget. It is ``max_tokens`` by default, which
they all know; Ollama and LM Studio pass over ``max_completion_tokens`` without a word, and OpenAI's
own thinking models take nothing else. `key_header` is for servers that want the key bare in a
header of another name (Azure: ``api-key``).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from plotchain_lib.item import Outcome, Request, Response
from plotchain_lib.models._providers.bodies import SCHEMA_NAME, Asked, asked, http_call, messages_of
from plotchain_lib.models._providers.failures import failed_within, no_reply, opened
from plotchain_lib.models._providers.replies import (
    Usage,
    added,
    count,
    dollars,
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

_BODY = {"model", "messages", "stream", "n"}
_ENDINGS: Mapping[str, tuple[Outcome, str]] = {
    "length": ("truncated", "the token budget (max_tokens) was used up"),
    "max_tokens": ("truncated", "the token budget (max_tokens) was used up"),
    "content_filter": ("blocked", "stopped by the content filter"),
    "refusal": ("refused", "the model refused"),
}


def check(settings: Mapping[str, Any]) -> None:
    """Raise PlotChainError where settings are missing, unknown or out of range."""
    own = {"detail", "seed", "token_limit", "key_header"}
    check_settings(settings, own=own, body=_BODY, required={"base_url"})


def call(request: Request) -> HttpCall:
    """What is sent for a request."""
    given = asked(request)
    content: list[dict[str, Any]] = [{"type": "text", "text": given.prompt}]
    if given.picture is not None:
        url = {"url": f"data:image/png;base64,{given.picture}", **given.named(detail="detail")}
        content.append({"type": "image_url", "image_url": url})
    body: dict[str, Any] = {
        "model": given.settings["model"],
        "messages": messages_of(given, content),
        **given.named(
            max_tokens=given.settings["token_limit"],
            temperature="temperature",
            top_p="top_p",
            seed="seed",
        ),
        **_thinking(given),
    }
    if given.schema is not None:
        schema = {"name": SCHEMA_NAME, "schema": given.schema, "strict": True}
        body["response_format"] = {"type": "json_schema", "json_schema": schema}
    header = given.settings.get("key_header", "authorization")
    prefix = "Bearer " if header == "authorization" else ""
    return http_call(given, "chat/completions", body, (header, prefix))


def read(reply: HttpReply) -> Response | Failure:
    """What a complete reply means. Never raises, whatever the body holds."""
    body = opened(reply)
    if isinstance(body, Failure):
        return body
    choices = entries(body.get("choices"))
    if not choices or not isinstance(choices[0].get("message"), Mapping):
        return no_reply(reply, "the reply holds no choice")
    choice, message = choices[0], mapping(choices[0].get("message"))
    if not isinstance(message.get("content"), str | list | None):
        return no_reply(reply, "the content of the reply is no text")
    ending = text(choice.get("finish_reason"))
    if choice.get("error") or ending == "error":
        return failed_within(reply, choice.get("error"))
    said, refusal = _said(message.get("content")), text(message.get("refusal"))
    outcome, reason = _ENDINGS.get(ending, ("answered", ""))
    if refusal and outcome != "blocked":
        outcome, reason = "refused", f"the model refused: {one_line(refusal)}"
    elif outcome == "answered" and not said.strip():
        reason = f"the reply holds no text (finish_reason '{one_line(ending)}')"
    return response_of(
        reply,
        said or refusal,
        _usage(reply, body),
        served_model=body.get("model"),
        outcome=outcome,
        reason=reason,
        received={
            "id": body.get("id"),
            "finish_reason": ending,
            "native_finish_reason": choice.get("native_finish_reason"),
            "fingerprint": body.get("system_fingerprint"),
            "provider": body.get("provider"),
            "service_tier": body.get("service_tier"),
        },
    )


def _thinking(given: Asked) -> dict[str, Any]:
    """OpenAI's word where only the effort is given, OpenRouter's object for anything more."""
    options = mapping(given.sent.get("thinking"))
    if options.keys() == {"effort"}:
        return {"reasoning_effort": options["effort"]}
    return {"reasoning": options} if options else {}


def _said(content: Any) -> str:
    """The text, also where it comes in parts; a part that thinks is no answer."""
    pieces = (text(part.get("text")) for part in entries(content) if part.get("type") == "text")
    return text(content) or "".join(pieces)


def _usage(reply: HttpReply, body: Mapping[str, Any]) -> Usage:
    usage = mapping(body.get("usage"))
    inputs = mapping(usage.get("prompt_tokens_details"))
    outputs = mapping(usage.get("completion_tokens_details"))
    prompt, completion = count(usage.get("prompt_tokens")), count(usage.get("completion_tokens"))
    reasoning = count(outputs.get("reasoning_tokens"))
    # Some servers count the thinking beside the completion; their total gives it away.
    if reasoning and added(prompt, completion, reasoning) == count(usage.get("total_tokens")):
        completion = added(completion, reasoning)
    cost = dollars(usage.get("cost"))
    return Usage(
        prompt,
        completion,
        parts(
            cached_tokens=inputs.get("cached_tokens"),
            cache_write_tokens=inputs.get("cache_write_tokens"),
            reasoning_tokens=reasoning,
        ),
        cost if cost is not None else _litellm_cost(reply),
    )


def _litellm_cost(reply: HttpReply) -> float | None:
    try:
        return dollars(float(reply.headers.get("x-litellm-response-cost", "")))
    except ValueError:
        return None
