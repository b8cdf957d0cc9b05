"""What lies behind the drawing: the grid's lines, light and neutral, right across the axes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from plotchain_lib.models.reader.seen import Array, Pixels

Index = npt.NDArray[np.intp]
Mask = npt.NDArray[np.bool_]

_THIRDS = np.full(3, 1 / 3, dtype=np.float32)  # faster than a mean
_VISIBLE = 7  # of 255: fainter lines are noise
_COVERED = 0.3  # of the line's length; dashes leave gaps
_GREY = 14.0  # of 442: between a pixel and the grid's own shades
_WHOLE = 0.7  # the same for dark lines
_LIGHT = 0.7  # of the way from the face to black, at most
_VERY_LIGHT = 0.2  # lines darker than this are a grid only if there are several alike
_AS_SOFT = 0.08  # between the ratios of mean to greatest darkness
_ALIKE = 12.0  # of 255: between the colours of one grid
_AS_WHOLE = 0.5  # ratio of the shares of their lengths that are drawn: dots, dashes


@dataclass(frozen=True, slots=True)
class Grid:
    """The grid's lines: what each takes from the face, zero where there is none.

    Attributes:
        columns: of the upright lines, shape (columns, 3).
        rows: of the level lines, shape (rows, 3).
        deepest: the mean difference of the darkest pixels of each dashed or dotted line, in
            columns and in rows; zero for other lines.
    """

    columns: Pixels
    rows: Pixels
    deepest: tuple[Array, Array]

    def at(self, at: tuple[Index, Index]) -> Pixels:
        """What the grid takes from the face at the given (rows, columns), shape (pixels, 3)."""
        upright, level = np.abs(self.columns).max(axis=1), np.abs(self.rows).max(axis=1)
        behind = np.zeros((len(at[0]), 3), dtype=np.float32)
        ruled = np.nonzero((upright > 0)[at[1]] | (level > 0)[at[0]])[0]
        rows, columns = at[0][ruled], at[1][ruled]
        more = (level[rows] > upright[columns])[:, None]
        behind[ruled] = np.where(more, self.rows[rows], self.columns[columns])
        return behind

    def drawn(self, at: tuple[Index, Index], left: Pixels, behind: Pixels) -> Mask:
        """Which pixels show the grid alone: its gaps, its soft edges, its darkest dots.

        `left` is by how much each pixel is darker than `behind`, the grid's usual colour there.
        """
        found = np.zeros(len(left), dtype=bool)
        on = np.nonzero(np.einsum("ij,ij->i", behind, behind) > 0)[0]
        usual, values = behind[on], left[on] + behind[on]
        share = np.einsum("ij,ij->i", values, usual) / np.einsum("ij,ij->i", usual, usual)
        rest = values - share[:, None] * usual
        deepest = np.maximum(self.deepest[0][at[1][on]], self.deepest[1][at[0][on]])
        most = np.maximum(1.0, deepest / np.maximum(usual @ _THIRDS, 1.0))
        # Two soft or transparent lines that cross are darker than one.
        upright, level = np.any(self.columns, axis=1), np.any(self.rows, axis=1)
        crossing = np.asarray(upright)[at[1][on]] & np.asarray(level)[at[0][on]]
        most = np.where(crossing, 1.9, most)
        # Dark ink on a white grid has a negative share.
        found[on] = (
            (share > -0.15) & (share < 1.08 * most) & (np.einsum("ij,ij->i", rest, rest) < _GREY**2)
        )
        return found


def find_grid(
    values: Pixels, at: tuple[Index, Index], shape: tuple[int, ...], darkest: float
) -> Grid:
    """The grid behind a drawing.

    `values` is the face less the picture, shape (pixels, 3), at the (rows, columns) `at`, the
    pixels that differ from the face in an array of that shape; `darkest` the difference between
    the face and black.
    """
    mean = values @ _THIRDS
    neutral = _neutral(values, mean)
    light = neutral & (mean < _LIGHT * darkest)
    dark = np.zeros((shape[0] + 2, shape[1] + 2), dtype=bool)
    dark[at[0] + 1, at[1] + 1] = ~light
    profiles = []
    looks = []
    for axis in (0, 1):
        profile, look = _by_line(values, mean, light, at, dark, axis)
        strong = _dark_profile(values, neutral, mean > _LIGHT * darkest, at[1 - axis], shape[axis])
        stronger = np.abs(strong).max(axis=1) > 0
        profile[: len(strong)][stronger] = strong[stronger]
        look[:, : len(strong)][:, stronger] = [[1.0], [darkest], [darkest]]
        profiles.append(profile)
        looks.append(look)
    _keep_grids(profiles, looks, darkest)
    for axis, profile in enumerate(profiles):
        _fill(profile, at[1 - axis][neutral], mean[neutral])
    # Where dashes cover most of a line, its median is theirs; where they do not, it is too light.
    deepest = [
        np.where((np.abs(profile).max(axis=1) > 0) & (look[0] < 0.93), look[2], 0)
        for profile, look in zip(profiles, looks, strict=True)
    ]
    return Grid(profiles[0], profiles[1], (deepest[0], deepest[1]))


def _neutral(values: Pixels, mean: Pixels) -> Mask:
    high = np.maximum(np.maximum(values[:, 0], values[:, 1]), values[:, 2])
    low = np.minimum(np.minimum(values[:, 0], values[:, 1]), values[:, 2])
    return np.asarray(high - low <= 12 + 0.12 * np.abs(mean))


def _by_line(
    values: Pixels, mean: Pixels, light: Mask, at: tuple[Index, Index], dark: Mask, axis: int
) -> tuple[Pixels, Array]:
    """The colour of the light line in each column (or row), zero where there is none; its look.

    The look is the share of the line that is light, its mean darkness and that of its darkest
    tenth; what dark things cover is left out of account.
    """
    inner = dark[1:-1, 1:-1].copy()
    # The soft edge of a dark line is light itself, and no grid.
    inner |= dark[1:-1, :-2] if axis == 0 else dark[:-2, 1:-1]
    inner |= dark[1:-1, 2:] if axis == 0 else dark[2:, 1:-1]
    length = inner.shape[axis]
    in_view = length - np.count_nonzero(inner, axis=axis)
    chosen = np.nonzero(light & ~inner[at])[0]
    place = at[1 - axis][chosen]
    if axis == 0:
        order = np.argsort(place.astype(np.int16), kind="stable")
        chosen, place = chosen[order], place[order]
    covered = np.bincount(place, minlength=len(in_view))
    often = covered >= _COVERED * length
    # Where dark things lie along it, what is left in view must be whole.
    whole = (covered >= 0.8 * in_view) & (covered > 0)
    often |= whole & (covered >= 0.12 * length)
    # The other half of a line's width, beside a steep part of a curve.
    often |= whole & (np.append(often[1:], False) | np.append(False, often[:-1]))
    bounds = np.concatenate([[0], np.cumsum(covered)])
    profile = np.zeros((len(in_view), 3), dtype=np.float32)
    look = np.zeros((3, len(in_view)))
    for line in np.nonzero(often)[0]:
        its = chosen[bounds[line] : bounds[line + 1]]
        middle = len(its) // 2
        profile[line] = np.partition(values[its], middle, axis=0)[middle]
        shades = mean[its]
        deepest = np.partition(shades, int(0.9 * len(shades)))[int(0.9 * len(shades))]
        look[:, line] = covered[line] / max(in_view[line], 1), shades.mean(), deepest
    return profile, look


def _dark_profile(values: Pixels, neutral: Mask, strong: Mask, place: Index, length: int) -> Pixels:
    """The same for dark lines, their soft edges included; those must be all but whole."""
    count = int(place.max(initial=-1)) + 1
    profile = np.zeros((count, 3), dtype=np.float32)
    if np.count_nonzero(strong) < _WHOLE * length:
        return profile
    whole = np.bincount(place[neutral], minlength=count) > _WHOLE * length
    dark = np.bincount(place[neutral & strong], minlength=count) > _WHOLE * length
    dark[1:] |= dark[:-1].copy()
    dark[:-1] |= dark[1:].copy()
    for line in np.nonzero(whole & dark)[0]:
        its = values[(place == line) & neutral]
        profile[line] = np.partition(its, len(its) // 2, axis=0)[len(its) // 2]
    return profile


def _keep_grids(profiles: list[Pixels], looks: list[Array], darkest: float) -> None:
    """Drop the lines that are noise, and the dark ones that are no grid: it has several alike.

    `looks` are those of `_by_line` for columns and rows.
    """
    lines = []
    for number, profile in enumerate(profiles):
        for start, stop in _lines(profile):
            look = looks[number][:, start:stop]
            lines.append((number, start, stop, look[:, int(np.argmax(look[1]))]))
    for number, start, stop, look in lines:
        alike = [(other[0], other[1]) for other in lines if _alike(look, other[3])]
        size = float(np.abs(profiles[number][start:stop]).max(initial=0))
        # What the frame hides one half of is paler than the others.
        cut = start <= 1 or stop >= len(profiles[number]) - 1
        if size > (_LIGHT if cut else _VERY_LIGHT) * darkest and not _several(alike):
            size = 0.0
        if size < _VISIBLE:
            profiles[number][start:stop] = 0


def _lines(profile: Pixels) -> list[tuple[int, int]]:
    """Where the lines of a profile start and stop."""
    inked = np.concatenate([[False], np.abs(profile).max(axis=1) > 0, [False]])
    edges = np.nonzero(inked[1:] != inked[:-1])[0].tolist()
    return list(zip(edges[::2], edges[1::2], strict=True))


def _fill(profile: Pixels, places: Index, shades: Pixels) -> None:
    """Add the lines of an even grid that a steep curve all but hides.

    `places` and `shades` tell the line and the darkness of each neutral pixel.
    """
    lines = _lines(profile)
    starts = np.array([start for start, _ in lines])
    steps = np.diff(starts)
    if len(steps) < 3:
        return
    step = float(np.median(steps[steps < 1.5 * steps.min()]))
    counts = np.round(steps / step)
    if counts.max() > 4 or np.abs(steps - counts * step).max() > 2:
        return
    for (start, stop), whole, count in zip(lines[:-1], steps.tolist(), counts, strict=True):
        for number in range(1, int(count)):
            place = round(start + whole * number / count)
            seen = shades[(places >= place) & (places < place + stop - start)]
            grid = float(profile[start:stop].mean())
            if len(seen) and np.mean(np.abs(seen - grid) < _ALIKE) > 0.3:
                profile[place : place + stop - start] = profile[start:stop]


def _alike(one: Array, other: Array) -> bool:
    """Whether two lines, by their looks, may be of one grid."""
    drawn = _AS_WHOLE < one[0] / max(other[0], 1e-3) < 1 / _AS_WHOLE
    shades = abs(one[1] - other[1]) < _ALIKE and abs(one[2] - other[2]) < 2 * _ALIKE
    # Dashes and dots have soft ends.
    softness = abs(one[1] / max(one[2], 1) - other[1] / max(other[2], 1))
    return bool(drawn and shades and softness < _AS_SOFT)


def _several(lines: list[tuple[int, int]]) -> bool:
    """Whether lines, as (direction, place), make a grid: four, or three evenly spaced."""
    if len(lines) != 3 or len({direction for direction, _ in lines}) == 2:
        return len(lines) > 2
    first, second, third = sorted(place for _, place in lines)
    # One may be missing between two.
    steps = sorted([second - first, third - second])
    ratio = steps[1] / steps[0]
    return ratio < 4.5 and abs(steps[1] - round(ratio) * steps[0]) <= 3 + 0.01 * steps[1]
