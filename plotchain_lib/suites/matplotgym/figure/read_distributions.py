"""Box plots and violins, which Matplotlib leaves no container for: by the calls behind them."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.collections import PatchCollection, PolyCollection
from matplotlib.lines import Line2D

from plotchain_lib.suites.matplotgym.figure.calls import Call
from plotchain_lib.suites.matplotgym.figure.reading import Reading, colour_style, floats
from plotchain_lib.suites.matplotgym.figure.spec import Floats, Mark

QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)


def read_boxes(reading: Reading) -> None:
    """One mark per call of `bxp`: `z` has whisker, quartile, median, quartile, whisker."""
    for call in reading.provenance.calls(reading.axes, "bxp"):
        stats = call.args[0] if call.args else call.kwargs["bxpstats"]
        positions = call.kwargs.get("positions")
        if positions is None:
            positions = call.args[1] if len(call.args) > 1 else None
        x = floats(range(1, len(stats) + 1)) if positions is None else floats(positions)
        names = ("whislo", "q1", "med", "q3", "whishi")
        z = np.asarray([[float(box[name]) for name in names] for box in stats])
        reading.take(call.made)
        if len(z):
            mark = Mark("box", x, z[:, 2], _orientation(call), z=z, style=_box_style(call))
            reading.marks.append(mark)


def _orientation(call: Call) -> str:
    for around in call.chain():
        flat = around.kwargs.get("orientation") == "horizontal"
        if flat or around.kwargs.get("vert") is False:
            return "horizontal"
    return "vertical"


def _box_style(call: Call) -> tuple[Any, ...]:
    boxes = call.result["boxes"] if isinstance(call.result, dict) else []
    for box in boxes:
        if isinstance(box, Line2D):
            return (colour_style(box.get_color()),)
        return (colour_style(box.get_facecolor()),)
    return ()


def read_violins(reading: Reading) -> None:
    """Violins of Matplotlib and of seaborn: `z` holds quantiles of the drawn density."""
    for call in reading.provenance.calls(reading.axes, "violin"):
        bodies = [a for a in call.made if isinstance(a, PolyCollection)]
        reading.take(call.made)
        _add_violins(reading, bodies, _orientation(call))
    drawn = [a for a in reading.left(PolyCollection) if "violinplot" in reading.names(a)]
    if drawn:
        flat = "fill_between" in reading.names(drawn[0])
        _add_violins(reading, drawn, "horizontal" if flat else "vertical")
        reading.take(a for a in reading.left(object) if "violinplot" in reading.names(a))


def _add_violins(reading: Reading, bodies: list[Any], orientation: str) -> None:
    by_style: dict[tuple[Any, ...], list[tuple[float, Floats]]] = {}
    for body in bodies:
        paths = body.get_paths()
        if paths and len(paths[0].vertices) > 4:
            points = np.asarray(paths[0].vertices, dtype=float)
            style = (colour_style(body.get_facecolor()),)
            by_style.setdefault(style, []).append(violin_summary(points, orientation))
    groups = list(by_style.values())
    if all(len(group) == 1 for group in groups):  # one colour each: a palette, not a grouping
        groups = [[violin for group in groups for violin in group]] if groups else []
    for group, style in zip(groups, by_style, strict=False):
        x = floats([centre for centre, _ in group])
        z = np.stack([quantiles for _, quantiles in group])
        reading.marks.append(Mark("violin", x, z[:, 2], orientation, z=z, style=style))


def violin_summary(points: Floats, orientation: str) -> tuple[float, Floats]:
    """Centre and QUANTILES of a violin from its outline, shape (n, 2)."""
    across, along = (0, 1) if orientation == "vertical" else (1, 0)
    centre = float((points[:, across].min() + points[:, across].max()) / 2)
    levels = np.unique(points[:, along])
    near = [points[points[:, along] == level, across] for level in levels]
    width = np.asarray([values.max() - values.min() for values in near])
    mass = np.concatenate([[0.0], np.cumsum((width[1:] + width[:-1]) / 2 * np.diff(levels))])
    if mass[-1] <= 0:
        return centre, np.full(len(QUANTILES), float(np.mean(levels)))
    return centre, np.interp(QUANTILES, mass / mass[-1], levels)


def read_boxens(reading: Reading) -> None:
    """seaborn's letter values are box plots here: extremes, quartiles, median of each stack."""
    # seaborn adds the boxes without a plotting method; its median lines tell who drew them
    lines = [a for a in reading.left(Line2D) if "boxenplot" in reading.names(a)]
    stacks = reading.left(PatchCollection) if lines else []
    if not stacks:
        return
    reading.take(stacks)
    medians = [floats(line.get_ydata(orig=False)) for line in lines]
    rows, centres = [], []
    for index, stack in enumerate(stacks):
        extents = [path.get_extents() for path in stack.get_paths()]
        if not extents:
            continue
        widest = max(extents, key=lambda box: float(box.width))
        middle = medians[index] if index < len(medians) else np.asarray([np.nan])
        low, high = min(b.y0 for b in extents), max(b.y1 for b in extents)
        rows.append([low, widest.y0, float(np.nanmean(middle)), widest.y1, high])
        centres.append((widest.x0 + widest.x1) / 2)
    z = np.asarray(rows, dtype=float)
    reading.take(a for a in reading.left(object) if "boxenplot" in reading.names(a))
    if len(z):
        reading.marks.append(Mark("box", floats(centres), z[:, 2], "vertical", z=z))
