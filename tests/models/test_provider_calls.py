"""What the four providers are sent: the exact picture, the parameters, and nothing secret."""

from __future__ import annotations

import base64
import json
from typing import Any

import pytest

from plotchain_lib.item import Request
from plotchain_lib.models import anthropic, gemini, openai, openai_compatible
from plotchain_lib.models._providers.parameters import effective
from plotchain_lib.wire import HttpCall, Provider

# Not a whole PNG: what matters is that every byte arrives as it is.
PNG = b"\x89PNG\r\n\x1a\n" + bytes(range(256)) + b"IEND\xaeB`\x82"
DATA = base64.b64encode(PNG).decode()
MODULES: dict[str, Provider] = {
    "openai": openai,
    "openai_compatible": openai_compatible,
    "anthropic": anthropic,
    "gemini": gemini,
}
SCHEMA = {
    "type": "object",
    "properties": {"b": {"type": ["number", "null"]}, "cp_a": {"type": ["number", "null"]}},
    "required": ["b", "cp_a"],
    "additionalProperties": False,
}


def sent(
    kind: str, picture: bytes | None = PNG, fields: Any = ("b", "cp_a"), **own: Any
) -> HttpCall:
    base = {"base_url": "http://localhost:8000"} if kind == "openai_compatible" else {}
    settings = {"kind": kind, "model": "m-1", **base, **own}
    MODULES[kind].check(settings)
    request = Request(kind, settings, "Read «b»\n", fields, picture, repeat=2, item="s_0")
    call = MODULES[kind].call(request)
    assert call == MODULES[kind].call(request)
    json.dumps(call.body, allow_nan=False)
    return call


def test_openai() -> None:
    call = sent("openai")
    assert call.url == "https://api.openai.com/v1/responses"
    assert call.body == {
        "model": "m-1",
        "input": [
            {
                "role": "user",
                "content": [
                    {"type": "input_text", "text": "Read «b»\n"},
                    {
                        "type": "input_image",
                        "image_url": f"data:image/png;base64,{DATA}",
                        "detail": "auto",
                    },
                ],
            }
        ],
        "store": False,
        "max_output_tokens": 2048,
        "temperature": 0,
    }
    assert (call.key_variable, call.key_header) == ("OPENAI_API_KEY", ("authorization", "Bearer "))
    assert call.headers == {"content-type": "application/json"}
    assert call.sent == {"temperature": 0, "max_tokens": 2048, "detail": "auto"}
    asked = sent("openai", structured=True, thinking={"effort": "low"}, top_p=0.5).body
    assert asked["reasoning"] == {"effort": "low"} and asked["top_p"] == 0.5
    text = {"type": "json_schema", "name": "answer", "schema": SCHEMA, "strict": True}
    assert asked["text"] == {"format": text}


