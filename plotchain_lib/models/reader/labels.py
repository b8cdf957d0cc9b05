"""Finding the labels of ticks, and parting each into sign, digits and exponent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from plotchain_lib.models.reader.characters import Part, Strip, clusters
from plotchain_lib.models.reader.seen import Array
from plotchain_lib.models.reader.ticks import Direction, Ticks

_RAISED = 0.22  # of a digit's height: an exponent stands at least so far above the line
_SPACES = (0.8, 0.5, 0.35)  # of a digit's height: how far labels are apart at least
# Of a digit's height: how far a label's centre may lie from its tick. Exponents shift it upwards.
_CENTRED = {"x": 0.35, "y": 0.6}


@dataclass(frozen=True, slots=True)
class Label:
    """What stands at a tick.

    Attributes:
        place: its tick's place in pixels of the picture.
        marked: whether a stub or a line is there; else the place is the label's own centre.
        digits, exponent: their parts' bounding boxes.
        pieces: how many connected pieces the digits have.
        negative, exponent_negative: whether a minus sign stands before them.
    """

    place: float
    marked: bool
    digits: Part
    pieces: int
    negative: bool
    exponent: Part | None = None
    exponent_negative: bool = False


def find_labels(strip: Strip, ticks: Ticks, direction: Direction) -> list[Label]:
    """The labels at major ticks; where those hold none, at whatever mark is near."""
    if not strip.parts:
        return []
    first = _at_majors(strip, ticks.major, direction)
    if len(first) >= max(2, 0.8 * len(ticks.major)):
        return first
    found = [_at_any(strip, ticks.all, direction, space) for space in _SPACES]
    # More labels than texts are parts of these, at minor ticks that were taken for major ones.
    if max(1, max(map(len, found)) / 2) < len(first) <= len(found[-1]):
        found.append(first)
    # Where nothing tells, the widest gaps part labels; narrower ones stand within "2 × 10³".
    return max(found, key=lambda labels: sum(label.marked for label in labels))


def _at_majors(strip: Strip, places: Array, direction: Direction) -> list[Label]:
    """One label for each place, out of the parts that are nearer to it than to its neighbours."""
    if not len(places):
        return []
    axis = 0 if direction == "x" else 1
    at = strip.along(places, direction)
    owner = np.searchsorted((at[1:] + at[:-1]) / 2, [p.middle[axis] for p in strip.parts])
    labels = []
    for index, place in enumerate(at):
        own = [p for p, o in zip(strip.parts, owner, strict=True) if o == index]
        if direction == "x" and len(clusters(own, 0, _SPACES[0] * strip.tall)) > 1:
            continue  # the middle between two labels
        found = _label(strip, own, float(place), direction)
        if found and found[1] <= _CENTRED[direction] * strip.tall:
            labels.append(replace(found[0], place=float(places[index]), marked=True))
    return labels


def _at_any(strip: Strip, places: Array, direction: Direction, space: float) -> list[Label]:
    """The texts that gaps part, each at the nearest mark, or where it stands itself."""
    if direction == "x":
        texts = clusters(strip.parts, 0, space * strip.tall)
    else:
        texts = clusters(strip.parts, 1, 0)
    at = strip.along(places, direction)
    marked, unmarked = [], []
    for text in reversed(texts):
        found = _label(strip, text, None, direction)
        if not found:
            continue
        centre = found[1]
        nearest = int(np.abs(at - centre).argmin()) if len(at) else -1
        if nearest >= 0 and abs(at[nearest] - centre) <= _CENTRED[direction] * strip.tall:
            marked.append(replace(found[0], place=float(places[nearest]), marked=True))
        unmarked.append(replace(found[0], place=strip.back(centre, direction)))
    return marked if len(marked) > max(1, len(unmarked) / 2) else unmarked


def _label(
    strip: Strip, parts: Sequence[Part], place: float | None, direction: Direction
) -> tuple[Label, float] | None:
    """The label these parts make; and how far from a place, or else where, its centre is."""
    if all(part.flat for part in parts):
        return None
    parts = sorted(parts, key=lambda p: p.left)
    label = part_label(parts)
    if direction == "x":
        centre = (parts[0].left + max(p.right for p in parts)) / 2
    else:
        # Matplotlib centres a label from its line to its top, that of an exponent where it has one.
        centre = (min(part.top for part in parts) + label.digits.bottom) / 2
    return label, centre if place is None else abs(centre - place)


def part_label(parts: Sequence[Part]) -> Label:
    """Sign, digits and exponent of the parts of one label, from left to right."""
    negative = parts[0].flat and len(parts) > 1
    rest = parts[1:] if negative else parts
    tall = max(p.height for p in rest)
    line = max(p.bottom for p in rest)
    count = len(rest)
    while count > 0 and line - rest[count - 1].bottom > _RAISED * tall:
        count -= 1
    raised = rest[count:]
    if not count or not any(not p.flat for p in raised):
        return Label(0.0, False, _around(rest), len(rest), negative)
    sign = raised[0].flat and len(raised) > 1
    exponent = _around(raised[1:] if sign else raised)
    return Label(0.0, False, _around(rest[:count]), count, negative, exponent, sign)


def _around(parts: Sequence[Part]) -> Part:
    return Part(min(p.left for p in parts), min(p.top for p in parts),
                max(p.right for p in parts), max(p.bottom for p in parts))  # fmt: skip
