"""What four providers take: every body is checked word by word, against what the APIs document."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

WIRES = ("openai", "openai_compatible", "anthropic", "gemini")
KEY_HEADERS = {
    "openai": ("authorization", "Bearer "),
    "openai_compatible": ("authorization", "Bearer "),
    "anthropic": ("x-api-key", ""),
    "gemini": ("x-goog-api-key", ""),
}
KEY_VARIABLES = {
    "openai": "OPENAI_API_KEY",
    "openai_compatible": "COMPATIBLE_API_KEY",
    "anthropic": "ANTHROPIC_API_KEY",
    "gemini": "GEMINI_API_KEY",
}
_DATA_URL = "data:image/png;base64,"
# Models that take no temperature, as `_providers/parameters.yaml` has them too.
_WITHOUT_TEMPERATURE = re.compile(r"claude-opus-5-5|gpt-5$")


class WrongRequestError(Exception):
    """What a provider would complain about, in one line."""


@dataclass(frozen=True)
class Question:
    """What was asked of whom. Two with the same key are the same question."""

    wire: str
    model: str
    prompt: str
    picture: bytes | None
    later: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        text = "\0".join((self.wire, self.model, self.prompt, *self.later)).encode()
        return hashlib.sha256(text + b"\0" + (self.picture or b"")).hexdigest()[:16]

    @property
    def fields(self) -> list[str]:
        """The field names that the prompt asks for."""
        return re.findall(r'"(\w+)": \.\.\.', self.prompt) or ["works"]


def need(condition: object, what: str) -> None:
    if not condition:
        raise WrongRequestError(what)


def keys(record: Any, required: Iterable[str], optional: Iterable[str] = ()) -> None:
    need(isinstance(record, dict), f"not an object: {record!r:.80}")
    missing, unknown = set(required) - set(record), set(record) - {*required, *optional}
    need(not missing, f"missing {sorted(missing)}")
    need(not unknown, f"unknown {sorted(unknown)}")


def png(text: Any) -> bytes:
    """The bytes of a whole PNG in strict base64."""
    need(isinstance(text, str), "the picture is no text")
    data = base64.b64decode(text, validate=True)
    need(data.startswith(b"\x89PNG\r\n\x1a\n") and data.endswith(b"IEND\xaeB`\x82"), "no whole PNG")
    return data


def decoding(
    record: Mapping[str, Any], model: str, ranges: Mapping[str, tuple[float, float]]
) -> None:
    """Every parameter that is there is a number in its range, and one the model takes."""
    for name, (least, most) in ranges.items():
        value = record.get(name)
        if name in record:
            number = isinstance(value, int | float) and not isinstance(value, bool)
            need(number and least <= value <= most, f"{name} is {value!r}")
            strange = name in ("temperature", "top_p", "top_k") and _WITHOUT_TEMPERATURE.match(
                model
            )
            need(not strange, f"{model} does not take {name}")


def schema(record: Any) -> None:
    """A schema of one object of numbers, strict as OpenAI wants it."""
    keys(record, {"type", "properties", "required", "additionalProperties"})
    need(record["type"] == "object" and record["additionalProperties"] is False, "no strict object")
    need(record["required"] == list(record["properties"]), "not all fields are required")


def turns(entries: Any, other: str = "assistant") -> tuple[dict[str, Any], tuple[str, ...]]:
    """The first message, and the texts of the later ones: the model's and the user's by turns."""
    need(isinstance(entries, list) and len(entries) % 2 == 1, "the last message is not the user's")
    roles = [entry.get("role") for entry in entries]
    need(roles == ["user", other] * (len(roles) // 2) + ["user"], "not by turns")
    message: dict[str, Any] = entries[0]
    later = []
    for entry in entries[1:]:
        text = entry.get("content")
        if other == "model":
            (part,) = entry["parts"]
            keys(part, {"text"})
            text = part["text"]
        keys(entry, {"role", "parts" if other == "model" else "content"})
        need(isinstance(text, str) and text.strip(), "an empty message")
        later.append(text)
    return message, tuple(later)


def split(
    parts: Any, is_text: Callable[[Any], bool]
) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The one text, and the others: one picture at most."""
    need(isinstance(parts, list) and 1 <= len(parts) <= 2, "not a text and at most a picture")
    texts = [part for part in parts if is_text(part)]
    need(len(texts) == 1, "not one text")
    return texts[0], [part for part in parts if not is_text(part)]


