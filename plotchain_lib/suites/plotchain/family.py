"""What a family of engineering plots is.

A family is one file in `families/` with one constant `FAMILY`. Everything the suite does with it
(drawing items, refusing unreadable ones, the prompt, the picture, the second measurement, the
derivations) goes through the parts named here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import numpy.typing as npt

from plotchain_lib.item import Field, Relation
from plotchain_lib.sampling import Draw

if TYPE_CHECKING:  # Matplotlib costs a second to import, and only drawing needs it
    from matplotlib.axes import Axes

Array = npt.NDArray[np.float64]
Parameters = Mapping[str, Any]
Difficulty = Literal["clean", "moderate", "edge"]

# Ten items hold four clean, three moderate and three edge ones, in an order of no short period.
_PATTERN: tuple[Difficulty, ...] = (
    "clean", "edge", "moderate", "clean", "moderate",
    "edge", "clean", "edge", "clean", "moderate",
)  # fmt: skip


def difficulty_of(index: int) -> Difficulty:
    """The difficulty of the item with this index: 40 % clean, 30 % moderate, 30 % edge."""
    return _PATTERN[index % len(_PATTERN)]


@dataclass(frozen=True, slots=True)
class Tolerance:
    """A field's published tolerances, each (absolute, relative); a value passes within either."""

    plotread: tuple[float, float]
    strict: tuple[float, float]


@dataclass(frozen=True, slots=True)
class Axis:
    """One axis of a picture, in data units.

    Attributes:
        label: what the axis says, unit included.
        low, high: the limits.
        scale: ``linear`` or ``log``.
    """

    label: str
    low: float
    high: float
    scale: Literal["linear", "log"] = "linear"

    def fraction(self, value: Any) -> Any:
        """Where a value lies on the axis: 0 at `low`, 1 at `high`."""
        if self.scale == "log":
            return np.log(np.divide(value, self.low)) / np.log(self.high / self.low)
        return (np.asarray(value) - self.low) / (self.high - self.low)

    def value(self, fraction: Any) -> Any:
        """The inverse of `fraction`."""
        if self.scale == "log":
            return self.low * np.exp(np.asarray(fraction) * np.log(self.high / self.low))
        return self.low + np.asarray(fraction) * (self.high - self.low)


@dataclass(frozen=True, slots=True)
class Frame:
    """A picture's axes.

    Attributes:
        x, y: the axes.
        title: printed above the axes.
        shape: ``wide`` (820 x 450 pixels inside the axes) or ``square`` (680 x 680).
    """

    x: Axis
    y: Axis
    title: str
    shape: Literal["wide", "square"] = "wide"


@dataclass(frozen=True, slots=True)
class Read:
    """One coordinate that a person reads off the picture to answer: an axis and the true value."""

    axis: Literal["x", "y"]
    value: float


@dataclass(frozen=True, slots=True)
class Drawn:
    """What was drawn, read back from the artists by the name (gid) the family gave each.

    Attributes:
        points: name to an array of shape (n, 2), in data units: lines and marker sets.
        images: name to (values of shape (rows, columns), column edges, row edges), data units.
    """

    points: Mapping[str, Array]
    images: Mapping[str, tuple[Array, Array, Array]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Family:
    """One kind of plot.

    Attributes:
        name: the file's name.
        question: what the picture shows and what is asked, the same for all items.
        fields: the asked fields in the prompt's order: finals first, then checkpoints.
        tolerances: field name to its published tolerances.
        draws: the names of all parameter draws, in a fixed order; append, never reorder.
        parameters: one attempt: the parameters (JSON values), or None to refuse it.
        frame: the axes of the picture.
        truth: every field's exact value from the parameters, before rounding.
        reads: every coordinate a person reads, by name.
        from_reads: the fields as a person computes them from such reads (arrays of one shape).
        plot: draws on prepared axes; gives each artist that holds data a gid.
        measure: every field from what was drawn, by another way than `truth`; of the parameters
            it may use only what the picture prints.
        relations: fields that follow from other fields.
    """

    name: str
    question: str
    fields: tuple[Field, ...]
    tolerances: Mapping[str, Tolerance]
    draws: tuple[str, ...]
    parameters: Callable[[Draw], Parameters | None]
    frame: Callable[[Parameters], Frame]
    truth: Callable[[Parameters], dict[str, float]]
    reads: Callable[[Parameters], dict[str, Read]]
    from_reads: Callable[[Mapping[str, Array], Parameters], dict[str, Array]]
    plot: Callable[[Axes, Parameters, str], None]
    measure: Callable[[Drawn, Parameters], dict[str, float]]
    relations: tuple[Relation, ...] = ()
