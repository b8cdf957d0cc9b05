"""Dots, rings and crosses as drawn, and their fit to a small window of opacities."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from plotchain_lib.models.reader.grid import Mask
from plotchain_lib.models.reader.seen import Array

Kind = Literal["dot", "ring", "cross"]

_STEPS = 8  # of the fit
_SMALL = 0.02  # pixels: a step that ends it
_NUDGE = 0.1  # pixels: for its slopes


@dataclass(frozen=True, slots=True)
class Shape:
    """A marker's form.

    Attributes:
        kind: which.
        x, y: its centre in the window, in pixels from its first pixel's centre.
        reach: the outer radius, or half the length of a cross's arms.
        line: the width of a ring's or a cross's line; not used for dots.
    """

    kind: Kind
    x: float
    y: float
    reach: float
    line: float = 0.0

    @property
    def size(self) -> float:
        """Its width and height."""
        if self.kind == "cross":
            return float(np.sqrt(2) * (self.reach + self.line / 2))
        return 2 * self.reach

    def drawn(self, shape: tuple[int, ...]) -> Array:
        """Its opacity in a window of that shape."""
        right = np.arange(shape[1], dtype=np.float64)[None, :]
        down = np.arange(shape[0], dtype=np.float64)[:, None]
        return _drawn(self.kind, right, down, self.x, self.y, self.reach, self.line)


def _drawn(
    kind: Kind, right: Array, down: Array, x: float, y: float, reach: float, line: float
) -> Array:
    """A shape's opacity at the given pixels."""
    right, down = right - x, down - y
    if kind == "cross":
        rising, falling = np.abs(right + down) / np.sqrt(2), np.abs(right - down) / np.sqrt(2)
        one = _soft(line / 2 - rising) * _soft(reach - falling)
        other = _soft(line / 2 - falling) * _soft(reach - rising)
        return np.asarray(np.maximum(one, other))
    distance = np.sqrt(right * right + down * down)
    if kind == "dot":
        return _soft(reach - distance)
    return _soft(reach - distance) - _soft(reach - line - distance)


def _soft(inside: Array) -> Array:
    """The share of a pixel covered, given how far inside the edge its centre is."""
    return np.asarray(np.minimum(np.maximum(inside + 0.5, 0), 1))


def by_moments(window: Array) -> list[Shape]:
    """What an unhidden marker in the window can be, by its mass and moments, likeliest first."""
    mass = float(window.sum())
    down, right = np.indices(window.shape, dtype=np.float64)
    y, x = float((window * down).sum() / mass), float((window * right).sum() / mass)
    down, right = (down - y) ** 2, (right - x) ** 2
    square = down + right
    spread = float((window * square).sum() / mass)
    fourfold = (window * (square**2 - 8 * down * right)).sum() / max(
        float((window * square**2).sum()), 1e-6
    )
    if fourfold < -0.4:  # its ink lies along the diagonals
        reach = float(np.sqrt(3 * spread))
        return [Shape("cross", x, y, reach, mass / (4 * reach) * (1 + mass / (16 * reach**2)))]
    outer = float(np.sqrt(spread + mass / (2 * np.pi)))
    inner = float(np.sqrt(max(spread - mass / (2 * np.pi), 0)))
    dot = Shape("dot", x, y, float(np.sqrt(mass / np.pi)))
    ring = Shape("ring", x, y, outer, outer - inner)
    return [dot, ring] if inner < 0.3 * outer else [ring, dot]


def likeness(shape: Shape, window: Array, known: Mask) -> float:
    """How much of the window's variation the shape explains: 1 is all."""
    seen, drawn = window[known], shape.drawn(window.shape)[known]
    rest, whole = seen - drawn, seen - seen.mean()
    return 1 - float((rest @ rest) / max(whole @ whole, 1e-6))


def fit(shape: Shape, window: Array, known: Mask, sized: bool) -> Shape:
    """The shape moved (and, where `sized`, resized) to fit the window's known pixels."""
    down, right = (index.astype(np.float64) for index in np.nonzero(known))
    seen = window[known]
    values = np.array([shape.x, shape.y, shape.reach, shape.line])
    free = 2 if not sized else 3 if shape.kind == "dot" else 4
    for _ in range(_STEPS):
        base = _drawn(shape.kind, right, down, *values)
        slopes = np.empty((len(seen), free))
        for number in range(free):
            values[number] += _NUDGE
            slopes[:, number] = (_drawn(shape.kind, right, down, *values) - base) / _NUDGE
            values[number] -= _NUDGE
        rest = seen - base
        # Pixels far off are something else's.
        weight = 1 / (1 + (rest / 0.3) ** 2)
        normal = slopes.T @ (slopes * weight[:, None]) + 1e-3 * np.eye(free)
        step = np.linalg.solve(normal, slopes.T @ (rest * weight)).clip(-1.5, 1.5)
        values[:free] += step
        values[2:] = np.maximum(values[2:], 0.7)
        if np.abs(step).max() < _SMALL:
            break
    x, y, reach, line = values.tolist()
    return Shape(shape.kind, x, y, reach, line)
