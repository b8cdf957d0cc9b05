"""The main line of a plot, traced."""

from __future__ import annotations

import numpy as np
from scipy import ndimage

from plotchain_lib.models.reader.grid import Mask
from plotchain_lib.models.reader.pieces import find_pieces, letters
from plotchain_lib.models.reader.seen import (
    Array,
    Box,
    Colour,
    Curve,
    Ink,
    Picture,
    Pixels,
    UnreadableError,
)
from plotchain_lib.models.reader.strips import Strips, quantile, strips, stroke_width

_SOFT = 0.05  # opacity of a piece's edge pixels
_SHORTEST = 0.1  # of the axes' width
_WIDE, _TALL = 0.025, 0.06  # of the axes' sides: pieces of a line; smaller ones are marks


def find_curve(picture: Picture, box: Box, inks: tuple[Ink, ...]) -> Curve:
    """The main line. Raises UnreadableError where there is none."""
    ink, opacity = _main(inks)
    columns, rows = strips(opacity, down=True), strips(opacity, down=False)
    columns, rows = columns.chosen(columns.peak > 0.5), rows.chosen(rows.peak > 0.5)
    stroke = stroke_width(columns, rows, opacity.shape)
    if stroke is None:
        raise UnreadableError("no curve inside the axes")
    counts = np.bincount(columns.line)
    single = columns.chosen(counts[columns.line] == 1)
    lengths = stroke * np.sqrt(1 + _slopes(single) ** 2)
    centre = _uncut(single, lengths, opacity.shape[0])
    good = ~_disturbed(single, lengths, stroke, ink, inks)
    return Curve(
        single.line[good].astype(np.float64) + ink.left,
        centre[good] + ink.top,
        columns.runs(ink.left, ink.top),
        rows.runs(ink.top, ink.left),
        stroke,
        ink.colour,
    )


def _main(inks: tuple[Ink, ...]) -> tuple[Ink, Pixels]:
    """The ink with most in long pieces, and the opacity of these, full at 1.

    Ink beyond two pixels a column does not count: a steep curve has no more right than a level one.
    """
    best: tuple[Ink, Pixels] | None = None
    most = 0.0
    for ink in inks:
        width = ink.opacity.shape[1]
        if np.count_nonzero(ink.opacity.any(axis=0)) <= _SHORTEST * width:
            continue
        opacity = _long_pieces(ink.opacity)
        columns = opacity.sum(axis=0)
        covered = float(np.minimum(columns, 2).sum())
        if np.count_nonzero(columns) > _SHORTEST * width and covered > most:
            best, most = (ink, opacity), covered
    if best is None:
        raise UnreadableError("no curve inside the axes")
    ink, opacity = best
    # Its hue may be another ink's, stronger than itself: grey beside black.
    some = strips(opacity, down=True)
    whole = (some.first > 0) & (some.last < opacity.shape[0] - 1)
    full = quantile(some.peak[whole], 0.6) if whole.any() else 1.0
    if full < 0.9:
        opacity = np.minimum(opacity / full, 1).astype(np.float32)
        colour: Colour = tuple(255 + (part - 255) * full for part in ink.colour)  # type: ignore[assignment]
        ink = Ink(colour, ink.opacity, ink.left, ink.top, ink.rules)
    return ink, opacity


def _long_pieces(opacity: Pixels) -> Pixels:
    """The opacity without letters, dashes and marks."""
    pieces = find_pieces(opacity, _SOFT)
    height, width = opacity.shape
    long = (pieces.wide > _WIDE * width) | (pieces.tall > _TALL * height)
    long &= ~letters(pieces, max(height, width))
    kept = np.concatenate([[False], long])[pieces.labels]
    return np.where(kept, opacity, np.float32(0))


def _slopes(single: Strips) -> Array:
    """The line's slope in each column, rows per column, a step's and an outlier's smoothed out."""
    if len(single.line) < 3:
        return np.zeros(len(single.line))
    step = np.diff(single.centre) / np.diff(single.line)
    both = np.concatenate([step[:1], (step[1:] + step[:-1]) / 2, step[-1:]])
    return np.asarray(ndimage.median_filter(both, size=5, mode="nearest"))


def _uncut(single: Strips, lengths: Array, height: int) -> Array:
    """The line's middle, also where the frame hides one edge of it."""
    centre = single.centre.copy()
    short = single.mass < 0.95 * lengths
    low = short & (single.last == height - 1)
    high = short & (single.first == 0)
    centre[low] = single.start[low] + lengths[low] / 2
    centre[high] = single.end[high] - lengths[high] / 2
    return centre


def _disturbed(
    single: Strips, lengths: Array, stroke: float, ink: Ink, inks: tuple[Ink, ...]
) -> Mask:
    """The columns where something else hides a part of the line, or joins it."""
    bad = np.zeros(len(single.line), dtype=bool)
    if not len(bad):
        return bad
    height, width = ink.opacity.shape
    over = np.zeros((height, width), dtype=bool)
    for other in inks:
        if other.opacity is not ink.opacity:
            over |= other.opacity > 0.4
    for side in (-1, 0, 1):
        line = np.clip(single.line + side, 0, width - 1)
        for away in (1, 2):
            bad |= over[np.maximum(single.first - away, 0), line]
            bad |= over[np.minimum(single.last + away, height - 1), line]
    odd = np.abs(single.mass - lengths) > 0.15 * lengths + 0.3
    for other in inks:
        for rule in other.rules:
            half = 0.5 * stroke + 1
            if rule.direction == "vertical":
                bad |= np.abs(single.line + ink.left - rule.place) < half
                continue
            place = rule.place - ink.top
            meets = odd & (single.start - half < place) & (single.end + half > place)
            if other.opacity is not ink.opacity:
                line = single.line + ink.left
                meets &= (line > rule.start - 1) & (line < rule.end + 1)
            # In the curve's own ink it may go on unseen, one with the curve.
            bad |= meets
    return bad
