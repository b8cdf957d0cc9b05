"""How much is asked of a provider at once and a minute: one gate per provider and key.

All calls of a broker, from every job and every Snakemake run on its cache, pass the gate of their
provider and key, first come first served; a call that is sent again keeps its place. Where models
with different limits share a gate, the strictest of those that are asking holds.
"""

from __future__ import annotations

import asyncio
import heapq
import itertools
import json
import math
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from plotchain_lib.item import PlotChainError
from plotchain_lib.query import limits_path
from plotchain_lib.query.breaker import Breaker
from plotchain_lib.query.money import Terms
from plotchain_lib.query.window import Amount, Window

How = Literal["answered", "limited", "outage", "unsent"]


class BlockedError(Exception):
    """A call that is not to be sent now: one line that says why."""


class LeavingError(Exception):
    """The broker leaves before a call could be sent: its successor is to be asked."""


@dataclass(frozen=True, slots=True)
class Limits:
    """A model's limits, and how long it is waited for.

    Attributes:
        requests_per_minute, tokens_per_minute: None where there is no limit.
        concurrency: calls in flight at most; None where there is no limit.
        outage_s: how long an outage may last before the calls it holds back end pending.
        patience_s: how long a call is sent again after its first failure.
        run: which start of Snakemake the call belongs to.
    """

    requests_per_minute: int | None = None
    tokens_per_minute: int | None = None
    concurrency: int | None = None
    outage_s: float = 300.0
    patience_s: float = 600.0
    run: str = ""

    @staticmethod
    def of(settings: Mapping[str, Any], run: str) -> Limits:
        """From the settings of a model; those that are no limits are passed over."""
        given = {name: settings[name] for name in LIMITS if settings.get(name) is not None}
        return Limits(**given, run=run)


LIMITS = tuple(name for name in Limits.__dataclass_fields__ if name != "run")


def check_limits(settings: Mapping[str, Any]) -> None:
    """Raise PlotChainError where a limit is no number, or so small that nothing would be sent."""
    for name in LIMITS:
        value = settings.get(name)
        whole = not name.endswith("_s")
        known = isinstance(value, int if whole else int | float) and not isinstance(value, bool)
        if value is not None and not (known and value >= (1 if whole else 0)):
            numbers = "a whole number from 1 on" if whole else "seconds"
            raise PlotChainError(f"{name}: {value!r} is no limit; give {numbers}")


class LimitsFiles:
    """The limits of the models of each working folder, as its last start of Snakemake wrote them.

    A file beside the cache, not a part of the call: a changed limit changes no job.
    """

    def __init__(self, cache: Path) -> None:
        """`cache` is the cache's folder."""
        self._cache = cache
        self._read: dict[Path, tuple[str, dict[str, Mapping[str, Any]]]] = {}

    def of(self, folder: Path, model: str) -> tuple[Limits, Terms]:
        """The limits and the price of a model of that folder; none where nobody wrote any.

        Raises PlotChainError where the file cannot be read.
        """
        path = limits_path(self._cache, folder)
        try:
            status = path.stat()
            run = f"{folder} {status.st_mtime_ns} {status.st_ino}"
            if self._read.get(path, ("",))[0] != run:
                self._read[path] = run, json.loads(path.read_bytes())
            entry = self._read[path][1].get(model, {})
            return Limits.of(entry, run), Terms.of(entry)
        except FileNotFoundError:
            return Limits(run=str(folder)), Terms()
        except (OSError, ValueError, TypeError, AttributeError) as error:
            raise PlotChainError(f"{path}: no limits ({error}); run Snakemake again") from error


@dataclass(eq=False, slots=True)
class Visit:
    """One try of a call, from its wait at the gate to its end.

    Attributes:
        call: orders the calls of a broker by their coming; the same for all tries of one.
        model: whose call it is, as `Gate.dismiss` takes it.
        tokens: how many it may use at most.
        admitted: done when it may go.
        admitted_at: the event loop's time.
        counted: its request and its tokens in the gate's windows.
    """

    call: int
    model: Hashable
    limits: Limits
    tokens: int
    admitted: asyncio.Future[None]
    admitted_at: float = 0.0
    counted: tuple[Amount, Amount] | None = None


