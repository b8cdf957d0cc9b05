"""Failures of the four providers, as they come, and what is done about each."""

from __future__ import annotations

import json
from typing import Any

import pytest

from plotchain_lib.models import anthropic, gemini, openai, openai_compatible
from plotchain_lib.models._providers.replies import one_line
from plotchain_lib.wire import Failure, HttpReply, Provider

MODULES: dict[str, Provider] = {
    "openai": openai,
    "compatible": openai_compatible,
    "anthropic": anthropic,
    "gemini": gemini,
}


def failure(kind: str, status: int, body: Any, headers: dict[str, str] | None = None) -> Failure:
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    found = MODULES[kind].read(HttpReply(status, headers or {}, content))
    assert isinstance(found, Failure), found
    assert "\n" not in found.reason and len(found.reason) < 500
    return found


def of_openai(message: str, code: str | None = None, param: str | None = None, **more: Any) -> Any:
    error = {"message": message, "type": "invalid_request_error", "param": param, "code": code}
    return {"error": error | more}


def of_anthropic(kind: str, message: str, **more: Any) -> Any:
    error = {"type": kind, "message": message, **more}
    return {"type": "error", "error": error, "request_id": "req_1"}


def of_gemini(code: int, status: str, message: str, *details: Any) -> Any:
    return {"error": {"code": code, "status": status, "message": message, "details": list(details)}}


TPM = "Rate limit reached for gpt-x on tokens per min (TPM): Limit 30000. Please try again in 6.2s."
RPD = (
    "Rate limit reached for gpt-x on requests per day (RPD): Limit 200. Please try again in 7m12s."
)
LARGE = "Request too large for gpt-x on tokens per min (TPM): Limit 100, Requested 900."
OPENAI: list[tuple[int, Any, dict[str, str], str, str]] = [
    (429, of_openai(TPM, "rate_limit_exceeded"), {}, "retry 6.2", "Rate limit reached"),
    (429, of_openai(TPM, "rate_limit_exceeded"), {"retry-after": "20"}, "retry 20", ""),
    (429, of_openai("slow", "rate_limit_exceeded"), {"retry-after-ms": "250"}, "retry 0.25", ""),
    (429, of_openai("slow", "x"), {"retry-after": "7200"}, "stop", "asks to wait 2 h 0 min"),
    (429, of_openai("slow", "x"), {"x-should-retry": "false"}, "stop", "not to try again"),
    (429, of_openai(RPD, "rate_limit_exceeded"), {}, "stop", "daily quota"),
    (429, of_openai(LARGE, "rate_limit_exceeded"), {}, "stop", "limits do not allow"),
    (429, of_openai("You exceeded …", "insufficient_quota"), {}, "stop", "money or quota"),
    (429, of_openai("…", "credit_balance_exhausted"), {}, "stop", "top it up"),
    (429, of_openai("…", "organization_spend_limit_exceeded"), {}, "stop", "money or quota"),
    (429, of_openai("…", "project_spend_limit_exceeded"), {}, "stop", "money or quota"),
    (429, of_openai("…", "organization_usage_limit_exceeded"), {}, "stop", "money or quota"),
    (401, of_openai("Incorrect API key provided: sk-a**z", "invalid_api_key"), {}, "stop", "check the key"),
    (403, of_openai("Country not supported", "unsupported_country"), {}, "stop", "access denied"),
    (404, of_openai("The model `x` does not exist", "model_not_found"), {}, "stop", "correct 'model'"),
    (400, of_openai("The requested model 'x' does not exist.", "model_not_found", "model"), {},
     "stop", "correct 'model'"),
    (400, of_openai("Unsupported value: 'temperature' does not support 0 with this model.",
                    "unsupported_value", "temperature"), {}, "stop", "add temperature to leave_out"),
    (400, of_openai("Unsupported value: 'minimal' is not supported", "unsupported_value",
                    "reasoning.effort"), {}, "stop", "'reasoning.effort'"),
    (400, of_openai("max_output_tokens is too large", "integer_above_max_value",
                    "max_output_tokens"), {}, "stop", "add max_tokens to leave_out, or change it"),
    (400, of_openai("Invalid schema for response_format", "invalid_json_schema", "text.format.schema"),
     {}, "stop", "add structured to leave_out"),
    (400, of_openai("Unknown parameter: 'foo'.", "unknown_parameter", "foo"), {}, "stop", "in extra"),
    (400, of_openai("Invalid image data", "invalid_image", "input[0].content[1]"), {}, "rejected", ""),
    (400, of_openai("Your input exceeds the context window", "context_length_exceeded", "input"),
     {}, "rejected", "context window"),
    (400, of_openai("Invalid prompt: flagged as violating our usage policy.", "invalid_prompt"),
     {}, "blocked", "usage policy"),
    (400, of_openai("Rejected by the safety system.", "content_policy_violation"), {}, "blocked", ""),
    (413, b"<html><head><title>413 Too Large</title></head></html>", {}, "rejected", "413 Too Large"),
    (500, of_openai("The server had an error", None, type="server_error"), {}, "retry", "HTTP 500"),
    (503, of_openai("Slow down"), {}, "retry limited", ""),
    (502, b"<html><title>Bad gateway</title>", {}, "retry", "Bad gateway"),
    (520, b"", {}, "retry", "no message"),
    (408, b"", {}, "retry", ""),
    (409, of_openai("conflict"), {}, "retry", ""),
    (400, of_openai("busy"), {"x-should-retry": "true"}, "retry", ""),
    (301, b"", {}, "stop", "check base_url"),
    (405, b"", {}, "stop", "nothing answers at this address"),
    (200, {"status": "failed", "error": {"code": "server_error", "message": "m"}}, {}, "retry", "500"),
    (200, {"status": "failed", "error": {"code": "rate_limit_exceeded", "message": "m"}}, {},
     "retry limited", "429"),
    (200, {"status": "failed", "error": {"code": "image_too_large", "message": "m"}}, {}, "rejected", ""),
    (200, {"status": "failed", "error": {"code": "invalid_image", "message": "m"}}, {}, "rejected", ""),
    (200, {"status": "failed", "error": {"code": "image_content_policy_violation", "message": "m"}},
     {}, "blocked", ""),
    (200, {"status": "failed", "error": {"code": "bio_policy", "message": "m"}}, {}, "blocked", ""),
    (200, {"status": "failed", "error": {"code": "new_one", "message": "m"}}, {}, "retry", "500"),
    (200, {"status": "failed", "error": None, "output": []}, {}, "retry", ""),
]  # fmt: skip

