"""Straight helper lines, told from the curve's own straight parts."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations, product
from typing import Literal

import numpy as np

from plotchain_lib.models.reader.pieces import find_pieces
from plotchain_lib.models.reader.seen import Box, Colour, Ink, Picture, Pixels, Rule
from plotchain_lib.models.reader.straight import Straight, find_straight
from plotchain_lib.models.reader.strips import Strips, quantile, strips, stroke_width

# Of the curve's opacity: what is less is a helper line of its hue.
_LIGHTER, _NOISY_LIGHTER = 0.93, 0.85
_ONE_LINE = 1.6  # pixels between the places of one line's pieces
_GHOST = 3.5  # the same, of a much fainter piece: a soft edge, or JPEG's ringing
_LONG = 0.12  # of the axes' side: what is no letter and no marker

_Found = tuple[Strips, list[Straight]]


def find_rules(picture: Picture, box: Box, inks: tuple[Ink, ...]) -> tuple[Rule, ...]:
    """The straight helper lines of all inks, by their places."""
    rules = [rule for ink in inks for rule in ink.rules]
    return tuple(sorted(_joined(rules), key=lambda rule: (rule.direction, rule.place)))


def split_rules(ink: Ink, box: Box, noisy: bool) -> Ink:
    """The ink with its helper lines taken out of the opacity and listed as its rules."""
    lighter = _NOISY_LIGHTER if noisy else _LIGHTER
    height, width = ink.opacity.shape
    level = strips(ink.opacity, down=True)
    upright = strips(ink.opacity, down=False)
    lying = find_straight(level, width, height)
    standing = find_straight(upright, height, width)
    if not lying and not standing:
        return ink
    opacity, sides = ink.opacity.copy(), (width, height)
    lying, standing = _without_boxes(lying, standing, opacity)
    solid = any(line.pattern == "solid" for line in (*lying, *standing))
    curve = _curve(opacity, (level, lying), (upright, standing)) if solid else None
    kept = (
        [line for line in lying if not _is_curve(line, level, standing, sides, curve, lighter)],
        [
            line
            for line in standing
            if not _is_curve(line, upright, lying, sides[::-1], curve, lighter)
        ],
    )
    return _without(ink, box, opacity, (level, kept[0]), (upright, kept[1]))


def _without(ink: Ink, box: Box, opacity: Pixels, level: _Found, upright: _Found) -> Ink:
    """The ink less these helper lines, which are taken out of the opacity given."""
    lying, standing = level[1], upright[1]
    for line in lying:
        _erase(opacity, level[0], line)
    for line in standing:
        _erase(opacity.T, upright[0], line)
    for one, other in product(lying, standing):
        _erase_crossing(opacity, one, other)
    height, width = opacity.shape
    # Dashes along the frame are what is seen of the grid's outermost lines.
    rules = [
        _rule(line, ink, box, "horizontal") for line in lying if not _is_cut(line, level[0], height)
    ]
    rules += [
        _rule(line, ink, box, "vertical")
        for line in standing
        if not _is_cut(line, upright[0], width)
    ]
    return replace(ink, opacity=opacity, rules=tuple(_joined(rules)))


def _curve(opacity: Pixels, *both: _Found) -> tuple[float, float] | None:
    """Width and opacity of the curve drawn in this ink, apart from straight lines."""
    rest = opacity.copy()
    for (some, lines), flat in zip(both, (rest, rest.T), strict=True):
        for line in lines:
            _erase(flat, some, line)
    pieces = find_pieces(rest, 0.05)
    height, width = rest.shape
    long = (pieces.wide > _LONG * width) | (pieces.tall > _LONG * height)
    if not long.any():
        return None
    kept = np.where(np.concatenate([[False], long])[pieces.labels], rest, np.float32(0))
    columns, rows = strips(kept, down=True), strips(kept, down=False)
    stroke = stroke_width(columns, rows, kept.shape)
    if stroke is None:
        return None
    return stroke, quantile(np.concatenate([columns.peak, rows.peak]), 0.6)


def _is_curve(
    line: Straight,
    some: Strips,
    across_it: list[Straight],
    sides: tuple[int, int],
    curve: tuple[float, float] | None,
    lighter: float,
) -> bool:
    """Whether a straight line is a part of the curve: a level, an edge, a saturated end.

    `across_it` are the straight lines in the other direction, `sides` the axes' along and across
    the line, `curve` the curve's width and opacity.
    """
    if line.pattern != "solid":
        return False
    along, across = sides
    if _is_cut(line, some, across):
        return True  # it may be as thick as the curve
    if curve is not None and line.thickness > 1.5 and line.peak < lighter * curve[1]:
        return False
    # Spikes stand on a floor, at one side of it; a curve and a helper line cross.
    reach = 1.5 * line.thickness
    crossed = any(
        one.first < line.place - reach and one.last > line.place + reach for one in across_it
    )
    meeting = [] if crossed else _sides(line, some)
    floor = bool(meeting) and not any(above and below for above, below in meeting)
    if curve is not None and line.thickness < (0.5 if floor else 0.75) * curve[0] - 0.2:
        return False
    if line.first > 3 or line.last < along - 4:
        return curve is not None or floor or _goes_on(line, some, along)
    return floor


def _is_cut(line: Straight, some: Strips, across: int) -> bool:
    """Whether the frame hides a part of a line's width."""
    first, last = some.first[line.members], some.last[line.members]
    return bool(np.mean(first == 0) > 0.5 or np.mean(last == across - 1) > 0.5)