class Gate:
    """The one way to a provider with a key. Lives in one event loop."""

    def __init__(self, provider: str, sent: Iterable[tuple[float, int]] = ()) -> None:
        """`provider`: for messages. `sent`: (seconds ago, tokens) of earlier brokers' calls."""
        self._provider = provider
        self._loop = asyncio.get_running_loop()
        self._waiting: list[tuple[int, int, Visit]] = []  # a heap
        self._order = itertools.count()
        self._flying: set[Visit] = set()
        self._here: Counter[Limits] = Counter()  # of those that wait or fly
        self._room = math.inf  # how many may fly, as the provider's 429s taught
        self._shrunk_at = -math.inf
        self._requests, self._tokens = Window(), Window()
        self._breaker = Breaker()
        self._timer: asyncio.TimerHandle | None = None
        for seconds, tokens in sorted(sent, reverse=True):
            self._requests.add(1, self._loop.time() - seconds)
            self._tokens.add(tokens, self._loop.time() - seconds)

    async def enter(self, call: int, model: Hashable, limits: Limits, tokens: int) -> Visit:
        """Wait for one's turn; give the visit back with `leave`.

        Raises BlockedError where an outage lasts too long, or on `dismiss`.
        """
        visit = Visit(call, model, limits, tokens, self._loop.create_future())
        self._here[limits] += 1
        heapq.heappush(self._waiting, (call, next(self._order), visit))
        self._pump()
        try:
            await visit.admitted
        except (BlockedError, asyncio.CancelledError):
            if visit in self._flying:
                self.leave(visit, "unsent")
            else:
                self._forget(limits)
                self._pump()
            raise
        return visit

    def leave(self, visit: Visit, how: How, tokens: int | None = None, reason: str = "") -> None:
        """A try has ended.

        `answered`: with a complete reply, good or bad; `limited`: told that this was too much;
        `outage`: nobody answered; `unsent`: it did not go after all. `reason` says why not.
        `tokens`: how many were used, where that is known.
        """
        self._flying.discard(visit)
        self._forget(visit.limits)
        if visit.counted is not None:
            request, used = visit.counted
            if how == "unsent":
                self._requests.correct(request, 0)
            if how in ("unsent", "limited"):
                tokens = 0
            if tokens is not None:
                self._tokens.correct(used, tokens)
        if how == "limited":
            self._shrink(visit)
        elif how == "answered":
            self._room += 1 / self._room
        # Told by all that it is too much, for long, is an outage like any other.
        if how in ("outage", "limited"):
            self._breaker.failed(visit.call, reason, self._loop.time())
        elif how == "unsent":
            self._breaker.unsent(visit.call)
        else:
            self._breaker.answered()
        self._pump()

    def dismiss(self, model: Hashable, reason: str) -> None:
        """Send away all that wait for a model."""
        self._send_away((v for _, _, v in self._waiting if v.model == model), reason)
        self._pump()

    def _shrink(self, visit: Visit) -> None:
        """Half the room; once for all that were told the same before they could know."""
        if visit.admitted_at > self._shrunk_at:
            self._room = max(1.0, min(self._room, len(self._flying) + 1) / 2)
            self._shrunk_at = self._loop.time()

    def _pump(self) -> None:
        """Admit whoever may go, and come back when the next one may."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        while self._clear() and (strictest := self._strictest()):
            now = self._loop.time()
            visit = self._waiting[0][2]
            patience = self._breaker.patience(now, strictest.outage_s)
            delay = self._delay(visit, strictest, now)
            if delay <= 0:
                heapq.heappop(self._waiting)
                self._admit(visit, now)
            elif patience <= 0:
                everyone = (v for _, _, v in self._waiting)
                self._send_away(everyone, self._breaker.reason(self._provider))
            else:
                wake = min(delay, patience)
                if wake < math.inf:
                    self._timer = self._loop.call_later(wake, self._pump)
                return

    def _clear(self) -> bool:
        """Forget at the head who is gone; whether anybody waits."""
        while self._waiting and self._waiting[0][2].admitted.done():
            heapq.heappop(self._waiting)
        return bool(self._waiting)

    def _forget(self, limits: Limits) -> None:
        self._here[limits] -= 1
        if not self._here[limits]:
            del self._here[limits]

    def _strictest(self) -> Limits:
        """The least of the limits of all that are here."""
        here = self._here.keys()
        return Limits(
            _least(limits.requests_per_minute for limits in here),
            _least(limits.tokens_per_minute for limits in here),
            _least(limits.concurrency for limits in here),
            outage_s=min(limits.outage_s for limits in here),
        )

    def _delay(self, visit: Visit, limits: Limits, now: float) -> float:
        """Seconds until a visit may go; infinite where another's end must come first."""
        most = math.inf if limits.concurrency is None else limits.concurrency
        if len(self._flying) + 1 > max(1.0, min(self._room, most)):
            return math.inf
        return max(
            self._breaker.delay(now),
            self._requests.delay(1, limits.requests_per_minute, now),
            self._tokens.delay(visit.tokens, limits.tokens_per_minute, now),
        )

    def _admit(self, visit: Visit, now: float) -> None:
        visit.admitted_at = now
        visit.counted = self._requests.add(1, now), self._tokens.add(visit.tokens, now)
        self._flying.add(visit)
        self._breaker.let_through(visit.call)
        visit.admitted.set_result(None)

    def _send_away(self, visits: Iterable[Visit], reason: str) -> None:
        for visit in visits:
            if not visit.admitted.done():
                visit.admitted.set_exception(BlockedError(reason))


def _least(values: Iterable[int | None]) -> int | None:
    return min((value for value in values if value is not None), default=None)
