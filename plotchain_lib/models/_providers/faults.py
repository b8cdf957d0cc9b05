"""What a reply says went wrong, read into one form from any of the providers' error bodies."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from plotchain_lib.models._providers.replies import entries, mapping, one_line, text
from plotchain_lib.wire import HttpReply

# The HTTP status that a provider's word stands for, where an error comes inside a 200.
_STATUS = {
    "invalid_request_error": 400, "invalid_argument": 400, "failed_precondition": 400,
    "out_of_range": 400, "authentication_error": 401, "unauthenticated": 401,
    "invalid_api_key": 401, "billing_error": 402, "permission_error": 403,
    "permission_denied": 403, "data_residency_mismatch": 403, "not_found_error": 404,
    "not_found": 404, "model_not_found": 404, "conflict_error": 409, "aborted": 409,
    "request_too_large": 413, "rate_limit_error": 429, "rate_limit_exceeded": 429,
    "resource_exhausted": 429, "cancelled": 499, "api_error": 500, "server_error": 500,
    "internal": 500, "unavailable": 503, "timeout_error": 504, "deadline_exceeded": 504,
    "vector_store_timeout": 504, "overloaded_error": 529, "invalid_prompt": 400,
    "invalid_image": 400, "invalid_image_format": 400, "invalid_base64_image": 400,
    "invalid_image_url": 400, "image_too_large": 400, "image_too_small": 400,
    "image_parse_error": 400, "invalid_image_mode": 400, "image_file_too_large": 400,
    "unsupported_image_media_type": 400, "empty_image_file": 400,
    "failed_to_download_image": 400, "image_file_not_found": 400,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Fault:
    """What went wrong, in one form for all providers.

    Attributes:
        status: the HTTP status, or the one that an error inside a 200 stands for; 0 for a body
            that is no reply.
        words: the provider's codes, types and reasons in lower case, separated by spaces.
        message: the provider's message as it came, cut.
        parameter: the parameter the provider says is at fault, by its own name.
        details: more of the provider's error, as it came.
        headers: the reply's.
    """

    status: int
    words: str
    message: str
    parameter: str
    details: Any
    headers: Mapping[str, str]

    @property
    def line(self) -> str:
        """Status and message in one line."""
        status = f"HTTP {self.status}" if self.status else "no reply"
        return f"{status}: {one_line(self.message) or one_line(self.words) or 'no message'}"


def fault_of(reply: HttpReply, body: Mapping[str, Any] | None) -> Fault | None:
    """What a reply says went wrong; None where it may be an answer."""
    succeeded = 200 <= reply.status < 300
    if body is None:
        if succeeded:
            kind = one_line(reply.headers.get("content-type", "")) or "no content type"
            return unreadable(reply, f"the reply is no JSON object ({kind})")
        return Fault(reply.status, "", _plain(reply), "", (), reply.headers)
    error = body.get("error")
    if succeeded and not error and body.get("type") != "error":
        return None
    return _fault(reply, error if error else body, succeeded)


def unreadable(reply: HttpReply, why: str) -> Fault:
    """The fault of a complete reply that is not what the provider promises."""
    return Fault(0, "", why, "", (), reply.headers)


def fault_within(reply: HttpReply, error: Any) -> Fault:
    """The fault of an error object found deeper inside a successful reply."""
    return _fault(reply, error, succeeded=True)


def _fault(reply: HttpReply, error: Any, succeeded: bool) -> Fault:
    """Read an error object of any of the four providers, or of the servers that speak alike."""
    given = mapping(error)
    metadata, inner = mapping(given.get("metadata")), mapping(given.get("innererror"))
    details = given.get("details")
    code = given.get("code")
    words = [
        code, given.get("type"), given.get("status"), inner.get("code"),
        mapping(details).get("error_code"),
        *(name for entry in entries(details) for name in _google_words(entry)),
        "moderation" if metadata.get("reasons") or metadata.get("flagged_input") else "",
    ]  # fmt: skip
    spoken = " ".join(word.lower() for word in map(text, words) if word not in ("None", "null"))
    said = [
        given.get("message"), metadata.get("raw"), given.get("detail"), given.get("reason"), error,
    ]  # fmt: skip
    message = ": ".join(part for part in map(text, said) if part.strip())
    place = _place(given)
    if place and not message:
        message = text(place.get("msg"))
    return Fault(
        status=_status(code, spoken) if succeeded else reply.status,
        words=spoken[:2000],
        message=message[:2000] or ("" if given else _plain(reply)),
        parameter=_parameter(given, place, details),
        details=details,
        headers=reply.headers,
    )


def _status(code: Any, words: str) -> int:
    """The status an error inside a 200 stands for; an unknown one may pass, as a 500 may."""
    number = int(code) if isinstance(code, str) and re.fullmatch(r"[0-9]{3}", code) else code
    if type(number) is int and 400 <= number < 600:
        return number
    return next((_STATUS[word] for word in words.split() if word in _STATUS), 500)


def _google_words(entry: Mapping[str, Any]) -> Iterator[Any]:
    yield entry.get("reason")
    for violation in entries(entry.get("violations")):
        yield violation.get("quotaId")


def _place(given: Mapping[str, Any]) -> Mapping[str, Any]:
    """The first complaint of a server that checks bodies with pydantic (vLLM, Mistral, …)."""
    found = entries(given.get("detail"))
    return found[0] if found else {}


def _parameter(given: Mapping[str, Any], place: Mapping[str, Any], details: Any) -> str:
    named = text(given.get("param"))
    if named and named not in ("None", "null"):
        return named
    location = place.get("loc")
    if isinstance(location, list):
        return ".".join(str(part) for part in location if part != "body")[:200]
    for entry in entries(details):
        for violation in entries(entry.get("fieldViolations")):
            if field := text(violation.get("field")):
                return field.removeprefix("generation_config.")
    return ""


def _plain(reply: HttpReply) -> str:
    """What a body that is no JSON says: a page's title, or its first words."""
    body = reply.body[:20000].decode("utf-8", "replace")
    title = re.search(r"<title[^>]*>([^<]{0,300})", body, re.IGNORECASE)
    return (title[1] if title else re.sub(r"<[^<>]{0,500}>", " ", body))[:2000]
