"""The inks of a drawing in flat colours: exact colours inside the axes, the grid's left out.

A picture of several lines or series, each in one opaque colour, has pixels of exactly that colour
wherever a stroke is three pixels wide or more. That costs a fraction of taking every pixel for a
mixture (see `plotchain_lib.models.reader.inks`), and any number of colours can be told apart.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from plotchain_lib.models.reader.grid import Index, Mask
from plotchain_lib.models.reader.pieces import find_pieces
from plotchain_lib.models.reader.seen import Box, Colour, Ink, Picture, Pixels

Codes = npt.NDArray[np.uint32]

_FEWEST = 8  # pixels amidst their own colour that make an ink
_RIM = 3  # pixels: lines of a grid end that near to the axes' sides
_CROSSING = 0.5  # of the axes' length: a grid line that curves hide shows as much
_OF_GRID = 0.9  # of a colour's pixels lie in grid lines, where it is a grid's
_SPECK = 4.0  # pixels: pieces of less are the mixed edges of other inks
_MISFIT = 900.0  # squared misfit of a pixel that is no mixture of an ink and the face


@dataclass(frozen=True, slots=True)
class Drawing:
    """What is drawn in flat colours.

    Attributes:
        inks: one for each colour, its array cut to where it is.
        owner: which ink each pixel inside the axes is, counted from 1; 0 is none.
        left, top: picture coordinates of that array's first column and row.
    """

    inks: tuple[Ink, ...]
    owner: npt.NDArray[np.uint8]
    left: int
    top: int


def find_drawing(picture: Picture, box: Box) -> Drawing:
    """The flat colours inside the axes, the most pixels first."""
    rows, columns = box.inside()
    inside = picture.rgb[rows, columns]
    codes = _codes(inside, box.face)
    found, counts = np.unique(codes[1:-1, 1:-1][_amidst(codes)], return_counts=True)
    found = found[np.argsort(-counts)][np.sort(-counts) <= -_FEWEST]
    flat = np.flatnonzero(codes)
    own = codes.ravel()[flat]
    at = flat // codes.shape[1], flat % codes.shape[1]
    owner = np.zeros(codes.shape, dtype=np.uint8)
    colours = []
    for code in found[found > 0]:
        its = own == code
        places = at[0][its], at[1][its]
        if not _is_grid(places, codes.shape) and len(colours) < 255:
            colours.append(_colour(int(code)))
            owner[places] = len(colours)
    inks = [
        _ink(inside, box.face, owner, number, colour, (columns.start, rows.start))
        for number, colour in enumerate(colours, start=1)
    ]
    return Drawing(tuple(inks), owner, columns.start, rows.start)


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


def _amidst(codes: Codes) -> Mask:
    """Which inner pixels have eight neighbours of their own colour, none of them the face's."""
    level = (codes[:, 1:-1] == codes[:, :-2]) & (codes[:, 1:-1] == codes[:, 2:])
    middle = codes[1:-1, 1:-1]
    same = level[1:-1] & level[:-2] & level[2:] & (middle > 0)
    same &= (middle == codes[:-2, 1:-1]) & (middle == codes[2:, 1:-1])
    return np.asarray(same)


def _is_grid(places: tuple[Index, Index], shape: tuple[int, ...]) -> bool:
    """Whether a colour's pixels lie in lines that run all across the axes."""
    along = np.zeros(len(places[0]), dtype=bool)
    for axis in (0, 1):
        line, across = places[axis], places[1 - axis]
        length = shape[1 - axis]
        full = np.bincount(line, minlength=shape[axis]) > _CROSSING * length
        for rim in (across < _RIM, across >= length - _RIM):
            full &= np.bincount(line[rim], minlength=shape[axis]) > 0
        along |= full[line]
    return bool(along.mean() > _OF_GRID)


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
    opacity *= np.concatenate([[0.0], pieces.mass >= _SPECK])[pieces.labels].astype(np.float32)
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


def _widened(mask: Mask) -> Mask:
    """A mask with its eight neighbours: SciPy's dilation takes ten times as long."""
    level = mask.copy()
    level[:, 1:] |= mask[:, :-1]
    level[:, :-1] |= mask[:, 1:]
    wide = level.copy()
    wide[1:] |= level[:-1]
    wide[:-1] |= level[1:]
    return wide
