"""From labelled ticks to the axes' scales."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from plotchain_lib.models.reader.characters import Strip, find_strip
from plotchain_lib.models.reader.labels import Label, find_labels
from plotchain_lib.models.reader.multiplier import find_multiplier
from plotchain_lib.models.reader.numerals import Numeral, read
from plotchain_lib.models.reader.scales import fit_scales, fitting_scale
from plotchain_lib.models.reader.seen import Axis, Box, Mark, Picture, UnreadableError
from plotchain_lib.models.reader.ticks import Direction, Ticks, find_ticks

_FEW = 5  # labels that suffice if all of them agree
_SURE = 0.8  # confidence each of those needs


@dataclass(frozen=True, slots=True)
class _Side:
    """What stands along an axis."""

    direction: Direction
    ticks: Ticks
    strip: Strip
    labels: list[Label]


def calibrate(picture: Picture, box: Box) -> tuple[Axis, Axis]:
    """The x and the y axis. Raises UnreadableError where either cannot be trusted."""
    x = _side(picture, box, "x", 0.0)
    y = _side(picture, box, "y", x.strip.tall / x.strip.scale)
    width = picture.rgb.shape[1]
    few = [_spread(side.labels) for side in (x, y)]
    numerals = read([(side.strip, labels) for side, labels in zip((x, y), few, strict=True)])
    axes = []
    for side, labels, found in zip((x, y), few, numerals, strict=True):
        rest = [label for label in side.labels if label not in labels]
        if rest and not _unanimous(found, labels, side.direction, width):
            found += read([(side.strip, rest)])[0]
        axes.append(_axis(picture, box, found, side))
    return axes[0], axes[1]


def _side(picture: Picture, box: Box, direction: Direction, tall: float) -> _Side:
    ticks = find_ticks(picture, box, direction)
    strip = find_strip(picture, box, direction, ticks.reach, tall)
    return _Side(direction, ticks, strip, find_labels(strip, ticks, direction))


def _spread(labels: list[Label]) -> list[Label]:
    """A few of them, the first and the last among these."""
    if len(labels) <= _FEW:
        return labels
    return [labels[index] for index in np.linspace(0, len(labels) - 1, _FEW).round().astype(int)]


def _unanimous(
    numerals: list[Numeral], labels: list[Label], direction: Direction, width: int
) -> bool:
    """Whether all labels were read with confidence and fit one scale."""
    if len(numerals) < len(labels) or min(n.sure for n in numerals) < _SURE:
        return False
    fits = fit_scales(numerals, direction == "x", width)
    return any(fit is not None and fit.fits.all() for fit in fits)


def _axis(picture: Picture, box: Box, numerals: list[Numeral], side: _Side) -> Axis:
    width = picture.rgb.shape[1]
    numerals = sorted(numerals, key=lambda numeral: numeral.place)
    strip = side.strip
    low = strip.back(max((part.bottom for part in strip.parts), default=0) + 1, "y")
    try:
        linear, log = fit_scales(numerals, side.direction == "x", width)
        scale, fit = fitting_scale(linear, log, numerals, len(side.labels), side.ticks, width)
        tall = strip.tall / strip.scale
        factor = (
            find_multiplier(picture, box, side.direction, tall, low) if scale == "linear" else 1.0
        )
    except UnreadableError as error:
        raise UnreadableError(f"the {side.direction} axis cannot be calibrated: {error}") from error
    marks = tuple(
        Mark(numeral.place, numeral.text, numeral.value * factor, bool(fits))
        for numeral, fits in zip(numerals, fit.fits, strict=True)
    )
    return Axis(scale, fit.gain * factor, fit.offset * factor, marks, fit.residual)
