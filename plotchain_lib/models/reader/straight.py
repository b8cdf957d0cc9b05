"""Straight lines along the axes within one ink: rows of short strips that share one centre."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

import numpy as np

from plotchain_lib.models.reader.grid import Index, Mask
from plotchain_lib.models.reader.seen import Array
from plotchain_lib.models.reader.strips import Strips, quantile

_THICK = 0.009  # of the axes' longer side: the thickest helper line
_SHORTEST = 0.08  # of the axes' side
_WIDEST_GAP = 0.05  # of the axes' side: where other things hide a line
_COVERED = 0.25  # of its length, the least of a dotted line
_LINE_OF_TEXT = 0.35  # of the axes' side, at most
_CROSSED = 0.3  # of its length, at most, for dashes to be told from letters
_MOST = 40  # places looked at
_BIN = 0.1  # pixels, in counting the strips at one place
_STRAY = 0.35  # pixels between a strip's centre and its line


@dataclass(frozen=True, slots=True)
class Straight:
    """A straight line: its strips across, and what they have in common.

    Attributes:
        place: of its middle, across.
        first, last: its first and last column (or row).
        mass, peak: of its strips.
        pattern: how it is drawn.
        members: which strips, as indices.
        crossed: which columns (or rows) from first to last something else of the ink runs through.
    """

    place: float
    first: int
    last: int
    mass: float
    peak: float
    pattern: Literal["solid", "dashed", "dotted"]
    members: Index
    crossed: Mask

    @property
    def thickness(self) -> float:
        """In pixels."""
        return self.mass / self.peak


def find_straight(every: Strips, along: int, across: int) -> list[Straight]:
    """The straight lines among strips; `along` and `across` are the axes' sides in pixels."""
    thin = np.nonzero(every.mass <= max(4.0, _THICK * max(along, across)))[0]
    order = thin[np.argsort(every.centre[thin], kind="stable")]
    centre = every.centre[order]
    # How many strips have their centre within a line's width of each place.
    span = int(2 * _STRAY / _BIN)
    counts = np.bincount((centre / _BIN).astype(np.intp), minlength=int(across / _BIN) + 2)
    many = np.convolve(counts, np.ones(span, dtype=np.intp))
    fewest = _COVERED * _SHORTEST * along
    free = np.ones(len(order), dtype=bool)
    found: list[Straight] = []
    for _ in range(_MOST):
        best = int(np.argmax(many))
        if many[best] < fewest:
            break
        many[max(best - span // 2, 0) : best + span // 2 + 1] = 0
        edges = np.searchsorted(centre, [(best - span + 1) * _BIN, (best + 1) * _BIN])
        middle = centre[(edges[0] + edges[1]) // 2]
        low, high = np.searchsorted(centre, [middle - _STRAY, middle + _STRAY])
        members = np.sort(order[low:high][free[low:high]])
        if len(members) < fewest:
            continue
        for chain in _chains(every.line[members], _WIDEST_GAP * along):
            line = _examine(every, members[chain], along)
            if line is not None:
                found.append(line)
                free[low:high] = False
    return found


def _chains(lines: Index, gap: float) -> list[slice]:
    """Stretches of ascending numbers without a wide gap."""
    cuts = np.nonzero(np.diff(lines) > gap)[0] + 1
    edges = [0, *cuts.tolist(), len(lines)]
    return [slice(a, b) for a, b in pairwise(edges)]


def _examine(every: Strips, members: Index, along: int) -> Straight | None:
    """The line that these strips make, or none."""
    first, last = int(every.line[members[0]]), int(every.line[members[-1]])
    length = last - first + 1
    if len(members) < _COVERED * max(_SHORTEST * along, length):
        return None
    some = every.chosen(members)
    mass = quantile(some.mass, 0.8)
    full = some.mass > 0.5 * mass
    if length < _SHORTEST * along or some.mass.sum() < _COVERED * mass * length:
        return None
    place = float(np.average(some.centre, weights=some.mass))
    here = (every.line >= first) & (every.line <= last)
    here &= (every.first - 0.5 <= place) & (every.last + 0.5 >= place)
    # The ends of dashes are fainter, and soft at one side where they touch the grid.
    ends = here & (np.abs(every.centre - place) <= 1) & (every.mass <= 0.8 * mass)
    ends[members] = False
    if np.count_nonzero(ends) < 0.5 * len(members):
        here &= ~ends
    here[members] = False
    crossed = np.zeros(length, dtype=bool)
    crossed[every.line[here] - first] = True
    drawn = np.zeros(length, dtype=bool)
    drawn[some.line[full] - first] = True
    peak = quantile(some.peak, 0.8)
    pattern = _pattern(drawn, crossed, mass / peak)
    if pattern is None:
        return None
    if pattern != "solid":
        if _in_text(every, members, place, mass / peak, along):
            return None
        dashes = _are_dashes(some.line)
        if not dashes.all():  # a level part of the curve lies on the line
            return _examine(every, members[dashes], along)
    return Straight(place, first, last, mass, peak, pattern, members, crossed)


def _are_dashes(lines: Index) -> Mask:
    """Which strips, in ascending columns, belong to stretches about as long as most."""
    edges = np.concatenate([[0], np.nonzero(np.diff(lines) != 1)[0] + 1, [len(lines)]])
    lengths = np.diff(edges)
    return np.repeat(lengths <= 3 * np.median(lengths) + 4, lengths)


def _in_text(every: Strips, members: Index, place: float, thickness: float, along: int) -> bool:
    """Whether dashes are strokes of letters: short as a whole, and with others over or under."""
    first, last = every.line[members[0]], every.line[members[-1]]
    if last - first > _LINE_OF_TEXT * along:
        return False
    away = np.abs(every.centre - place)
    near = (away < 8 * thickness) & (away > 1) & (every.line >= first) & (every.line <= last)
    near[members] = False
    return bool(len(np.unique(every.line[near])) > 0.35 * (last - first))


def _pattern(
    drawn: Mask, crossed: Mask, thickness: float
) -> Literal["solid", "dashed", "dotted"] | None:
    """How a line is drawn, by the lengths of its dashes and gaps; None where they are irregular."""
    known = ~crossed
    if drawn[known].mean() > 0.93:
        return "solid"
    if crossed.mean() > _CROSSED:
        return None
    edges = np.nonzero(np.diff(drawn.astype(np.int8)) != 0)[0] + 1
    starts = np.concatenate([[0], edges])
    stops = np.concatenate([edges, [len(drawn)]])
    clear = np.add.reduceat(crossed, starts) == 0
    clear[[0, -1]] = False
    lengths, on = stops - starts, drawn[starts]
    dashes, gaps = lengths[on & clear], lengths[~on & clear]
    if len(dashes) < 3 or len(gaps) < 3 or _regular(gaps) < 0.6:
        return None
    dash, gap = quantile(dashes, 0.5), quantile(gaps, 0.5)
    if gap > 3 * dash + 2 * thickness or (_regular(dashes) < 0.6 and len(dashes) < 6):
        return None
    return "dotted" if dash <= 1.7 * thickness else "dashed"


def _regular(lengths: Index | Array) -> float:
    """The share of lengths about as long as most."""
    middle = quantile(lengths, 0.5)
    return float(np.mean(np.abs(lengths - middle) <= max(1.1, 0.15 * middle)))
