"""How far a run has come: counted by the broker, told by the workflow, a line a model.

plotchain: gpt-4.1: 120 of 450, 30 of them kept before; 32 in flight; 41 a minute; $0.84; 8 min left
"""

from __future__ import annotations

import threading
import time
from collections import defaultdict, deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

_RATE_S = 60.0  # answers of so long make the rate
_EVERY_S = 20.0  # between two lines


@dataclass(slots=True)
class Tally:
    """The calls of one model since the broker began."""

    kept: int = 0
    outcomes: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    in_flight: int = 0
    cost_usd: float = 0.0
    lately: deque[float] = field(default_factory=deque)

    @contextmanager
    def open(self) -> Iterator[None]:
        """A call is in flight while the block runs."""
        self.in_flight += 1
        try:
            yield
        finally:
            self.in_flight -= 1

    def count(self, entry: Mapping[str, Any], kept: bool) -> None:
        """A call has its answer; `kept`: from the cache."""
        if kept:
            self.kept += 1
            return
        self.outcomes[entry["outcome"]] += 1
        self.cost_usd += entry["cost_usd"] or 0.0
        self.lately.append(time.monotonic())

    def record(self) -> dict[str, Any]:
        """As the broker's status tells it."""
        now = time.monotonic()
        while self.lately and now - self.lately[0] > _RATE_S:
            self.lately.popleft()
        since = now - self.lately[0] if len(self.lately) > 1 else 0.0
        return {
            "kept": self.kept,
            "outcomes": dict(self.outcomes),
            "in_flight": self.in_flight,
            "cost_usd": self.cost_usd,
            "a_minute": (len(self.lately) - 1) / since * 60.0 if since > 0 else 0.0,
        }


def line(label: str, total: int, record: Mapping[str, Any], before: Mapping[str, Any]) -> str:
    """What a person is told of one model.

    Args:
        total: calls of this run.
        record: the model's tally, as the status tells it.
        before: the same when the run began, of a broker that was there already.
    """
    earlier, counted = before.get("outcomes", {}), record["outcomes"]
    outcomes = {k: counted.get(k, 0) - earlier.get(k, 0) for k in {*counted, *earlier}}
    kept = record["kept"] - before.get("kept", 0)
    done = kept + sum(outcomes.values())
    parts = [f"{done} of {total}" + (f", {kept} of them kept before" if kept else "")]
    for outcome, count in sorted(outcomes.items()):
        if outcome != "answered" and count:
            parts.append(f"{count} {outcome}")
    if record["in_flight"]:
        parts.append(f"{record['in_flight']} in flight")
    if rate := record["a_minute"]:
        parts.append(f"{rate:.0f} a minute")
    if cost := record["cost_usd"] - before.get("cost_usd", 0.0):
        parts.append(f"${cost:.2f}")
    if rate and total > done:
        parts.append(f"{(total - done) / rate:.0f} min left")
    return f"plotchain: {label}: {'; '.join(parts)}"


def follow(
    totals: Mapping[str, int],
    status: Callable[[], Mapping[str, Any] | None],
    say: Callable[[str], None],
    every_s: float = _EVERY_S,
) -> threading.Event:
    """Say from now on, in a thread, how far each model of `totals` has come, whenever it moved.

    Set the returned event to end it. `status` asks the broker; None where there is none yet.
    """
    end = threading.Event()

    def tell() -> None:
        last = status() or {}
        before = dict(last.get("models", {}))
        said: dict[str, str] = {}
        while not end.wait(every_s):
            found = status()
            if found is None:
                continue
            if found.get("pid") != last.get("pid"):  # another broker, which counts anew
                before = {
                    label: _carried(before.get(label, {}), record)
                    for label, record in last.get("models", {}).items()
                }
            last = found
            for label, total in totals.items():
                if label not in found["models"]:
                    continue
                text = line(label, total, found["models"][label], before.get(label, {}))
                if said.get(label) != text:
                    said[label] = text
                    say(text)

    threading.Thread(target=tell, daemon=True, name="progress").start()
    return end


def _carried(before: Mapping[str, Any], last: Mapping[str, Any]) -> dict[str, Any]:
    """The `before` of a broker that begins at nought where another had come to `last`."""
    earlier = before.get("outcomes", {})
    return {
        "kept": before.get("kept", 0) - last["kept"],
        "outcomes": {k: earlier.get(k, 0) - n for k, n in last["outcomes"].items()},
        "cost_usd": before.get("cost_usd", 0.0) - last["cost_usd"],
    }
