"""The marks of a data series and the points they stand for."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from plotchain_lib.models.reader.pieces import find_pieces
from plotchain_lib.models.reader.seen import Array, Ink, Pixels, UnreadableError

_SOLID = 0.5  # opacity of a mark's pixels
_SPECK = 0.25  # of the usual mark's ink: less is none
_ALIKE = 0.2  # of the usual mark's ink that another may have more or less
_TIP = 0.03  # of the usual mark's ink: as little may be lost
_UNEVEN = 1.6  # pixels that a mark's box may be wider, narrower, taller or flatter than the usual
_LOPSIDED = 0.62  # of its box that a triangle fills at most
_LARGEST = 0.05  # of the axes' side: more is no mark


@dataclass(frozen=True, slots=True)
class Spots:
    """The marks of one series: their points in pixels, and their size across."""

    x: Array
    y: Array
    size: float


def find_spots(ink: Ink, side: float, placed: bool = True) -> Spots:
    """The marks in one ink.

    Args:
        ink: one of a drawing's.
        side: the axes' longer one in pixels.
        placed: whether their places matter; else only how many there are.

    Raises UnreadableError where they are not all of a kind: some may touch or hide others.
    """
    opacity = ink.opacity
    pieces = find_pieces(opacity, _SOLID)
    if not len(pieces.mass):
        raise UnreadableError("no mark in an ink")
    usual = float(np.median(pieces.mass[pieces.mass > _SPECK * pieces.mass.max()]))
    kept = np.flatnonzero(pieces.mass > _SPECK * usual)
    mass, tall, wide = pieces.mass[kept], pieces.tall[kept], pieces.wide[kept]
    if max(tall.max(), wide.max()) > _LARGEST * side:
        raise UnreadableError("what is drawn is more than marks")
    off = np.abs(mass / usual - 1.0)
    uneven = off > _ALIKE
    for extent in (tall, wide):
        # A tip beside another mark may be lost with its soft edge.
        uneven |= (np.abs(extent - np.median(extent)) > _UNEVEN) & (off > _TIP) & placed
    if uneven.any():
        raise UnreadableError("the marks of a series are not all alike: some may touch")
    x, y = _middles(opacity, pieces.boxes[kept])
    boxes = pieces.boxes[kept].astype(np.float64)
    filled = float(np.median(mass / (tall * wide)))
    if filled < _LOPSIDED:
        # Of a triangle the middle of its box marks the point; of other marks both are one.
        x += float(np.median((boxes[:, 1] + boxes[:, 3] - 1.0) / 2.0 - x))
        y += float(np.median((boxes[:, 0] + boxes[:, 2] - 1.0) / 2.0 - y))
    return Spots(x + ink.left, y + ink.top, float(np.median(np.maximum(tall, wide))))


def _middles(opacity: Pixels, boxes: npt.NDArray[np.int64]) -> tuple[Array, Array]:
    """The centre of each box's ink, its soft edge with it."""
    x, y = np.empty(len(boxes)), np.empty(len(boxes))
    for number, (top, left, bottom, right) in enumerate(boxes.tolist()):
        first, before = max(0, top - 1), max(0, left - 1)
        part = opacity[first : bottom + 1, before : right + 1].astype(np.float64)
        whole = part.sum()
        y[number] = first + float(part.sum(axis=1) @ np.arange(part.shape[0])) / whole
        x[number] = before + float(part.sum(axis=0) @ np.arange(part.shape[1])) / whole
    return x, y
