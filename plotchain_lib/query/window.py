"""A sum over the last minute that stays within a limit, whichever minute one looks at."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

WINDOW_S = 60.0
# What one call may need longer than a later one to reach the server: the window is made that much
# longer here, so that it also holds there.
_MARGIN_S = 2.0
# Seconds an amount counts.
KEPT_S = WINDOW_S + _MARGIN_S


@dataclass(eq=False, slots=True)
class Amount:
    """What was asked for at one time (the event loop's, in seconds)."""

    time: float
    amount: int
    counts: bool = True


class Window:
    """Amounts whose sum over any `WINDOW_S` seconds stays within a limit."""

    def __init__(self) -> None:
        """Empty."""
        self._amounts: deque[Amount] = deque()  # the oldest first
        self._total = 0

    def delay(self, amount: int, limit: int | None, now: float) -> float:
        """Seconds until `amount` more fits; one above the limit waits until none is left."""
        while self._amounts and self._amounts[0].time + KEPT_S <= now:
            oldest = self._amounts.popleft()
            oldest.counts = False
            self._total -= oldest.amount
        if limit is None:
            return 0.0
        excess = self._total + min(amount, limit) - limit
        delay = 0.0
        for entry in self._amounts:
            if excess <= 0:
                break
            excess -= entry.amount
            delay = entry.time + KEPT_S - now
        return delay

    def add(self, amount: int, time: float) -> Amount:
        """Count an amount, no earlier than the last one; returns it for `correct`."""
        entry = Amount(time, amount)
        self._amounts.append(entry)
        self._total += amount
        return entry

    def correct(self, entry: Amount, amount: int) -> None:
        """Replace an amount by what it turned out to be."""
        if entry.counts:
            self._total += amount - entry.amount
            entry.amount = amount
