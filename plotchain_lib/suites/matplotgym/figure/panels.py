"""Which axes of a figure are panels, where they stand, and what they share."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.axes._secondary_axes import SecondaryAxis
from matplotlib.figure import Figure
from matplotlib.transforms import Bbox

from plotchain_lib.suites.matplotgym.figure.spec import AxisSpec, PanelSpec

SAME_EDGE = 0.03  # of the figure: edges of one grid line, moved a little by a layout engine


def candidate_axes(figure: Figure) -> list[Axes]:
    """All axes but colour bars, with the insets that `figure.axes` leaves out, in order."""
    found: list[Axes] = []

    def add(axes: Any) -> None:
        if isinstance(axes, SecondaryAxis) or getattr(axes, "_colorbar", None) is not None:
            return
        if axes in found or not axes.get_visible():
            return
        found.append(axes)
        for child in axes.child_axes:
            add(child)

    for axes in figure.axes:
        add(axes)
    return found


def box(axes: Axes) -> Bbox:
    """Position in fractions of the figure, wherever the axes are nested."""
    axes.apply_aspect() if axes.get_axes_locator() is None else None
    corners = axes.bbox.get_points()
    root: Any = axes.get_figure(root=True) if _nested(axes) else axes.figure
    return Bbox(root.transFigure.inverted().transform(corners))


def _nested(axes: Axes) -> bool:
    return not isinstance(axes.figure, Figure)


def place(panels: list[PanelSpec], axes_list: list[Axes]) -> None:
    """Fill in rows, columns, roles and share groups of panels made from these axes."""
    boxes = [box(axes) for axes in axes_list]
    _roles(panels, axes_list, boxes)
    mains = [index for index, panel in enumerate(panels) if panel.role == "main"]
    rows = _ranks([-boxes[i].y1 for i in mains])
    columns = _ranks([boxes[i].x0 for i in mains])
    for index, row, column in zip(mains, rows, columns, strict=True):
        panel, spec = panels[index], axes_list[index].get_subplotspec()
        panel.row, panel.column = row, column
        if spec is not None:
            panel.row_span = _span(boxes[index].y0, boxes[index].y1, boxes, "y")
            panel.column_span = _span(boxes[index].x0, boxes[index].x1, boxes, "x")
    for panel in panels:
        if panel.of is not None:
            host = panels[panel.of]
            panel.row, panel.column = host.row, host.column
    for name in ("x", "y"):
        _share(panels, axes_list, name)


def _ranks(values: list[float]) -> list[int]:
    """Rank of each value, equal for values closer than SAME_EDGE."""
    levels: list[float] = []
    for value in sorted(values):
        if not levels or value - levels[-1] > SAME_EDGE:
            levels.append(value)
    return [int(np.argmin([abs(value - level) for level in levels])) for value in values]


def _span(low: float, high: float, boxes: list[Bbox], axis: str) -> int:
    """How many grid lines a panel covers: distinct starts of other panels inside it."""
    starts = [b.x0 if axis == "x" else b.y1 for b in boxes]
    inside = sorted(s for s in starts if low - SAME_EDGE <= s <= high + SAME_EDGE)
    if axis == "x":
        inside = [s for s in inside if s < high - SAME_EDGE]
    else:
        inside = [s for s in inside if s > low + SAME_EDGE]
    return max(1, len(set(_ranks(inside))))


def _roles(panels: list[PanelSpec], axes_list: list[Axes], boxes: list[Bbox]) -> None:
    for index, axes in enumerate(axes_list):
        twins = axes._twinned_axes.get_siblings(axes)  # type: ignore[attr-defined]
        first = next(i for i, other in enumerate(axes_list) if other in twins or other is axes)
        if first < index:
            panels[index].role, panels[index].of = "twin", first
            continue
        for host, outer in enumerate(boxes):
            if host != index and panels[host].role == "main" and _inside(boxes[index], outer):
                panels[index].role, panels[index].of = "inset", host
                break


def _inside(inner: Bbox, outer: Bbox) -> bool:
    contained = (
        inner.x0 >= outer.x0 - 1e-9
        and inner.x1 <= outer.x1 + 1e-9
        and inner.y0 >= outer.y0 - 1e-9
        and inner.y1 <= outer.y1 + 1e-9
    )
    return bool(contained and inner.width * inner.height < 0.8 * outer.width * outer.height)


def _share(panels: list[PanelSpec], axes_list: list[Axes], name: str) -> None:
    groups: dict[int, int] = {}
    for index, axes in enumerate(axes_list):
        siblings = axes._shared_axes[name].get_siblings(axes)  # type: ignore[attr-defined]
        twins = axes._twinned_axes.get_siblings(axes)  # type: ignore[attr-defined]
        others = [
            i for i, other in enumerate(axes_list) if other in siblings and other not in twins
        ]
        if others:
            first = min([index, *others])
            setattr(panels[index], f"share_{name}", groups.setdefault(first, len(groups)))


def axis_spec(axes: Axes, name: str) -> AxisSpec:
    """Scale and limits of one axis."""
    low, high = axes.get_xlim() if name == "x" else axes.get_ylim()
    scale = axes.get_xscale() if name == "x" else axes.get_yscale()
    automatic = axes.get_autoscalex_on() if name == "x" else axes.get_autoscaley_on()
    return AxisSpec(scale, (min(low, high), max(low, high)), not automatic)
