"""Draws of one candidate: values from its own key, one after the other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

import numpy as np

from plotchain_lib.sampling import Stream

T = TypeVar("T")
_BLOCK = 128


class Dice:
    """Seeded draws whose stream never changes; each call takes the next raw values."""

    def __init__(self, *key: str | int) -> None:
        """Start the stream that belongs to `key`."""
        self._stream = Stream(*key)
        self._values: list[float] = []

    def unit(self) -> float:
        """A value in [0, 1)."""
        if not self._values:
            self._values = self._stream.uniform(_BLOCK).tolist()
        return self._values.pop()

    def units(self, count: int) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
        """`count` values in [0, 1)."""
        return np.array([self.unit() for _ in range(count)])

    def uniform(self, low: float, high: float) -> float:
        """A value in [low, high)."""
        return low + (high - low) * self.unit()

    def integer(self, low: int, high: int) -> int:
        """An integer from low to high, both included."""
        return low + int((high - low + 1) * self.unit())

    def sign(self) -> int:
        """-1 or 1."""
        return 1 if self.unit() < 0.5 else -1

    def choice(self, options: Sequence[T]) -> T:
        """One of the options."""
        return options[int(len(options) * self.unit())]

    def shuffled(self, options: Sequence[T]) -> list[T]:
        """All options in a random order (Fisher and Yates)."""
        mixed = list(options)
        for last in range(len(mixed) - 1, 0, -1):
            place = int((last + 1) * self.unit())
            mixed[last], mixed[place] = mixed[place], mixed[last]
        return mixed

    def around(self, target: float, count: int, low: float, high: float) -> list[float]:
        """`count` values in [low, high] with mean `target` to three decimals.

        A single value is the target itself.
        """
        if count == 1:
            return [round(target, 3)]
        parts = self.units(count)
        parts = parts - parts.mean()
        room = min((target - low) / max(-parts.min(), 1e-9), (high - target) / parts.max())
        reach = min(room, (high - low) * 0.45) * self.uniform(0.55, 1.0)
        values = [round(float(target + reach * part), 3) for part in parts]
        rest = round(target * count - sum(values), 3)
        values[int(np.argmin(np.abs(parts)))] += rest
        return [round(value, 3) for value in values]
