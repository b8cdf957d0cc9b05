"""One small call per model: what works, what was not accepted, and who answered.

The calls are real and paid (a few hundred tokens each), are counted against the budgets, and are
never kept: a check is to say how things stand now.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from plotchain_lib import models
from plotchain_lib.item import Request, Response
from plotchain_lib.query.attempt import Asked
from plotchain_lib.query.cache import Cache, call_key
from plotchain_lib.query.limits import Limits
from plotchain_lib.query.money import Terms
from plotchain_lib.query.remote import Remote

PROMPT = (
    "This is a test of the connection. The picture is plain white. Answer with one JSON object "
    'and nothing else: {"works": 1}'
)
# A check is for someone who waits in front of it.
_PATIENCE_S, _OUTAGE_S, _TIMEOUT_S = 20.0, 20.0, 60.0


@dataclass(frozen=True, slots=True)
class Checked:
    """How one model's call went."""

    label: str
    response: Response

    @property
    def works(self) -> bool:
        """Whether it answered."""
        return self.response.outcome == "answered"

    def line(self) -> str:
        """What a person is told."""
        response = self.response
        left_out: Mapping[str, str] = response.sent.get("left_out", {})
        notes = [f"not sent: {name} ({why})" for name, why in left_out.items()]
        if not self.works:
            return "; ".join([f"{self.label}: {response.outcome}: {response.reason}", *notes])
        facts = [f"answered by {response.served_model or 'an unnamed model'}"]
        if response.latency_s is not None:
            facts.append(f"{response.latency_s:.1f} s")
        if response.input_tokens is not None:
            facts.append(f"{response.input_tokens} + {response.output_tokens or 0} tokens")
        if response.cost_usd is not None:
            facts.append(f"${response.cost_usd:.4f}")
        if "works" not in response.text:
            facts.append("without the JSON it was asked for")
        return "; ".join([f"{self.label}: {', '.join(facts)}", *notes])


async def check(
    entries: Mapping[str, tuple[Mapping[str, Any], Mapping[str, Any]]],
    picture: bytes,
    folder: Path,
    cache: Cache,
) -> Sequence[Checked]:
    """Ask every provider model once, side by side.

    Args:
        entries: label to (settings, limits).
        picture: a small PNG.
        folder: the working folder, where a ``.env`` may lie.
        cache: for its log, its ledger and what was sent of late.
    """
    remote = Remote(cache)
    try:
        calls = (
            _ask(remote, label, settings, limits, picture, folder)
            for label, (settings, limits) in entries.items()
        )
        return await asyncio.gather(*calls)
    finally:
        await remote.close()


async def _ask(
    remote: Remote,
    label: str,
    settings: Mapping[str, Any],
    limits: Mapping[str, Any],
    picture: bytes,
    folder: Path,
) -> Checked:
    shown = None if settings.get("see_image") is False else picture
    # How long a call may last is no part of what is asked.
    settings = {**settings, "timeout_s": min(settings.get("timeout_s", _TIMEOUT_S), _TIMEOUT_S)}
    request = Request(settings["kind"], settings, PROMPT, ("works",), shown, 1, item="check")
    provider: Any = models.load(settings["kind"])
    call = provider.call(request)
    asked = Asked(call, call_key(request, call), label, folder)
    quick = {**limits, "patience_s": _PATIENCE_S, "outage_s": _OUTAGE_S}
    response = await remote.answer(
        provider, request, Limits.of(quick, "check"), asked, Terms.of(limits)
    )
    return Checked(label, response)
