"""Connected pieces of ink, and which of them are letters."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import sparse
from scipy.sparse import csgraph

from plotchain_lib.models.reader.grid import Index, Mask
from plotchain_lib.models.reader.seen import Array, Pixels

_MOST = 400  # pieces of letter size; more are no text


@dataclass(frozen=True, slots=True)
class Pieces:
    """The connected pieces of a mask.

    Attributes:
        labels: which piece each pixel belongs to, from 1; 0 is none.
        boxes: first row, first column, and the row and column after the last; shape (pieces, 4).
        mass: the sum of each one's opacities.
    """

    labels: npt.NDArray[np.int32]
    boxes: npt.NDArray[np.int64]
    mass: Array

    @property
    def tall(self) -> npt.NDArray[np.int64]:
        """Their heights in pixels."""
        return np.asarray(self.boxes[:, 2] - self.boxes[:, 0])

    @property
    def wide(self) -> npt.NDArray[np.int64]:
        """Their widths in pixels."""
        return np.asarray(self.boxes[:, 3] - self.boxes[:, 1])


def find_pieces(opacity: Pixels, least: float) -> Pieces:
    """The connected pieces of all that is at least so opaque; corners connect."""
    flat = np.flatnonzero(opacity >= least)
    labels = np.zeros(opacity.shape, dtype=np.int32)
    if not len(flat):
        return Pieces(labels, np.zeros((0, 4), dtype=np.int64), np.zeros(0))
    rows, columns = np.divmod(flat, opacity.shape[1])
    begin = np.concatenate([[True], (np.diff(flat) != 1) | (np.diff(rows) != 0)])
    start = np.nonzero(begin)[0]
    stop = np.append(start[1:], len(flat)) - 1
    row, first, last = rows[start], columns[start], columns[stop]
    count, piece = _joined(row, first, last, opacity.shape[1] + 2)
    labels.ravel()[flat] = np.repeat(piece + 1, stop - start + 1)
    boxes = np.empty((count, 4), dtype=np.int64)
    boxes[:, :2], boxes[:, 2:] = max(opacity.shape), 0
    np.minimum.at(boxes[:, 0], piece, row)
    np.minimum.at(boxes[:, 1], piece, first)
    np.maximum.at(boxes[:, 2], piece, row + 1)
    np.maximum.at(boxes[:, 3], piece, last + 1)
    runs = np.add.reduceat(opacity.ravel()[flat].astype(np.float64), start)
    return Pieces(labels, boxes, np.bincount(piece, runs, count).astype(np.float64))


def _joined(row: Index, first: Index, last: Index, stride: int) -> tuple[int, Index]:
    """How many pieces stretches along rows make, and which one each belongs to."""
    low = np.searchsorted(row * stride + last, (row + 1) * stride + first - 1)
    high = np.searchsorted(row * stride + first, (row + 1) * stride + last + 1, "right")
    touching = np.maximum(high - low, 0)
    upper = np.repeat(np.arange(len(row)), touching)
    offset = np.arange(len(upper)) - np.repeat(np.cumsum(touching) - touching, touching)
    lower = np.repeat(low, touching) + offset
    graph = sparse.coo_array((np.ones(len(upper)), (upper, lower)), shape=(len(row), len(row)))
    count, piece = csgraph.connected_components(graph, directed=False)
    return int(count), np.asarray(piece)


def letters(pieces: Pieces, side: float) -> Mask:
    """Which pieces are letters: three or more of letter size in a line, level or upright.

    `side` is the longer side of the axes, in pixels.
    """
    found = np.zeros(len(pieces.boxes), dtype=bool)
    for boxes in (pieces.boxes, turned(pieces.boxes)):
        for chain in chains(boxes, side):
            tall = boxes[chain, 2] - boxes[chain, 0]
            # Two proper letters at least: specks beside a marker make no text.
            if len(chain) >= 3 and np.count_nonzero(tall >= 0.4 * tall.max()) >= 2:
                found[chain] = True
    return found


def turned(boxes: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """The boxes in a picture turned clockwise, so that text written upwards is level.

    What was a row is now a column, and its number from the right, negative.
    """
    return np.stack([boxes[:, 1], -boxes[:, 2], boxes[:, 3], -boxes[:, 0]], axis=1)


def chains(boxes: npt.NDArray[np.int64], side: float) -> list[list[int]]:
    """The pieces of letter size that stand beside each other on one line of text."""
    tall, wide = boxes[:, 2] - boxes[:, 0], boxes[:, 3] - boxes[:, 1]
    small = np.nonzero((tall < 0.05 * side) & (wide < 0.06 * side))[0]
    if len(small) > _MOST:
        return []
    order = small[np.argsort(boxes[small, 1])].tolist()
    rows = boxes.tolist()
    chain = {number: {number} for number in order}
    for position, one in enumerate(order):
        for other in order[position + 1 :]:
            if rows[other][1] - rows[one][3] > 0.05 * side:
                break
            if chain[one] is not chain[other] and _side_by_side(rows[one], rows[other]):
                joined = chain[one] | chain[other]
                for number in joined:
                    chain[number] = joined
    unique = {id(joined): sorted(joined) for joined in chain.values()}
    return [line for line in unique.values() if len(line) > 1 and _is_level(boxes[line])]


def _is_level(boxes: npt.NDArray[np.int64]) -> bool:
    """Whether pieces stand on one line, as letters do and the pieces of a slanting line do not."""
    low = boxes[:, 2]
    tall = low - boxes[:, 0]
    level = np.abs(low - np.median(low)) < 0.35 * tall.max()
    # So are the arms of a cross that is cut, but those are as high as wide together.
    across = boxes[:, 3].max() - boxes[:, 1].min()
    return bool(across > 1.25 * (low.max() - boxes[:, 0].min()) and level.mean() >= 0.6)


def _side_by_side(one: list[int], other: list[int]) -> bool:
    """Whether two letter-sized pieces stand beside each other on one line of text."""
    tall = max(one[2] - one[0], other[2] - other[0])
    least = min(one[2] - one[0], other[2] - other[0])
    shared = min(one[2], other[2]) - max(one[0], other[0])
    # A slanting line's pieces are wider than high and share no rows; bars of "=" and "-" do.
    upright = all(box[3] - box[1] <= max(2.2 * (box[2] - box[0]) + 2, tall) for box in (one, other))
    return other[1] - one[3] <= 0.9 * tall and shared >= 0.5 * least and upright
