"""Dots, rings and crosses, also where other lines run through them or the frame cuts them."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from plotchain_lib.models.reader.blobs import find_blobs
from plotchain_lib.models.reader.grid import Mask
from plotchain_lib.models.reader.pieces import Pieces, find_pieces, letters
from plotchain_lib.models.reader.seen import Array, Box, Ink, Marker, Picture
from plotchain_lib.models.reader.shapes import Shape, by_moments, fit, likeness
from plotchain_lib.models.reader.strips import quantile

_SMALLEST, _LARGEST = 0.006, 0.065  # of the axes' longer side
_SPECK = 0.0025  # of the same: less is no part of a marker
_SOLID = 0.25  # opacity of a marker's pixels
_LIKE = 0.85  # of its window's variation that a marker explains at once, without a fit
_ALIKE = 0.8  # after a fit
_UNLIKE = 0.75  # without a fit: it is something else, or more
_IN_VIEW = 0.35  # of a marker and of the rim around it
_SLENDER = 6.0  # ratio of the variances along and across a piece of line
_ROOM = 3  # pixels around a marker's window


@dataclass(frozen=True, slots=True)
class _Sheet:
    """One ink among the others.

    Attributes:
        ink: which.
        hidden: where other inks or helper lines may hide it.
        side: the axes' longer side in pixels.
    """

    ink: Ink
    hidden: Mask
    side: int


def find_markers(picture: Picture, box: Box, inks: tuple[Ink, ...]) -> tuple[Marker, ...]:
    """The markers of all inks, from left to right."""
    found: list[Marker] = []
    for ink in inks:
        sheet = _Sheet(ink, _hidden(ink, inks), max(ink.opacity.shape))
        found += _in_ink(sheet)
    outer = [marker for marker in found if not _within(marker, found)]
    return tuple(sorted(outer, key=lambda marker: marker.x))


def _within(marker: Marker, found: list[Marker]) -> bool:
    """Whether it is only what is seen of a line inside a ring."""
    return any(
        np.hypot(marker.x - other.x, marker.y - other.y) < 0.4 * other.size
        and marker.size < 0.8 * other.size
        for other in found
    )


def _hidden(ink: Ink, inks: tuple[Ink, ...]) -> Mask:
    """Where other inks or helper lines lie."""
    mask = np.zeros(ink.opacity.shape, dtype=bool)
    for other in inks:
        if other is not ink:
            mask |= other.opacity > 0.2
        for rule in other.rules:
            across, along = (
                (ink.left, ink.top) if rule.direction == "vertical" else (ink.top, ink.left)
            )
            half = 1.5
            near = slice(
                max(int(rule.place - across - half), 0), int(rule.place - across + half) + 2
            )
            far = slice(max(int(rule.start - along), 0), int(rule.end - along) + 2)
            if rule.direction == "vertical":
                mask[far, near] = True
            else:
                mask[near, far] = True
    return mask


def _in_ink(sheet: _Sheet) -> list[Marker]:
    opacity = sheet.ink.opacity
    pieces = find_pieces(opacity, _SOLID)
    size = np.maximum(pieces.tall, pieces.wide)
    lettered = letters(pieces, sheet.side)
    small = (size <= _LARGEST * sheet.side) & (size >= _SPECK * sheet.side) & ~lettered
    found: list[Shape] = []
    doubtful: list[int] = []
    for number in np.nonzero(small)[0].tolist():
        window = _window(sheet, pieces, [number])
        like, shape = window.whole()
        if like > _LIKE:
            found.append(shape)
        elif window.touched or like > _UNLIKE:
            doubtful.append(number)
        else:
            found += window.pair()
    for group in _groups(pieces, doubtful, _LARGEST * sheet.side):
        window = _window(sheet, pieces, group)
        part = window.part(found)
        found += window.pair() if part is None else [part]
    long = np.concatenate([[False], (size > _LARGEST * sheet.side) & ~lettered])
    if long.any():
        thick = np.where(long[pieces.labels], opacity, np.float32(0))
        blobs = find_blobs(thick, sheet.hidden, _LARGEST * sheet.side)
        found += [blob for blob in blobs if blob.size >= max(_SMALLEST * sheet.side, 4.0)]
    return [_marker(sheet, shape) for shape in found]


def _groups(pieces: Pieces, numbers: list[int], largest: float) -> list[list[int]]:
    """Pieces that may be parts of one marker, put together."""
    groups: list[list[int]] = []
    boxes = pieces.boxes.tolist()
    for number in numbers:
        for group in groups:
            top, left, bottom, right = zip(*(boxes[one] for one in (*group, number)), strict=True)
            sides = [
                max(boxes[one][2] - boxes[one][0], boxes[one][3] - boxes[one][1])
                for one in (*group, number)
            ]
            size = max(max(bottom) - min(top), max(right) - min(left))
            if size <= min(largest, 2.6 * max(sides)):
                group.append(number)
                break
        else:
            groups.append([number])
    return groups


@dataclass(frozen=True, slots=True)
class _Window:
    """A marker's surroundings.

    Attributes:
        opacity: of its own pieces, full at 1.
        known: where nothing hides it.
        extent: first and last row and column of its pieces in the window.
        left, top: of the window, in the ink's array.
        touched: whether something that hides lies against it, or the frame.
        smallest: size of a marker, in pixels.
    """

    opacity: Array
    known: Mask
    extent: tuple[int, int, int, int]
    left: int
    top: int
    touched: bool
    smallest: float

    def whole(self) -> tuple[float, Shape]:
        """The marker it is if nothing hides a part of it, and how much it is like that."""
        top, left, bottom, right = self.extent
        size, aspect = max(bottom - top, right - left), (bottom - top) / (right - left)
        shapes = by_moments(self.opacity)
        if size < self.smallest or not 0.75 < aspect < 1.33:
            return 0.0, shapes[0]
        everything = np.ones_like(self.known)
        likes = [likeness(shape, self.opacity, everything) for shape in shapes]
        best = int(np.argmax(likes))
        return likes[best], self._placed(shapes[best])

    def pair(self) -> list[Shape]:
        """The ring and the cross that overlap in it, or nothing."""
        top, left, bottom, right = self.extent
        size = min(bottom - top, right - left)
        if size < 1.3 * self.smallest or max(bottom - top, right - left) > 1.7 * size:
            return []
        if self._long_or_covered(Shape("dot", (left + right) / 2, (top + bottom) / 2, size / 2)):
            return []
        mass = float(self.opacity.sum())
        ring = Shape("ring", 0, 0, size / 2, mass / (5 * size))
        ring = self._best(ring, self.extent, self.known)
        free = self.known & (ring.drawn(self.opacity.shape) < 0.05)
        down, right_ = np.nonzero(free & (self.opacity > 0.5))
        if len(down) < 6:
            return []
        extent = (down.min(), right_.min(), down.max() + 1, right_.max() + 1)
        cross = Shape("cross", 0, 0, size * 0.65, ring.line)
        cross = self._best(cross, extent, free)
        both = np.maximum(ring.drawn(self.opacity.shape), cross.drawn(self.opacity.shape))
        rest = (self.opacity - both)[self.known]
        whole = self.opacity[self.known] - self.opacity[self.known].mean()
        if rest @ rest > (1 - _ALIKE) * (whole @ whole):
            return []
        return [self._placed(ring), self._placed(cross)]

    def _best(self, shape: Shape, extent: tuple[int, int, int, int], known: Mask) -> Shape:
        """The shape fitted from each corner of an extent in turn: the likeliest."""
        top, left, bottom, right = extent
        half = min(bottom - top, right - left) / 2 - 0.5
        fitted = []
        for x in {left + half, right - 1 - half}:
            for y in {top + half, bottom - 1 - half}:
                start = replace(shape, x=x, y=y)
                fitted.append(fit(start, self.opacity, known, sized=True))
        return max(fitted, key=lambda one: likeness(one, self.opacity, known))

    def part(self, found: list[Shape]) -> Shape | None:
        """The marker that it shows a part of, or none. Others found tell the sizes to expect."""
        top, left, bottom, right = self.extent
        size = max(bottom - top, right - left)
        if size < self.smallest:
            return None
        x, y = (left + right - 1) / 2, (top + bottom - 1) / 2
        mass = float(self.opacity.sum())
        if self._long_or_covered(Shape("dot", x, y, size / 2)):
            return None
        starts = [
            Shape("dot", x, y, size / 2),
            Shape("ring", x, y, size / 2, mass / (2.2 * size)),
            Shape("cross", x, y, size * 0.65, mass / (2.4 * size)),
        ]
        # It is more likely one of the ink's other markers than one of a size of its own.
        alike = [one for one in found if 0.4 * one.size < size < 1.2 * one.size]
        fitted = [self._cornered(one) for one in alike[:1]]
        if not fitted or fitted[0][0] < _ALIKE:
            fitted = [self._fitted(start, sized=True) for start in starts]
        like, shape = max(fitted, key=lambda pair: pair[0])
        if shape.kind == "ring" and shape.line > 0.7 * shape.reach:  # with hardly a hole
            like, shape = self._fitted(replace(starts[0], x=shape.x, y=shape.y), sized=True)
        if like < _ALIKE or self._in_view(shape) < _IN_VIEW or shape.size < self.smallest:
            return None
        return self._placed(shape)

    def _cornered(self, shape: Shape) -> tuple[float, Shape]:
        """The shape fitted without change of size, from each corner of the extent in turn."""
        top, left, bottom, right = self.extent
        half = shape.size / 2 - 0.5
        across = {round(left + half), round(right - 1 - half)}
        down = {round(top + half), round(bottom - 1 - half)}
        fitted = [
            self._fitted(replace(shape, x=float(x), y=float(y)), sized=False)
            for x in across
            for y in down
        ]
        return max(fitted, key=lambda pair: pair[0])

    def _fitted(self, start: Shape, sized: bool) -> tuple[float, Shape]:
        shape = fit(start, self.opacity, self.known, sized)
        return likeness(shape, self.opacity, self.known), shape

    def _long_or_covered(self, disc: Shape) -> bool:
        """Whether its ink lies along one line, or what is around it is hidden."""
        down, right = np.nonzero(self.opacity > 0.3)
        if len(down) < 6 or self._in_view(disc) < 0.5 * _IN_VIEW:
            return True
        down, right = down - down.mean(), right - right.mean()
        dd, rr, dr = down @ down, right @ right, down @ right
        spread = np.sqrt((dd - rr) ** 2 + 4 * dr * dr)
        return bool(dd + rr + spread > _SLENDER * (dd + rr - spread))

    def _in_view(self, shape: Shape) -> float:
        """The share of the shape and of the rim around it that nothing hides."""
        drawn = shape.drawn(self.opacity.shape) > 0.3
        wider = Shape("dot", shape.x, shape.y, shape.size / 2 + 2).drawn(self.opacity.shape) > 0.3
        rim = wider & ~drawn
        if not drawn.any() or not rim.any():
            return 0.0
        return float(min(self.known[drawn].mean(), self.known[rim].mean()))

    def _placed(self, shape: Shape) -> Shape:
        return replace(shape, x=shape.x + self.left, y=shape.y + self.top)


def _window(sheet: _Sheet, pieces: Pieces, numbers: list[int]) -> _Window:
    boxes = pieces.boxes[numbers]
    top, left = boxes[:, :2].min(axis=0).tolist()
    bottom, right = boxes[:, 2:].max(axis=0).tolist()
    rows = slice(max(top - _ROOM, 0), bottom + _ROOM)
    columns = slice(max(left - _ROOM, 0), right + _ROOM)
    labels = pieces.labels[rows, columns]
    own = np.zeros(labels.shape, dtype=bool)
    for number in numbers:
        own |= labels == number + 1
    others = (labels != 0) & ~own
    opacity = sheet.ink.opacity[rows, columns].astype(np.float64)
    full = quantile(opacity[own], 0.9)
    opacity = np.where(others, 0, np.minimum(opacity / full, 1))
    hidden = sheet.hidden[rows, columns]
    height, width = sheet.ink.opacity.shape
    touched = top == 0 or left == 0 or bottom == height or right == width
    touched = touched or bool(hidden.any())
    return _Window(
        opacity,
        ~hidden & ~others,
        (top - rows.start, left - columns.start, bottom - rows.start, right - columns.start),
        columns.start,
        rows.start,
        touched,
        max(_SMALLEST * sheet.side, 4.0),
    )


def _marker(sheet: _Sheet, shape: Shape) -> Marker:
    ink = sheet.ink
    return Marker(shape.x + ink.left, shape.y + ink.top, shape.size, shape.kind, ink.colour)
