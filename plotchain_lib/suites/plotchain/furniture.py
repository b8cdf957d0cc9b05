"""The frame, ticks, grid and labels of a picture, laid out in pixels.

Matplotlib's own axes build a tick object with five artists per tick and lay everything out twice;
on a logarithmic plot that is most of the drawing time. The layout here is fixed, so the same marks
are drawn as a few line collections and texts.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from matplotlib.collections import LineCollection
from matplotlib.ticker import MaxNLocator
from matplotlib.transforms import IdentityTransform

from plotchain_lib.suites.plotchain.family import Axis, Frame
from plotchain_lib.suites.plotchain.readability import BOX_PIXELS

if TYPE_CHECKING:
    from matplotlib.axes import Axes

DPI = 160
# Left and bottom margin and the whole picture, in pixels.
MARGIN = (128, 84)
PICTURE_PIXELS = {"wide": (1000, 576), "square": (860, 820)}

_TICK_FONT, _LABEL_FONT, _TITLE_FONT = 9.0, 10.0, 11.0
_MAJOR_LENGTH, _MINOR_LENGTH = 8.0, 4.5


@dataclass(frozen=True, slots=True)
class Aids:
    """What helps a reader along: how many labelled ticks, which grid lines."""

    ticks: int
    grid: bool
    minor_grid: bool


AIDS = {
    "clean": Aids(ticks=8, grid=True, minor_grid=True),
    "moderate": Aids(ticks=6, grid=True, minor_grid=False),
    "edge": Aids(ticks=4, grid=False, minor_grid=False),
}


@dataclass(frozen=True, slots=True)
class Ticks:
    """Where an axis is marked. A label is (text, exponent); the exponent is set raised."""

    major: list[float]
    labels: list[tuple[str, str]]
    minor: list[float]


def _minus(text: str) -> str:
    return text.replace("-", "\N{MINUS SIGN}")


_FEWEST = 3  # labelled ticks an axis needs for a person to tell its scale


def linear_ticks(axis: Axis, count: int) -> Ticks:
    """About `count` steps of 1, 2, 2.5 or 5 times a power of ten, never under three ticks."""
    slack = 1e-9 * (axis.high - axis.low)
    values: list[float] = []
    while len(values) < _FEWEST:
        locator = MaxNLocator(nbins=count, steps=[1, 2, 2.5, 5, 10])
        values = [float(v) for v in locator.tick_values(axis.low, axis.high)]
        values = [v + 0.0 for v in values if axis.low - slack <= v <= axis.high + slack]
        count += 1
    step = values[1] - values[0]
    decimals = next(d for d in range(12) if abs(round(step, d) - step) < 1e-6 * step)
    return Ticks(values, [(_minus(f"{v:.{decimals}f}"), "") for v in values], [])


# Labelled mantissas of a short logarithmic axis, in tenths, the coarsest set that serves first.
_MANTISSAS = ((10, 20, 50), (10, 15, 20, 30, 50, 70), (10, 15, *range(20, 100, 10)))


def log_ticks(axis: Axis) -> Ticks:
    """Decades labelled 10^k with minor ticks between; plain numbers on axes of few decades."""
    low, high = axis.low / (1 + 1e-9), axis.high * (1 + 1e-9)
    decades = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)

    def inside(mantissas: tuple[int, ...]) -> list[float]:
        values = (float(f"{tenths}e{k - 1}") for k in decades for tenths in mantissas)
        return [value for value in values if low <= value <= high]

    minor = inside(tuple(range(10, 100, 10)))
    major = inside((10,))
    if len(major) >= _FEWEST:
        labels = [("10", _minus(str(round(math.log10(value))))) for value in major]
    else:
        # Three labels at least, and no third of the axis beyond the last of them.
        wide = (axis.high / axis.low) ** (1 / 3)
        served = (
            values
            for values in map(inside, _MANTISSAS)
            if len(values) >= _FEWEST and high / values[-1] < wide and values[0] / low < wide
        )
        # On less than an octave or so the steps of a linear axis tell it better.
        major = next(served, [])
        if not major:
            return linear_ticks(axis, 4)
        labels = [(f"{value:.10g}", "") for value in major]
    return Ticks(major, labels, [value for value in minor if value not in major])


def ticks_of(axis: Axis, count: int) -> Ticks:
    """The marks of either kind of axis."""
    return log_ticks(axis) if axis.scale == "log" else linear_ticks(axis, count)


_Lines = list[tuple[tuple[float, float], tuple[float, float]]]


def _lines(axes: Axes, segments: _Lines, width: float, color: str, order: float) -> None:
    collection = LineCollection(
        segments, linewidths=width, colors=color, transform=IdentityTransform(),
        zorder=order, clip_on=False,
    )  # fmt: skip
    collection.set_snap(True)
    axes.add_artist(collection)


def _text(
    axes: Axes,
    x: float,
    y: float,
    text: str,
    size: float,
    across: Literal["left", "center", "right"],
    up: Literal["bottom", "baseline", "center", "top"],
    turned: bool = False,
) -> None:
    axes.text(
        x, y, text, fontsize=size, ha=across, va=up, transform=IdentityTransform(),
        rotation=90 if turned else 0, rotation_mode="anchor", parse_math=False, clip_on=False,
    )  # fmt: skip


def _label(axes: Axes, x: float, y: float, label: tuple[str, str], horizontal: bool) -> None:
    """One tick label; a raised exponent is a second, smaller text."""
    text, exponent = label
    size = _TICK_FONT * DPI / 72
    if not exponent:
        _text(axes, x, y, text, _TICK_FONT, "center" if horizontal else "right",
              "baseline")  # fmt: skip
        return
    # Widths of DejaVu Sans digits and minus, in em.
    raised = 0.7 * size * sum(0.838 if c == "\N{MINUS SIGN}" else 0.636 for c in exponent)
    edge = x + (1.272 * size - raised) / 2 if horizontal else x - raised
    _text(axes, edge, y, text, _TICK_FONT, "right", "baseline")
    _text(axes, edge + 1, y + 0.38 * size, exponent, 0.7 * _TICK_FONT, "left", "baseline")


def _furnish_axis(axes: Axes, axis: Axis, box: tuple[float, float, float, float], aids: Aids,
                  horizontal: bool) -> None:  # fmt: skip
    left, bottom, width, height = box
    marks = ticks_of(axis, aids.ticks if horizontal else max(aids.ticks - 1, 4))

    def at(value: float) -> float:
        start, length = (left, width) if horizontal else (bottom, height)
        return float(start + length * axis.fraction(value))

    def stubs(values: list[float], length: float) -> _Lines:
        if horizontal:
            return [((at(v), bottom), (at(v), bottom - length)) for v in values]
        return [((left, at(v)), (left - length, at(v))) for v in values]

    def rules(values: list[float]) -> _Lines:
        if horizontal:
            return [((at(v), bottom), (at(v), bottom + height)) for v in values]
        return [((left, at(v)), (left + width, at(v))) for v in values]

    if aids.minor_grid:
        _lines(axes, rules(marks.minor), 0.5, "#e4e4e4", 0.5)
    if aids.grid:
        _lines(axes, rules(marks.major), 0.8, "#c4c4c4", 0.6)
    _lines(axes, stubs(marks.minor, _MINOR_LENGTH), 0.6, "black", 2.4)
    _lines(axes, stubs(marks.major, _MAJOR_LENGTH), 0.8, "black", 2.4)
    for value, label in zip(marks.major, marks.labels, strict=True):
        place = (at(value), bottom - 31) if horizontal else (left - 14, at(value) - 7)
        _label(axes, *place, label, horizontal)


def furnish(axes: Axes, frame: Frame, difficulty: str) -> None:
    """Draw frame, ticks, grid, labels and title around empty axes whose own are switched off."""
    aids = AIDS[difficulty]
    width, height = BOX_PIXELS[frame.shape]
    left, bottom = MARGIN
    box = (float(left), float(bottom), float(width), float(height))
    right, top = left + width, bottom + height
    sides: _Lines = [
        ((left, bottom), (right, bottom)), ((left, top), (right, top)),
        ((left, bottom), (left, top)), ((right, bottom), (right, top)),
    ]  # fmt: skip
    _lines(axes, sides, 0.8, "black", 2.5)
    _furnish_axis(axes, frame.x, box, aids, horizontal=True)
    _furnish_axis(axes, frame.y, box, aids, horizontal=False)
    _text(axes, left + width / 2, 22, frame.x.label, _LABEL_FONT, "center", "baseline")
    _text(axes, 26, bottom + height / 2, frame.y.label, _LABEL_FONT, "center", "baseline", True)
    _text(axes, left + width / 2, top + 14, frame.title, _TITLE_FONT, "center", "baseline")
