"""Finding where an axis is marked: stubs outside or inside the axes, or lines across them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
import numpy.typing as npt
from scipy import ndimage

from plotchain_lib.models.reader.picture import contrast_to
from plotchain_lib.models.reader.seen import Array, Box, Picture, Pixels

Direction = Literal["x", "y"]

_REACH = 0.03  # of the picture's width: no stub is longer
_WIDEST = 1 / 120  # of the picture's width: no stub or grid line is wider
_HIDDEN = 1 / 250  # of the picture's width: half the line of a frame that cannot be seen
_CLEAR = 40.0  # of 255: the contrast that stubs have at least
_FAINT = 0.3  # of the strongest stub: fainter ink is none
_SHORTEST = 1 / 500  # of the picture's width: the longest stub is longer
_MAJOR = 0.78  # of the longest stub: shorter ones are minor ticks
_EXTRA = 4  # pixels looked at beyond either end of a side
_WHOLE = 0.02  # pixels that the places of lines on whole pixels are off these
_NOISE = 8.0  # times the usual unevenness: the contrast of a grid line before an image
_GRID = 5.0  # of 255: the contrast of a grid line to the face on both its sides


@dataclass(frozen=True, slots=True)
class Ticks:
    """Places of the marks along an axis, in pixels.

    Attributes:
        major, minor: long and short stubs.
        lines: lines all across the axes and its ends; only where there are no stubs outside.
        reach: how far the stubs stick out from the centre of the frame's line.
        outside: whether the stubs are outside the axes, where nothing else can be taken for one.
    """

    major: Array
    minor: Array
    lines: Array
    reach: float
    outside: bool

    @property
    def all(self) -> Array:
        """Every place that may be marked, ascending."""
        return np.sort(np.concatenate([self.major, self.minor, self.lines]))


def find_ticks(picture: Picture, box: Box, direction: Direction) -> Ticks:
    """The marks of the bottom (or the left) side, where they were meant."""
    drawn = _drawn(picture, box, direction)
    if not len(drawn.all):
        return drawn
    # Matplotlib's Agg draws a line an odd number of pixels wide (its centre then is a pixel's) half
    # a pixel too far to the right and the bottom in the mean, and others where they belong: the
    # class PathSnapper in its src/path_converters.h.
    odd = np.percentile(np.abs(drawn.all - np.round(drawn.all)), 80) < _WHOLE
    shift = 0.5 if odd else 0.0
    return replace(
        drawn, major=drawn.major - shift, minor=drawn.minor - shift, lines=drawn.lines - shift
    )


def _drawn(picture: Picture, box: Box, direction: Direction) -> Ticks:
    width = picture.rgb.shape[1]
    margin, reach = box.line / 2 + 0.5, round(_REACH * width)
    first = max(0, int({"x": box.left, "y": box.top}[direction]) - _EXTRA)
    skipped = 0 if box.line else round(_HIDDEN * width) + 1
    place, length = _stubs(_outside(picture, box, direction, margin, reach), width, skipped)
    if len(place) > 1 and length.max() > max(1.5, _SHORTEST * width):
        major = length >= _MAJOR * length.max()
        out = margin + float(length.max()) + 1.5  # smeared by a row
        return Ticks(place[major] + first, place[~major] + first, np.empty(0), out, True)
    low, high = (box.left, box.right) if direction == "x" else (box.top, box.bottom)
    inner = contrast_to(_inside(picture.rgb, box, direction), box.face)
    place, length = _stubs(inner[round(margin) :][:reach], width)
    # What runs on is a curve or a rule.
    whole = (length < reach) & _between(place + first, low + margin, high - margin)
    major, place = _long(length[whole]), place[whole] + first
    lines = _lines(inner, width) + first
    # Ticks at the axes' ends lie under the frame.
    lines = np.sort([low, high, *lines[_between(lines, low + margin, high - margin)]])
    return Ticks(place[major], place[~major], lines, margin + 1, False)


def _between(places: Array, low: float, high: float) -> npt.NDArray[np.bool_]:
    return np.asarray((places > low) & (places < high))


def _long(lengths: Array) -> npt.NDArray[np.bool_]:
    """Which stubs inside are long; a single longest one may be a piece of a curve."""
    if len(lengths) < 2:
        return np.ones(len(lengths), dtype=bool)
    longest = np.sort(lengths)[-2]
    most = max(longest / _MAJOR, longest + 2)
    return np.asarray((lengths >= _MAJOR * longest) & (lengths <= most))


def _outside(picture: Picture, box: Box, direction: Direction, margin: float, reach: int) -> Pixels:
    """The strip beside the axis: rows lead away from it, columns are pixels along it."""
    if direction == "x":
        first = int(np.ceil(box.bottom + margin))
        columns = slice(max(0, int(box.left) - _EXTRA), int(np.ceil(box.right)) + _EXTRA + 1)
        return contrast_to(picture.rgb[first : first + reach, columns], picture.ground)
    last = int(np.floor(box.left - margin))
    rows = slice(max(0, int(box.top) - _EXTRA), int(np.ceil(box.bottom)) + _EXTRA + 1)
    strip = picture.rgb[rows, max(0, last - reach + 1) : last + 1]
    return contrast_to(strip, picture.ground).T[::-1]


def _inside(rgb: Pixels, box: Box, direction: Direction) -> Pixels:
    """The axes' pixels: rows lead away from the side, into the axes; columns lie along it."""
    left, top = max(0, int(box.left) - _EXTRA), max(0, int(box.top) - _EXTRA)
    right, bottom = int(np.ceil(box.right)) + _EXTRA, int(np.ceil(box.bottom)) + _EXTRA
    if direction == "x":
        return rgb[round(box.top) + 3 : round(box.bottom) + 1, left : right + 1][::-1]
    return rgb[top : bottom + 1, round(box.left) : round(box.right) - 2].swapaxes(0, 1)


