"""What the readers of one set of axes share: what was read so far, and small conversions."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.colors import to_rgba
from numpy.typing import ArrayLike

from plotchain_lib.suites.matplotgym.figure.calls import Provenance
from plotchain_lib.suites.matplotgym.figure.spec import Floats, Mark, Overlay


@dataclass
class Reading:
    """The marks and overlays of one set of axes as they are found; positions are numbers yet."""

    axes: Axes
    provenance: Provenance
    marks: list[Mark] = field(default_factory=list)
    overlays: list[Overlay] = field(default_factory=list)
    unread: list[str] = field(default_factory=list)
    taken: set[int] = field(default_factory=set)

    def take(self, artists: Iterable[object]) -> None:
        """Say that these artists have been read."""
        self.taken.update(id(artist) for artist in artists)

    def left(self, *kinds: type) -> list[Any]:
        """The visible artists of these classes nobody has read yet, in drawing order."""
        children: list[Artist] = self.axes._children  # type: ignore[attr-defined]
        return [
            child
            for child in children
            if id(child) not in self.taken and child.get_visible() and isinstance(child, kinds)
        ]

    def names(self, artist: Artist) -> set[str]:
        """Names of the calls behind an artist."""
        return self.provenance.names(artist)


def floats(values: ArrayLike) -> Floats:
    """Numbers with masked entries as NaN, flat."""
    filled: Any = np.ma.filled(np.ma.asarray(values, dtype=float), np.nan)
    return np.asarray(filled, dtype=float).ravel()


def label_of(artist: Any) -> str | None:
    """The label a reader would see in a legend, or None."""
    label = str(artist.get_label() or "")
    return None if not label or label.startswith("_") else label


def colour_style(colour: Any) -> tuple[float, ...]:
    """A colour reduced to what tells series apart."""
    if isinstance(colour, str) and colour == "none":
        return ()
    values = np.asarray(colour, dtype=object)
    if values.ndim == 2:
        if not len(values):
            return ()
        colour = values[0]
    return tuple(round(part, 3) for part in to_rgba(colour))
