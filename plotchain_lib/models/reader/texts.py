"""Texts: those inside the axes, and the axes' own labels."""

from __future__ import annotations

from typing import Literal

import numpy as np
import numpy.typing as npt

from plotchain_lib.models.reader.grid import Mask
from plotchain_lib.models.reader.pieces import Pieces, chains, find_pieces, turned
from plotchain_lib.models.reader.recognition import recognise
from plotchain_lib.models.reader.seen import Box, Ink, Picture, Text
from plotchain_lib.models.reader.strips import quantile

_SOLID = 0.2  # opacity of a letter's pixels
_SPACE = 1.3  # of the text's height: a wider gap parts texts
_MARGIN = 0.25  # of the text's height, left around it for the recogniser
_SURE = 0.35  # less confident texts are none
_FIRST_CHINESE = 0x2E80
_DRAWN = 60.0  # of 255: what differs so from the ground is drawn
_GAP = 0.002  # of the picture's side: blank between a label and the tick labels

_Boxes = npt.NDArray[np.int64]
_Crop = npt.NDArray[np.uint8]


def find_texts(picture: Picture, box: Box, inks: tuple[Ink, ...]) -> tuple[Text, ...]:
    """The texts inside the axes, level or written upwards, from left to right."""
    places: list[tuple[float, float, float, float]] = []
    crops: list[_Crop] = []
    for ink in inks:
        side = max(ink.opacity.shape)
        pieces = find_pieces(ink.opacity, _SOLID)
        for upwards, boxes in ((False, pieces.boxes), (True, turned(pieces.boxes))):
            for line in _lines(boxes, side):
                line = _without_dots(pieces, line)
                if not line:
                    continue
                own = pieces.boxes[line]
                top, left = own[:, :2].min(axis=0).tolist()
                bottom, right = own[:, 2:].max(axis=0).tolist()
                places.append((left + ink.left, top + ink.top,
                               right - 1 + ink.left, bottom - 1 + ink.top))  # fmt: skip
                crop = _crop(ink, pieces, line, (top, left, bottom, right))
                crops.append(np.rot90(crop, -1) if upwards else crop)
    read = recognise([np.ascontiguousarray(crop) for crop in crops]) if crops else []
    found = [
        Text(*place, text.strip(), confidence)
        for place, (text, confidence) in zip(places, read, strict=True)
        if confidence >= _SURE and _is_text(text)
    ]
    return tuple(sorted(found, key=lambda text: text.left))


def _is_text(text: str) -> bool:
    """Whether it may be a plot's text: dashes are read as Chinese characters."""
    signs = text.replace(" ", "")
    known = all(ord(sign) < _FIRST_CHINESE for sign in signs)
    return len(signs) > 1 and known and sum(map(str.isalnum, signs)) >= 0.5 * len(signs)


def _lines(boxes: _Boxes, side: int) -> list[list[int]]:
    """The pieces of each line of text: its letters, and the small signs beside and between them."""
    lines = _merged(boxes, chains(boxes, side))
    taken = {number for line in lines for number in line}
    for line in lines:
        for _ in range(2):
            top, left = boxes[line, :2].min(axis=0)
            bottom, right = boxes[line, 2:].max(axis=0)
            tall = bottom - top
            middle = (boxes[:, 0] + boxes[:, 2]) / 2
            near = (middle > top - 0.3 * tall) & (middle < bottom + 0.3 * tall)
            near &= (boxes[:, 1] < right + 0.7 * tall) & (boxes[:, 3] > left - 0.7 * tall)
            near &= boxes[:, 2] - boxes[:, 0] <= 1.3 * tall
            near &= boxes[:, 3] - boxes[:, 1] <= 1.5 * tall
            new = [number for number in np.nonzero(near)[0].tolist() if number not in taken]
            line += new
            taken.update(new)
    return lines