COMPATIBLE: list[tuple[int, Any, dict[str, str], str, str]] = [
    (200, {"error": {"code": 429, "message": "Provider returned error", "metadata": {
        "raw": "m is temporarily rate-limited upstream", "provider_name": "B"}}}, {},
     "retry limited", "temporarily rate-limited upstream"),
    (200, {"error": {"code": 502, "message": "Provider returned error"}}, {}, "retry", "502"),
    (200, {"error": {"code": "402", "message": "Insufficient credits"}}, {}, "stop", "money"),
    (200, {"error": {"message": "odd"}}, {}, "retry", "odd"),
    (400, {"error": {"message": "No connected db.", "type": "no_db_connection", "code": "400"}}, {},
     "stop", "check the key"),
    (200, {"error": "odd"}, {}, "retry", "odd"),
    (200, {"error": 5}, {}, "retry", ""),
    (200, {"error": {"code": "9" * 5000, "message": "m"}}, {}, "retry", ""),
    (200, {"error": "Unexpected endpoint or method. (POST /chat)"}, {}, "stop", "base_url"),
    (200, {"choices": [{"finish_reason": "error", "error": {"code": 503, "message": "overloaded"},
                        "message": {"content": "4"}}]}, {}, "retry limited", "overloaded"),
    (200, {"choices": [{"finish_reason": "error", "message": {"content": "4"}}]}, {}, "retry", ""),
    (200, {"choices": [{"finish_reason": "stop", "message": {"content": 4}}]}, {}, "retry", "no text"),
    (402, {"error": {"code": 402, "message": "Insufficient credits"}}, {}, "stop", "top it up"),
    (403, {"error": {"code": 403, "message": "flagged", "metadata": {"reasons": ["violence"]}}}, {},
     "blocked", "flagged"),
    (429, {"error": {"code": 429, "message": "Rate limit exceeded: free-models-per-day"}}, {},
     "stop", "daily quota"),
    (429, {"error": {"code": 429, "message": "m"}},
     {"x-ratelimit-reset-requests": "6m0s", "x-ratelimit-remaining-requests": "0"}, "retry 360", ""),
    (429, {"error": {"message": "Requests have exceeded the rate limit. Please retry after 26 seconds."}},
     {}, "retry 26", ""),
    (404, {"error": {"code": 404, "message": "No endpoints found that support image input"}}, {},
     "stop", "takes no pictures"),
    (404, {"error": {"code": 404, "message": "No endpoints found for x"}}, {}, "stop", "extra"),
    (404, {"object": "error", "message": "The model `x` does not exist.", "code": 404}, {},
     "stop", "correct 'model'"),
    (404, {"error": {"message": "model 'x' not found", "type": "not_found_error"}}, {}, "stop", "'model'"),
    (404, {"detail": "Not Found"}, {}, "stop", "check model, base_url"),
    (404, b"404 page not found", {}, "stop", "404 page not found"),
    (400, of_openai("Unsupported parameter: 'max_tokens' is not supported with this model. Use "
                    "'max_completion_tokens' instead.", "unsupported_parameter", "max_tokens"), {},
     "stop", "token_limit"),
    (422, {"detail": [{"type": "extra_forbidden", "loc": ["body", "max_completion_tokens"],
                       "msg": "Extra inputs are not permitted"}]}, {}, "stop", "token_limit"),
    (400, {"error": {"message": "This model's maximum context length is 8192 tokens.",
                     "type": "BadRequestError", "param": "input_tokens", "code": 400}}, {},
     "rejected", "maximum context length"),
    (400, {"error": {"message": "/w/x is not a multimodal model None", "type": "BadRequestError",
                     "param": None, "code": 400}}, {}, "stop", "takes no pictures"),
    (500, {"error": {"code": 500, "message": "image input is not supported - hint: mmproj",
                     "type": "server_error"}}, {}, "stop", "see_image: false"),
    (400, {"error": {"message": "the prompt is odd", "type": "None", "param": "None", "code": "400"}},
     {}, "rejected", "the prompt is odd"),
    (400, {"error": {"message": "The response was filtered", "code": "content_filter", "status": 400,
                     "innererror": {"code": "ResponsibleAIPolicyViolation"}}}, {}, "blocked", ""),
    (401, {"error": {"code": "401", "message": "Access denied due to invalid subscription key"}}, {},
     "stop", "check the key"),
    (425, b"", {}, "retry", ""),
    (451, b"", {}, "stop", "HTTP 451"),
    (503, b"no healthy upstream", {}, "retry", "no healthy upstream"),
]  # fmt: skip

