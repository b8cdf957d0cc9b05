"""The factor at an axis' end, such as 1e6, that all of its labels are to be multiplied by."""

from __future__ import annotations

import re

from plotchain_lib.models.reader.characters import Part, clusters, find_parts
from plotchain_lib.models.reader.labels import part_label
from plotchain_lib.models.reader.numerals import crop_of
from plotchain_lib.models.reader.picture import contrast_to
from plotchain_lib.models.reader.recognition import recognise
from plotchain_lib.models.reader.seen import Box, Picture, Pixels, UnreadableError
from plotchain_lib.models.reader.ticks import Direction

_LONGEST = 8.0  # of a digit's height: longer texts are no factor
_SPACE = 0.8  # of a digit's height: a wider gap parts texts
_ABOVE = 3.2  # of a digit's height: how far above the axes it may stand
_BELOW = 7.0  # and how far below
_CLEAR = 60.0  # of 255: contrast of text to the ground
_FACTOR = re.compile(r"1e([+-]?\d{1,2})")


def find_multiplier(
    picture: Picture, box: Box, direction: Direction, tall: float, low: float
) -> float:
    """It; 1 where there is none.

    `tall` is a digit's height in pixels, `low` the row below the lowest tick label of the x axis.
    Raises UnreadableError where something like a factor stands there but cannot be read.
    """
    if not tall:
        return 1.0
    if direction == "x":
        top, bottom = round(low + 0.2 * tall), round(low + _BELOW * tall)
        left, right = round(box.right - 2 * _LONGEST * tall), round(box.right + tall)
    else:
        top, bottom = round(box.top - _ABOVE * tall), round(box.top - box.line / 2 - 1)
        left, right = round(box.left - tall / 2), round(box.left + 2 * _LONGEST * tall)
    top, left = max(0, top), max(0, left)
    pixels = contrast_to(picture.rgb[top:bottom, left:right], picture.ground)
    if not pixels.size or pixels.max() < _CLEAR:
        return 1.0
    parts = find_parts(pixels)
    text = _at_end(parts, direction, tall, right - tall - left)
    return _factor(pixels, text) if text else 1.0


def _at_end(parts: list[Part], direction: Direction, tall: float, end: float) -> list[Part]:
    """The text that ends, or begins, where the axis does, if it is short."""
    texts = clusters(parts, 0, _SPACE * tall)
    text = texts[0] if direction == "x" else texts[-1]
    first, last = min(p.left for p in text), max(p.right for p in text)
    if direction == "x":
        aligned = abs(last - end) < tall and first > tall
    else:
        aligned = first < 1.5 * tall and last < 2 * _LONGEST * tall - tall
    return text if aligned and 2 * tall < last - first < _LONGEST * tall else []


def _factor(pixels: Pixels, text: list[Part]) -> float:
    label = part_label(sorted(text, key=lambda part: part.left))
    crops = [crop_of(pixels, label.digits, 0.0)]
    if label.exponent:
        crops.append(crop_of(pixels, label.exponent, 0.0))
    (digits, sure), *raised = recognise(crops)
    digits = re.sub("[−–—]", "-", digits).replace("l", "1").replace("I", "1")
    if raised and re.fullmatch("[×xX]?10", digits) and re.fullmatch(r"\d{1,2}", raised[0][0]):
        return float(10.0 ** (int(raised[0][0]) * (-1 if label.exponent_negative else 1)))
    match = _FACTOR.fullmatch(digits)
    if match and sure > 0.5 and len(digits) >= label.pieces and not label.exponent:
        return float(10.0 ** int(match[1]))
    if re.fullmatch(r"\+?\d[\d.e]*", digits) and (label.negative or digits.startswith("+")):
        raise UnreadableError(f"a number at its end is to be added to its labels ({digits})")
    if re.match("1e|[×x]10", digits):
        raise UnreadableError(f"the factor at its end cannot be read ({digits})")
    return 1.0
