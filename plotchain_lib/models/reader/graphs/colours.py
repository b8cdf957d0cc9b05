"""The inks of a drawing in flat colours: exact colours inside the axes, the grid's left out.

A picture of several lines or series, each in one opaque colour, has pixels of exactly that colour
wherever a stroke is two or three pixels wide. That costs a fraction of taking every pixel for a
mixture (see `plotchain_lib.models.reader.inks`), and any number of colours can be told apart.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from plotchain_lib.models.reader.grid import Index, Mask
from plotchain_lib.models.reader.pieces import Pieces, find_pieces
from plotchain_lib.models.reader.seen import Box, Colour, Ink, Picture, Pixels

Codes = npt.NDArray[np.uint32]

_FEWEST = 8  # squares of two by two pixels in a colour that make it an ink
_DRAWN = 75.0  # of 255: contrast to the face of what is drawn, and no grid
_RIM = 0.015  # of the axes' length: a grid line, even a dotted one, begins that near to the side
_DOTTED = 0.3  # of the axes' length: as much of a dotted line is drawn
_OF_GRID = 0.8  # of a colour's pixels lie in grid lines, where it is a grid's
_TICK = 0.025  # of the axes' longer side: no tick is longer
_SPECK = 4.0  # pixels: pieces of less are the mixed edges of other inks
_MISFIT = 900.0  # squared misfit of a pixel that is no mixture of an ink and the face


@dataclass(frozen=True, slots=True)
class Drawing:
    """What is drawn in flat colours.

    Attributes:
        inks: one for each colour, its array cut to where it is.
        owner: which ink each pixel inside the axes is, counted from 1; 0 is none.
        left, top: picture coordinates of that array's first column and row.
        unknown: pixels of something else that is drawn, neither grid nor the soft edge of an ink.
    """

    inks: tuple[Ink, ...]
    owner: npt.NDArray[np.uint8]
    left: int
    top: int
    unknown: int = 0


def find_drawing(picture: Picture, box: Box) -> Drawing:
    """The flat colours inside the axes, the most pixels first."""
    rows, columns = box.inside()
    inside = picture.rgb[rows, columns]
    codes = _codes(inside, box.face)
    found, counts = np.unique(codes[:-1, :-1][_solid(codes)], return_counts=True)
    found = found[np.argsort(-counts)][np.sort(-counts) <= -_FEWEST]
    flat = np.flatnonzero(codes)
    own = codes.ravel()[flat]
    at = flat // codes.shape[1], flat % codes.shape[1]
    owner = np.zeros(codes.shape, dtype=np.uint8)
    across = _across(at, codes.shape)
    colours: list[Colour] = []
    for code in found[found > 0]:
        its = own == code
        if float(across[its].mean()) < _OF_GRID and len(colours) < 255:
            colours.append(_colour(int(code)))
            owner[at[0][its], at[1][its]] = len(colours)
    made = [
        _ink(inside, box.face, owner, number, colour, (columns.start, rows.start))
        for number, colour in enumerate(colours, start=1)
    ]
    unknown = _unknown(inside, box.face, (at[0][~across], at[1][~across]), owner)
    inks = tuple(ink for ink in made if ink.opacity.any())
    return Drawing(inks, owner, columns.start, rows.start, unknown)


def _codes(inside: Pixels, face: Colour) -> Codes:
    """Each pixel's colour as one number; 0 where it is the face's."""
    whole = inside.astype(np.uint32)
    codes = (whole[..., 0] << 16) | (whole[..., 1] << 8) | whole[..., 2]
    codes += 1
    red, green, blue = (round(part) for part in face)
    codes[codes == (red << 16 | green << 8 | blue) + 1] = 0
    return np.asarray(codes)


def _colour(code: int) -> Colour:
    code -= 1
    return float(code >> 16), float(code >> 8 & 255), float(code & 255)


def _solid(codes: Codes) -> Mask:
    """Which pixels are the upper left of four of one colour, none of them the face's."""
    level = (codes[:, 1:] == codes[:, :-1]) & (codes[:, 1:] > 0)
    return np.asarray(level[1:] & level[:-1] & (codes[1:, 1:] == codes[:-1, 1:]))