LOW = "Your credit balance is too low to access the Anthropic API."
ANTHROPIC: list[tuple[int, Any, dict[str, str], str, str]] = [
    (429, of_anthropic("rate_limit_error", "This request would exceed …"), {"retry-after": "31"},
     "retry 31", ""),
    (429, of_anthropic("rate_limit_error", "…"),
     {"date": "Mon, 30 Nov 2026 12:00:00 GMT",
      "anthropic-ratelimit-requests-remaining": "0",
      "anthropic-ratelimit-requests-reset": "2026-11-30T12:00:42Z"}, "retry 42", ""),
    (429, of_anthropic("rate_limit_error", "…", details={"error_code": "enforced_spend_limit_reached"}),
     {}, "stop", "money or quota"),
    (429, of_anthropic("rate_limit_error", "…", details={"error_code": "ramp_limit_exceeded"}),
     {"retry-after": "60"}, "retry 60", ""),
    (529, of_anthropic("overloaded_error", "Overloaded"), {"x-should-retry": "true"},
     "retry limited", "HTTP 529: Overloaded"),
    (500, of_anthropic("api_error", "Internal server error"), {}, "retry", ""),
    (504, of_anthropic("timeout_error", "…"), {}, "retry", ""),
    (401, of_anthropic("authentication_error", "invalid x-api-key"), {}, "stop", "check the key"),
    (403, of_anthropic("permission_error", "…"), {}, "stop", "access denied"),
    (402, of_anthropic("billing_error", "…"), {}, "stop", "money or quota"),
    (400, of_anthropic("invalid_request_error", LOW), {}, "stop", "credit balance is too low"),
    (400, of_anthropic("invalid_request_error", "You have reached your specified API usage limits. "
                       "You will regain access on 2026-12-01 at 00:00 UTC."), {}, "stop", "regain"),
    (400, of_anthropic("invalid_request_error", "This organization has been disabled."), {}, "stop", ""),
    (404, of_anthropic("not_found_error", "model: claude-x"), {}, "stop", "model: claude-x"),
    (400, of_anthropic("invalid_request_error", "`temperature` is deprecated for this model."), {},
     "stop", "add temperature to leave_out"),
    (400, of_anthropic("invalid_request_error", "temperature: Extra inputs are not permitted"), {},
     "stop", "add temperature to leave_out"),
    (400, of_anthropic("invalid_request_error", "top_k: must be unset when thinking is enabled"), {},
     "stop", "top_k"),
    (400, of_anthropic("invalid_request_error", "max_tokens: 300000 > 64000, which is the maximum"),
     {}, "stop", "add max_tokens to leave_out, or change it"),
    (400, of_anthropic("invalid_request_error",
                       '"thinking.type.enabled" is not supported for this model.'), {}, "stop", "thinking"),
    (400, of_anthropic("invalid_request_error", "messages.0.content.0.image.source.base64: image "
                       "exceeds 5 MB maximum: 6 bytes > 5 bytes"), {}, "rejected", "5 MB"),
    (400, of_anthropic("invalid_request_error", "Could not process image"), {}, "rejected", ""),
    (400, of_anthropic("invalid_request_error", "Invalid image; see the docs for detail, reasoning "
                       "and thinking"), {}, "rejected", ""),
    (400, of_anthropic("invalid_request_error", "prompt is too long: 3 tokens > 2 maximum"), {},
     "rejected", ""),
    (413, of_anthropic("request_too_large", "Request exceeds the maximum size"), {}, "rejected", ""),
    (200, of_anthropic("overloaded_error", "Overloaded"), {}, "retry limited", "529"),
    (200, of_anthropic("authentication_error", "…"), {}, "stop", ""),
    (200, {"type": "error", "message": "odd"}, {}, "retry", "odd"),
]  # fmt: skip