def _stubs(strip: Pixels, width: int, skipped: int = 0) -> tuple[Array, Array]:
    """Places and lengths of the short lines that leave the strip's first row.

    Or a row soon after it, where some may be `skipped`.
    """
    if len(strip) < 2:
        return np.empty(0), np.empty(0)
    strip = np.clip(strip - np.median(strip, axis=1, keepdims=True), 0, None)
    # A frame of the ground's colour hides where the stubs begin.
    start = int(strip[: skipped + 1].sum(axis=1).argmax()) if skipped else 0
    strip = strip[start:]
    profile = strip[:2].mean(axis=0)
    strongest = float(profile.max(initial=0))
    if strongest < _CLEAR:
        return np.empty(0), np.empty(0)
    places, lengths = [], []
    for group in _groups(profile > _FAINT * strongest):
        if len(group) > max(4, _WIDEST * width):
            continue
        wide = slice(max(0, group[0] - 1), group[-1] + 2)
        places.append(_centre(profile, wide))
        ink = strip[:, wide].sum(axis=1)
        ended = np.flatnonzero(ink < 0.5 * ink[:2].mean())
        lengths.append(start + (float(ended[0]) if len(ended) else float(len(ink))))
    return np.array(places), np.array(lengths)


def _lines(inner: Pixels, width: int) -> Array:
    """Places of the lines that run all along the array's first axis, dashed ones too."""
    sample = inner[:: max(1, len(inner) // 150)]
    # A dash covers most of a dashed line, and a curve little of a column.
    profile = np.partition(sample, int(0.6 * len(sample)), axis=0)[int(0.6 * len(sample))]
    size = 2 * max(4, round(_WIDEST * width)) + 1
    profile = np.abs(profile - ndimage.median_filter(profile, size, mode="nearest"))
    # An image has ups and downs of its own.
    groups = _groups(profile > max(_GRID, _NOISE * float(np.percentile(profile, 70))))
    return np.array([
        _centre(profile, slice(max(0, g[0] - 1), g[-1] + 2))
        for g in groups if len(g) <= max(4, _WIDEST * width)
    ])  # fmt: skip


def _groups(mask: npt.NDArray[np.bool_]) -> list[npt.NDArray[np.intp]]:
    """Runs of neighbouring true places."""
    places = np.flatnonzero(mask)
    if not len(places):
        return []
    return np.split(places, np.flatnonzero(np.diff(places) > 1) + 1)


def _centre(profile: Pixels, part: slice) -> float:
    weight = profile[part].astype(np.float64)
    return float((weight * np.arange(part.start, part.start + len(weight))).sum() / weight.sum())
