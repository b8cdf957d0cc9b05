"""One set of axes being drawn: where its labels stand and where its marks came to stand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Panel = Mapping[str, Any]


class Canvas:
    """Axes with the panel to draw on them. `placed` has each mark's drawn key positions."""

    def __init__(self, axes: Axes, panel: Panel) -> None:
        """Draw `panel` on `axes`, which are empty."""
        self.axes, self.panel = axes, panel
        self.placed: dict[int, Floats] = {}
        self.done: set[int] = set()  # overlays drawn together with their mark

    def set_scales(self) -> None:
        """Scales first, so that limits follow them."""
        if self.panel["projection"] == "rectilinear":
            self.axes.set_xscale(self.panel["x"]["scale"])
            self.axes.set_yscale(self.panel["y"]["scale"])

    def set_limits(self) -> None:
        """Only where the spec's author set them."""
        if self.panel["x"]["set_limits"]:
            self.axes.set_xlim(*self.panel["x"]["limits"])
        if self.panel["y"]["set_limits"]:
            self.axes.set_ylim(*self.panel["y"]["limits"])

    def set_ticks(self) -> None:
        """Labels of categories at whole numbers."""
        for name in ("x", "y"):
            labels = self.panel[name]["categories"]
            if labels:
                axis = self.axes.xaxis if name == "x" else self.axes.yaxis
                axis.set_ticks(range(len(labels)), labels)

    def along(self, values: Sequence[Any], name: str) -> Floats:
        """Numbers for values on the x or y axis: labels stand at their place in the list."""
        labels = self.panel[name]["categories"]
        if labels and any(isinstance(v, str) for v in values):
            place = {label: i for i, label in enumerate(labels)}
            return np.asarray([place[v] for v in values], dtype=float)
        return np.asarray([np.nan if v is None else v for v in values], dtype=float)

    def keys(self, mark: Mapping[str, Any]) -> Floats:
        """Positions of an oriented mark along its key axis."""
        return self.along(mark["x"], "y" if flat(mark) else "x")

    def colour(self, mark: Mapping[str, Any]) -> str:
        """A colour per look; the spec has no colours of its own."""
        hues = ("C0", "C1", "C2", "C3", "C4", "C5", "C6", "C7", "C8", "C9")
        look = int(mark.get("look", 0))
        return hues[look] if look < len(hues) else f"#{(look * 7919 + 0x123456) % 0xFFFFFF:06x}"


def flat(mark: Mapping[str, Any]) -> bool:
    """Whether a mark or overlay lies along the y axis."""
    return mark.get("orientation") == "horizontal"


def numbers(values: Any) -> Floats:
    """An array with NaN for null."""
    return np.asarray(
        [np.nan if v is None else v for v in np.asarray(values, dtype=object).ravel()], dtype=float
    ).reshape(np.shape(values))
