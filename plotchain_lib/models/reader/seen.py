"""What was seen in a picture: the words the reader's stages share.

Places are continuous pixel coordinates of the whole picture: x grows to the right, y grows
downwards, and the centre of the pixel in row r and column c is at (x, y) = (c, r).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]
Pixels = npt.NDArray[np.float32]
Colour = tuple[float, float, float]


class UnreadableError(Exception):
    """Something cannot be read from this picture; the message is the reason, in one line."""


@dataclass(frozen=True, slots=True)
class Picture:
    """The pixels.

    Attributes:
        rgb: shape (height, width, 3), 0 to 255; inverted where the ground was dark, so that ink is
            darker than the ground in every picture.
        inverted: whether it was.
        ground: the colour around the axes.
    """

    rgb: Pixels
    inverted: bool
    ground: Colour


@dataclass(frozen=True, slots=True)
class Box:
    """The axes' rectangle: the centres of its four lines, or of the edges of its face.

    Attributes:
        left, top, right, bottom: pixels.
        line: width of the frame's line in pixels; 0 where the axes have a face and no line.
        face: the colour behind the data.
    """

    left: float
    top: float
    right: float
    bottom: float
    line: float
    face: Colour

    def inside(self) -> tuple[slice, slice]:
        """(rows, columns) strictly inside the frame's line, to index `Picture.rgb` with."""
        margin = self.line / 2 + 0.5
        return (
            slice(int(np.ceil(self.top + margin)), int(np.floor(self.bottom - margin)) + 1),
            slice(int(np.ceil(self.left + margin)), int(np.floor(self.right - margin)) + 1),
        )


@dataclass(frozen=True, slots=True)
class Mark:
    """One labelled tick: where it is along its axis, what its label says, and whether it fits."""

    place: float
    text: str
    value: float
    fits: bool


@dataclass(frozen=True, slots=True)
class Axis:
    """A calibrated axis: pixels to values and back.

    Attributes:
        scale: ``linear`` or ``log``.
        gain, offset: value (its decadic logarithm where `scale` is log) = offset + gain * place.
        marks: the labelled ticks it was calibrated by.
        residual: root mean square distance of the fitting marks from the fit, in pixels.
    """

    scale: Literal["linear", "log"]
    gain: float
    offset: float
    marks: tuple[Mark, ...] = ()
    residual: float = 0.0

    def value(self, place: Any) -> Any:
        """The value at a place (a number or an array, in pixels)."""
        linear = self.offset + self.gain * np.asarray(place, dtype=np.float64)
        return 10.0**linear if self.scale == "log" else linear

    def place(self, value: Any) -> Any:
        """The inverse of `value`. NaN for a value without a place on a logarithmic axis."""
        with np.errstate(all="ignore"):
            linear = np.log10(value) if self.scale == "log" else np.asarray(value)
        return (linear - self.offset) / self.gain


@dataclass(frozen=True, slots=True)
class Rule:
    """A straight helper line along an axis; grid lines are none.

    Attributes:
        direction: ``vertical`` (it marks an x) or ``horizontal`` (it marks a y).
        place: where, in pixels: its x if vertical, its y if horizontal.
        start, end: its extent along itself, in pixels.
        pattern: how it is drawn.
    """

    direction: Literal["vertical", "horizontal"]
    place: float
    start: float
    end: float
    pattern: Literal["solid", "dashed", "dotted"]
    colour: Colour


@dataclass(frozen=True, slots=True)
class Ink:
    """One colour drawn inside the axes.

    Attributes:
        colour: as drawn.
        opacity: how much of each pixel it covers, 0 to 1; shape (rows, columns) of the inside.
        left, top: picture coordinates of the array's first column and row.
        rules: the straight helper lines drawn in it, whose pixels are left out of `opacity`.
    """

    colour: Colour
    opacity: Pixels
    left: int
    top: int
    rules: tuple[Rule, ...] = ()


@dataclass(frozen=True, slots=True)
class Runs:
    """Stretches of ink along the columns (or rows) of a picture, in order, several to each.

    Attributes:
        line: the column (or row) each lies in.
        centre: its middle along the line, weighted by opacity.
        start, end: where its ink begins and ends, at half opacity, sub-pixel.
    """

    line: Array
    centre: Array
    start: Array
    end: Array


@dataclass(frozen=True, slots=True)
class Curve:
    """The main line of a plot.

    Attributes:
        x, y: one point a column where it runs as one piece: ascending columns, opacity-weighted
            centres. Columns where a marker or a label hides it are left out. In a steep column the
            centre is the middle of a long run; `columns` and `rows` tell.
        columns: every vertical run of its ink.
        rows: every horizontal run of its ink.
        stroke: its width in pixels.
        colour: as drawn.
    """

    x: Array
    y: Array
    columns: Runs
    rows: Runs
    stroke: float
    colour: Colour


@dataclass(frozen=True, slots=True)
class Marker:
    """A small mark: its centre and size across, in pixels."""

    x: float
    y: float
    size: float
    shape: Literal["dot", "ring", "cross"]
    colour: Colour


@dataclass(frozen=True, slots=True)
class Text:
    """A piece of text inside the axes: its bounding box in pixels and what it says."""

    left: float
    top: float
    right: float
    bottom: float
    text: str
    confidence: float


@dataclass(frozen=True, slots=True)
class Reading:
    """What was read.

    Attributes:
        values: field name to value; None where it cannot be read.
        reasons: field name to why it is None.
        points: field name to the place it was read at, (x, y) in pixels; None in a pair where the
            field is a level or a line along that axis.
        text: the answer to a question that asks for one short text, empty where it cannot be read;
            None where numbers are asked.
    """

    values: Mapping[str, float | None]
    reasons: Mapping[str, str] = field(default_factory=dict)
    points: Mapping[str, tuple[float | None, float | None]] = field(default_factory=dict)
    text: str | None = None
