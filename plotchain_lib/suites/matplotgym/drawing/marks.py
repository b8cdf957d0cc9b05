"""Marks of each kind, drawn by the plainest call of Matplotlib there is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from plotchain_lib.suites.matplotgym.drawing.canvas import Canvas, Floats, flat, numbers
from plotchain_lib.suites.matplotgym.drawing.fields import FIELD_DRAWERS

Mark = Mapping[str, Any]
Drawer = Callable[[Canvas, int, Mark], None]


def draw_marks(canvas: Canvas) -> None:
    """All marks of a panel, in order."""
    together = _histograms(canvas)
    for index, mark in enumerate(canvas.panel["marks"]):
        if index in together:
            continue
        draw = DRAWERS.get(mark["kind"])
        if draw is not None:
            draw(canvas, index, mark)


def _histograms(canvas: Canvas) -> set[int]:
    """Stacked or grouped histograms are one call."""
    marks = canvas.panel["marks"]
    chosen = [
        i
        for i, m in enumerate(marks)
        if m["kind"] == "histogram" and m.get("arrangement") in ("stacked", "grouped")
    ]
    if len(chosen) < 2 or any(marks[i]["edges"] != marks[chosen[0]]["edges"] for i in chosen):
        return set()
    first = marks[chosen[0]]
    canvas.axes.hist(
        [numbers(marks[i]["x"]) for i in chosen],
        bins=first["edges"],
        weights=[numbers(marks[i]["y"]) for i in chosen],
        stacked=first["arrangement"] == "stacked",
        color=[canvas.colour(marks[i]) for i in chosen],
        orientation=first.get("orientation", "vertical"),
    )
    return set(chosen)


def _histogram(canvas: Canvas, index: int, mark: Mark) -> None:
    canvas.axes.hist(
        numbers(mark["x"]),
        bins=mark["edges"],
        weights=numbers(mark["y"]),
        color=canvas.colour(mark),
        orientation=mark.get("orientation", "vertical"),
        alpha=0.6,
    )
    canvas.placed[index] = numbers(mark["x"])


def _plane(canvas: Canvas, mark: Mark) -> tuple[Floats, Floats]:
    return canvas.along(mark["x"], "x"), canvas.along(mark["y"], "y")


def _line(canvas: Canvas, index: int, mark: Mark) -> None:
    x, y = _plane(canvas, mark)
    canvas.placed[index] = x
    look: dict[str, Any] = {"color": canvas.colour(mark), "label": mark.get("label")}
    if mark.get("z") is not None:
        axes: Any = canvas.axes
        axes.plot(x, y, numbers(mark["z"]), **look)
    elif not _with_errors(canvas, index, x, y, {**look, "fmt": "-"}):
        style = "steps-post" if mark["kind"] == "step" else "default"
        canvas.axes.plot(x, y, drawstyle=style, **look)


def _scatter(canvas: Canvas, index: int, mark: Mark) -> None:
    x, y = _plane(canvas, mark)
    canvas.placed[index] = x
    key = mark.get("color_key") or {}
    look: dict[str, Any] = {"label": mark.get("label")}
    if mark.get("z") is not None:
        canvas.axes.scatter(x, y, numbers(mark["z"]), color=canvas.colour(mark))
        return
    if "values" in key:
        look["c"] = numbers(key["values"])
    else:
        look["color"] = canvas.colour(mark)
    if mark.get("size_key"):
        look["s"] = numbers(mark["size_key"])
    elif "values" not in key and _with_errors(
        canvas, index, x, y, {"color": canvas.colour(mark), "fmt": "o", "label": mark.get("label")}
    ):
        return
    canvas.axes.scatter(x, y, **look)


def _with_errors(canvas: Canvas, index: int, x: Floats, y: Floats, look: Mapping[str, Any]) -> bool:
    """Draw a mark with its error bars in one call, where they stand at its own points."""
    errors: dict[str, Any] = {}
    for number, overlay in enumerate(canvas.panel["overlays"]):
        if overlay["kind"] != "error_bar" or overlay.get("of") != index:
            continue
        across, along = (y, x) if flat(overlay) else (x, y)
        at = canvas.along(overlay["x"], "y" if flat(overlay) else "x")
        if len(at) != len(across):
            return False
        order = np.empty(len(at), dtype=int)
        order[np.argsort(across, kind="stable")] = np.argsort(at, kind="stable")
        if not np.allclose(at[order], across, equal_nan=True):
            return False
        low, high = numbers(overlay["lower"])[order], numbers(overlay["upper"])[order]
        if np.any(low > along) or np.any(high < along):
            return False
        errors["xerr" if flat(overlay) else "yerr"] = np.stack([along - low, high - along])
        canvas.done.add(number)
    if errors:
        canvas.axes.errorbar(x, y, **errors, **look)
    return bool(errors)


def _bar(canvas: Canvas, index: int, mark: Mark) -> None:
    lengths = numbers(mark["y"])
    base = numbers(mark["base"]) if mark.get("base") else np.zeros(len(lengths))
    at = canvas.keys(mark)
    named = any(isinstance(v, str) for v in mark["x"])
    grouped = [
        i
        for i, m in enumerate(canvas.panel["marks"])
        if m["kind"] == "bar" and m.get("arrangement") == "grouped"
    ]
    width = mark.get("width") or 0.8
    if named:
        width = 0.8
        if index in grouped:
            width = 0.8 / len(grouped)
            at = at + (grouped.index(index) - (len(grouped) - 1) / 2) * width
    canvas.placed[index] = at
    look: dict[str, Any] = {"color": canvas.colour(mark), "label": mark.get("label")}
    if flat(mark):
        canvas.axes.barh(at, lengths, width, left=base, **look)
    else:
        canvas.axes.bar(at, lengths, width, bottom=base, **look)


def _stem(canvas: Canvas, index: int, mark: Mark) -> None:
    canvas.placed[index] = canvas.keys(mark)
    canvas.axes.stem(
        canvas.keys(mark), numbers(mark["y"]), orientation=mark.get("orientation", "vertical")
    )


def _area(canvas: Canvas, index: int, mark: Mark) -> None:
    base, thick = numbers(mark["base"]), numbers(mark["y"])
    fill = canvas.axes.fill_betweenx if flat(mark) else canvas.axes.fill_between
    fill(canvas.keys(mark), base, base + thick, color=canvas.colour(mark), alpha=0.5)
    canvas.placed[index] = canvas.keys(mark)


def _interval(canvas: Canvas, index: int, mark: Mark) -> None:
    low = numbers(mark["base"])
    draw = canvas.axes.hlines if flat(mark) else canvas.axes.vlines
    draw(canvas.keys(mark), low, low + numbers(mark["y"]), color=canvas.colour(mark))


def _event(canvas: Canvas, index: int, mark: Mark) -> None:
    rows, at = numbers(mark["x"]), numbers(mark["y"])
    levels = np.unique(rows)
    canvas.axes.eventplot(
        [at[rows == level] for level in levels],
        lineoffsets=levels.tolist(),
        linelengths=0.8,
        orientation=mark["orientation"],
        colors=canvas.colour(mark),
    )


def _polygon(canvas: Canvas, index: int, mark: Mark) -> None:
    canvas.axes.fill(*_plane(canvas, mark), color=canvas.colour(mark))


def _box(canvas: Canvas, index: int, mark: Mark) -> None:
    names = ("whislo", "q1", "med", "q3", "whishi")
    rows = numbers(mark["z"])
    stats = [dict(zip(names, map(float, row), strict=True), fliers=[]) for row in rows]
    at = canvas.keys(mark)
    look = {"color": canvas.colour(mark)}
    canvas.axes.bxp(
        stats, positions=at, boxprops=look, orientation=mark.get("orientation", "vertical")
    )
    canvas.placed[index] = at


def _violin(canvas: Canvas, index: int, mark: Mark) -> None:
    """Violins with the density whose quantiles the spec holds, constant between them."""
    mass = (0.05, 0.2, 0.25, 0.25, 0.2, 0.05)
    stats = []
    for row in numbers(mark["z"]):
        tail = max((row[-1] - row[0]) / 10, 1e-9)
        edges = np.concatenate([[row[0] - tail], row, [row[-1] + tail]])
        level = np.linspace(edges[0], edges[-1], 401)
        gaps = np.maximum(np.diff(edges), 1e-9)
        place = np.clip(np.searchsorted(edges, level, side="right") - 1, 0, len(mass) - 1)
        density = (np.asarray(mass) / gaps)[place]
        ends = {"min": row[0], "max": row[-1], "mean": row[2], "median": row[2]}
        stats.append({"coords": level, "vals": density, **ends})
    shown: Any = canvas.axes.violin(
        stats,
        positions=canvas.keys(mark),
        showextrema=False,
        orientation=mark.get("orientation", "vertical"),
    )
    for body in shown["bodies"]:
        body.set_facecolor(canvas.colour(mark))
    canvas.placed[index] = canvas.keys(mark)


def _pie(canvas: Canvas, index: int, mark: Mark) -> None:
    labels = [str(v) for v in mark["x"]] if any(isinstance(v, str) for v in mark["x"]) else None
    canvas.axes.pie(numbers(mark["y"]), labels=labels)


DRAWERS: dict[str, Drawer] = {
    "line": _line,
    "step": _line,
    "scatter": _scatter,
    "bar": _bar,
    "histogram": _histogram,
    "stem": _stem,
    "area": _area,
    "interval": _interval,
    "event": _event,
    "polygon": _polygon,
    "box": _box,
    "violin": _violin,
    "pie": _pie,
    **FIELD_DRAWERS,
}
