"""A provider for tests: the smallest wire format that can go wrong in every way."""

import base64
import email.utils
import json
import time
from collections.abc import Mapping
from typing import Any

from plotchain_lib.item import Request, Response
from plotchain_lib.wire import Failure, HttpCall, HttpReply

sees_picture = True


def check(settings: Mapping[str, Any]) -> None:
    """Anything goes."""


def call(request: Request) -> HttpCall:
    """Prompt, picture and what the settings say."""
    settings = request.settings
    sent = {name: settings[name] for name in ("temperature", "max_tokens") if name in settings}
    left_out = {name: "not accepted" for name in settings.get("leave_out", ()) if sent.pop(name, 0)}
    body = {"model": settings.get("model", "tiny-1"), "prompt": request.prompt, **sent}
    if request.picture is not None:
        body["parts"] = [
            {"url": "data:image/png;base64," + base64.b64encode(request.picture).decode()}
        ]
    key = ("x-tiny-key", "Bearer ")
    return HttpCall(
        settings["base_url"] + "/ask", {}, body, settings.get("key", ""), key, sent, left_out
    )


def read(reply: HttpReply) -> Response | Failure:
    """An answer, or whose fault it is that there is none."""
    try:
        record = json.loads(reply.body)
    except ValueError:
        record = {}
    reason = (
        f"HTTP {reply.status} {record.get('error', reply.body[:200].decode('utf-8', 'replace'))}"
    )
    if reply.status == 429 and "quota" not in reason:
        return Failure("retry", reason, wait_s=_wait(reply.headers), limited=True)
    if reply.status in (401, 404, 429):
        return Failure("stop", reason)
    if reply.status == 400:
        return Failure("record", reason)
    if reply.status != 200 or "text" not in record:
        return Failure("retry", reason, wait_s=_wait(reply.headers))
    outcome = record.get("outcome", "answered")
    return Response(
        outcome, record["text"], "" if outcome == "answered" else "it said so",
        input_tokens=record.get("input"), output_tokens=record.get("output"),
        served_model="tiny-served", received={"echo": record.get("echo", "")},
    )  # fmt: skip


def _wait(headers: Mapping[str, str]) -> float | None:
    if "retry-after-ms" in headers:
        return float(headers["retry-after-ms"]) / 1000
    text = headers.get("retry-after", "")
    try:
        return float(text)
    except ValueError:
        moment = email.utils.parsedate_to_datetime(text) if "GMT" in text else None
        return None if moment is None else moment.timestamp() - time.time()
