"""What one candidate question is about, before it has a number, a style and words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from plotchain_lib.suites.grab.curves import Array, to_params


@dataclass(frozen=True, slots=True)
class Scene:
    """A picture's content and the answer to the question about it.

    Attributes:
        answer: the one right string.
        place: where the answer lies among those the group may have, 0 to 1.
        value: the answer before it was rounded; None where it is whole by nature.
        curves: the functions, as in `plotchain_lib.suites.grab.curves`.
        series: the data series, each an array of x and one of y, shapes (n,).
        operations: what happens to the function before the property is taken, first to last.
    """

    answer: str
    place: float
    value: float | None = None
    curves: Sequence[Any] = ()
    series: Sequence[tuple[Array, Array]] = ()
    operations: Sequence[Mapping[str, Any]] = field(default_factory=tuple)

    def to_params(self) -> dict[str, Any]:
        """The content as JSON."""
        return {
            "curves": [to_params(curve) for curve in self.curves],
            "series": [[x.tolist(), y.tolist()] for x, y in self.series],
            "operations": [dict(operation) for operation in self.operations],
        }
