"""The straight line that most points agree on."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from plotchain_lib.models.reader.seen import Array


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
    return min((_least_squares(place, level, one) for one in sets), key=lambda fit: fit.residual)


def _least_squares(place: Array, level: Array, fits: npt.NDArray[np.bool_]) -> Fit:
    x, y = place[fits], level[fits]
    centre, mean = x.mean(), y.mean()
    gain = float(((x - centre) * (y - mean)).sum() / ((x - centre) ** 2).sum())
    away = (y - mean) / gain - (x - centre)
    return Fit(gain, float(mean - gain * centre), fits, float(np.sqrt(np.mean(away**2))))
