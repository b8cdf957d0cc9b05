"""Finding the axes' rectangle: by its lines, or by a face of another colour than the ground."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from plotchain_lib.models.reader.picture import contrast_to
from plotchain_lib.models.reader.seen import Array, Box, Colour, Picture, Pixels, UnreadableError

Mask = npt.NDArray[np.bool_]

# Of 255: what differs more from the ground is drawn. The higher ones are for pictures that JPEG
# has smeared, where labels grow together with the frame.
_CONTRASTS = (9.0, 20.0, 45.0)
_LINE = 18.0  # of 255: the contrast of a line to both its sides
_SHORTEST = 0.3  # of the picture's side: shorter runs are no side of the axes
_GAP = 1 / 200  # of the picture's width: gaps of grid lines in a face, dashes
_TICK = 0.035  # of the picture's width: how far a tick at a corner lengthens a side
_THIN = 0.012  # of the picture's width: more is no line but a face
_WIDENED = 1.4  # of the sides' usual width: a side that is wider is not alone
_INWARDS = (1, 1, -1, -1)  # of left, top, right and bottom: the way into the axes
_RIM = 0.01  # of the picture's width: no axes reach into it, or nothing could be labelled


@dataclass(frozen=True, slots=True)
class _Side:
    """A line or a face's edge: its first and last pixel across, and where it starts and ends."""

    first: float
    last: float
    start: float
    end: float


@dataclass(frozen=True, slots=True)
class _Rough:
    """A rectangle by its sides' outermost pixels, and which of those are drawn."""

    left: float
    top: float
    right: float
    bottom: float
    drawn: tuple[bool, bool, bool, bool]
    score: float


def find_frame(picture: Picture) -> Box:
    """The rectangle. Raises UnreadableError where no axes are found."""
    contrast = contrast_to(picture.rgb, picture.ground)
    size = float(contrast.shape[1])
    found = []
    for least in _CONTRASTS:
        drawn = contrast > least
        found.append((_sides(drawn, size), _sides(np.ascontiguousarray(drawn.T), size)))
        rough = _cornered(*found[-1], size)
        if rough:
            return _refine(picture, contrast, rough)
    for flat, upright in found:
        rough = _of_grid(flat, upright, size)
        if rough:
            return _refine(picture, contrast, rough)
    raise UnreadableError("no axes found in the picture")


def _cornered(flat: list[_Side], upright: list[_Side], size: float) -> _Rough | None:
    """The largest rectangle whose left side and bottom meet in a corner."""
    corners = [(b, left) for b in flat for left in upright if _meet(b, left, size)]
    # Of the lines that meet another near its end the outermost is the side: the next is of a grid.
    outermost = [
        (b, left)
        for b, left in corners
        if left.first == min(one.first for other, one in corners if other is b)
        and b.last == max(other.last for other, one in corners if one is left)
    ]
    found = [_rectangle(b, left, flat, upright, size) for b, left in outermost]
    return max((one for one in found if one), key=lambda one: one.score, default=None)


def _meet(bottom: _Side, left: _Side, size: float) -> bool:
    """Whether two sides meet in a corner.

    Ticks lengthen the bottom to the left and the left side downwards, never the other ends.
    """
    tick, near = size * _TICK, max(4.0, size / 200)
    return -near <= left.first - bottom.start <= tick and -near <= left.end - bottom.last <= tick


def _sides(drawn: Mask, size: float) -> list[_Side]:
    """Horizontal lines, and the upper and lower edges of faces."""
    shortest = _SHORTEST * drawn.shape[1]
    rows = np.flatnonzero(np.count_nonzero(drawn, axis=1) > shortest / 2)
    start, end = _longest_runs(drawn[rows], max(2, int(size * _GAP)))
    long = end - start >= shortest
    rows, start, end = rows[long], start[long], end[long]
    if not len(rows):
        return []
    # A white grid line across a face parts it no more than it parts the runs.
    cuts = np.flatnonzero(np.diff(rows) > max(2, size * _GAP)) + 1
    sides = []
    for part in np.split(np.arange(len(rows)), cuts):
        first, last = float(rows[part[0]]), float(rows[part[-1]])
        length = end[part] - start[part]
        whole = part[length >= 0.9 * length.max()]  # a curve may run along a part of the line
        extent = float(np.median(start[whole])), float(np.median(end[whole]))
        thin = last - first <= size * _THIN
        for places in [(first, last)] if thin else [(first, first), (last, last)]:
            sides.append(_Side(*places, *extent))
    return sides