def _goes_on(line: Straight, some: Strips, limit: int) -> bool:
    """Whether ink goes on, in another direction, from an end that is not at the frame."""
    reach = 0.5 * line.thickness + 1.5
    for end, way in ((line.first, -1), (line.last, 1)):
        if not 3 <= end < limit - 3:
            continue
        beyond = (some.line - end) * way
        near = (beyond >= 1) & (beyond <= 2)
        near &= (some.first - reach <= line.place) & (some.last + reach >= line.place)
        if np.any(near & (some.peak > 0.8 * line.peak)):
            return True
    return False


def _sides(line: Straight, some: Strips) -> list[tuple[bool, bool]]:
    """For each thing that meets the line: whether it stands out on either side."""
    edges = np.nonzero(np.diff(np.concatenate([[0], line.crossed, [0]])))[0] + line.first
    reach, near = 1.5 * line.thickness, 0.5 * line.thickness + 1.5
    found = []
    for start, stop in zip(edges[::2], edges[1::2], strict=True):
        here = (some.line >= start - 1) & (some.line <= stop)
        here &= (some.first <= line.place + near) & (some.last >= line.place - near)
        above = bool(np.any(some.first[here] < line.place - reach))
        below = bool(np.any(some.last[here] > line.place + reach))
        if above or below:
            found.append((above, below))
    return found


def _without_boxes(
    lying: list[Straight], standing: list[Straight], opacity: Pixels
) -> tuple[list[Straight], list[Straight]]:
    """Drop the frames drawn around texts, first their level lines: two over the same columns."""
    boxes = [
        (one, other)
        for one, other in combinations(lying, 2)
        if one.pattern == other.pattern == "solid"
        and abs(one.first - other.first) <= 3
        and abs(one.last - other.last) <= 3
        and one.last - one.first < 0.6 * opacity.shape[1]
        and abs(one.place - other.place) < 0.5 * opacity.shape[0]
    ]
    for one, other in boxes:
        _erase_box(opacity, one, other)
        low, high = sorted((one.place, other.place))
        standing = [
            line
            for line in standing
            if min(abs(line.place - one.first), abs(line.place - one.last)) > 4
            or line.first < low - 4
            or line.last > high + 4
        ]
    framed = [line for pair in boxes for line in pair]
    return [line for line in lying if not any(line is one for one in framed)], standing


def _erase_box(opacity: Pixels, one: Straight, other: Straight) -> None:
    half = int(np.ceil(one.thickness / 2)) + 2
    top, bottom = sorted((round(one.place), round(other.place)))
    left, right = one.first, one.last
    rows = slice(max(top - half, 0), bottom + half + 1)
    columns = slice(max(left - half, 0), right + half + 1)
    for middle in (top, bottom):
        opacity[max(middle - half, 0) : middle + half + 1, columns] = 0
    for middle in (left, right):
        opacity[rows, max(middle - half, 0) : middle + half + 1] = 0


def _erase(flat: Pixels, some: Strips, line: Straight) -> None:
    """Take a line's pixels out of an opacity whose columns run across it."""
    near = np.abs(some.centre - line.place) <= 0.75
    near &= (some.mass <= 1.35 * line.mass) & (some.line >= line.first - 2)
    near &= some.line <= line.last + 2
    if line.pattern != "solid":
        # Slivers beside a curve that covers the rest of a dash.
        half = line.thickness / 2 + 0.7
        inside = (some.start >= line.place - half) & (some.end <= line.place + half)
        near |= inside & (some.mass <= 1.1 * line.mass)
    for across, first, last in zip(
        some.line[near].tolist(), some.first[near].tolist(), some.last[near].tolist(), strict=True
    ):
        flat[first : last + 1, across] = 0


def _erase_crossing(opacity: Pixels, level: Straight, upright: Straight) -> None:
    """Take out what is left where two helper lines cross, unless a marker sits there."""
    half = 2 * max(level.thickness, upright.thickness) + 1
    rows = slice(max(round(level.place - half), 0), round(level.place + half) + 1)
    columns = slice(max(round(upright.place - half), 0), round(upright.place + half) + 1)
    if opacity[rows, columns].sum() < (level.thickness + 2.5) * (upright.thickness + 2.5):
        opacity[rows, columns] = 0


def _rule(line: Straight, ink: Ink, box: Box, direction: Literal["vertical", "horizontal"]) -> Rule:
    across, along = (ink.top, ink.left) if direction == "horizontal" else (ink.left, ink.top)
    colour: Colour = tuple(
        float(behind + (full - behind) * min(line.peak, 1.0))
        for behind, full in zip(box.face, ink.colour, strict=True)
    )  # type: ignore[assignment]
    return Rule(
        direction,
        line.place + across,
        line.first - 0.5 + along,
        line.last + 0.5 + along,
        line.pattern,
        colour,
    )


def _joined(rules: list[Rule]) -> list[Rule]:
    """Pieces of one line put together, apart because something hid it or mixed with its colour.

    The one with most ink tells where it is.
    """
    joined: list[Rule] = []
    for rule in sorted(rules, key=_ink, reverse=True):
        for number, other in enumerate(joined):
            near = _GHOST if _contrast(rule) < 0.45 * _contrast(other) else _ONE_LINE
            if other.direction == rule.direction and abs(other.place - rule.place) < near:
                start, end = min(rule.start, other.start), max(rule.end, other.end)
                joined[number] = replace(other, start=start, end=end)
                break
        else:
            joined.append(rule)
    return joined


def _contrast(rule: Rule) -> float:
    return 765 - sum(rule.colour)


def _ink(rule: Rule) -> float:
    return (rule.end - rule.start) * _contrast(rule)
