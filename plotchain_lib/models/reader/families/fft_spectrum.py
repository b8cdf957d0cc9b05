"""Two tones in an amplitude spectrum in decibels: the two narrow peaks that stand out."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from plotchain_lib.models.reader.lines import require_linear
from plotchain_lib.models.reader.quantities import axis_factor
from plotchain_lib.models.reader.scene import Scene
from plotchain_lib.models.reader.seen import Array, Colour, Reading, Runs, UnreadableError
from plotchain_lib.models.reader.strips import strips

FIELDS = frozenset({"dominant_frequency_hz", "secondary_frequency_hz", "cp_peak_ratio"})

_FOOT = 0.25  # of a peak's height above the floor: below it the peak's skirts begin
_STANDS_OUT = 1.5  # the secondary peak's height, in those of the next one
_SAME_COLOUR = 30.0  # of 255, in each channel
_FAINT = 0.25  # of full opacity
_LOWEST = 0.04  # of the axes' height: a peak above the floor at least


@dataclass(frozen=True, slots=True)
class _Spectrum:
    """The columns with ink, ascending, where each one's ink begins, and the runs along the rows."""

    columns: Array
    tops: Array
    rows: Runs
    stroke: float
    colour: Colour


@dataclass(frozen=True, slots=True)
class _Peak:
    """A peak: its middle and its apex, in pixels; the columns (indices) it takes up."""

    x: float
    y: float
    first: int
    last: int


def read(scene: Scene, prompt: str) -> Reading:
    """Frequencies of the two highest peaks, and the ratio of their amplitudes.

    Raises:
        UnreadableError: no two peaks stand out, or an axis is logarithmic.
    """
    require_linear(scene.x, scene.y)
    dominant, secondary = _peaks(scene)
    hertz = axis_factor(scene.label("x"), "Hz") or 1.0
    difference = float(scene.y.value(dominant.y) - scene.y.value(secondary.y))
    return Reading(
        values={
            "dominant_frequency_hz": float(scene.x.value(dominant.x)) * hertz,
            "secondary_frequency_hz": float(scene.x.value(secondary.x)) * hertz,
            "cp_peak_ratio": float(10.0 ** (difference / 20.0)),
        },
        points={
            "dominant_frequency_hz": (dominant.x, dominant.y),
            "secondary_frequency_hz": (secondary.x, secondary.y),
        },
    )


def _peaks(scene: Scene) -> tuple[_Peak, _Peak]:
    spectrum = _spectrum(scene)
    tops = spectrum.tops
    floor = float(np.median(tops))
    left = np.ones(tops.size, dtype=bool)
    found: list[_Peak] = []
    for _ in range(3):
        if not left.any():
            break
        peak = _peak(spectrum, int(np.argmin(np.where(left, tops, np.inf))), floor)
        found.append(peak)
        left[max(0, peak.first - 1) : peak.last + 2] = False
    if len(found) < 2:
        raise UnreadableError("no two peaks stand out of the spectrum's floor")
    two = [replace(peak, y=_apex(scene, peak, spectrum)) for peak in found[:2]]
    first, second = sorted(two, key=lambda peak: peak.y)
    if floor - second.y < _LOWEST * (scene.box.bottom - scene.box.top):
        raise UnreadableError("no two peaks stand out of the spectrum's floor")
    if len(found) == 3 and floor - second.y < _STANDS_OUT * (floor - found[2].y):
        raise UnreadableError("more than two peaks stand out of the spectrum's floor")
    return first, second


def _spectrum(scene: Scene) -> _Spectrum:
    """The traced curve; or where there is none the peaks on a level floor.

    Raises:
        UnreadableError: neither.
    """
    try:
        curve = scene.curve
    except UnreadableError:
        return _on_level_floor(scene)
    columns, which = np.unique(curve.columns.line, return_inverse=True)
    if columns.size < 20:
        raise UnreadableError("the spectrum is too short")
    tops = np.full(columns.size, np.inf)
    np.minimum.at(tops, which, curve.columns.start)
    spectrum = _Spectrum(columns, tops, curve.rows, curve.stroke, curve.colour)
    _add_cut_out(scene, spectrum)
    return spectrum