def openai(body: Any) -> Question:
    keys(body, {"model", "input", "store", "max_output_tokens"},
         {"temperature", "top_p", "reasoning", "text"})  # fmt: skip
    need(body["store"] is False, "it would be stored")
    decoding(
        body,
        body["model"],
        {"temperature": (0, 2), "top_p": (0, 1), "max_output_tokens": (16, 10**6)},
    )
    message, later = turns(body["input"])
    keys(message, {"role", "content"})
    text, pictures = split(message["content"], lambda part: part.get("type") == "input_text")
    keys(text, {"type", "text"})
    picture = None
    for part in pictures:
        keys(part, {"type", "image_url"}, {"detail"})
        need(part["type"] == "input_image", "no picture")
        need(part.get("detail", "auto") in ("low", "high", "auto", "original"), "detail")
        need(str(part["image_url"]).startswith(_DATA_URL), "no data URL")
        picture = png(part["image_url"].removeprefix(_DATA_URL))
    if "text" in body:
        keys(body["text"]["format"], {"type", "name", "schema", "strict"})
        schema(body["text"]["format"]["schema"])
    return Question("openai", body["model"], text["text"], picture, later)


def openai_compatible(body: Any) -> Question:
    keys(body, {"model", "messages", "max_tokens"},
         {"temperature", "top_p", "seed", "reasoning_effort", "response_format"})  # fmt: skip
    decoding(
        body, body["model"], {"temperature": (0, 2), "top_p": (0, 1), "max_tokens": (1, 10**6)}
    )
    message, later = turns(body["messages"])
    keys(message, {"role", "content"})
    text, pictures = split(message["content"], lambda part: part.get("type") == "text")
    keys(text, {"type", "text"})
    picture = None
    for part in pictures:
        keys(part, {"type", "image_url"})
        need(part["type"] == "image_url", "no picture")
        keys(part["image_url"], {"url"}, {"detail"})
        need(str(part["image_url"]["url"]).startswith(_DATA_URL), "no data URL")
        picture = png(part["image_url"]["url"].removeprefix(_DATA_URL))
    if "response_format" in body:
        keys(body["response_format"], {"type", "json_schema"})
        keys(body["response_format"]["json_schema"], {"name", "schema", "strict"})
        schema(body["response_format"]["json_schema"]["schema"])
    return Question("openai_compatible", body["model"], text["text"], picture, later)


def anthropic(body: Any) -> Question:
    keys(body, {"model", "messages", "max_tokens"},
         {"temperature", "top_p", "top_k", "thinking", "output_config"})  # fmt: skip
    decoding(body, body["model"],
             {"temperature": (0, 1), "top_p": (0, 1), "top_k": (1, 1000), "max_tokens": (1, 10**6)})  # fmt: skip
    message, later = turns(body["messages"])
    keys(message, {"role", "content"})
    text, pictures = split(message["content"], lambda part: part.get("type") == "text")
    keys(text, {"type", "text"})
    picture = None
    for part in pictures:
        keys(part, {"type", "source"})
        keys(part["source"], {"type", "media_type", "data"})
        need((part["type"], part["source"]["type"]) == ("image", "base64"), "no picture")
        need(part["source"]["media_type"] == "image/png", "no PNG")
        need(message["content"][0] is part, "the picture comes first")
        picture = png(part["source"]["data"])
    return Question("anthropic", body["model"], text["text"], picture, later)


def gemini(body: Any, model: str) -> Question:
    keys(body, {"contents", "generationConfig"})
    settings = body["generationConfig"]
    keys(settings, {"maxOutputTokens"},
         {"temperature", "topP", "topK", "seed", "thinkingConfig", "mediaResolution",
          "responseMimeType", "responseJsonSchema"})  # fmt: skip
    decoding(settings, model,
             {"temperature": (0, 2), "topP": (0, 1), "topK": (1, 1000), "maxOutputTokens": (1, 10**6)})  # fmt: skip
    message, later = turns(body["contents"], "model")
    keys(message, {"role", "parts"})
    text, pictures = split(message["parts"], lambda part: "text" in part)
    keys(text, {"text"})
    picture = None
    for part in pictures:
        keys(part, {"inlineData"})
        keys(part["inlineData"], {"mimeType", "data"})
        need(part["inlineData"]["mimeType"] == "image/png", "no PNG")
        picture = png(part["inlineData"]["data"])
    return Question("gemini", model, text["text"], picture, later)


def asked(path: str, headers: Mapping[str, str], body: Any, known: Mapping[str, str]) -> Question:
    """The question of a POST. `known`: the keys by wire. Raises WrongRequestError."""
    need(headers.get("content-type") == "application/json", "no JSON")
    generate = re.fullmatch(r"/v1beta/models/([\w.-]+):generateContent", path)
    readers = {"/v1/responses": openai, "/v1/chat/completions": openai_compatible,
               "/v1/messages": anthropic}  # fmt: skip
    need(generate or path in readers, f"nothing answers at {path}")
    question = gemini(body, generate[1]) if generate else readers[path](body)
    name, prefix = KEY_HEADERS[question.wire]
    key = known[question.wire]
    need(headers.get(name) == prefix + key, f"{name} does not hold the key")
    elsewhere = [other for other, value in headers.items() if key in value and other != name]
    need(not elsewhere and key not in path, "the key is where it does not belong")
    version = headers.get("anthropic-version", "")
    need(question.wire != "anthropic" or re.fullmatch(r"\d{4}-\d\d-\d\d", version), "no version")
    return question
