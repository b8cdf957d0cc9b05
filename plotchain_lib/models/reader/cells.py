"""The cells of a picture made of equal rows: how high they are and where they begin."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from plotchain_lib.models.reader.seen import Pixels

_LENGTH = 8192  # of the transform: resolves a cell's height to a thousandth
_FEWEST = 24  # cells in the picture
_STEP = 8.0  # levels: a larger step between rows counts no more, so that no single one rules
_REGULAR = 0.3  # share of the edges' strength that keeps to the spacing
_FILLED, _CROWDED = 0.25, 2.5  # rows with an edge for every place between two cells
_EQUAL = 0.9


@dataclass(frozen=True, slots=True)
class Cells:
    """Rows of cells: their height, and the place of one edge between two, in pixels."""

    height: float
    edge: float


def find_cells(level: Pixels) -> Cells | None:
    """The spacing of the horizontal edges of a picture; None where they are not regular.

    Args:
        level: brightness, shape (rows, columns), 0 to 255.
    """
    edges = np.clip(np.abs(np.diff(level, axis=0)), 0.0, _STEP).mean(axis=1).astype(np.float64)
    total = float(edges.sum())
    if total == 0.0:
        return None
    spectrum = np.fft.rfft(edges, _LENGTH)
    strength = np.abs(spectrum) / total
    lowest = _LENGTH * _FEWEST // level.shape[0]
    # The harmonics of edges on whole pixels are as strong as the spacing itself: the lowest.
    first = lowest + int(np.argmax(strength[lowest:] >= _EQUAL * strength[lowest:].max()))
    index = first + int(np.argmax(strength[first : first + 2 * _LENGTH // level.shape[0]]))
    height = _LENGTH / index
    filled = total**2 / float(edges @ edges) * height / level.shape[0]
    if strength[index] < _REGULAR or not _FILLED < filled < _CROWDED:
        return None
    edge = -float(np.angle(spectrum[index])) / (2.0 * np.pi) * height + 0.5
    return Cells(height, edge)
