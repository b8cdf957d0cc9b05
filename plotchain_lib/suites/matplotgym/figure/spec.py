"""What a figure says: panels, their axes, marks and overlays, with nothing cosmetic."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Values = list[Any]  # numbers, or the labels of categories
SIGNIFICANT_DIGITS = 12


@dataclass(slots=True)
class AxisSpec:
    """One axis: its scale, its limits in data units, and the labels of its categories."""

    scale: str = "linear"
    limits: tuple[float, float] = (0.0, 1.0)
    set_limits: bool = False
    categories: list[str] | None = None


@dataclass(slots=True)
class Mark:
    """One series. `x` runs along the key axis and `y` holds values where `orientation` is set."""

    kind: str
    x: Any
    y: Any
    orientation: str | None = None
    base: Any = None
    edges: Any = None
    z: Any = None
    width: float | None = None
    arrangement: str | None = None
    color_key: dict[str, Any] | None = None
    size_key: Any = None
    look: int = 0
    label: str | None = None
    style: tuple[Any, ...] = ()  # how it looks, to tell series apart; never written


@dataclass(slots=True)
class Overlay:
    """What is laid over the data; `of` is the index of the mark it belongs to in its panel."""

    kind: str
    orientation: str | None = None
    of: int | None = None
    x: Any = None
    y: Any = None
    lower: Any = None
    upper: Any = None
    value: float | None = None
    slope: float | None = None
    text: str | None = None
    owner: Mark | None = None  # the mark itself, while indices still change; never written


@dataclass(slots=True)
class PanelSpec:
    """One set of axes that shows data."""

    row: int = 0
    column: int = 0
    row_span: int = 1
    column_span: int = 1
    role: str = "main"
    of: int | None = None
    share_x: int | None = None
    share_y: int | None = None
    projection: str = "rectilinear"
    x: AxisSpec = field(default_factory=AxisSpec)
    y: AxisSpec = field(default_factory=AxisSpec)
    marks: list[Mark] = field(default_factory=list)
    overlays: list[Overlay] = field(default_factory=list)


@dataclass(slots=True)
class FigureSpec:
    """A whole figure; `unrepresented` says in words what the rest could not hold."""

    panels: list[PanelSpec] = field(default_factory=list)
    unrepresented: list[str] = field(default_factory=list)

    @property
    def empty(self) -> bool:
        """Whether no panel shows a mark."""
        return not any(panel.marks for panel in self.panels)


def number(value: float) -> float | int | None:
    """A JSON number of limited digits; what is not finite becomes null."""
    if not math.isfinite(value):
        return None
    if value.is_integer() and abs(value) < 10**SIGNIFICANT_DIGITS:
        return int(value)  # most of a large figure, and rounding is slow
    rounded = float(f"{value:.{SIGNIFICANT_DIGITS}g}")
    return int(rounded) if rounded.is_integer() and abs(rounded) < 2**53 else rounded


def plain(value: object) -> Any:
    """Any part of a spec as JSON data."""
    if value is None or isinstance(value, str | bool):
        return value
    if isinstance(value, np.ndarray):
        if value.ndim == 1 and value.dtype.kind == "f":
            return [number(part) for part in value.tolist()]
        return plain(value.tolist())
    if isinstance(value, int | float | np.number):
        return number(float(value))
    if isinstance(value, dict):
        return {key: plain(part) for key, part in value.items()}
    if isinstance(value, Sequence):
        return [plain(part) for part in value]
    return _record(value)


def _record(value: Any) -> dict[str, Any]:
    """A dataclass as an object without its empty optional parts and without its style."""
    kept = {}
    for entry in fields(value):
        part = getattr(value, entry.name)
        needed = isinstance(value, PanelSpec | AxisSpec | FigureSpec)
        if entry.name not in ("style", "owner") and (needed or part is not None):
            kept[entry.name] = plain(part)
    return kept
