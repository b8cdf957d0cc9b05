"""How each kind of question about a graph is answered: one module a kind.

A module about functions has ``KINDS``, by property the forms a function may have that it is asked
of (keys of `curves.FITTERS`, the first that fits counts), ``ENDS``, those properties that depend on
where a curve begins and ends, and ``measure(name, view) -> float``. A module about series has
``NAMES`` and ``measure_series(name, points) -> float`` for points of shape (n, 2). Both may raise
UnreadableError. The properties of both modules' names are those of `question`.
"""

from __future__ import annotations

from plotchain_lib.models.reader.graphs.kinds import (
    areas,
    correlation,
    extents,
    intercepts,
    stationary,
    statistics,
    waves,
)

OF_FUNCTIONS = {
    name: module for module in (areas, extents, intercepts, stationary, waves)
    for name in module.KINDS
}  # fmt: skip
OF_SERIES = {
    name: module for module in (correlation, extents, statistics) for name in module.NAMES
}  # fmt: skip