def _longest_runs(drawn: Mask, gap: int) -> tuple[Array, Array]:
    """First and last column of each row's longest run, gaps of up to `gap` pixels closed."""
    rows, columns = np.nonzero(drawn)
    start, end = np.zeros(len(drawn)), np.zeros(len(drawn)) - 1
    if not len(rows):
        return start, end
    fresh = np.concatenate([[True], (np.diff(rows) > 0) | (np.diff(columns) > gap + 1)])
    first = np.flatnonzero(fresh)
    last = np.concatenate([first[1:], [len(rows)]]) - 1
    lengths = columns[last] - columns[first]
    order = np.argsort(lengths, kind="stable")  # the longest of a row is written last
    start[rows[first[order]]] = columns[first[order]]
    end[rows[first[order]]] = columns[last[order]]
    return start, end


def _rectangle(
    bottom: _Side, left: _Side, flat: list[_Side], upright: list[_Side], size: float
) -> _Rough | None:
    """The rectangle of these two sides."""
    close = max(2.0, size / 500)  # a grid line may lie near where a side is left out
    right = [s for s in upright if abs(s.last - bottom.end) <= close and s is not left]
    top = [s for s in flat if abs(s.first - left.start) <= close and s is not bottom]
    # Without a line there the other sides' ends tell; they stick out by half a line's width.
    x = right[-1].last if right else bottom.end - (bottom.last - bottom.first) / 2
    y = top[0].first if top else left.start + (left.last - left.first) / 2
    width, height = x - left.first, bottom.last - y
    if min(width, height) < _SHORTEST / 2 * size or left.first < _RIM * size:
        return None
    score = width * height * (1 + 0.001 * (bool(right) + bool(top)))
    sides = (True, bool(top), bool(right), True)
    return _Rough(left.first, y, x, bottom.last, sides, score)


def _of_grid(flat: list[_Side], upright: list[_Side], size: float) -> _Rough | None:
    """The rectangle that the ends of grid lines share, where the axes have no sides."""
    if min(len(flat), len(upright)) < 2:
        return None
    left, right = (float(np.median([getattr(s, end) for s in flat])) for end in ("start", "end"))
    top, bottom = (float(np.median([getattr(s, end) for s in upright])) for end in ("start", "end"))
    near = max(2.5, size / 300)
    agree = [abs(s.start - left) < near and abs(s.end - right) < near for s in flat]
    agree += [abs(s.start - top) < near and abs(s.end - bottom) < near for s in upright]
    if np.mean(agree) < 0.7 or left < _RIM * size:
        return None
    return _Rough(left - 0.5, top - 0.5, right + 0.5, bottom + 0.5, (False,) * 4, 0.0)


def _refine(picture: Picture, contrast: Pixels, rough: _Rough) -> Box:
    """Sub-pixel centres of the sides, their width, and the colour between them."""
    face = _face(picture, rough)
    given = (rough.left, rough.top, rough.right, rough.bottom)
    places, outer, widths = list(given), list(given), [0.0] * 4
    for side in range(4):
        if not rough.drawn[side]:
            continue
        band, origin, inwards = _band(picture.rgb, given, side)
        centre, widths[side], first = _line(band, picture.ground, face)
        if not widths[side]:
            # A rule may run along the face's edge.
            inside = float(np.abs(np.subtract(picture.ground, face)).max())
            edge = _half(np.median(contrast_to(band, picture.ground), axis=1), inside)
            centre = abs(places[side] - origin) if edge is None else edge
        places[side], outer[side] = origin + inwards * centre, origin + inwards * first
    lines = [width for width in widths if width]
    line = float(np.median(lines)) if len(lines) > 1 else 0.0
    for side in range(4):
        # A grid line may touch a side; and where a side is not drawn the others' ends tell.
        if line and widths[side] > _WIDENED * line:
            places[side] = outer[side] + _INWARDS[side] * line / 2
        elif line and not rough.drawn[side]:
            places[side] = _line_end(contrast, places, side, line)
    return Box(places[0], places[1], places[2], places[3], line, face)


def _band(rgb: Pixels, places: Sequence[float], side: int) -> tuple[Pixels, float, int]:
    """The pixels about a side, the first axis leading inwards; where it begins, and which way."""
    left, top, right, bottom = (round(place) for place in places)
    reach = max(4, round(_GAP * rgb.shape[1]))
    place, inwards = (left, top, right, bottom)[side], _INWARDS[side]
    around = np.arange(place - inwards * 3, place + inwards * (2 * reach + 1), inwards)
    limit = rgb.shape[1] if side in (0, 2) else rgb.shape[0]
    around = around[(around >= 0) & (around < limit)]
    if side in (0, 2):
        band = rgb[top + 3 : bottom - 2 : 2, around].swapaxes(0, 1)
    else:
        band = rgb[around, left + 3 : right - 2 : 2]
    return band, float(around[0]), inwards


