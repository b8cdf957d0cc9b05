"""What tick labels say: characters recognised, and the numbers they stand for."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from plotchain_lib.models.reader.characters import Part, Strip
from plotchain_lib.models.reader.labels import Label
from plotchain_lib.models.reader.recognition import Crop, recognise
from plotchain_lib.models.reader.seen import Pixels

_CHARACTERS = "0123456789.,e-+−×x"
_THOUSANDS = re.compile(r"[1-9]\d{0,2},\d{3}(,\d{3})*")  # or a decimal comma: no one can tell
_NUMBER = re.compile(r"(\d|[1-9]\d+)(\.\d+)?(e[+-]?\d{1,2})?")
_POWER = re.compile(r"(?:(\d+(?:\.\d+)?)[×x])?10")
_ABOVE, _BESIDE = 0.5, 0.35  # of the text's height: blank margins of a crop


@dataclass(frozen=True, slots=True)
class Numeral:
    """A label that was read.

    Attributes:
        place: its tick's, in pixels.
        marked: whether a stub or line is there.
        text: as written, an exponent after ``^``.
        value: the number.
        sure: confidence, 0 to 1.
    """

    place: float
    marked: bool
    text: str
    value: float
    sure: float

    @property
    def power(self) -> bool:
        """Whether it is written with a power of ten, as labels of logarithmic axes are."""
        return "^" in self.text or re.fullmatch(r"1e[+-]?\d+", self.text) is not None


def read(groups: Sequence[tuple[Strip, Sequence[Label]]]) -> list[list[Numeral]]:
    """The labels of each strip that are numbers, all recognised together."""
    crops = []
    for strip, labels in groups:
        for label in labels:
            crops.append(crop_of(strip.contrast, label.digits, strip.tall))
            if label.exponent:
                crops.append(crop_of(strip.contrast, label.exponent, strip.tall))
    read = iter(recognise(crops, _CHARACTERS))
    found: list[list[Numeral]] = []
    for _, labels in groups:
        found.append([])
        for label in labels:
            digits = next(read)
            numeral = _numeral(label, digits, next(read) if label.exponent else ("", 1.0))
            if numeral:
                found[-1].append(numeral)
    return found


def crop_of(pixels: Pixels, part: Part, tall: float) -> Crop:
    """A part of an array of contrasts, dark on light with a margin, ready to be recognised.

    `tall` is the height of a digit there, for parts that may be lower than one.
    """
    ink = pixels[part.top : part.bottom + 1, part.left : part.right + 1]
    height = max(part.height, round(0.6 * tall))
    above, beside = round(_ABOVE * height), round(_BESIDE * height)
    ink = np.pad(ink * (255 / ink.max()), ((above, above), (beside, beside)))
    return np.asarray(255 - np.clip(ink, 0, 255), dtype=np.uint8)


def _numeral(
    label: Label, digits: tuple[str, float], exponent: tuple[str, float]
) -> Numeral | None:
    """The number, or None where the text is none or lacks a piece of what is drawn."""
    text = digits[0].replace("−", "-")
    if label.pieces > len(text) or _THOUSANDS.fullmatch(text):
        return None
    text = text.replace(",", ".")
    sign = "-" if label.negative else ""
    if label.exponent is None:
        if not _NUMBER.fullmatch(text):
            return None
        written, value = sign + text, float(sign + text)
    else:
        match = _POWER.fullmatch(text)
        if not match or not re.fullmatch(r"\d|[1-9]\d", exponent[0]):
            return None
        raised = ("-" if label.exponent_negative else "") + exponent[0]
        written = f"{sign}{text}^{raised}"
        value = float(f"{sign}{match[1] or 1}e{raised}")
    return Numeral(label.place, label.marked, written, value, min(digits[1], exponent[1]))
