"""The colours drawn inside the axes, and how much of each pixel each covers.

Every pixel is taken as a mixture of what lies behind (the face or a grid line) and an ink. The
difference between the two has the ink's direction in the colour space, and its length tells the
opacity; so antialiased edges keep their sub-pixel places.
"""

from __future__ import annotations

import numpy as np
from scipy import ndimage

from plotchain_lib.models.reader.grid import Index, find_grid
from plotchain_lib.models.reader.palette import mixtures, palette
from plotchain_lib.models.reader.rules import split_rules
from plotchain_lib.models.reader.seen import Box, Ink, Picture, Pixels

_FAINT = 10.0  # of 442: differences below it are taken for the face
_NOISY_FAINT = 36.0  # the same in a picture that JPEG has blurred
_SMEAR = 5  # pixels over which JPEG spreads colour
_FULLEST = 0.35  # of the axes covered with ink: more is an image, not a drawing
_LUMA = np.array([0.299, 0.587, 0.114], dtype=np.float32)


def find_inks(picture: Picture, box: Box) -> tuple[Ink, ...]:
    """The inks inside the axes, face and grid left out; most ink first.

    Helper lines are taken out of an ink's opacity and listed as its `rules`. Axes filled with an
    image have no inks.
    """
    rows, columns = box.inside()
    inside = picture.rgb[rows, columns]
    face = np.asarray(box.face, dtype=np.float32)
    shape = inside.shape[:2]
    flat = np.flatnonzero(_differs(inside, face))
    at = (flat // shape[1], flat % shape[1])
    left = face - inside[at]
    grid = find_grid(left, at, shape, float(face.mean()))
    behind = grid.at(at)
    left -= behind
    left[grid.drawn(at, left, behind)] = 0
    noisy = _noisy(left, behind, at, shape)
    if noisy:
        left = _resharpened(inside, face, at) - behind
        left[grid.drawn(at, left, behind)] = 0
    faint = _NOISY_FAINT if noisy else _FAINT
    strength = np.einsum("ij,ij->i", left, left)
    # Ink is darker than the face.
    keep = (strength > faint**2) & ((left + behind) @ np.ones(3, dtype=np.float32) > 0)
    if np.count_nonzero(keep) > _FULLEST * shape[0] * shape[1]:
        return ()
    at = (at[0][keep], at[1][keep])
    left, behind = left[keep], behind[keep]
    colours = palette(left, behind, at, shape, noisy)
    inks = []
    for full, share in zip(colours, mixtures(left, behind, colours), strict=True):
        opacity = np.zeros(shape, dtype=np.float32)
        opacity[at] = share
        red, green, blue = (float(part) for part in face - full)
        ink = Ink((red, green, blue), opacity, columns.start, rows.start)
        inks.append(split_rules(ink, box, noisy))
    return tuple(sorted(inks, key=lambda ink: -float(ink.opacity.sum())))


def _differs(inside: Pixels, face: Pixels) -> Index:
    """Where the picture is not the face's colour. One channel at a time: it saves memory."""
    mask = np.zeros(inside.shape[:2], dtype=bool)
    for channel in range(3):
        mask |= np.abs(inside[..., channel] - face[channel]) > 3
    return mask


def _noisy(left: Pixels, behind: Pixels, at: tuple[Index, Index], shape: tuple[int, ...]) -> bool:
    """Whether the picture has been a JPEG: faint specks surround what is drawn."""
    plain = np.einsum("ij,ij->i", behind, behind) == 0
    size = np.einsum("ij,ij->i", left, left)
    strong, small = np.count_nonzero(plain & (size > 90**2)), plain & (size < 20**2)
    # The soft edges of the frame, of grid lines and of helper lines do not count: all one shade.
    for places, length, across in zip(at, shape, shape[::-1], strict=True):
        its, shades = places[small], np.sqrt(size[small])
        count = np.maximum(np.bincount(its, minlength=length), 1)
        mean = np.bincount(its, shades, length) / count
        spread = np.bincount(its, shades**2, length) / count - mean**2
        small &= ((count < 0.3 * across) | (spread > 6))[places]
        small &= (places > 1) & (places < length - 2)
    return bool(np.count_nonzero(small) > 0.5 * strong)


def _resharpened(inside: Pixels, face: Pixels, at: tuple[Index, Index]) -> Pixels:
    """The face less the picture at some pixels, with hues that JPEG has smeared brought back.

    JPEG keeps the lightness of each pixel but only the mean hue of several. One ink has one ratio
    of the two, and the ratio of the means is the same.
    """
    taken = face - inside
    light = taken @ _LUMA
    mean_light = ndimage.uniform_filter(light, _SMEAR)[at]
    left = np.empty((len(at[0]), 3), dtype=np.float32)
    ratio = light[at] / np.maximum(mean_light, 1.0)
    for channel in range(3):
        left[:, channel] = ndimage.uniform_filter(taken[..., channel], _SMEAR)[at] * ratio
    return left