def test_openai_compatible() -> None:
    call = sent("openai_compatible")
    assert call.url == "http://localhost:8000/v1/chat/completions"
    picture = {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{DATA}"}}
    assert call.body == {
        "model": "m-1",
        "messages": [
            {"role": "user", "content": [{"type": "text", "text": "Read «b»\n"}, picture]}
        ],
        "max_tokens": 2048,
        "temperature": 0,
    }
    assert call.key_variable == ""
    call = sent(
        "openai_compatible",
        seed=7,
        detail="high",
        key="AZURE_API_KEY",
        key_header="api-key",
        structured=True,
        token_limit="max_completion_tokens",
        thinking={"effort": "high"},
    )
    picture["image_url"] |= {"detail": "high"}  # type: ignore[operator]
    assert call.body["messages"][0]["content"][1] == picture
    assert call.body["seed"] == 7 and call.body["reasoning_effort"] == "high"
    assert call.body["max_completion_tokens"] == 2048 and "max_tokens" not in call.body
    schema = {"name": "answer", "schema": SCHEMA, "strict": True}
    assert call.body["response_format"] == {"type": "json_schema", "json_schema": schema}
    assert (call.key_variable, call.key_header) == ("AZURE_API_KEY", ("api-key", ""))
    router = sent("openai_compatible", thinking={"max_tokens": 2000, "exclude": True})
    assert router.body["reasoning"] == {"max_tokens": 2000, "exclude": True}


def test_anthropic() -> None:
    call = sent("anthropic")
    assert call.url == "https://api.anthropic.com/v1/messages"
    source = {"type": "base64", "media_type": "image/png", "data": DATA}
    assert call.body == {
        "model": "m-1",
        "messages": [
            {
                "role": "user",
                "content": [
                    {"type": "image", "source": source},
                    {"type": "text", "text": "Read «b»\n"},
                ],
            }
        ],
        "max_tokens": 2048,
        "temperature": 0,
        "top_k": 1,
    }
    assert call.headers["anthropic-version"] == "2023-06-01"
    assert (call.key_variable, call.key_header) == ("ANTHROPIC_API_KEY", ("x-api-key", ""))
    call = sent("anthropic", thinking={"budget_tokens": 4096}, max_tokens=9000, structured=True)
    assert call.body["thinking"] == {"type": "enabled", "budget_tokens": 4096}
    assert call.body["output_config"] == {"format": {"type": "json_schema", "schema": SCHEMA}}
    call = sent("anthropic", thinking={"type": "adaptive", "effort": "low"})
    assert call.body["thinking"] == {"type": "adaptive"}
    assert call.body["output_config"] == {"effort": "low"}


def test_gemini() -> None:
    call = sent("gemini", key="GOOGLE_API_KEY")
    base = "https://generativelanguage.googleapis.com/v1beta"
    assert call.url == f"{base}/models/m-1:generateContent"
    picture = {"inlineData": {"mimeType": "image/png", "data": DATA}}
    assert call.body == {
        "contents": [{"role": "user", "parts": [picture, {"text": "Read «b»\n"}]}],
        "generationConfig": {"maxOutputTokens": 2048, "temperature": 0, "topK": 1},
    }
    assert (call.key_variable, call.key_header) == ("GOOGLE_API_KEY", ("x-goog-api-key", ""))
    call = sent(
        "gemini", structured=True, seed=3, detail="high", thinking={"thinkingBudget": 512},
        model="tunedModels/a b",
    )  # fmt: skip
    assert call.url == f"{base}/tunedModels/a%20b:generateContent"
    assert call.body["generationConfig"] == {
        "maxOutputTokens": 2048,
        "temperature": 0,
        "topK": 1,
        "seed": 3,
        "thinkingConfig": {"thinkingBudget": 512},
        "mediaResolution": "MEDIA_RESOLUTION_HIGH",
        "responseMimeType": "application/json",
        "responseJsonSchema": SCHEMA,
    }


@pytest.mark.parametrize("kind", MODULES)
def test_see_image_false_sends_no_picture_and_nothing_else_changes(kind: str) -> None:
    seeing, blind = json.dumps(sent(kind).body), json.dumps(sent(kind, see_image=False).body)
    assert DATA in seeing and DATA not in blind and "image" not in blind.lower()
    assert json.dumps(sent(kind, picture=None).body) == blind
    assert "Read" in blind and "detail" not in sent(kind, see_image=False).sent
    assert "system" not in seeing and "instructions" not in seeing


@pytest.mark.parametrize("kind", MODULES)
def test_what_is_left_out_is_recorded_and_not_sent(kind: str) -> None:
    call = sent(kind, leave_out=["temperature", "thinking", "structured", "top_k"], structured=True)
    assert set(call.left_out) - {"top_k"} == {"temperature", "structured"}
    assert ("top_k" in call.left_out) == (kind in ("anthropic", "gemini"))
    assert all(reason and "\n" not in reason for reason in call.left_out.values())
    body = json.dumps(call.body).lower()
    assert not any(word in body for word in ("temperature", "schema", "topk", "top_k"))
    assert "temperature" not in call.sent and call.sent["max_tokens"] == 2048
    assert (
        "temperature" in sent(kind, temperature=None).body
        or not sent(kind, temperature=None).left_out
    )


@pytest.mark.parametrize("kind", MODULES)
def test_extra_is_merged_in_and_recorded(kind: str) -> None:
    extra = {"generationConfig": {"stopSequences": ["."]}, "provider": {"only": ["azure"]}}
    call = sent(kind, extra=extra)
    assert call.body["provider"] == {"only": ["azure"]} and call.sent["extra"] == extra
    if kind == "gemini":
        assert call.body["generationConfig"]["topK"] == 1
        assert call.body["generationConfig"]["stopSequences"] == ["."]
    assert "extra" not in sent(kind).sent


def test_a_thinking_model_is_asked_as_the_table_says() -> None:
    call = sent(**effective({"kind": "anthropic", "model": "claude-opus-4-7"}))
    assert "temperature" not in call.body and "top_k" not in call.body
    assert set(call.left_out) == {"temperature", "top_k"}
    assert "https://" in call.left_out["top_k"]
    call = sent(**effective({"kind": "openai", "model": "o3"}))
    assert call.body["max_output_tokens"] == 16384 and "temperature" not in call.body


def test_an_item_without_fields_has_no_schema() -> None:
    call = sent("openai", fields=(), structured=True)
    assert "text" not in call.body and "no fields" in call.left_out["structured"]


@pytest.mark.parametrize("kind", MODULES)
def test_an_episodes_messages_follow_the_prompt(kind: str) -> None:
    said = [("user", "Draw"), ("assistant", "```bash\nls\n```"), ("user", "[exit code 0]")]
    messages = tuple({"role": role, "text": text} for role, text in said)
    base = {"base_url": "http://localhost:8000"} if kind == "openai_compatible" else {}
    settings = {"kind": kind, "model": "m-1", **base}
    one, several = (
        MODULES[kind].call(Request(kind, settings, "Draw", (), None, 1, messages=turns)).body
        for turns in ((), messages)
    )
    place = {"openai": "input", "gemini": "contents"}.get(kind, "messages")
    assert several[place][0] == one[place][0] and "Draw" in str(one[place][0])
    if kind == "gemini":
        assert several[place][1:] == [
            {"role": "model", "parts": [{"text": "```bash\nls\n```"}]},
            {"role": "user", "parts": [{"text": "[exit code 0]"}]},
        ]
    else:
        assert several[place][1:] == [
            {"role": "assistant", "content": "```bash\nls\n```"},
            {"role": "user", "content": "[exit code 0]"},
        ]
    assert {**several, place: 0} == {**one, place: 0}
