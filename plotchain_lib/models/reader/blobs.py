"""Dots in the colour of the line they sit on: where the ink is thicker than the line."""

from __future__ import annotations

import numpy as np
from scipy import ndimage

from plotchain_lib.models.reader.grid import Mask
from plotchain_lib.models.reader.pieces import find_pieces
from plotchain_lib.models.reader.seen import Array, Pixels
from plotchain_lib.models.reader.shapes import Shape
from plotchain_lib.models.reader.strips import Strips, quantile, strips, stroke_width

_THICK = 1.6  # strokes that a dot measures at least, along its row and its column
_MOST = 12  # blobs; a noisy line has more
_RAYS = 48
_ROUND = 0.45  # of the rays that end on a dot's edge, at least


def find_blobs(opacity: Pixels, hidden: Mask, largest: float) -> list[Shape]:
    """Dots within an ink's long pieces, up to that diameter in pixels, in array coordinates."""
    columns, rows = strips(opacity, down=True), strips(opacity, down=False)
    stroke = stroke_width(columns, rows, opacity.shape)
    if stroke is None:
        return []
    thick = _painted(columns, _THICK * stroke, opacity.shape[::-1]).T
    thick &= _painted(rows, _THICK * stroke, opacity.shape)
    seeds = find_pieces(np.where(thick, opacity, np.float32(0)), 0.5)
    if len(seeds.boxes) > _MOST:
        return []
    found = []
    for top, left, bottom, right in seeds.boxes.tolist():
        x, y = (left + right - 1) / 2, (top + bottom - 1) / 2
        dot = _round(opacity, hidden, x, y, largest / 2)
        if dot is not None and dot.reach > 1.15 * stroke:
            found.append(dot)
    return found


def _painted(some: Strips, least: float, shape: tuple[int, ...]) -> Mask:
    """The pixels of the strips at least so long, each strip in a row of its own line."""
    painted = np.zeros(shape, dtype=bool)
    long = some.mass >= least
    for line, first, last in zip(
        some.line[long].tolist(), some.first[long].tolist(), some.last[long].tolist(), strict=True
    ):
        painted[line, first : last + 1] = True
    return painted


def _round(opacity: Pixels, hidden: Mask, x: float, y: float, largest: float) -> Shape | None:
    """The dot around a place: a circle through the edges that rays from there meet."""
    reach = 0.0
    angles = np.linspace(0, 2 * np.pi, _RAYS, endpoint=False)
    for _ in range(3):
        radius, known = _edges(opacity, hidden, x, y, angles, largest)
        if known.sum() < _ROUND * _RAYS:
            return None
        reach = reach or quantile(radius[known], 0.25)
        good = known & (np.abs(radius - reach) < 0.15 * reach + 0.4)
        if good.sum() < max(8, _ROUND * 0.8 * _RAYS):
            return None
        right, down = radius[good] * np.cos(angles[good]), radius[good] * np.sin(angles[good])
        # A circle by linear least squares: x^2 + y^2 = 2 a x + 2 b y + c.
        matrix = np.stack([2 * right, 2 * down, np.ones(len(right))], axis=1)
        (a, b, c), *_ = np.linalg.lstsq(matrix, right**2 + down**2, rcond=None)
        reach = float(np.sqrt(max(c + a * a + b * b, 0.01)))
        x, y = x + float(a), y + float(b)
    radius, known = _edges(opacity, hidden, x, y, angles, largest)
    good = known & (np.abs(radius - reach) < 0.06 * reach + 0.25)
    if good.sum() < _ROUND * _RAYS:
        return None
    return Shape("dot", x, y, reach)


def _edges(
    opacity: Pixels, hidden: Mask, x: float, y: float, angles: Array, largest: float
) -> tuple[Array, Mask]:
    """How far the ink reaches from a place at each angle, and where nothing hides its end."""
    steps = np.arange(0.5, 1.3 * largest + 2, 0.25)
    rows = y + steps[None, :] * np.sin(angles)[:, None]
    columns = x + steps[None, :] * np.cos(angles)[:, None]
    values = ndimage.map_coordinates(opacity, [rows, columns], order=1, mode="constant", cval=0)
    out = values < 0.5
    first = out.argmax(axis=1)
    known = out.any(axis=1) & (first > 0)
    index = np.arange(len(angles))
    high, low = values[index, first - 1], values[index, first]
    share = (high - 0.5) / np.maximum(high - low, 1e-6)
    radius = steps[np.maximum(first - 1, 0)] + 0.25 * share
    near = np.round(np.stack([y + radius * np.sin(angles), x + radius * np.cos(angles)])).astype(
        int
    )
    inside = (near >= 1).all(axis=0) & (near[0] < opacity.shape[0] - 1)
    inside &= near[1] < opacity.shape[1] - 1
    near = np.clip(near, 0, np.array(opacity.shape)[:, None] - 1)
    return radius, known & inside & ~hidden[near[0], near[1]]