VIOLATION = {
    "@type": "type.googleapis.com/google.rpc.QuotaFailure",
    "violations": [{"quotaId": "GenerateRequestsPerDayPerProjectPerModel-FreeTier"}],
}
A_MINUTE = {"violations": [{"quotaId": "GenerateRequestsPerMinutePerProjectPerModel"}]}
INFO = {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "38s"}
QUOTA = "You exceeded your current quota, please check your plan and billing details."
GEMINI: list[tuple[int, Any, dict[str, str], str, str]] = [
    (429, of_gemini(429, "RESOURCE_EXHAUSTED", QUOTA, A_MINUTE, INFO), {}, "retry 38", "HTTP 429"),
    (429, of_gemini(429, "RESOURCE_EXHAUSTED", QUOTA, VIOLATION, INFO), {}, "stop", "daily quota"),
    (429, of_gemini(429, "RESOURCE_EXHAUSTED", f"{QUOTA} limit: 0, model: x"), {}, "stop", "limits"),
    (429, of_gemini(429, "RESOURCE_EXHAUSTED", f"{QUOTA}\nPlease retry in 10h17m5.7s."), {},
     "stop", "asks to wait 10 h 18 min"),
    (429, [of_gemini(429, "RESOURCE_EXHAUSTED", f"{QUOTA}\nPlease retry in 6.5s.")], {}, "retry 6.5", ""),
    (503, of_gemini(503, "UNAVAILABLE", "The model is overloaded."), {}, "retry limited", ""),
    (503, of_gemini(503, "RESOURCE_EXHAUSTED", "…"), {}, "retry limited", ""),
    (500, of_gemini(500, "INTERNAL", "An internal error has occurred."), {}, "retry", ""),
    (504, of_gemini(504, "DEADLINE_EXCEEDED", "…"), {}, "retry", ""),
    (400, of_gemini(400, "INVALID_ARGUMENT", "API key not valid. Please pass a valid API key.",
                    {"reason": "API_KEY_INVALID"}), {}, "stop", "check the key"),
    (400, of_gemini(400, "INVALID_ARGUMENT", "API Key not found."), {}, "stop", "check the key"),
    (400, of_gemini(400, "FAILED_PRECONDITION", "User location is not supported"), {}, "stop", ""),
    (403, of_gemini(403, "PERMISSION_DENIED", "…"), {}, "stop", "access denied"),
    (404, of_gemini(404, "NOT_FOUND", "models/x is not found for API version v1beta, or is not "
                    "supported for generateContent."), {}, "stop", "correct 'model'"),
    (400, of_gemini(400, "INVALID_ARGUMENT", "* GenerateContentRequest.generation_config.top_k: top_k "
                    "must be positive", {"fieldViolations": [{"field": "generation_config.top_k"}]}),
     {}, "stop", "add top_k to leave_out"),
    (400, of_gemini(400, "INVALID_ARGUMENT", "Thinking level is not supported for this model."), {},
     "stop", "add thinking to leave_out"),
    (400, of_gemini(400, "INVALID_ARGUMENT", 'Unknown name "topQ" at \'generation_config\'',
                    {"fieldViolations": [{"field": "generation_config"}]}), {}, "stop", "in extra"),
    (400, of_gemini(400, "INVALID_ARGUMENT", "Image input modality is not enabled for models/x"), {},
     "stop", "takes no pictures"),
    (400, of_gemini(400, "INVALID_ARGUMENT", "Unable to process input image."), {}, "rejected", ""),
    (200, of_gemini(503, "UNAVAILABLE", "…"), {}, "retry", ""),
]  # fmt: skip
TABLES = zip(MODULES, (OPENAI, COMPATIBLE, ANTHROPIC, GEMINI), strict=True)
ALL = [(kind, *row) for kind, rows in TABLES for row in rows]