def _without_dots(pieces: Pieces, line: list[int]) -> list[int]:
    """A line of text without the marker beside it: a full disc, larger than a full stop."""
    sides = np.stack([pieces.tall[line], pieces.wide[line]])
    full = pieces.mass[line] > 0.7 * sides[0] * sides[1]
    disc = full & (sides.max(axis=0) < 1.25 * sides.min(axis=0))
    disc &= sides[0] > 0.4 * np.median(sides[0])
    return [number for number, is_disc in zip(line, disc, strict=True) if not is_disc]


def _merged(boxes: _Boxes, lines: list[list[int]]) -> list[list[int]]:
    """Words on one line, a space apart, put together."""
    merged: list[list[int]] = []
    for line in sorted(lines, key=lambda line: int(boxes[line, 1].min())):
        for other in merged:
            tall = max(np.ptp(boxes[part][:, [0, 2]]) for part in (line, other))
            gap = boxes[line, 1].min() - boxes[other, 3].max()
            apart = abs(np.median(boxes[line, 2]) - np.median(boxes[other, 2]))
            if gap < _SPACE * tall and apart < 0.4 * tall:
                other += line
                break
        else:
            merged.append(list(line))
    return merged


def _crop(ink: Ink, pieces: Pieces, line: list[int], extent: tuple[int, int, int, int]) -> _Crop:
    """A text alone, black on white."""
    top, left, bottom, right = extent
    margin = max(2, round(_MARGIN * min(bottom - top, right - left)))
    rows, columns = slice(max(top - 1, 0), bottom + 1), slice(max(left - 1, 0), right + 1)
    labels = pieces.labels[rows, columns]
    foreign = (labels > 0) & ~np.isin(labels, np.array(line) + 1)
    opacity = np.where(foreign, 0, ink.opacity[rows, columns])
    full = quantile(opacity[opacity >= _SOLID], 0.9)
    shades = 255 * (1 - np.minimum(opacity / full, 1))
    return np.pad(shades.astype(np.uint8), margin, constant_values=255)


def read_label(picture: Picture, box: Box, axis: Literal["x", "y"]) -> str:
    """The axis' own label: the outermost text below it, or left of it; empty where none is."""
    ground = float(np.mean(picture.ground))
    if axis == "x":
        outside = picture.rgb[int(box.bottom + box.line) + 1 :].mean(axis=2)
        middle = (box.left + box.right) / 2
    else:  # it is written upwards: turned clockwise, it is the first line
        outside = np.rot90(picture.rgb[:, : max(int(box.left - box.line), 0)].mean(axis=2), -1)
        middle = outside.shape[1] - 1 - (box.top + box.bottom) / 2
    drawn = np.abs(outside - ground) > _DRAWN
    lines = _stretches(drawn.any(axis=1), max(1, round(_GAP * max(picture.rgb.shape))))
    if len(lines) < 2:
        return ""
    top, bottom = lines[-1] if axis == "x" else lines[0]
    tall = bottom - top
    words = _stretches(drawn[top:bottom].any(axis=0), round(_SPACE * tall))
    if not words or tall < 5:
        return ""
    left, right = min(words, key=lambda word: abs((word[0] + word[1]) / 2 - middle))
    # A label stands at the axis' middle; tick labels stand all along it.
    if len(words) > 3 or abs((left + right) / 2 - middle) > 0.25 * outside.shape[1]:
        return ""
    margin = max(2, round(_MARGIN * tall))
    shades = outside[max(top - margin, 0) : bottom + margin, max(left - margin, 0) : right + margin]
    ((text, confidence),) = recognise([np.ascontiguousarray(shades.clip(0, 255).astype(np.uint8))])
    return text.strip() if confidence >= _SURE / 2 else ""


def _stretches(inked: Mask, gap: int) -> list[tuple[int, int]]:
    """Where stretches begin and end that are parted by more than a gap."""
    places = np.nonzero(inked)[0]
    if not len(places):
        return []
    cuts = np.nonzero(np.diff(places) > gap + 1)[0]
    starts = [places[0], *places[cuts + 1]]
    stops = [*places[cuts], places[-1]]
    return [(int(a), int(b) + 1) for a, b in zip(starts, stops, strict=True)]