def _half(profile: Pixels, most: float = np.inf) -> float | None:
    """Where a face begins: the profile's rise through half of the inside's contrast.

    That is what the profile ends with, `most` at most.
    """
    half = min(float(np.median(profile[-3:])), most) / 2
    above = np.flatnonzero(profile >= half)
    if half < _LINE / 4 or not len(above) or above[0] == 0:
        return None
    after = int(above[0])
    before, here = float(profile[after - 1]), float(profile[after])
    return after - (here - half) / (here - before)


def _line_end(contrast: Pixels, places: Sequence[float], side: int, line: float) -> float:
    """Where a side that is not drawn would be: the ends of the others stick out by half a line."""
    across = places[0] if side == 1 else places[3]
    rows = slice(round(across - line / 2 + 0.4), round(across + line / 2 - 0.4) + 1)
    along = contrast[:, rows].mean(axis=1)[::-1] if side == 1 else contrast[rows].mean(axis=0)
    place = len(along) - 1 - places[1] if side == 1 else places[2]
    reach = round(_GAP * contrast.shape[1]) + 4
    first = min(len(along) - 1, round(place) + reach)
    profile = along[first : round(place) - reach : -1]
    edge = _half(profile)
    if edge is None:
        return places[side]
    end = float(first - edge - line / 2)
    return len(along) - 1 - end if side == 1 else end


def _line(band: Pixels, ground: Colour, face: Colour) -> tuple[float, float, float]:
    """Centre, width and outer edge of the line along a band that leads inwards; width 0: none.

    A line differs from the ground and from the face; a face's edge does not.
    """
    # A curve may run along a side for most of its length, but hardly for nine tenths.
    off_ground, off_face = contrast_to(band, ground), contrast_to(band, face)
    # A mixture of the two is the smeared edge of a face.
    whole = float(np.abs(np.subtract(ground, face)).max())
    both = np.where(off_ground + off_face < 1.1 * whole, 0, np.minimum(off_ground, off_face))
    line = np.partition(both, both.shape[1] // 10, axis=1)[:, both.shape[1] // 10]
    if line[-3:].min() > _LINE:
        line = _before_image(np.median(band, axis=1), ground)
    peak = float(line.max())
    if peak < _LINE:
        return 0.0, 0.0, 0.0
    line = np.where(line > 0.08 * peak, line, 0)
    # What follows the line further in, such as a grid line close to it, is left out.
    end = int(np.flatnonzero(line > 0.5 * peak)[0])
    while end + 1 < len(line) and (line[end] > 0.5 * peak or line[end + 1] < line[end]):
        end += 1
    line[end + 1 :] = 0
    weight = line.astype(np.float64)
    total = float(weight.sum())
    centre = float((weight * np.arange(len(line))).sum()) / total
    outer = int(np.flatnonzero(line > 0.5 * peak)[0])
    return centre, total / peak, outer + 0.5 - float(line[outer - 1 : outer + 1].sum()) / peak


def _before_image(profile: Pixels, ground: Colour) -> Pixels:
    """The line's share of each pixel where an image lies behind it: likeness to its own colour."""
    # Only a darker line can be told from the image's smeared edge.
    dark = np.abs(profile - np.array(ground, dtype=np.float32)).sum(axis=1)
    outer = int(np.flatnonzero(dark > 0.75 * dark.max())[0])
    if dark[outer] < 1.05 * dark[-3:].mean():
        return np.zeros(len(profile), dtype=np.float32)
    red, green, blue = (float(channel) for channel in profile[outer])
    off_ground = contrast_to(profile, ground)
    share = np.clip(1 - 4 * contrast_to(profile, (red, green, blue)) / off_ground[outer], 0, 1)
    share[:outer] = off_ground[:outer] / off_ground[outer]
    return np.asarray(share * off_ground[outer], dtype=np.float32)


def _face(picture: Picture, rough: _Rough) -> Colour:
    """The commonest colour inside."""
    left, top, right, bottom = map(round, (rough.left, rough.top, rough.right, rough.bottom))
    inside = picture.rgb[top + 4 : bottom - 3 : 5, left + 4 : right - 3 : 5].reshape(-1, 3)
    codes = (inside.astype(np.int64) >> 2) @ np.array([1 << 12, 1 << 6, 1])
    found, counts = np.unique(codes, return_counts=True)
    red, green, blue = np.median(inside[codes == found[counts.argmax()]], axis=0)
    return float(red), float(green), float(blue)