def _on_level_floor(scene: Scene) -> _Spectrum:
    """A spectrum without noise: its floor is a straight line, which is no curve but a rule."""
    width = scene.box.right - scene.box.left
    for floor in scene.rules:
        if floor.direction != "horizontal" or floor.pattern != "solid":
            continue
        ink = next((ink for ink in scene.inks if _same(ink.colour, floor.colour)), None)
        if ink is None or floor.end - floor.start < 0.5 * width:
            continue
        # A grid line that a peak stands on is a faint prolongation of it.
        opacity = np.where(ink.opacity > _FAINT, ink.opacity, np.float32(0.0))
        upright, lying = strips(opacity, down=True), strips(opacity, down=False)
        runs = upright.chosen(upright.peak > 0.5).runs(ink.left, ink.top)
        rows = lying.chosen(lying.peak > 0.5).runs(ink.top, ink.left)
        columns = np.arange(np.ceil(floor.start), np.floor(floor.end) + 1.0)
        tops = np.full(columns.size, floor.place)
        inside = (runs.line >= columns[0]) & (runs.line <= columns[-1])
        np.minimum.at(tops, (runs.line[inside] - columns[0]).astype(int), runs.start[inside])
        if columns.size >= 20 and rows.line.size:
            stroke = float(np.median(rows.end - rows.start))
            return _Spectrum(columns, tops, rows, stroke, ink.colour)
    raise UnreadableError("no spectrum inside the axes")


def _same(one: Colour, other: Colour) -> bool:
    return bool(np.abs(np.subtract(one, other)).max() < _SAME_COLOUR)


def _apex(scene: Scene, peak: _Peak, spectrum: _Spectrum) -> float:
    """How far up a peak's apex is, by the pixels around what was traced of it.

    A line of one or two pixels loses its colour where pictures are compressed or made smaller, so
    that its ink ends early, and a grid line that it stands on makes it end late. Either way it is
    more than half as far from the axes' face as the curve's colour.
    """
    middle, traced = round(peak.x), peak.y - spectrum.stroke / 2.0
    first = int(scene.box.top + scene.box.line) + 1
    face = np.asarray(scene.box.face, dtype=np.float32)
    band = scene.picture.rgb[first : int(scene.box.bottom), middle - 1 : middle + 2]
    contrast = np.abs(band - face).mean(axis=2).max(axis=1)
    half = float(np.abs(np.asarray(spectrum.colour) - face).mean()) / 2.0
    drawn = np.flatnonzero(contrast[max(int(traced) + 1 - first, 0) :] > half)
    if not drawn.size:
        return peak.y
    top = max(int(traced) + 1 - first, 0) + int(drawn[0])
    faint = np.flatnonzero(contrast[:top] <= half)
    if not faint.size:
        return peak.y
    above, below = float(contrast[faint[-1]]), float(contrast[faint[-1] + 1])
    edge = first + float(faint[-1]) + (half - above) / (below - above)
    return edge + spectrum.stroke / 2.0


def _add_cut_out(scene: Scene, spectrum: _Spectrum) -> None:
    """Raise the upper edge where a narrow peak was taken for an upright helper line.

    Such a line has the curve's colour, is drawn through and ends inside the axes.
    """
    inside = scene.box.top + 0.01 * (scene.box.bottom - scene.box.top)
    for rule in scene.rules:
        if rule.direction == "vertical" and rule.pattern == "solid":
            index = int(np.argmin(np.abs(spectrum.columns - rule.place)))
            higher = inside < rule.start < spectrum.tops[index]
            if higher and _same(rule.colour, spectrum.colour):
                spectrum.tops[index] = rule.start


def _peak(spectrum: _Spectrum, index: int, floor: float) -> _Peak:
    """The peak whose apex is at an index: from foot to foot, and its middle by its upper rows."""
    columns, tops, rows, stroke = spectrum.columns, spectrum.tops, spectrum.rows, spectrum.stroke
    apex = float(tops[index])
    foot = floor - _FOOT * (floor - apex)
    below = np.flatnonzero(tops > foot)
    first = int(below[below < index].max(initial=-1)) + 1
    last = int(below[below > index].min(initial=columns.size)) - 1
    reach = columns[last] - columns[first] + stroke
    inside = (
        (rows.line > apex + stroke)
        & (rows.line < apex + max(3.0 * stroke, 0.5 * (floor - apex)))
        & (np.abs(rows.centre - columns[index]) <= reach)
    )
    middle = float(np.median(rows.centre[inside])) if inside.any() else float(columns[index])
    # The ink begins half a stroke above the apex; in the difference of two levels that cancels.
    return _Peak(middle, apex + stroke / 2.0, first, last)
