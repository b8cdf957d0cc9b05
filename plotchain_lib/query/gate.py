"""The one way to a provider with a key: all calls of a broker pass it, first come first served.

A call that is sent again keeps its place. Where models with different limits share a gate, the
strictest of those that are asking holds. A model that gives no usable answer is held back alone.
"""

from __future__ import annotations

import asyncio
import heapq
import itertools
import math
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field
from typing import Literal

from plotchain_lib.query.breaker import Breaker
from plotchain_lib.query.limits import Limits
from plotchain_lib.query.window import Amount, Window

How = Literal["answered", "limited", "outage", "unsent"]


class BlockedError(Exception):
    """A call that is not to be sent now: one line that says why."""


class LeavingError(Exception):
    """The broker leaves before a call could be sent: its successor is to be asked."""


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


@dataclass(eq=False, slots=True)
class Line:
    """The visits that wait for one model, as a heap by their coming, and its own breaker.

    A server may be down for one of its models alone.
    """

    waiting: list[tuple[int, int, Visit]] = field(default_factory=list)
    breaker: Breaker = field(default_factory=Breaker)

    def clear(self) -> bool:
        """Forget at the head who is gone; whether anybody waits."""
        while self.waiting and self.waiting[0][2].admitted.done():
            heapq.heappop(self.waiting)
        return bool(self.waiting)

    def send_away(self, reason: str) -> None:
        """End all that wait with BlockedError."""
        for _, _, visit in self.waiting:
            if not visit.admitted.done():
                visit.admitted.set_exception(BlockedError(reason))


class Gate:
    """The one way to a provider with a key. Lives in one event loop."""

    def __init__(self, provider: str, sent: Iterable[tuple[float, int]] = ()) -> None:
        """`provider`: for messages. `sent`: (seconds ago, tokens) of earlier brokers' calls."""
        self._provider = provider
        self._loop = asyncio.get_running_loop()
        self._lines: defaultdict[Hashable, Line] = defaultdict(Line)
        self._order = itertools.count()
        self._flying: set[Visit] = set()
        self._here: Counter[Limits] = Counter()  # of those that wait or fly
        self._room = math.inf  # how many may fly, as the provider's 429s taught
        self._shrunk_at = -math.inf
        self._requests, self._tokens = Window(), Window()
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
        heapq.heappush(self._lines[model].waiting, (call, next(self._order), visit))
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
        breaker = self._lines[visit.model].breaker
        if how in ("outage", "limited"):
            breaker.failed(visit.call, reason, self._loop.time())
        elif how == "unsent":
            breaker.unsent(visit.call)
        else:
            breaker.answered()
        self._pump()

    def dismiss(self, model: Hashable, reason: str) -> None:
        """Send away all that wait for a model."""
        self._lines[model].send_away(reason)
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
        while lines := [line for line in self._lines.values() if line.clear()]:
            now, strictest = self._loop.time(), self._strictest()
            ready = [line for line in lines if line.breaker.delay(now) <= 0]
            line = min(ready, key=lambda line: line.waiting[0][:2], default=None)
            delay = math.inf if line is None else self._delay(line.waiting[0][2], strictest, now)
            if line is not None and delay <= 0:
                self._admit(heapq.heappop(line.waiting)[2], now)
            elif not self._give_up(lines, now, strictest.outage_s):
                self._wake(min([delay, *self._changes(lines, now, strictest.outage_s)]))
                return

    def _give_up(self, lines: Iterable[Line], now: float, outage_s: float) -> bool:
        """Send away who waits for a model that is out for too long; whether there was any."""
        out = [
            line
            for line in lines
            if line.breaker.delay(now) > 0 and line.breaker.patience(now, outage_s) <= 0
        ]
        for line in out:
            line.send_away(line.breaker.reason(self._provider))
        return bool(out)

    def _changes(self, lines: Iterable[Line], now: float, outage_s: float) -> list[float]:
        """Seconds until each model that is out may be probed, or is given up."""
        return [
            wait
            for line in lines
            if line.breaker.is_open
            for wait in (line.breaker.delay(now), line.breaker.patience(now, outage_s))
            if wait > 0
        ]

    def _wake(self, seconds: float) -> None:
        if seconds < math.inf:
            self._timer = self._loop.call_later(seconds, self._pump)

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
            self._requests.delay(1, limits.requests_per_minute, now),
            self._tokens.delay(visit.tokens, limits.tokens_per_minute, now),
        )

    def _admit(self, visit: Visit, now: float) -> None:
        visit.admitted_at = now
        visit.counted = self._requests.add(1, now), self._tokens.add(visit.tokens, now)
        self._flying.add(visit)
        self._lines[visit.model].breaker.let_through(visit.call)
        visit.admitted.set_result(None)


def _least(values: Iterable[int | None]) -> int | None:
    return min((value for value in values if value is not None), default=None)
