"""The straight line that most points agree on."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from plotchain_lib.models.reader.seen import Array

_FIRM = 4  # points that show that a further one is off their line
_STRAY = 1.2  # pixels it is off at least; ticks are drawn on whole pixels
_TIMES = 4.0  # times the others' root mean square distance it is off at least


@dataclass(frozen=True, slots=True)
class Fit:
    """level = offset + gain * place.

    Attributes:
        gain, offset: of the line.
        fits: which points lie on it.
        residual: root mean square distance of those, in pixels.
    """

    gain: float
    offset: float
    fits: npt.NDArray[np.bool_]
    residual: float

    @property
    def count(self) -> int:
        """How many points lie on it."""
        return int(np.count_nonzero(self.fits))


def agree(place: Array, level: Array, tolerance: float, rising: bool) -> Fit | None:
    """The line that most points fit, by least squares through those.

    A point fits that lies within `tolerance` (pixels) along the axis of a line through two points;
    levels that are not finite never do. The gain is positive where `rising`, else negative. None
    where no two points agree.
    """
    first, second = np.triu_indices(len(place), 1)
    with np.errstate(all="ignore"):
        gain = (level[second] - level[first]) / (place[second] - place[first])
        usable = np.isfinite(gain) & (gain != 0) & ((gain > 0) == rising)
        first, gain = first[usable], gain[usable]
        away = np.abs((level - level[first, None]) / gain[:, None] + place[first, None] - place)
        fits = np.nan_to_num(away, nan=np.inf) < tolerance
    if not len(gain):
        return None
    counts = np.count_nonzero(fits, axis=1)
    sets = np.unique(fits[counts == counts.max()], axis=0)
    found = [replace(through(place[one], level[one]), fits=one) for one in sets]
    return _without_stray(min(found, key=lambda fit: fit.residual), place, level)


def _without_stray(fit: Fit, place: Array, level: Array) -> Fit:
    """The fit without a point that alone is off the line of all others, of which four agree."""
    inside = np.flatnonzero(fit.fits)
    if len(inside) <= _FIRM:
        return fit
    away = np.abs((level[inside] - fit.offset) / fit.gain - place[inside])
    rest = np.delete(inside, away.argmax())
    line = through(place[rest], level[rest])
    stray = inside[away.argmax()]
    off = abs((level[stray] - line.offset) / line.gain - place[stray])
    if off < max(_STRAY, _TIMES * line.residual):
        return fit
    return replace(line, fits=np.isin(np.arange(len(place)), rest))


def through(place: Array, level: Array) -> Fit:
    """The line by least squares through all points, two at least."""
    centre, mean = place.mean(), level.mean()
    gain = float(((place - centre) * (level - mean)).sum() / ((place - centre) ** 2).sum())
    away = (level - mean) / gain - (place - centre)
    residual = float(np.sqrt(np.mean(away**2)))
    return Fit(gain, float(mean - gain * centre), np.ones(len(place), dtype=bool), residual)
