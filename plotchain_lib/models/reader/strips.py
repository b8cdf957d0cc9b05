"""Unbroken stretches of ink along the columns or rows of a picture."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from plotchain_lib.models.reader.grid import Index, Mask
from plotchain_lib.models.reader.seen import Array, Pixels, Runs


def quantile(values: npt.NDArray[Any], share: float) -> float:
    """The value that so large a share of the others lies below; NumPy's own takes far longer."""
    place = min(int(share * len(values)), len(values) - 1)
    return float(np.partition(values, place)[place])


@dataclass(frozen=True, slots=True)
class Strips:
    """Stretches of ink down the columns (or along the rows) of an array, one entry each, in order.

    Attributes:
        line: the column (or row) each lies in.
        first, last: its first and last pixel.
        mass: the sum of its opacities.
        centre: their mean place.
        peak: the highest of them.
        start, end: where it begins and ends, sub-pixel.
    """

    line: Index
    first: Index
    last: Index
    mass: Array
    centre: Array
    peak: Array
    start: Array
    end: Array

    def chosen(self, which: Mask | Index) -> Strips:
        """Some of them."""
        return Strips(
            self.line[which], self.first[which], self.last[which], self.mass[which],
            self.centre[which], self.peak[which], self.start[which], self.end[which],
        )  # fmt: skip

    def runs(self, line: int, place: int) -> Runs:
        """In picture coordinates, given those of the array's first line and first pixel."""
        return Runs(
            self.line.astype(np.float64) + line,
            self.centre + place,
            self.start + place,
            self.end + place,
        )


def strips(opacity: Pixels, down: bool) -> Strips:
    """The stretches of non-zero opacity, down the columns or along the rows."""
    flat = np.flatnonzero(opacity > 0)
    value = opacity.ravel()[flat].astype(np.float64)
    rows, columns = np.divmod(flat, opacity.shape[1])
    line, place = (columns, rows) if down else (rows, columns)
    # The spare place keeps the end of one line apart from the start of the next.
    code = line * (opacity.shape[0 if down else 1] + 1) + place
    if down:
        order = np.argsort(code, kind="stable")
        code, value, place, line = code[order], value[order], place[order], line[order]
    if not len(code):
        none, empty = np.zeros(0, dtype=np.intp), np.zeros(0)
        return Strips(none, none, none, empty, empty, empty, empty, empty)
    begin = np.concatenate([[True], np.diff(code) != 1])
    start = np.nonzero(begin)[0]
    stop = np.append(start[1:], len(code)) - 1
    mass = np.add.reduceat(value, start)
    return Strips(
        line[start],
        place[start],
        place[stop],
        mass,
        np.add.reduceat(value * place, start) / mass,
        np.maximum.reduceat(value, start),
        place[start] - 0.5 + _soft(value, start, stop, 1),
        place[stop] + 0.5 - _soft(value, stop, start, -1),
    )


def _soft(value: Array, outer: Index, other: Index, way: int) -> Array:
    """How far inside its outermost pixel a stretch begins: partly covered pixels count in part."""
    inside = np.zeros(len(outer))
    place = outer.copy()
    for _ in range(4):
        ahead = place + way
        more = (value[place] < 0.95) & ((other - place) * way > 0)
        more[more] = value[ahead[more]] > value[place[more]]
        inside = np.where(more, inside + 1 - value[place], inside)
        place = np.where(more, ahead, place)
    return inside + np.maximum(1 - value[place], 0)


def widths(some: Strips) -> Array:
    """A line's width across its direction, where it carries on nearly straight on either side.

    Several lines may run side by side, as the flanks of a wave do: where three neighbouring columns
    (or rows) have as many stretches each, the first belongs to the first, and so on.
    """
    if len(some.line) < 3:
        return np.zeros(0)
    begin = np.concatenate([[True], np.diff(some.line) != 0])
    first = np.nonzero(begin)[0]
    counts = np.diff(np.append(first, len(some.line)))
    group = np.cumsum(begin) - 1
    inner = (group > 0) & (group < len(first) - 1)
    middle = np.nonzero(inner)[0]
    own = group[middle]
    rank = middle - first[own]
    before, after = first[own - 1] + rank, first[own + 1] + rank
    alike = (counts[own - 1] == counts[own]) & (counts[own + 1] == counts[own])
    middle, before, after = middle[alike], before[alike], after[alike]
    beside = (some.line[after] - some.line[before]) == 2
    slope = (some.centre[after] - some.centre[before]) / 2
    bend = some.centre[after] + some.centre[before] - 2 * some.centre[middle]
    good = beside & (np.abs(slope) < 1.2) & (np.abs(bend) < 0.3)
    return np.asarray((some.mass[middle] / np.sqrt(1 + slope**2))[good])


def stroke_width(columns: Strips, rows: Strips, shape: tuple[int, ...]) -> float | None:
    """The width of a line across its direction; None where too little of it is to be seen.

    It is measured along columns where the line is flat, along rows where it is steep; not where
    the array of that shape ends, as the frame may hide a part. Lines that overlap are thick, so
    the thinner ones count.
    """
    every = np.concatenate(
        [
            widths(some.chosen((some.first > 0) & (some.last < length - 1)))
            for some, length in zip((columns, rows), shape, strict=True)
        ]
    )
    return quantile(every, 0.15) if len(every) >= 20 else None
