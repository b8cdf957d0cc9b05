"""A provider's answer to a request: through the gate, over the wire, again where that may help.

What ends a call for now (no key, a stop, an outage, patience used up) ends it as `pending` with
one line; that line, like all that is stored or logged, holds no key.
"""

from __future__ import annotations

import itertools
import os
import re
import time
from dataclasses import replace

from plotchain_lib.item import Request, Response
from plotchain_lib.query.attempt import Asked, Attempt, Model, Visitor, tokens_of
from plotchain_lib.query.cache import Cache, now
from plotchain_lib.query.gate import Gate, LeavingError
from plotchain_lib.query.http import Sender
from plotchain_lib.query.keys import Key, KeyProblemError, find, redact, redact_all
from plotchain_lib.query.limits import Limits
from plotchain_lib.query.money import OverBudgetError, Purse, Terms
from plotchain_lib.query.retry import Insistence, Patience, Result
from plotchain_lib.query.window import KEPT_S
from plotchain_lib.wire import Provider

_LEAVING = "the broker leaves"


class Remote:
    """All calls of a broker to providers. Lives in one event loop."""

    def __init__(self, cache: Cache, patience: Patience | None = None) -> None:
        """`cache` has the journal, the logs, and what earlier brokers sent of late."""
        self._cache = cache
        self._patience = patience or Patience()
        self._sender = Sender()
        self._purse = Purse(cache.folder)
        self._numbers = itertools.count()
        self._gates: dict[tuple[str, str], Gate] = {}
        self._models: dict[tuple[str, Key | None, str, str], Model] = {}
        self._leaving = False
        self._earlier = cache.recent("sent", KEPT_S)

    async def close(self) -> None:
        """Close all connections."""
        await self._sender.close()

    def leave(self) -> None:
        """Finish what was sent; all that wait end with LeavingError."""
        self._leaving = True
        for model in self._models.values():
            model.stop(_LEAVING)
        for gate in self._gates.values():
            for model in self._models.values():
                gate.dismiss(model, _LEAVING)

    async def answer(
        self,
        provider: Provider,
        request: Request,
        limits: Limits,
        asked: Asked,
        terms: Terms | None = None,
    ) -> Response:
        """The response, `pending` included. Raises LeavingError after `leave`."""
        terms = terms or Terms()
        started = time.perf_counter()
        tries = 0
        try:
            key = _key(asked)
        except KeyProblemError as error:
            response = Response("pending", reason=str(error))
        else:
            response = await self._paid(provider, request, limits, asked, terms, key)
            tries = int(response.received.get("tries", 0))
        response = _without_keys(response)
        self._log(asked.label, request, response, tries, time.perf_counter() - started)
        return response

    async def _paid(
        self,
        provider: Provider,
        request: Request,
        limits: Limits,
        asked: Asked,
        terms: Terms,
        key: Key | None,
    ) -> Response:
        """Ask, with the most it can cost laid aside meanwhile."""
        tokens = tokens_of(request, asked)
        try:
            held = await self._purse.hold(asked.label, terms, *tokens)
        except OverBudgetError as error:
            return Response("pending", reason=str(error))
        cost = None
        try:
            number = next(self._numbers)
            model = self._model(asked, key, request, limits)
            visitor = Visitor(self._gate(asked), number, model, limits, sum(tokens))
            attempt = Attempt(self._cache, self._sender, provider, request, asked, key, visitor)
            patience = replace(self._patience, total_s=limits.patience_s)
            result = await Insistence(patience, model.pause).result(attempt.run)
            if self._leaving and result.reason == _LEAVING:
                raise LeavingError
            response = _final(result, attempt)
            known = terms.cost(response)
            # An answer whose tokens nobody counted is taken at its dearest, in the ledger alone.
            cost = held if known is None and response.text else known
            return replace(response, cost_usd=known)
        finally:
            await self._purse.settle(asked.label, held, cost, asked.cache_key)

    def _gate(self, asked: Asked) -> Gate:
        """The gate of a provider and key. Known by the key's name: two names, two gates."""
        name = (asked.provider, asked.call.key_variable)
        if name not in self._gates:
            earlier = [
                (seconds, int(note["tokens"]))
                for seconds, note in self._earlier
                if (note["provider"], note["variable"]) == name
            ]
            self._gates[name] = Gate(asked.provider, earlier)
        return self._gates[name]

    def _model(self, asked: Asked, key: Key | None, request: Request, limits: Limits) -> Model:
        name = str(request.settings.get("model", ""))
        model = self._models.setdefault((asked.provider, key, name, limits.run), Model())
        if self._leaving:
            model.stop(_LEAVING)
        return model

    def _log(
        self, label: str, request: Request, response: Response, tries: int, seconds: float
    ) -> None:
        """One line for a call, in one write."""
        used = f"{_count(response.input_tokens)}+{_count(response.output_tokens)}"
        line = (
            f"{now()} {request.item}.{request.repeat} {response.outcome} tries={tries} "
            f"seconds={seconds:.2f} tokens={used} {redact(response.reason)}"
        )
        path = self._cache.folder / "logs" / f"{re.sub(r'[^A-Za-z0-9._-]', '_', label)}.log"
        path.parent.mkdir(exist_ok=True)
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
        try:
            os.write(descriptor, f"{line.rstrip()}\n".encode("utf-8", "replace"))
        finally:
            os.close(descriptor)


def _key(asked: Asked) -> Key | None:
    """The key of a call; None where it needs none. Raises KeyProblemError."""
    if re.match(r"[^/]*//[^/?#]*@", asked.call.url):
        raise KeyProblemError(
            "base_url holds a user's name or a password; give the key by the setting 'key'"
        )
    variable = asked.call.key_variable
    return find(variable, asked.folder) if variable else None


def _final(result: Result, attempt: Attempt) -> Response:
    """What a call brought, with what was sent and how it went."""
    if isinstance(result, Response):
        response = result
    elif result.action == "record":
        response = Response(result.outcome, reason=result.reason)
    else:
        response = Response("pending", reason=result.reason)
    call = attempt.asked.call
    sent = {"url": call.url, "parameters": dict(call.sent), "left_out": dict(call.left_out)}
    return replace(
        response,
        latency_s=None if response.outcome == "pending" else attempt.latency_s,
        sent=sent,
        received={**response.received, "tries": attempt.tries},
    )


def _without_keys(response: Response) -> Response:
    return replace(
        response,
        text=redact(response.text),
        reason=redact(response.reason),
        served_model=redact(response.served_model),
        sent=redact_all(dict(response.sent)),
        received=redact_all(dict(response.received)),
    )


def _count(tokens: int | None) -> str:
    return "?" if tokens is None else str(tokens)
