"""One ink's line: the places on its middle that a form is fitted to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from plotchain_lib.models.reader.seen import Array, Ink, UnreadableError
from plotchain_lib.models.reader.strips import Strips, strips, stroke_width

_SHORTEST, _LONGEST = 0.85, 1.5  # of the stroke: runs across a line that is steep the other way
_MOST = 700  # points of a fit
_FEWEST = 12
_CUT = 0.95  # of the usual width: a line that seems narrower is hidden in part


@dataclass(frozen=True, slots=True)
class Stroke:
    """A line in one ink.

    Attributes:
        ink: its ink.
        x, y: places on its middle in pixels of the picture, ascending in x; where it is flat one a
            column, where it is steep one a row.
        width: of the stroke, in pixels.
    """

    ink: Ink
    x: Array
    y: Array
    width: float


def find_strokes(inks: Sequence[Ink]) -> list[Stroke]:
    """The lines that some inks draw, one each, all of one width.

    Raises UnreadableError where one draws none.
    """
    found = []
    for ink in inks:
        columns, rows = strips(ink.opacity, down=True), strips(ink.opacity, down=False)
        columns, rows = columns.chosen(columns.peak > 0.5), rows.chosen(rows.peak > 0.5)
        found.append((ink, columns, rows, stroke_width(columns, rows, ink.opacity.shape)))
    widths = [width for *_, width in found if width is not None]
    if not widths:
        raise UnreadableError("an ink inside the axes draws no line")
    usual = float(np.median(widths))
    # A line that others hide in part all along seems narrower.
    return [
        _stroke(ink, columns, rows, usual if width is None or width < _CUT * usual else width)
        for ink, columns, rows, width in found
    ]


def _stroke(ink: Ink, columns: Strips, rows: Strips, width: float) -> Stroke:
    flat, steep = _across(columns, width), _across(rows, width)
    x = np.concatenate([flat.line.astype(np.float64), steep.centre]) + ink.left
    y = np.concatenate([flat.centre, steep.line.astype(np.float64)]) + ink.top
    if len(x) < _FEWEST:
        raise UnreadableError("too little of a line is to be seen")
    order = np.argsort(x, kind="stable")
    order = order[:: max(1, len(order) // _MOST)]
    return Stroke(ink, x[order], y[order], width)


def _across(some: Strips, width: float) -> Strips:
    return some.chosen((some.mass >= _SHORTEST * width) & (some.mass <= _LONGEST * width))
