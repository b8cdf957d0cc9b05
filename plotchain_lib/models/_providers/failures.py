"""What to do about a reply that is no answer, judged from status, headers and body.

The providers' words differ but do not collide, so one table of them serves all four.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from plotchain_lib.models._providers.faults import Fault, fault_of, fault_within, unreadable
from plotchain_lib.models._providers.replies import json_object, one_line
from plotchain_lib.models._providers.waits import LONGEST_S, human, wait_of
from plotchain_lib.wire import Failure, HttpReply

_BLOCKED = re.compile(
    r"content_filter|content_policy|responsibleaipolicy|bio_policy|misalignment_policy|moderation"
    r"|prohibited_content|safety_violation|cyber_policy",
)
_SPENT = re.compile(
    r"insufficient_(quota|credits?|balance|funds)|credit_balance|(spend|usage)_limit|billing"
    r"|quota_exceeded_permanently|account_(deactivated|suspended)"
)
_SPENT_SAID = re.compile(
    r"credit balance is too low|reached your specified api usage limits|insufficient (credits|"
    r"balance|funds)|out of credits|check your billing|enable billing|billing (is )?(disabled|"
    r"not enabled|account)",
    re.IGNORECASE,
)
# The last is what LiteLLM's proxy, run without a database, says of a wrong key.
_KEY = re.compile(
    r"invalid_api_key|api_key_|authentication|unauthenticated|permission|key_expired"
    r"|no_db_connection"
)
_KEY_SAID = re.compile(
    r"\bapi[ _-]?key\b.{0,80}\b(invalid|not valid|expired|missing|required|not found|incorrect)|"
    r"\b(invalid|incorrect|missing|expired)\b.{0,20}\bapi[ _-]?key\b|organization has been "
    r"disabled|location is not supported",
    re.IGNORECASE,
)
_MODEL = re.compile(r"model_not_found|invalid_model|model_not_available|model_deprecated")
_MODEL_SAID = re.compile(
    r"\bmodels?\b.{0,120}\b(does not exist|not found|is not a valid model|not exist|is not "
    r"available|has been (shut down|retired|deprecated)|is not supported for generatecontent)|"
    r"\b(no such|unknown|invalid) model\b|not a valid model",
    re.IGNORECASE,
)
_DAILY = re.compile(r"per[\s_-]?day|\b[RT]PD\b|\bdaily\b", re.IGNORECASE)
_NEVER = re.compile(r"\blimit: 0(?![\d.])|request too large|too large for", re.IGNORECASE)
_BUSY = re.compile(r"overload|slow down|capacity|exhausted|too many", re.IGNORECASE)
_BLIND = re.compile(
    r"(image|vision|multimodal|multi-modal)[\w\s'\"`().-]{0,60}\b(not (supported|enabled|"
    r"available)|unsupported)|(does not|doesn't|do not|cannot) (support|accept|take|process) "
    r"(image|vision|multimodal)|not a (multimodal|vision) model|only supported by certain models|"
    r"missing data required for image|support image input",
    re.IGNORECASE,
)
# A provider's name of a parameter → the setting it comes from.
_SETTING = {
    "temperature": "temperature", "top_p": "top_p", "topp": "top_p", "top_k": "top_k",
    "topk": "top_k", "max_tokens": "max_tokens", "max_completion_tokens": "max_tokens",
    "max_output_tokens": "max_tokens", "maxoutputtokens": "max_tokens", "seed": "seed",
    "detail": "detail", "mediaresolution": "detail", "media_resolution": "detail",
    "response_format": "structured", "output_config": "structured", "json_schema": "structured",
    "responsejsonschema": "structured", "response_json_schema": "structured",
    "responsemimetype": "structured", "response_mime_type": "structured",
    "text.format": "structured", "output_format": "structured", "thinking": "thinking",
    "reasoning": "thinking", "reasoning_effort": "thinking", "effort": "thinking",
    "budget_tokens": "thinking", "thinking_budget": "thinking", "thinkingbudget": "thinking",
    "thinking_level": "thinking", "thinkinglevel": "thinking", "thinking_config": "thinking",
    "thinkingconfig": "thinking", "output_config.effort": "thinking",
}  # fmt: skip
# Words of plain English count as names only in quotes, before a colon, or as Google puts them.
_PLAIN = ("detail", "seed", "effort", "reasoning", "thinking")
_COMPOUND = sorted((name for name in _SETTING if name not in _PLAIN), key=len, reverse=True)
_NAMED = re.compile(
    rf"(?<![\w.])({'|'.join(map(re.escape, _COMPOUND))})(?!\w)"
    rf"|(?:^|[`'\"])({'|'.join(_PLAIN)})(?=[`'\":.])|\b(thinking) (?:level|budget|mode)",
    re.IGNORECASE,
)
_NOT_TAKEN = re.compile(
    r"support|deprecat|not permitted|unknown|unrecogni[sz]ed|invalid|must|cannot|can't|should|too "
    r"(large|small|long|high|low)|greater|less|exceed|not allowed|only|enabled|incompatible|"
    r"unexpected|maximum|minimum",
    re.IGNORECASE,
)
_UNKNOWN = re.compile(
    r"unsupported|unknown|unrecogni[sz]ed|extra|not permitted|not supported|unexpected",
    re.IGNORECASE,
)
# Where a fault lies in what differs from call to call, not in what all calls share.
_OF_THIS_CALL = ("input", "messages", "contents", "prompt", "image", "image_url")


def opened(reply: HttpReply) -> Mapping[str, Any] | Failure:
    """The body of a reply that may be an answer, or what to do about one that is none."""
    body = json_object(reply.body)
    fault = fault_of(reply, body)
    if fault is not None:
        return judge(fault)
    return body if body is not None else no_reply(reply, "the reply is no JSON object")


def no_reply(reply: HttpReply, why: str) -> Failure:
    """What to do about a complete reply that is not what the provider promises."""
    return judge(unreadable(reply, why))


def failed_within(reply: HttpReply, error: Any) -> Failure:
    """What to do about an error deeper inside a successful reply."""
    return judge(fault_within(reply, error))


def judge(fault: Fault) -> Failure:
    """Retry, stop or record."""
    if fault.status == 0:
        return Failure("retry", fault.message)
    if _BLOCKED.search(fault.words) or (
        "invalid_prompt" in fault.words and "policy" in fault.message.lower()
    ):
        return Failure("record", f"blocked by the provider ({fault.line})", "blocked")
    for stopped in (_spent, _denied, _sightless, _unknown):
        if line := stopped(fault):
            return Failure("stop", line)
    if fault.status in (408, 409, 425, 429, 499) or fault.status >= 500:
        return _again(fault)
    if fault.headers.get("x-should-retry", "").strip().lower() == "true":
        return _again(fault)
    if fault.status in (400, 413, 422):
        return _refused(fault)
    return Failure(
        "stop", f"the provider does not take requests here ({fault.line}); check base_url"
    )


def _spent(fault: Fault) -> str:
    if (
        fault.status == 402
        or _SPENT.search(fault.words)
        or (fault.status in (400, 403, 429) and _SPENT_SAID.search(fault.message))
    ):
        return (
            f"the account's money or quota is used up ({fault.line}); top it up or raise its limit"
        )
    if fault.status in (429, 503) and _DAILY.search(f"{fault.words} {fault.message}"):
        return f"a daily quota is used up ({fault.line}); run again when it starts afresh"
    if fault.status == 429 and _NEVER.search(fault.message):
        return f"the account's limits do not allow this model or request ({fault.line}); raise them"
    return ""


def _denied(fault: Fault) -> str:
    by_words = fault.status < 500 and fault.status != 429 and _KEY.search(fault.words)
    if (
        fault.status in (401, 403, 407)
        or by_words
        or (fault.status == 400 and _KEY_SAID.search(fault.message))
    ):
        return f"access denied ({fault.line}); check the key in its environment variable"
    return ""


def _unknown(fault: Fault) -> str:
    by_words = _MODEL.search(fault.words) or fault.parameter == "model"
    by_message = fault.status in (400, 404, 410, 422) and _MODEL_SAID.search(fault.message)
    if fault.status < 500 and fault.status != 429 and (by_words or by_message):
        return f"the provider knows no such model ({fault.line}); correct 'model'"
    # LM Studio says so in a 200.
    if fault.status in (404, 405, 410) or "unexpected endpoint" in fault.message.lower():
        return f"nothing answers at this address ({fault.line}); check model, base_url, extra"
    return ""


def _sightless(fault: Fault) -> str:
    if (fault.status in (400, 404, 415, 422) or fault.status == 500) and _BLIND.search(
        fault.message
    ):
        return f"the model takes no pictures ({fault.line}); set see_image: false or another model"
    return ""


def _again(fault: Fault) -> Failure:
    """Retry, unless the provider says that waiting is in vain or asks for too long a wait."""
    busy = fault.status == 503 and _BUSY.search(f"{fault.words} {fault.message}")
    limited = fault.status in (429, 529) or bool(busy)
    wait_s = wait_of(fault.headers, fault.message, fault.details)
    if wait_s is not None and wait_s > LONGEST_S:
        return Failure(
            "stop", f"the provider asks to wait {human(wait_s)} ({fault.line}); run again then"
        )
    if fault.status == 429 and fault.headers.get("x-should-retry", "").strip().lower() == "false":
        return Failure("stop", f"the provider says not to try again ({fault.line}); see its limits")
    return Failure("retry", fault.line, wait_s=wait_s, limited=limited)


def _refused(fault: Fault) -> Failure:
    """A request that is wrong: by a parameter that all calls share, or by itself."""
    wire, setting = _shared_parameter(fault)
    if not wire:
        return Failure("record", f"rejected ({fault.line})", "rejected")
    mend = f"add {setting} to leave_out, or change it" if setting else "mend it in extra"
    if "max_completion_tokens" in f"{wire} {fault.message}":
        mend += ", or set token_limit to the server's name for it"
    return Failure("stop", f"the model does not take '{wire}' ({fault.line}); {mend}")


def _shared_parameter(fault: Fault) -> tuple[str, str]:
    """The parameter at fault by the provider's name, and the setting behind it; empty: none."""
    if named := one_line(fault.parameter):
        pieces = named.lower().split(".")
        root = re.split(r"[\[.]", named)[0]
        if root in _OF_THIS_CALL or root.startswith("input"):
            return "", ""
        for name in (".".join(pieces), ".".join(pieces[:2]), pieces[-1], pieces[0]):
            if name in _SETTING:
                return named, _SETTING[name]
        # Of a name that is none of ours only this is certain to hold for all calls.
        return (named, "") if _UNKNOWN.search(f"{fault.words} {fault.message}") else ("", "")
    if re.match(rf"({'|'.join(_OF_THIS_CALL)})\b", fault.message):
        return "", ""
    match = _NAMED.search(fault.message)
    if match and _NOT_TAKEN.search(fault.message):
        name = match[match.lastindex or 0]
        return name, _SETTING[name.lower()]
    return "", ""
