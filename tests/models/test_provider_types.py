"""Bodies and replies of the four providers against the official SDKs' own types.

One test a provider, because importing an SDK costs a second of CPU.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator, Mapping
from typing import Any

from plotchain_lib.item import Request, Response
from plotchain_lib.models import anthropic, gemini, openai, openai_compatible
from plotchain_lib.wire import Failure, HttpReply, Provider

PNG = b"\x89PNG\r\n\x1a\n" + bytes(range(256)) + b"IEND\xaeB`\x82"


def bodies(module: Provider, kind: str, *variants: dict[str, Any]) -> Iterator[Any]:
    """The bodies of a plain request, of one without a picture, of each variant, of an episode."""
    base = {"base_url": "http://localhost:8000"} if kind == "openai_compatible" else {}
    for own in ({}, {"see_image": False}, {"structured": True}, *variants):
        settings = {"kind": kind, "model": "m", **base, **own}
        module.check(settings)
        request = Request(kind, settings, "Read", ("b", "cp_a"), PNG, 1)
        yield json.loads(json.dumps(module.call(request).body))
    said = [("user", "Draw"), ("assistant", "```done\n```"), ("user", "[exit code 0]")]
    turns = tuple({"role": role, "text": text} for role, text in said)
    settings = {"kind": kind, "model": "m", **base}
    request = Request(kind, settings, "Draw", (), None, 1, messages=turns)
    yield json.loads(json.dumps(module.call(request).body))


def settled(value: Any) -> Any:
    """A validated value with its lazy lists read: they hold their complaints back until then."""
    if isinstance(value, Mapping):
        return {name: settled(entry) for name, entry in value.items()}
    if isinstance(value, str | bytes) or not hasattr(value, "__iter__"):
        return value
    return [settled(entry) for entry in value]


def reply_of(model: Any, **options: Any) -> HttpReply:
    return HttpReply(200, {}, model.model_dump_json(**options).encode())


def answered(found: Response | Failure) -> Response:
    assert isinstance(found, Response) and found.outcome == "answered", found
    return found


def test_openai() -> None:
    from openai.types.responses import Response as Reply
    from openai.types.responses.response_create_params import ResponseCreateParamsNonStreaming
    from pydantic import TypeAdapter

    adapter = TypeAdapter(ResponseCreateParamsNonStreaming)
    variants = [{"thinking": {"effort": "low"}}, {"detail": "original", "top_p": 0.5}]
    for body in bodies(openai, "openai", *variants):
        # Validation drops what a type does not know: what is left must be all of it.
        assert settled(adapter.validate_python(body)) == body

    def reply(**changes: Any) -> Reply:
        message = {
            "id": "msg_1", "type": "message", "role": "assistant", "status": "completed",
            "content": [{"type": "output_text", "text": '{"b": 1}', "annotations": []}],
        }  # fmt: skip
        thought = {
            "id": "rs_1",
            "type": "reasoning",
            "summary": [{"type": "summary_text", "text": "{}"}],
        }
        usage = {
            "input_tokens": 11, "output_tokens": 70, "total_tokens": 81,
            "input_tokens_details": {"cached_tokens": 4, "cache_write_tokens": 0},
            "output_tokens_details": {"reasoning_tokens": 64},
        }  # fmt: skip
        whole = {
            "id": "resp_1", "object": "response", "created_at": 1.0, "model": "m-2026",
            "status": "completed", "output": [thought, message], "usage": usage,
            "parallel_tool_calls": True, "tool_choice": "auto", "tools": [],
        }  # fmt: skip
        return Reply.model_validate(whole | changes)

    found = answered(openai.read(reply_of(reply())))
    assert (found.text, found.input_tokens, found.output_tokens) == ('{"b": 1}', 11, 70)
    assert found.received == {
        "id": "resp_1", "status": "completed", "reasoning_tokens": 64, "cached_tokens": 4,
        "cache_write_tokens": 0,
    }  # fmt: skip
    assert found.served_model == "m-2026"
    cut = {"status": "incomplete", "incomplete_details": {"reason": "max_output_tokens"}}
    truncated = openai.read(reply_of(reply(**cut)))
    assert isinstance(truncated, Response) and truncated.outcome == "truncated" and truncated.text
    error = {"code": "image_too_large", "message": "too large"}
    failed = openai.read(reply_of(reply(status="failed", output=[], error=error)))
    assert isinstance(failed, Failure) and failed.outcome == "rejected"


def test_openai_compatible() -> None:
    from openai.types.chat import ChatCompletion
    from openai.types.chat.completion_create_params import CompletionCreateParamsNonStreaming
    from pydantic import TypeAdapter

    adapter = TypeAdapter(CompletionCreateParamsNonStreaming)
    variants = [{"thinking": {"effort": "low"}, "seed": 1}, {"detail": "low", "top_p": 0.5}]
    for body in bodies(openai_compatible, "openai_compatible", *variants):
        assert settled(adapter.validate_python(body)) == body
    whole = {
        "id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": "m-2026",
        "system_fingerprint": "fp_1",
        "choices": [{"index": 0, "finish_reason": "stop", "logprobs": None,
                     "message": {"role": "assistant", "content": "5", "refusal": None}}],
        "usage": {"prompt_tokens": 11, "completion_tokens": 70, "total_tokens": 81,
                  "completion_tokens_details": {"reasoning_tokens": 64},
                  "prompt_tokens_details": {"cached_tokens": 4}},
    }  # fmt: skip
    found = answered(openai_compatible.read(reply_of(ChatCompletion.model_validate(whole))))
    assert (found.text, found.input_tokens, found.output_tokens) == ("5", 11, 70)
    assert found.received == {
        "id": "chatcmpl-1", "finish_reason": "stop", "fingerprint": "fp_1", "reasoning_tokens": 64,
        "cached_tokens": 4,
    }  # fmt: skip


def test_anthropic() -> None:
    # The last SDK whose types are those of API version 2023-06-01: temperature and top_k went
    # with version 2026-10-21.
    from anthropic.types import Message
    from anthropic.types.message_create_params import MessageCreateParamsNonStreaming
    from anthropic.types.shared import ErrorResponse
    from pydantic import TypeAdapter

    adapter = TypeAdapter(MessageCreateParamsNonStreaming)
    variants = [
        {"thinking": {"budget_tokens": 4096}, "max_tokens": 9000},
        {"thinking": {"type": "adaptive", "effort": "high"}, "structured": True},
        {"thinking": {"type": "disabled"}, "top_p": 0.5},
    ]
    for body in bodies(anthropic, "anthropic", *variants):
        assert settled(adapter.validate_python(body)) == body
    whole = {
        "id": "msg_1", "type": "message", "role": "assistant", "model": "m-2026",
        "content": [{"type": "thinking", "thinking": "{}", "signature": "x"},
                    {"type": "text", "text": '{"b": ', "citations": None},
                    {"type": "text", "text": "1}", "citations": None}],
        "stop_reason": "end_turn", "stop_sequence": None,
        "usage": {"input_tokens": 7, "output_tokens": 70, "cache_read_input_tokens": 4,
                  "cache_creation_input_tokens": 0,
                  "output_tokens_details": {"thinking_tokens": 64}},
    }  # fmt: skip
    found = answered(anthropic.read(reply_of(Message.model_validate(whole))))
    assert (found.text, found.input_tokens, found.output_tokens) == ('{"b": 1}', 11, 70)
    assert found.received == {
        "id": "msg_1", "finish_reason": "end_turn", "cached_tokens": 4, "cache_write_tokens": 0,
        "reasoning_tokens": 64,
    }  # fmt: skip
    error = {"type": "overloaded_error", "message": "Overloaded"}
    busy = ErrorResponse.model_validate({"type": "error", "error": error, "request_id": "req_1"})
    failure = anthropic.read(HttpReply(529, {}, busy.model_dump_json().encode()))
    assert isinstance(failure, Failure) and (failure.action, failure.limited) == ("retry", True)


def test_gemini() -> None:
    from google.genai import types

    variants = [
        {"thinking": {"thinkingBudget": 512}, "seed": 1},
        {"thinking": {"thinkingLevel": "LOW", "includeThoughts": True}, "detail": "high"},
    ]
    for body in bodies(gemini, "gemini", *variants):
        assert body.keys() == {"contents", "generationConfig"}
        content, *later = [types.Content.model_validate(entry) for entry in body["contents"]]
        assert [turn.role for turn in later] in ([], ["model", "user"])
        assert all(turn.parts and turn.parts[0].text for turn in later)
        pictures = [part.inline_data for part in content.parts or [] if part.inline_data]
        sent = [
            part["inlineData"]["data"]
            for part in body["contents"][0]["parts"]
            if "inlineData" in part
        ]
        assert [base64.b64decode(data) for data in sent] == [blob.data for blob in pictures]
        assert all(blob.data == PNG for blob in pictures)
        # These types forbid what they do not know.
        decoding = types.GenerationConfig.model_validate(body["generationConfig"])
        dumped = decoding.model_dump(mode="json", by_alias=True, exclude_none=True)
        assert dumped == body["generationConfig"]
    whole = {
        "candidates": [{"index": 0, "finishReason": "STOP", "content": {
            "role": "model", "parts": [{"text": "{}", "thought": True}, {"text": '{"b": 1}'}]}}],
        "usageMetadata": {"promptTokenCount": 11, "candidatesTokenCount": 6,
                          "thoughtsTokenCount": 64, "cachedContentTokenCount": 4,
                          "totalTokenCount": 81},
        "modelVersion": "m-2026", "responseId": "r_1",
    }  # fmt: skip
    reply = types.GenerateContentResponse.model_validate(whole)
    found = answered(gemini.read(reply_of(reply, by_alias=True, exclude_none=True)))
    assert (found.text, found.input_tokens, found.output_tokens) == ('{"b": 1}', 11, 70)
    assert found.received == {
        "id": "r_1", "finish_reason": "STOP", "cached_tokens": 4, "reasoning_tokens": 64,
    }  # fmt: skip
    known = {*gemini._BLOCKED, *gemini._TRUNCATED, "PUP_LIMITED_DISABLED"}
    assert known <= {reason.value for reason in types.FinishReason}
