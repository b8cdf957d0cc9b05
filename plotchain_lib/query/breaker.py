"""Knowing an outage from a failed call: after failures of several calls in a row nobody is sent,
but for one probe after each pause.
"""

from __future__ import annotations

import math

from plotchain_lib.query.cache import now as utc

_OUTAGES = 8  # consecutive failures that open the breaker ...
_CALLS = 3  # ... if they are of at least so many calls: one call may fail by its own fault
_FIRST_PAUSE_S = 2.0
_LONGEST_PAUSE_S = 60.0


class Breaker:
    """Closed while a model answers; open while it does not. Times are the event loop's, in s."""

    def __init__(self) -> None:
        """Closed."""
        self._failures = 0  # in a row
        self._calls: set[int] = set()  # whose they were
        self._since = 0.0
        self._since_utc = ""
        self._reason = ""
        self._pause_s = _FIRST_PAUSE_S
        self._next_probe = math.inf  # when it may go; infinite while closed
        self._probe: int | None = None  # the call that is under way as one

    @property
    def is_open(self) -> bool:
        """Whether calls are held back."""
        return self._next_probe < math.inf

    def failed(self, call: int, reason: str, now: float) -> None:
        """A call found nobody who answers."""
        if not self._failures:
            self._since, self._since_utc, self._reason = now, utc(), reason
        self._failures += 1
        self._calls.add(call)
        if self._probe == call:
            self._probe = None
            self._pause_s = min(2 * self._pause_s, _LONGEST_PAUSE_S)
            self._next_probe = now + self._pause_s
        elif not self.is_open and self._failures >= _OUTAGES and len(self._calls) >= _CALLS:
            self._next_probe = now + self._pause_s

    def answered(self) -> None:
        """Somebody answers, if only to say no."""
        self._failures = 0
        self._calls.clear()
        self._pause_s = _FIRST_PAUSE_S
        self._next_probe = math.inf
        self._probe = None

    def unsent(self, call: int) -> None:
        """A call that was let through did not go after all."""
        if self._probe == call:
            self._probe = None

    def let_through(self, call: int) -> None:
        """A call goes; while the breaker is open it is the probe."""
        if self.is_open:
            self._probe = call

    def delay(self, now: float) -> float:
        """Seconds until the next call may go; infinite while a probe is under way."""
        if not self.is_open:
            return 0.0
        return math.inf if self._probe is not None else max(0.0, self._next_probe - now)

    def patience(self, now: float, outage_s: float) -> float:
        """Seconds until an outage has lasted `outage_s`, 0 from then on; infinite without one.

        Infinite also while a probe is under way: it may be the answer that ends the outage.
        """
        if not self.is_open or self._probe is not None:
            return math.inf
        return max(0.0, self._since + outage_s - now)

    def reason(self, provider: str) -> str:
        """The outage in one line, the same for all calls it ends."""
        return f"{provider} gives no usable answer since {self._since_utc}: {self._reason}"
