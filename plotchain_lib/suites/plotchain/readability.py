"""Can it be read? What one pixel of error in every read does to each field."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product

import numpy as np

from plotchain_lib.suites.plotchain.family import Array, Family, Frame, Parameters, Read

# Inside the axes, in pixels (width, height); the drawing uses the same numbers.
BOX_PIXELS = {"wide": (820, 450), "square": (680, 680)}

_MAX_CORNERS = 10  # reads whose every combination of signs is tried: 2**10 combinations


@dataclass(frozen=True, slots=True)
class Readability:
    """One field's readability in one item.

    Attributes:
        share: of all combinations of +1 and -1 pixel in every read, the share within plotread.
        tolerance_px: the error in every read, in pixels, at which the field leaves plotread.
    """

    share: float
    tolerance_px: float


def moved(frame: Frame, reads: Mapping[str, Read], pixels: Mapping[str, Array]) -> dict[str, Array]:
    """The reads, each moved along its axis by so many pixels (arrays of one shape)."""
    width, height = BOX_PIXELS[frame.shape]
    result = {}
    for name, read in reads.items():
        axis, length = (frame.x, width) if read.axis == "x" else (frame.y, height)
        result[name] = np.asarray(axis.value(axis.fraction(read.value) + pixels[name] / length))
    return result


def allowed_error(truth: float, tolerance: tuple[float, float]) -> float:
    """How far a value may lie from the truth: the wider of the absolute and the relative one."""
    return max(tolerance[0], tolerance[1] * max(abs(truth), 1e-12))


def readability(
    family: Family, params: Parameters, truth: Mapping[str, float]
) -> dict[str, Readability]:
    """Every field's readability. `truth` is rounded as the item's is."""
    frame, reads = family.frame(params), family.reads(params)
    if len(reads) > _MAX_CORNERS:
        raise ValueError(f"{family.name}: more than {_MAX_CORNERS} reads")
    corners = np.array(list(product((-1.0, 1.0), repeat=len(reads)))).reshape(-1, len(reads)).T
    signs = dict(zip(reads, corners, strict=True))
    with np.errstate(all="ignore"):
        values = family.from_reads(moved(frame, reads, signs), params)
    result = {}
    for field in family.fields:
        tolerance = family.tolerances[field.name].plotread
        limit = allowed_error(truth[field.name], tolerance)
        error = np.abs(np.broadcast_to(values[field.name], corners.shape[1:]) - truth[field.name])
        error = np.where(np.isfinite(error), error, np.inf)
        worst = float(error.max())
        share = float(np.mean(error <= limit))
        result[field.name] = Readability(share, min(limit / worst, 999.0) if worst > 0 else 999.0)
    return result