def _across(at: tuple[Index, Index], shape: tuple[int, ...]) -> Mask:
    """Which of the drawn pixels lie in lines, solid or not, that run all across the axes."""
    found = np.zeros(len(at[0]), dtype=bool)
    for axis in (0, 1):
        line, place = at[axis], at[1 - axis]
        length, rim = shape[1 - axis], _RIM * shape[1 - axis]
        full = np.bincount(line, minlength=shape[axis]) > _DOTTED * length
        for end in (place < rim, place >= length - rim):
            full &= np.bincount(line[end], minlength=shape[axis]) > 0
        found |= full[line]
    return found


def _unknown(
    inside: Pixels, face: Colour, at: tuple[Index, Index], owner: npt.NDArray[np.uint8]
) -> int:
    """How many of some pixels no ink explains; ticks inside the axes' sides do not count."""
    around = _widened(_widened(owner > 0))
    away = np.abs(inside[at] - np.asarray(face, dtype=np.float32)).max(axis=1)
    left = (away > _DRAWN) & ~around[at]
    depth = _TICK * max(owner.shape)
    for axis in (0, 1):
        left &= (at[axis] >= depth) & (at[axis] < owner.shape[axis] - depth)
    return int(np.count_nonzero(left))


def _ink(
    inside: Pixels, face: Colour, owner: npt.NDArray[np.uint8], number: int, colour: Colour,
    corner: tuple[int, int],
) -> Ink:  # fmt: skip
    """The ink's opacity: 1 in its own pixels, less at their soft edges."""
    mask = owner == number
    down, across = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    top, left = max(0, int(down[0]) - 2), max(0, int(across[0]) - 2)
    cut = slice(top, int(down[-1]) + 3), slice(left, int(across[-1]) + 3)
    opacity = mask[cut].astype(np.float32)
    # Other inks' soft edges may chance upon this colour: a pixel or two in one place.
    pieces = find_pieces(opacity, 0.5)
    kept = (pieces.mass >= _SPECK) & ~_ticks(pieces, (top, left), owner.shape)
    opacity *= np.concatenate([[0.0], kept])[pieces.labels].astype(np.float32)
    solid = opacity > 0
    edge = np.nonzero(_widened(solid) & ~solid & (owner[cut] == 0))
    taken = np.asarray(face, dtype=np.float32) - inside[cut][edge]
    full = np.asarray(face, dtype=np.float32) - np.asarray(colour, dtype=np.float32)
    share = taken @ full / float(full @ full)
    rest = taken - share[:, None] * full
    misfit = np.einsum("ij,ij->i", rest, rest)
    opacity[edge] = np.where(misfit < _MISFIT, np.clip(share, 0.0, 1.0), 0.0)
    opacity[opacity < 0.06] = 0.0
    return Ink(colour, opacity, corner[0] + left, corner[1] + top)


def _ticks(pieces: Pieces, corner: tuple[int, int], shape: tuple[int, ...]) -> Mask:
    """Which pieces are short and stand on the axes' sides."""
    boxes = pieces.boxes + np.array(corner * 2)
    rim = (boxes[:, :2].min(axis=1) <= 1) | (boxes[:, 2:] >= np.array(shape) - 1).any(axis=1)
    return np.asarray(rim & (np.maximum(pieces.tall, pieces.wide) < _TICK * max(shape)))


def _widened(mask: Mask) -> Mask:
    """A mask with its eight neighbours: SciPy's dilation takes ten times as long."""
    level = mask.copy()
    level[:, 1:] |= mask[:, :-1]
    level[:, :-1] |= mask[:, 1:]
    wide = level.copy()
    wide[1:] |= level[:-1]
    wide[:-1] |= level[1:]
    return wide
