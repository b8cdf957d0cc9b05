"""Two tones, one after the other, in a spectrogram: the brightest stretches of its pixels.

The level of a pixel is its brightness, which rises with the level in every map made for reading
(and falls in one that is turned round); it need not be known in decibels. Each tone is the row
that stands out most while the other is silent.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.ndimage import median_filter

from plotchain_lib.models.reader.cells import find_cells
from plotchain_lib.models.reader.quantities import axis_factor
from plotchain_lib.models.reader.scene import Scene
from plotchain_lib.models.reader.seen import Array, Box, Pixels, Reading, UnreadableError

FIELDS = frozenset({"f1_hz", "f2_hz", "switch_time_s", "cp_duration_s"})

_LUMA = np.array([0.299, 0.587, 0.114], dtype=np.float32)
_SHARE = 0.06  # of the width: a tone sounds for at least as long
_CONTRAST = 25.0  # of 255: a tone's height above the ground at least
_BELOW = 0.2  # of a tone's height above its row's quiet level: where it counts as sounding
_SHOULDER = 0.25  # of a ridge's height above the ground: the part that its centre is taken of
_STANDS_OUT = 0.6  # of the stronger tone's height above the ground: the weaker one's at least
_MEETING = 0.11  # of the width: how far the end of one tone may lie from the start of the other


@dataclass(frozen=True, slots=True)
class _Tone:
    """A tone's ridge: its row, the level along it, and the columns it sounds in."""

    row: int
    course: Array
    plateau: float
    start: int
    end: int  # exclusive


def read(scene: Scene, prompt: str) -> Reading:
    """Frequencies, switch and duration. Nothing in the prompt matters.

    Raises:
        UnreadableError: no two tones, one after the other, stand out.
    """
    level, first, second = _ridges(scene)
    rows, columns = scene.box.inside()
    hertz = axis_factor(scene.label("y"), "Hz") or 1.0
    seconds = axis_factor(scene.label("x"), "s") or 1.0
    ridges = [_middle(level, tone) for tone in (first, second)]
    thickest = max(thickness for _, thickness in ridges)
    shift = _half_cell(level, float(scene.y.place(0.0)) - rows.start, thickest)
    heights = [rows.start + middle for middle, _ in ridges]
    frequencies = [float(scene.y.value(height + shift)) * hertz for height in heights]
    switch = columns.start + _switch(first, second)
    start = _outer(columns.start + first.start - 0.5, scene.box, columns)
    end = _outer(columns.start + second.end - 0.5, scene.box, columns)
    duration = float(scene.x.value(end) - scene.x.value(start)) * seconds
    middles = [columns.start + (tone.start + tone.end) / 2.0 for tone in (first, second)]
    return Reading(
        values={
            "f1_hz": frequencies[0],
            "f2_hz": frequencies[1],
            "switch_time_s": float(scene.x.value(switch)) * seconds,
            "cp_duration_s": duration,
        },
        points={
            "f1_hz": (middles[0], heights[0]),
            "f2_hz": (middles[1], heights[1]),
            "switch_time_s": (switch, None),
        },
    )


def _ridges(scene: Scene) -> tuple[Pixels, _Tone, _Tone]:
    """Levels inside the box, and the two tones above their ground in order of time."""
    rgb = scene.picture.rgb[scene.box.inside()]
    level: Pixels = rgb @ _LUMA
    if min(level.shape) < 40:
        raise UnreadableError("the axes are too small for a spectrogram")
    if scene.picture.inverted:
        level = 255.0 - level
    try:
        return level, *_tones(level)
    except UnreadableError as error:
        try:  # in a map turned round the strongest is the darkest
            return 255.0 - level, *_tones(255.0 - level)
        except UnreadableError:
            raise error from None


