"""What four providers give: whole replies as their official types want them, and their errors."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from wire_formats import Question

REFUSAL = "I cannot help with that."


def reply(question: Question, text: str, refused: bool = False) -> dict[str, Any]:
    """A whole reply, with the fields the official types want."""
    wire, model = question.wire, question.model
    given = len(question.prompt) // 4 + (700 if question.picture else 0)
    made = len(text) // 4 + 1
    if wire == "openai":
        part = {"type": "refusal", "refusal": REFUSAL} if refused else \
               {"type": "output_text", "text": text, "annotations": []}  # fmt: skip
        message = {
            "id": "msg_1",
            "type": "message",
            "role": "assistant",
            "status": "completed",
            "content": [part],
        }
        usage = {"input_tokens": given, "output_tokens": made, "total_tokens": given + made,
                 "input_tokens_details": {"cached_tokens": 0},
                 "output_tokens_details": {"reasoning_tokens": 0}}  # fmt: skip
        return {"id": "resp_1", "object": "response", "created_at": 1, "model": model, "error": None,
                "status": "completed", "incomplete_details": None, "output": [message], "usage": usage,
                "parallel_tool_calls": True, "tool_choice": "auto", "tools": []}  # fmt: skip
    if wire == "openai_compatible":
        said = {
            "role": "assistant",
            "content": None if refused else text,
            "refusal": REFUSAL if refused else None,
        }
        usage = {"prompt_tokens": given, "completion_tokens": made, "total_tokens": given + made}
        return {"id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": model, "usage": usage,
                "choices": [{"index": 0, "finish_reason": "stop", "logprobs": None, "message": said}]}  # fmt: skip
    if wire == "anthropic":
        return {"id": "msg_1", "type": "message", "role": "assistant", "model": model, "stop_sequence": None,
                "content": [] if refused else [{"type": "text", "text": text}],
                "stop_reason": "refusal" if refused else "end_turn",
                "usage": {"input_tokens": given, "output_tokens": made}}  # fmt: skip
    usage = {
        "promptTokenCount": given,
        "candidatesTokenCount": made,
        "totalTokenCount": given + made,
    }
    ended = {"promptFeedback": {"blockReason": "SAFETY"}} if refused else {
        "candidates": [{"index": 0, "finishReason": "STOP", "content": {"role": "model", "parts": [{"text": text}]}}]
    }  # fmt: skip
    return {**ended, "usageMetadata": usage, "modelVersion": model, "responseId": "r1"}


_GOOGLE = {429: "RESOURCE_EXHAUSTED", 500: "INTERNAL", 503: "UNAVAILABLE", 400: "INVALID_ARGUMENT"}
_ANTHROPIC = {429: "rate_limit_error", 529: "overloaded_error", 400: "invalid_request_error"}
_OPENAI = {429: "rate_limit_exceeded", 400: "invalid_request_error"}


def error(wire: str, status: int, message: str, details: Iterable[Any] = ()) -> dict[str, Any]:
    """An error body in a provider's own words."""
    if wire == "anthropic":
        kind = _ANTHROPIC.get(status, "api_error")
        return {"type": "error", "error": {"type": kind, "message": message}, "request_id": "req_1"}
    if wire == "gemini":
        word = _GOOGLE.get(status, "UNKNOWN")
        return {
            "error": {"code": status, "status": word, "message": message, "details": list(details)}
        }
    code = _OPENAI.get(status, "server_error")
    return {"error": {"message": message, "type": code, "param": None, "code": code}}


def error_in_a_success(question: Question) -> dict[str, Any]:
    """What comes with status 200 and is none."""
    if question.wire == "openai":
        failed = {"status": "failed", "output": [], "usage": None}
        return (
            reply(question, "") | failed | {"error": {"code": "server_error", "message": "sorry"}}
        )
    return error(question.wire, 503, "sorry")
