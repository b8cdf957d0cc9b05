"""How many points or series a picture shows."""

from __future__ import annotations

from collections.abc import Sequence

from plotchain_lib.models.reader.graphs.spots import Spots
from plotchain_lib.models.reader.seen import UnreadableError

_FEWEST = 2  # points of a series: a single mark may be something else
_ALIKE = 1.7  # times as large as the smallest marks of another series may those of one be


def count(name: str, series: Sequence[Spots]) -> int:
    """Points or series. Raises UnreadableError where a series is doubtful."""
    sizes = [spots.size for spots in series]
    if not series or max(sizes) > _ALIKE * min(sizes):
        raise UnreadableError("the marks of the series differ in size")
    if name == "points":
        return sum(len(spots.x) for spots in series)
    if min(len(spots.x) for spots in series) < _FEWEST:
        raise UnreadableError("a series of a single mark is doubtful")
    return len(series)
