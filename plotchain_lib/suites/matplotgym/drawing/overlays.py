"""Overlays of each kind, drawn from a spec."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from plotchain_lib.suites.matplotgym.drawing.canvas import Canvas, Floats, flat, numbers

Overlay = Mapping[str, Any]


def draw_overlays(canvas: Canvas) -> None:
    """All overlays of a panel but its annotations, which are not judged."""
    for number, overlay in enumerate(canvas.panel["overlays"]):
        if number in canvas.done:
            continue
        kind = overlay["kind"]
        if kind == "error_bar":
            _error_bar(canvas, overlay)
        elif kind == "band":
            _band(canvas, overlay)
        elif kind == "fit":
            canvas.axes.plot(numbers(overlay["x"]), numbers(overlay["y"]), "k-")
        elif kind == "reference_line":
            _reference_line(canvas, overlay)
        elif kind == "reference_span":
            span = canvas.axes.axhspan if flat(overlay) else canvas.axes.axvspan
            span(overlay["lower"], overlay["upper"], alpha=0.2)


def _positions(canvas: Canvas, overlay: Overlay) -> Floats:
    """Where the error bars stand: at the drawn positions of their mark, by its labels."""
    at = canvas.along(overlay["x"], "y" if flat(overlay) else "x")
    owner = overlay.get("of")
    placed = canvas.placed.get(owner) if owner is not None else None
    if owner is None or placed is None or not isinstance(overlay["x"][0], str):
        return at
    keys = canvas.panel["marks"][owner]["x"]
    where = dict(zip(keys, placed, strict=True))
    return np.asarray([where.get(k, p) for k, p in zip(overlay["x"], at, strict=True)], dtype=float)


def _error_bar(canvas: Canvas, overlay: Overlay) -> None:
    at = _positions(canvas, overlay)
    low, high = numbers(overlay["lower"]), numbers(overlay["upper"])
    middle, half = (low + high) / 2, (high - low) / 2
    if flat(overlay):
        canvas.axes.errorbar(middle, at, xerr=half, fmt="none", ecolor="k")
    else:
        canvas.axes.errorbar(at, middle, yerr=half, fmt="none", ecolor="k")


def _band(canvas: Canvas, overlay: Overlay) -> None:
    fill = canvas.axes.fill_betweenx if flat(overlay) else canvas.axes.fill_between
    at = canvas.along(overlay["x"], "y" if flat(overlay) else "x")
    fill(at, numbers(overlay["lower"]), numbers(overlay["upper"]), alpha=0.3)


def _reference_line(canvas: Canvas, overlay: Overlay) -> None:
    value, way = overlay["value"], overlay["orientation"]
    if way == "horizontal":
        canvas.axes.axhline(value)
    elif way == "vertical":
        canvas.axes.axvline(value)
    else:
        canvas.axes.axline((0.0, value), slope=overlay["slope"])
