"""What replies mean: outcomes, texts, counts; and that no reply whatever raises."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plotchain_lib.item import Outcome, Response
from plotchain_lib.models import anthropic, gemini, openai, openai_compatible
from plotchain_lib.query.cache import canonical
from plotchain_lib.wire import Failure, HttpReply, Provider

MODULES: dict[str, Provider] = {
    "openai": openai,
    "openai_compatible": openai_compatible,
    "anthropic": anthropic,
    "gemini": gemini,
}


def read(kind: str, body: Any, status: int = 200, **headers: str) -> Response | Failure:
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    return MODULES[kind].read(HttpReply(status, headers, content))


def said(kind: str, text: Any, ending: str, **more: Any) -> dict[str, Any]:
    """A reply of the kind with this text and this reason for its end."""
    if kind == "openai":
        content = [{"type": "output_text", "text": text}]
        done = ending == "completed"
        return {
            "id": "i",
            "model": "m",
            "status": "completed" if done else "incomplete",
            "incomplete_details": None if done else {"reason": ending},
            "output": [{"type": "message", "content": content}],
            **more,
        }
    if kind == "openai_compatible":
        return {
            "id": "i",
            "model": "m",
            "choices": [{"finish_reason": ending, "message": {"content": text, **more}}],
        }
    if kind == "anthropic":
        content = [{"type": "text", "text": text}]
        return {"id": "i", "model": "m", "content": content, "stop_reason": ending, **more}
    parts = {"parts": [{"text": text}]}
    candidate = {"content": parts, "finishReason": ending, **more}
    return {"responseId": "i", "modelVersion": "m", "candidates": [candidate]}


@pytest.mark.parametrize(
    ("kind", "ending", "text", "outcome", "reason"),
    [
        ("openai", "completed", "4 V", "answered", ""),
        ("openai", "completed", " \n", "empty", "no text"),
        ("openai", "max_output_tokens", '{"a": 1', "truncated", "max_tokens"),
        ("openai", "max_output_tokens", "", "truncated", "max_tokens"),
        ("openai", "content_filter", "4", "blocked", "content filter"),
        ("openai", "steered", "4", "truncated", "ended early: steered"),
        ("openai_compatible", "stop", "4 V", "answered", ""),
        ("openai_compatible", "eos", "4 V", "answered", ""),
        ("openai_compatible", "stop", None, "empty", "finish_reason 'stop'"),
        ("openai_compatible", "tool_calls", None, "empty", "finish_reason 'tool_calls'"),
        ("openai_compatible", "length", '{"a": 1', "truncated", "max_tokens"),
        ("openai_compatible", "length", None, "truncated", "max_tokens"),
        ("openai_compatible", "content_filter", None, "blocked", "content filter"),
        ("anthropic", "end_turn", "4 V", "answered", ""),
        ("anthropic", "stop_sequence", "4 V", "answered", ""),
        ("anthropic", "pause_turn", "", "empty", "stop_reason 'pause_turn'"),
        ("anthropic", "max_tokens", '{"a": 1', "truncated", "max_tokens"),
        ("anthropic", "model_context_window_exceeded", "4", "truncated", "context window"),
        ("anthropic", "refusal", "", "refused", "the model refused"),
        ("gemini", "STOP", "4 V", "answered", ""),
        ("gemini", "STOP", "", "empty", "no text (STOP)"),
        ("gemini", "MALFORMED_RESPONSE", "", "empty", "no text (MALFORMED_RESPONSE)"),
        ("gemini", "MAX_TOKENS", '{"a": 1', "truncated", "max_tokens"),
        ("gemini", "SAFETY", "", "blocked", "SAFETY"),
        ("gemini", "RECITATION", "4", "blocked", "RECITATION"),
        ("gemini", "IMAGE_SAFETY", "", "blocked", "IMAGE_SAFETY"),
        ("gemini", "OTHER", "", "blocked", "OTHER"),
    ],
)
def test_outcomes(kind: str, ending: str, text: Any, outcome: str, reason: str) -> None:
    found = read(kind, said(kind, text, ending))
    assert isinstance(found, Response)
    assert (found.outcome, found.text) == (outcome, text or "")
    assert reason in found.reason and bool(found.reason) == (outcome != "answered")
    assert found.served_model == "m" and found.received["id"] == "i"


def test_a_refusal_is_no_answer_and_its_words_are_kept() -> None:
    refusal = [{"type": "message", "content": [{"type": "refusal", "refusal": "I can't."}]}]
    found = read("openai", {"status": "completed", "output": refusal})
    assert isinstance(found, Response)
    assert (found.outcome, found.text, found.reason) == (
        "refused", "I can't.", "the model refused: I can't.",
    )  # fmt: skip
    found = read("openai_compatible", said("openai_compatible", None, "stop", refusal="No."))
    assert isinstance(found, Response) and (found.outcome, found.text) == ("refused", "No.")
    details = {"type": "refusal", "category": "frontier_llm", "explanation": None}
    found = read("anthropic", said("anthropic", "", "refusal", stop_details=details))
    assert isinstance(found, Response) and found.reason == "the model refused: frontier_llm"
    assert found.received["category"] == "frontier_llm"


def test_thinking_and_comments_are_no_answer() -> None:
    output = [
        {"type": "reasoning", "summary": [{"type": "summary_text", "text": "1"}]},
        {"type": "message", "phase": "commentary", "content": [{"type": "output_text", "text": "2"}]},
        {"type": "message", "content": [{"type": "output_text", "text": "3"}]},
    ]  # fmt: skip
    found = read("openai", {"status": "completed", "output": output})
    assert isinstance(found, Response) and found.text == "3"
    body = said("openai_compatible", None, "stop", reasoning="1", reasoning_content="2")
    found = read("openai_compatible", body)
    assert isinstance(found, Response) and (found.outcome, found.text) == ("empty", "")
    parts = [{"type": "thinking", "thinking": "1"}, {"type": "text", "text": "3"}]
    found = read("openai_compatible", said("openai_compatible", parts, "stop"))
    assert isinstance(found, Response) and found.text == "3"
    # A block that never closes is the parser's business, not ours: the text stays as it came.
    found = read("openai_compatible", said("openai_compatible", "<think> 4", "stop"))
    assert isinstance(found, Response) and found.text == "<think> 4"
    blocks = [{"type": "redacted_thinking", "data": "1"}, {"type": "text", "text": "3"}]
    found = read("anthropic", {"content": blocks, "stop_reason": "end_turn"})
    assert isinstance(found, Response) and found.text == "3"


def test_gemini_without_candidates_or_parts() -> None:
    found = read("gemini", {"promptFeedback": {"blockReason": "PROHIBITED_CONTENT"}})
    assert isinstance(found, Response) and found.outcome == "blocked"
    assert "PROHIBITED_CONTENT" in found.reason
    found = read("gemini", {"candidates": [{"finishReason": "STOP", "finishMessage": "so"}]})
    assert isinstance(found, Response) and found.reason == "the reply holds no text (STOP: so)"
    found = read("gemini", {"usageMetadata": {"promptTokenCount": 3}})
    assert isinstance(found, Failure) and found.action == "retry"
    found = read("gemini", {"candidates": [{"finishReason": "PUP_LIMITED_DISABLED"}]})
    assert isinstance(found, Failure) and found.action == "stop"


def test_counts_are_made_alike() -> None:
    """Input with what was cached, output with what was thought, in all four."""
    usage: dict[str, dict[str, Any]] = {
        "openai": {"usage": {"input_tokens": 10, "output_tokens": 8,
                             "input_tokens_details": {"cached_tokens": 4},
                             "output_tokens_details": {"reasoning_tokens": 5}}},
        "openai_compatible": {"usage": {"prompt_tokens": 10, "completion_tokens": 8,
                                        "total_tokens": 18,
                                        "prompt_tokens_details": {"cached_tokens": 4},
                                        "completion_tokens_details": {"reasoning_tokens": 5}}},
        "anthropic": {"usage": {"input_tokens": 6, "output_tokens": 8,
                                "cache_read_input_tokens": 4,
                                "output_tokens_details": {"thinking_tokens": 5}}},
        "gemini": {"usageMetadata": {"promptTokenCount": 10, "candidatesTokenCount": 3,
                                     "cachedContentTokenCount": 4, "thoughtsTokenCount": 5}},
    }  # fmt: skip
    endings = {"openai": "completed", "anthropic": "end_turn", "gemini": "STOP"}
    for kind, counts in usage.items():
        found = read(kind, said(kind, "4", endings.get(kind, "stop")) | counts)
        assert isinstance(found, Response)
        assert (found.input_tokens, found.output_tokens) == (10, 8), kind
        assert (found.received["cached_tokens"], found.received["reasoning_tokens"]) == (4, 5)
    beside = usage["openai_compatible"]["usage"] | {"completion_tokens": 3, "total_tokens": 18}
    found = read("openai_compatible", said("openai_compatible", "4", "stop") | {"usage": beside})
    assert isinstance(found, Response) and found.output_tokens == 8
    wrong = {"prompt_tokens": -1, "completion_tokens": True, "total_tokens": "x", "cost": "1"}
    found = read("openai_compatible", said("openai_compatible", "4", "stop") | {"usage": wrong})
    assert isinstance(found, Response) and found.input_tokens is None
    assert found.output_tokens is None and found.cost_usd is None


def test_cost_and_identity_as_the_provider_tells_them() -> None:
    body = said("openai_compatible", "4", "stop") | {
        "usage": {"cost": 0.0125}, "provider": "Azure", "system_fingerprint": "fp_1",
    }  # fmt: skip
    headers = {"x-request-id": "req_1", "x-litellm-response-cost": "0.5"}
    found = read("openai_compatible", body, **headers)
    assert isinstance(found, Response) and found.cost_usd == 0.0125
    assert found.received == {
        "id": "i", "finish_reason": "stop", "fingerprint": "fp_1", "provider": "Azure",
        "request_id": "req_1",
    }  # fmt: skip
    found = read("openai_compatible", said("openai_compatible", "4", "stop"), **headers)
    assert isinstance(found, Response) and found.cost_usd == 0.5
    headers["x-litellm-response-cost"] = "None"
    found = read("openai_compatible", said("openai_compatible", "4", "stop"), **headers)
    assert isinstance(found, Response) and found.cost_usd is None


ENDLESS = b'{"choices": ' + b"[" * 100_000
GARBAGE = [
    b"", b" ", b"null", b"[]", b"3", b'"text"', b"{}", b"[{}]", b"<html><title>Bad</title>",
    b'{"choices": [{"mess', b"\xff\xfe\x00", b"\x00" * 50, ENDLESS, b"9" * 10_000, b"NaN",
    b'{"choices": [], "content": {}, "candidates": [], "output": {}}',
    b'{"choices": "x", "content": "x", "candidates": "x", "output": "x", "status": "completed"}',
    b'{"choices": [4], "content": 4, "candidates": [4], "status": 4, "output": []}',
    b'{"status": "in_progress", "output": []}', b'{"status": "cancelled", "output": []}',
]  # fmt: skip


@pytest.mark.parametrize("kind", MODULES)
@pytest.mark.parametrize("body", GARBAGE, ids=range(len(GARBAGE)))
def test_garbage_in_a_success_is_tried_again(kind: str, body: bytes) -> None:
    found = read(kind, body, **{"content-type": "text/html"})
    assert isinstance(found, Failure) and found.action == "retry"
    assert found.reason and len(found.reason) < 400


NAMES = [
    "choices", "message", "content", "finish_reason", "error", "code", "type", "param", "status",
    "output", "text", "refusal", "incomplete_details", "reason", "usage", "prompt_tokens", "cost",
    "stop_reason", "stop_details", "category", "candidates", "parts", "finishReason", "thought",
    "promptFeedback", "blockReason", "usageMetadata", "details", "retryDelay", "violations",
    "quotaId", "detail", "loc", "msg", "metadata", "raw", "model", "id", "input_tokens",
]  # fmt: skip
WORDS = st.sampled_from(
    ["stop", "completed", "failed", "message", "text", "output_text", "STOP", "error", "429",
     "rate_limit_error", "Please retry in 3s", "temperature is unsupported", "\ud800", "\u2028"]
)  # fmt: skip
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | WORDS,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(NAMES), inner, max_size=5)
    ),
    max_leaves=25,
)
BODIES = (
    st.binary(max_size=60) | VALUES.map(json.dumps).map(str.encode)
    | st.dictionaries(st.sampled_from(NAMES), VALUES, max_size=6).map(json.dumps).map(str.encode)
)  # fmt: skip
HEADERS = st.dictionaries(
    st.sampled_from(
        ["retry-after", "retry-after-ms", "x-should-retry", "content-type", "x-request-id", "date"]
    ),
    st.text(max_size=12) | st.sampled_from(["5", "1e9", "true", "false"]),
)
STATUSES = st.sampled_from([200, 204, 302, 400, 401, 402, 403, 404, 408, 413, 418, 422, 429, 500])


@settings(max_examples=60, deadline=None)
@given(BODIES, HEADERS, STATUSES | st.integers(100, 999))
def test_any_reply_gives_a_response_or_a_failure(
    body: bytes, headers: dict[str, str], status: int
) -> None:
    for module in MODULES.values():
        found = module.read(HttpReply(status, headers, body))
        assert found == module.read(HttpReply(status, headers, body))
        assert isinstance(found, Response | Failure)
        assert found.outcome in get_args(Outcome) and "\n" not in found.reason
        canonical(asdict(found))
        if isinstance(found, Response):
            assert 200 <= status < 300 and found.outcome != "pending"
            assert (found.outcome == "answered") == (not found.reason)
            assert found.outcome != "answered" or found.text.strip()
        else:
            assert found.reason and found.outcome in ("rejected", "blocked")
            assert found.wait_s is None or 0 <= found.wait_s <= 900