def _tones(level: Pixels) -> tuple[_Tone, _Tone]:
    """The two tones in order of time."""
    width = level.shape[1]
    count = max(2, int(_SHARE * width))
    ground = float(np.median(level[::3, ::3]))
    one = _tone(level, _brightest(level, count))
    if one.plateau - ground < _CONTRAST:
        raise UnreadableError("nothing stands out of the spectrogram's ground")
    free = np.ones(width, dtype=bool)
    free[max(0, one.start - count // 4) : one.end + count // 4] = False
    if free.sum() < 2 * count:
        raise UnreadableError("one tone sounds all the time")
    other = _tone(level, _brightest(level[:, free], count))
    if other.plateau - ground < _STANDS_OUT * (one.plateau - ground):
        raise UnreadableError("no second tone stands out")
    first, second = sorted((one, other), key=lambda tone: tone.start + tone.end)
    if abs(first.end - second.start) > _MEETING * width:
        raise UnreadableError("the tones do not follow each other")
    return first, second


def _brightest(level: Pixels, count: int) -> int:
    """The row whose `count` brightest pixels are brightest."""
    index = level.shape[1] - count
    strength = np.partition(level, index, axis=1)[:, index:].mean(axis=1)
    return int(np.argmax(strength))


def _tone(level: Pixels, row: int) -> _Tone:
    """When a row sounds: its longest stretch within reach of its plateau."""
    near = level[max(0, row - 1) : row + 2].max(axis=0).astype(np.float64)
    course = median_filter(near, size=max(3, near.size // 150 * 2 + 1), mode="nearest")
    plateau = _plateau(course)
    quiet = float(np.percentile(course, 10.0))
    sounding = course > plateau - _BELOW * (plateau - quiet)
    if not sounding.any():
        raise UnreadableError("one level lasts all the time")
    edges = np.flatnonzero(np.diff(np.concatenate(([0], sounding.astype(np.int8), [0]))))
    starts, ends = edges[::2], edges[1::2]
    gap = near.size // 100
    apart = starts[1:] - ends[:-1] > gap  # noise breaks a stretch for a few columns
    starts, ends = starts[np.append(True, apart)], ends[np.append(apart, True)]
    longest = int(np.argmax(ends - starts))
    if ends[longest] - starts[longest] < _SHARE * near.size / 2.0:
        raise UnreadableError("no tone lasts")
    return _Tone(row, course, plateau, int(starts[longest]), int(ends[longest]))


def _plateau(course: Array) -> float:
    """The level while a tone sounds: the median of what is nearer to the highest than the rest."""
    high, low = np.percentile(course, (98.0, 10.0))
    return float(np.median(course[course >= (high + low) / 2.0]))


def _middle(level: Pixels, tone: _Tone) -> tuple[float, float]:
    """Row of a ridge's middle, weighted by what rises above its shoulder; and that part's rows."""
    trim = (tone.end - tone.start) // 8
    reach = level.shape[0] // 12
    low = max(0, tone.row - reach)
    stretch = level[low : tone.row + reach + 1, tone.start + trim : tone.end - trim]
    profile = np.median(stretch, axis=1).astype(np.float64)
    ground = float(np.median(level[::3, ::3]))
    peak = int(np.argmax(profile))
    weights = np.clip(profile - (profile[peak] - _SHOULDER * (profile[peak] - ground)), 0.0, None)
    before = np.flatnonzero(weights[:peak] == 0.0)
    after = np.flatnonzero(weights[peak:] == 0.0)
    weights[: before[-1] if before.size else 0] = 0.0
    weights[peak + after[0] if after.size else weights.size :] = 0.0
    middle = low + float(weights @ np.arange(weights.size) / weights.sum())
    return middle, float(np.count_nonzero(weights))


def _switch(first: _Tone, second: _Tone) -> float:
    """Column where both tones are equally far below their plateaus.

    Where colours come in steps they are so for a while: the middle of it.
    """
    middle = (first.end + second.start) / 2.0
    low, high = sorted((first.end, second.start))
    reach = max(4, (high - low) // 2 + 2)
    columns = np.arange(max(0, low - reach), min(first.course.size, high + reach))
    lead = (first.course - first.plateau - second.course + second.plateau)[columns]
    ahead, behind = columns[lead > 0.0], columns[lead < 0.0]
    if not ahead.size or not behind.size or ahead[-1] > behind[0] + reach:
        return middle - 0.5
    return float(ahead[-1] + behind[behind > ahead[-1]][0]) / 2.0


def _outer(place: float, box: Box, columns: slice) -> float:
    """The axes' end where a tone's end touches it: the sound may go on beyond."""
    if place <= columns.start + 0.5:
        return box.left
    return float(box.right if place >= columns.stop - 1.5 else place)


def _half_cell(level: Pixels, zero: float, thickest: float) -> float:
    """How far down the rows belong, in pixels, where the lowest cell stands on frequency zero.

    A Fourier transform's bins are at whole multiples of their spacing from zero on, so that the
    lowest one should lie across frequency zero; drawn on top of it, all lie half a bin too high.
    No cell is higher than a ridge.
    """
    cells = find_cells(level)
    if cells is None or cells.height > thickest + 2.0:
        return 0.0
    off = (zero - cells.edge) / cells.height
    return cells.height / 2.0 if abs(off - round(off)) < 0.12 else 0.0
