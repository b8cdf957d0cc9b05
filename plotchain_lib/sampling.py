"""Seeded draws whose stream never changes.

Every draw is a function of its key alone. Scalars come from SHA-256 of the key; arrays from
Philox, whose raw stream NumPy guarantees, seeded by SHA-256 of the key. Uniform and normal values
are made from raw bits with exact arithmetic here, so that no NumPy release can change an item.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

Key = tuple[str | int, ...]

# Square roots of primes: quadratic irrationals, so that the multiples of each are spread evenly
# (Weyl 1916; Kuipers and Niederreiter, Uniform Distribution of Sequences, 1974), each on its own.
_STEPS = tuple(math.sqrt(p) % 1.0 for p in (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37))

_JITTERED_ATTEMPTS = 6
_JITTER = 0.03


def digest(key: Key) -> bytes:
    """SHA-256 of a key; its parts are separated, so ("a", "bc") and ("ab", "c") differ."""
    return hashlib.sha256("\x1f".join(str(part) for part in key).encode("utf-8")).digest()


def unit(key: Key) -> float:
    """One value in [0, 1) with 53 random bits."""
    return (int.from_bytes(digest(key)[:8], "little") >> 11) * 2.0**-53


class Stream:
    """Arrays of random values from one key."""

    def __init__(self, *key: str | int) -> None:
        """Start the stream that belongs to `key`."""
        words = np.frombuffer(digest(key)[:16], dtype="<u8").astype(np.uint64)
        self._bits = np.random.Philox(counter=0, key=words)

    def uniform(self, count: int) -> npt.NDArray[np.float64]:
        """`count` values in [0, 1), 53 bits each."""
        raw = np.asarray(self._bits.random_raw(count), dtype=np.uint64)
        return (raw >> np.uint64(11)).astype(np.float64) * 2.0**-53

    def normal(self, count: int) -> npt.NDArray[np.float64]:
        """`count` values of mean 0 and variance 1, bounded by 6.

        The sum of twelve uniforms (Irwin-Hall): additions only, hence the same on every machine,
        where a logarithm or a cosine may differ in its last bit.
        """
        parts = self.uniform(12 * count).reshape(12, count)
        total = np.zeros(count)
        for part in parts:
            total += part
        return total - 6.0


@dataclass(frozen=True, slots=True)
class Draw:
    """One attempt at one item's parameters, in low-discrepancy sequences over the items.

    The first attempt takes frac(shift + index * step) per parameter, so that items of one family
    spread evenly and item i does not depend on how many there are. After a refusal the place is
    jittered a few times, then drawn freely.

    Attributes:
        key: master seed, suite, family.
        index: the item's number in its family.
        attempt: counts refusals of this item, from 0.
        names: the parameters in a fixed order; a parameter's place fixes its sequence.
        difficulty: the item's difficulty, for families that depend on it.
    """

    key: Key
    index: int
    attempt: int
    names: Sequence[str]
    difficulty: str = ""
    _cache: dict[str, float] = field(default_factory=dict, compare=False, repr=False)

    def unit(self, name: str, position: int | None = None) -> float:
        """The parameter's place in [0, 1).

        `position` replaces the index where only some items have the parameter: the item's rank
        among those. Raises ValueError for a name the family did not declare.
        """
        if name not in self._cache:
            self._cache[name] = self._place(name, self.index if position is None else position)
        return self._cache[name]

    def _place(self, name: str, position: int) -> float:
        step = _STEPS[self.names.index(name)]
        fresh = unit((*self.key, self.index, self.attempt, name))
        if self.attempt > _JITTERED_ATTEMPTS:
            return fresh
        place = unit((*self.key, "shift", name)) + position * step
        if self.attempt:
            place += _JITTER * (2.0 * fresh - 1.0)
        return place % 1.0

    def uniform(self, name: str, low: float, high: float) -> float:
        """A value in [low, high), evenly spread."""
        return low + (high - low) * self.unit(name)

    def log_uniform(self, name: str, low: float, high: float) -> float:
        """A value in [low, high), evenly spread in its logarithm; low > 0."""
        return float(low * (high / low) ** self.unit(name))

    def by_tolerance(
        self, name: str, low: float, high: float, tolerance: tuple[float, float]
    ) -> float:
        """A value in [low, high) with density proportional to 1 / its tolerance.

        `tolerance` is (absolute, relative): uniform where the absolute one rules, log-uniform
        above. No constant then catches more than any other. 0 <= low < high.
        """
        absolute, relative = tolerance
        if relative == 0 or (absolute > 0 and high * relative <= absolute):
            return self.uniform(name, low, high)
        crossing = max(low, absolute / relative)
        linear = (crossing - low) / absolute if absolute > 0 else 0.0
        total = linear + math.log(high / crossing) / relative
        reach = self.unit(name) * total
        if reach < linear:
            return low + reach * absolute
        return float(crossing * math.exp((reach - linear) * relative))


def significant(value: float, digits: int = 6) -> float:
    """Rounded to significant digits, so that a last-bit difference of a library vanishes."""
    return float(f"{value:.{digits - 1}e}")