@pytest.mark.parametrize(
    ("kind", "status", "body", "headers", "done", "told"),
    ALL,
    ids=[f"{row[0]}-{row[1]}-{number}" for number, row in enumerate(ALL)],
)
def test_what_is_done(
    kind: str, status: int, body: Any, headers: dict[str, str], done: str, told: str
) -> None:
    found = failure(kind, status, body, headers)
    action, _, rest = done.partition(" ")
    if action in ("retry", "stop"):
        assert found.action == action, found
        assert found.wait_s == (
            pytest.approx(float(rest)) if rest.replace(".", "").isdigit() else None
        )
        assert found.limited == (bool(rest) or (action == "retry" and status == 429))
    else:
        assert (found.action, found.outcome) == ("record", action), found
    assert told in found.reason


KEYS = [
    "sk-proj-abcDEF123456", "sk-ant-api03-xyz_123-ABC", "sk-or-v1-0123456789abcdef",
    "AIzaSyA1234567890abcdefg", "AQ.Ab8RN6Jabcdefgh", "gsk_abcdefgh12345678", "hf_abcdEFGH1234",
    "0123456789abcdef0123456789abcdef", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIi.abc-def",
]  # fmt: skip


@pytest.mark.parametrize("key", KEYS)
def test_no_key_gets_into_a_reason(key: str) -> None:
    messages = [
        f"Incorrect API key provided: {key}. You can find yours at …",
        f"bad header\nAuthorization: Bearer {key}",
        f"GET https://x/v1?key={key}&alt=json failed",
        "x" * 290 + f" {key}",
        "word " * 795 + key,
    ]
    for kind in MODULES:
        for status in (200, 400, 401, 429, 500):
            for message in messages:
                found = failure(kind, status, {"error": {"message": message, "code": message}})
                assert key[:12] not in found.reason and key[4:16] not in found.reason
    assert key not in failure("openai", 500, f"<title>{key}</title>".encode()).reason


def test_a_message_is_one_short_line_and_keeps_its_words() -> None:
    assert one_line("a\r\n b\t c\u2028d\x00\x1b[31m") == "a b c d[31m"
    assert len(one_line("long " * 900)) == 300 and one_line(None) == "" == one_line({"a": 1})
    plain = "model claude-sonnet-4-5-20250929 of task-based desk gpt-5-mini-2025-08-07: id 7b1e-4c"
    assert one_line(plain) == plain
    assert one_line("token=abcd1234 rest") == "token=[key?] rest"
