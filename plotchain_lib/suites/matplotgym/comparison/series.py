"""A mark of a spec with the axes it is drawn on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from plotchain_lib.suites.matplotgym.comparison.points import Column, as_numbers

Spec = Mapping[str, Any]
FIELDS = frozenset({"heatmap", "contour", "hexbin", "surface"})
ARROWS = frozenset({"quiver", "barbs", "stream"})
BOXES = frozenset({"box", "violin"})
ZERO_BASED = frozenset({"bar", "histogram", "stem", "area", "pie"})


@dataclass(frozen=True, eq=False)
class Series:
    """One mark. `x` and `y` are along the drawn axes, whatever the mark's orientation."""

    panel: int
    index: int
    mark: Spec
    axes: Spec
    extent_x: float = 0.0
    extent_y: float = 0.0

    @property
    def kind(self) -> str:
        """The kind of mark."""
        return str(self.mark["kind"])

    @property
    def flat(self) -> bool:
        """Whether it runs along the y axis."""
        return self.mark.get("orientation") == "horizontal"

    @cached_property
    def x(self) -> Column:
        """Positions or values along the x axis."""
        return Column(self.mark["y" if self.flat else "x"] or [])

    @cached_property
    def y(self) -> Column:
        """Positions or values along the y axis."""
        return Column(self.mark["x" if self.flat else "y"] or [])

    @cached_property
    def exchanged(self) -> Series:
        """The same values with x and y exchanged."""
        mark = dict(self.mark)
        if mark.get("orientation") is not None:
            mark["orientation"] = "vertical" if self.flat else "horizontal"
        else:
            mark["x"], mark["y"] = mark["y"], mark["x"]
            if self.kind in FIELDS and np.ndim(mark["z"]) == 2:
                mark["z"] = np.asarray(mark["z"], dtype=float).T.tolist()
        return replace(self, mark=mark)

    def log(self, name: str) -> bool:
        """Whether this axis counts decades."""
        return str(self.axes[name]["scale"]) in ("log", "symlog", "asinh")


def series_of(spec: Spec) -> list[Series]:
    """All marks of a spec, panel by panel."""
    found = []
    for number, panel in enumerate(spec["panels"]):
        wide, high = _extent(panel, "x"), _extent(panel, "y")
        for index, mark in enumerate(panel["marks"]):
            found.append(Series(number, index, mark, panel, wide, high))
    return found


def _extent(panel: Spec, name: str) -> float:
    parts = []
    for mark in panel["marks"]:
        other = "y" if name == "x" else "x"
        values = mark.get(other if mark.get("orientation") == "horizontal" else name)
        numbers = as_numbers(values) if values else None
        if numbers is not None:
            parts.append(numbers[np.isfinite(numbers)])
    values = np.concatenate(parts) if parts else np.zeros(0)
    return float(np.ptp(values)) if len(values) else 0.0
