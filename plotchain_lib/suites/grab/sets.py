"""Data series fitted to a value, placed so that no point hides another."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping

import numpy as np

from plotchain_lib.suites.grab.curves import Array
from plotchain_lib.suites.grab.dice import Dice
from plotchain_lib.suites.grab.points import STATISTICS
from plotchain_lib.suites.grab.shapes import Frame, interval

Series = tuple[Array, Array]
Span = tuple[float, float]
DECIMALS = 3
_TRIES = 40
_BETWEEN_RANKS = 0.006  # of the frame's half height, between neighbours in rank


class Places:
    """Where points lie already: a new point keeps `gap` from all others, along x or along y.

    Attributes:
        frame: the frame the points lie in.
        gap: in half sides of the frame.
    """

    def __init__(self, frame: Frame, gap: float) -> None:
        """Start with no points."""
        self.frame, self.gap = frame, gap
        self._taken: list[tuple[float, float]] = []

    def take(self, x: float, y: float) -> bool:
        """Put a point (data units) there if it hides nothing; whether it did."""
        u, v, gap = x / self.frame.x, y / self.frame.y, self.gap
        if any(abs(u - a) < gap and abs(v - b) < gap for a, b in self._taken):
            return False
        self._taken.append((u, v))
        return True

    def all_or_none(self, points: Iterable[tuple[float, float] | None]) -> bool:
        """Put all these points there, or none of them where one fails (or is None)."""
        before = len(self._taken)
        if all(point is not None and self.take(*point) for point in points):
            return True
        del self._taken[before:]
        return False

    def back_to(self, count: int) -> None:
        """Take away all but the first `count` points."""
        del self._taken[count:]

    def __len__(self) -> int:
        """How many points there are."""
        return len(self._taken)


def unit_values(dice: Dice, count: int) -> Array:
    """`count` values in [-1, 1], both ends among them, drawn towards the middle or outwards."""
    power = dice.choice((0.4, 0.7, 1.0, 1.6))
    raw = 2.0 * dice.units(count) - 1.0
    bent = np.sign(raw) * np.abs(raw) ** power
    low, high = float(bent.min()), float(bent.max())
    return np.asarray((2.0 * bent - high - low) / (high - low))


def _levelled(name: str) -> Callable[[Dice, float, int, Frame], Array | None]:
    def make(dice: Dice, value: float, count: int, frame: Frame) -> Array | None:
        shape = unit_values(dice, count)
        own = STATISTICS[name](shape, shape)
        above = (frame.y - value) / max(1.0 - own, 1e-9)
        below = (frame.y + value) / max(1.0 + own, 1e-9)
        room = min(above, below, frame.y)
        if room < 0.06 * frame.y:
            return None
        height = max(0.06 * frame.y, room * dice.uniform(0.4, 1.0))
        return np.asarray(value + height * (shape - own))

    return make


def _sized(name: str, power: float = 1.0) -> Callable[[Dice, float, int, Frame], Array | None]:
    def make(dice: Dice, value: float, count: int, frame: Frame) -> Array | None:
        shape = unit_values(dice, count)
        height = (value / STATISTICS[name](shape, shape)) ** (1.0 / power)
        if height > frame.y:
            return None
        return np.asarray(dice.uniform(-1.0, 1.0) * (frame.y - height) + height * shape)

    return make


_VALUES: Mapping[str, Callable[[Dice, float, int, Frame], Array | None]] = {
    "mean": _levelled("mean"),
    "median": _levelled("median"),
    "maximum": _levelled("maximum"),
    "minimum": _levelled("minimum"),
    "interquartile_range": _sized("interquartile_range"),
    "variance": _sized("variance", 2.0),
    "range": _sized("range"),
}
_CORRELATIONS: Mapping[str, Callable[[float], float]] = {
    "pearson": lambda value: value,
    # The relations of a bivariate normal distribution (Kruskal 1958).
    "spearman": lambda value: 2.0 * math.sin(math.pi * value / 6.0),
    "kendall": lambda value: math.sin(math.pi * value / 2.0),
}


def make(name: str, dice: Dice, value: float, count: int, places: Places) -> Series | None:
    """A series of `count` points whose property `name` is near `value`; None where it failed.

    Its points are put in `places`.
    """
    before = len(places)
    made = _made(name, dice, value, count, places)
    if made is not None and min(len(set(part.tolist())) for part in made) == count:
        return made
    places.back_to(before)
    return None


def _made(name: str, dice: Dice, value: float, count: int, places: Places) -> Series | None:
    frame = places.frame
    if name in _CORRELATIONS:
        return _correlated(name, dice, value, count, places)
    if name == "domain_length":
        low = round(dice.uniform(-1.0, 1.0) * (frame.x - value / 2.0) - value / 2.0, DECIMALS)
        ends = low, round(low + value, DECIMALS)
        half = frame.y * dice.uniform(0.4, 1.0)
        middle = dice.uniform(-1.0, 1.0) * (frame.y - half)
        across: list[Span] = [(end, end) for end in ends] + [ends] * (count - 2)
        up: list[Span] = [(middle - half, middle + half)] * count
    else:
        values = _VALUES[name](dice, value, count, frame)
        if values is None:
            return None
        across = [interval(dice, frame, 0.5)] * count
        up = [(y, y) for y in dice.shuffled(np.round(values, DECIMALS).tolist())]
    points = []
    for x_span, y_span in zip(across, up, strict=True):
        point = _put(dice, places, x_span, y_span)
        if point is None:
            return None
        points.append(point)
    x, y = zip(*points, strict=True)
    return np.array(x), np.array(y)


def _put(dice: Dice, places: Places, x_span: Span, y_span: Span) -> tuple[float, float] | None:
    """Draw a point within the spans until it has room; None after too many draws."""
    for _ in range(_TRIES):
        point = (
            round(dice.uniform(*x_span), DECIMALS), round(dice.uniform(*y_span), DECIMALS)
        )  # fmt: skip
        if places.take(*point):
            return point
    return None


def _correlated(name: str, dice: Dice, value: float, count: int, places: Places) -> Series | None:
    """Points with this product-moment correlation, or the one a rank correlation comes from."""
    frame, tries = places.frame, 12
    for _ in range(tries):
        spread = (np.arange(count) + 0.15 + 0.7 * dice.units(count)) / count
        line = (spread - spread.mean()) / spread.std()
        noise = dice.units(count) + dice.units(count) + dice.units(count)
        noise -= noise.mean() + line * float((noise * line).mean())
        share = max(-1.0, min(1.0, _CORRELATIONS[name](value)))
        raw = share * line + math.sqrt(1.0 - share * share) * noise / noise.std()
        x = _fitted(spread, interval(dice, frame, 0.4))
        y = _fitted(raw, interval(dice, Frame(frame.y, frame.y), 0.4))
        clear = float(np.diff(np.sort(y)).min()) >= _BETWEEN_RANKS * frame.y
        if clear and places.all_or_none(zip(x.tolist(), y.tolist(), strict=True)):
            return x, y
    return None


def _fitted(values: Array, span: tuple[float, float]) -> Array:
    """The values moved and scaled to reach from one end of the span to the other."""
    low, high = float(values.min()), float(values.max())
    scaled = span[0] + (span[1] - span[0]) * (values - low) / (high - low)
    return np.asarray(np.round(scaled, DECIMALS))
