"""The tries of one call: each through the gate, over the wire, and to a result."""

from __future__ import annotations

import asyncio
import re
import time
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

from plotchain_lib.item import Request, Response
from plotchain_lib.query.cache import Cache
from plotchain_lib.query.gate import BlockedError, Gate, How, Visit
from plotchain_lib.query.http import Sender
from plotchain_lib.query.keys import Key, redact
from plotchain_lib.query.limits import Limits
from plotchain_lib.query.retry import Result
from plotchain_lib.wire import Failure, HttpCall, HttpReply, Provider

_TIMEOUT_S = 600.0  # thinking takes minutes; the setting timeout_s changes it
_LONGEST_REASON = 500  # characters
# What a call may use, as long as no reply tells: its text at 3 characters a token, a picture's
# share, and its whole budget for the answer.
_CHARACTERS = 3
_PICTURE_TOKENS = 2000
_ANSWER_TOKENS = 2048
_BUDGETS = {"maxtokens", "maxoutputtokens", "maxcompletiontokens"}


@dataclass(frozen=True, slots=True)
class Asked:
    """Who asks a provider, besides what.

    Attributes:
        call: what the provider makes of the request.
        cache_key: where the answer will be kept.
        label: the model's label, for its log.
        folder: the working folder, where a `.env` may lie.
    """

    call: HttpCall
    cache_key: str
    label: str
    folder: Path

    @property
    def provider(self) -> str:
        """The server, without a user's name or password."""
        scheme, _, rest = self.call.url.partition("://")
        return f"{scheme}://{re.split('[/?#]', rest)[0].rpartition('@')[2]}"


@dataclass(eq=False, slots=True)
class Model:
    """One model in one run of Snakemake: whether it was stopped, and why."""

    reason: str = ""
    stopped: asyncio.Event = field(default_factory=asyncio.Event)

    def stop(self, reason: str) -> None:
        """Send nothing more of it; the first reason stays."""
        self.reason = self.reason or reason
        self.stopped.set()

    async def pause(self, seconds: float) -> None:
        """Wait, but not for a model that is stopped meanwhile."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self.stopped.wait()


@dataclass(frozen=True, slots=True)
class Visitor:
    """A call as its gate knows it."""

    gate: Gate
    number: int
    model: Model
    limits: Limits
    tokens: int

    async def enter(self) -> Visit:
        """Wait for the call's turn. Raises BlockedError."""
        return await self.gate.enter(self.number, self.model, self.limits, self.tokens)

    def stop(self, reason: str) -> None:
        """Stop the call's model, and all that wait for it."""
        self.model.stop(reason)
        self.gate.dismiss(self.model, reason)


@dataclass(slots=True)
class Attempt:
    """The tries of one call: what does not change between them, and what the last one showed."""

    cache: Cache
    sender: Sender
    provider: Provider
    request: Request
    asked: Asked
    key: Key | None
    visitor: Visitor
    tries: int = 0
    latency_s: float | None = None

    async def run(self) -> Result:
        """One try."""
        try:
            visit = await self.visitor.enter()
        except BlockedError as error:
            return Failure("stop", str(error))
        how: How = "unsent"
        result: Result = Failure("stop", self.visitor.model.reason)
        try:
            if not self.visitor.model.reason:
                self._note()
                how = "outage"
                reply = await self._reply()
                how = "answered"
                result = _clean(reply if isinstance(reply, Failure) else self.provider.read(reply))
                how = _how(result)
        finally:
            reason = result.reason
            self.visitor.gate.leave(visit, how, _used(result), reason)
        if isinstance(result, Failure) and result.action == "stop":
            self.visitor.stop(result.reason)
        return result

    async def _reply(self) -> HttpReply | Failure:
        timeout_s = float(self.request.settings.get("timeout_s") or _TIMEOUT_S)
        started = time.perf_counter()
        try:
            return await self.sender.send(self.asked.call, self.key, timeout_s)
        finally:
            self.latency_s = time.perf_counter() - started

    def _note(self) -> None:
        """Count the try, where a successor of this broker will find it."""
        self.tries += 1
        about = {
            "provider": self.asked.provider,
            "variable": self.asked.call.key_variable,
            "tokens": self.visitor.tokens,
        }
        self.cache.note("sent", self.asked.cache_key, about)


def tokens_of(request: Request, asked: Asked) -> tuple[int, int]:
    """How many tokens a call may use at most, roughly: of input, and of output."""
    answer = _ANSWER_TOKENS
    for name, value in asked.call.sent.items():
        if name.replace("_", "").lower() in _BUDGETS and isinstance(value, int):
            answer = value
    picture = 0 if request.picture is None else _PICTURE_TOKENS
    said = sum(len(message["text"]) for message in request.messages) or len(request.prompt)
    return said // _CHARACTERS + picture, answer


def _how(result: Result) -> How:
    """What a try means to its gate."""
    if isinstance(result, Response) or result.action != "retry":
        return "answered"
    return "limited" if result.limited else "outage"


def _used(result: Result) -> int | None:
    """The tokens a try has used; None where nobody tells."""
    if isinstance(result, Failure) or (result.input_tokens is None and not result.output_tokens):
        return None
    return (result.input_tokens or 0) + (result.output_tokens or 0)


def _clean(result: Result) -> Result:
    """A result whose reason is one short line without a key."""
    reason = redact(" ".join(result.reason.split()))[:_LONGEST_REASON]
    return replace(result, reason=reason)
