"""What was seen, as JSON: kept with the response, small, and enough to draw it again.

    {"size": [width, height], "box": [left, top, right, bottom],
     "x": {"scale": "linear" | "log", "marks": [[place, text, value, fits], ...]}, "y": {...},
     "curve": [[x, y], ...], "points": {field: [x | null, y | null]}}

All places are pixels of the picture; keys of what was not seen are absent.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from plotchain_lib.models.reader.scene import Scene
from plotchain_lib.models.reader.seen import Axis, Reading

_MOST_POINTS = 240  # of the curve: a point every few pixels shows where it was followed


def record(scene: Scene | None, reading: Reading) -> dict[str, Any]:
    """The record of one picture; empty where not even the axes were found."""
    if scene is None:
        return {}
    height, width = scene.picture.rgb.shape[:2]
    box = scene.box
    seen: dict[str, Any] = {
        "size": [width, height],
        "box": _rounded(box.left, box.top, box.right, box.bottom),
        "x": _axis(scene.x),
        "y": _axis(scene.y),
        "points": {name: _rounded(*place) for name, place in reading.points.items()},
    }
    # Only what the reading looked at: looking now would cost time, and tell nothing about it.
    if "curve" in vars(scene):
        curve = scene.curve
        chosen = np.unique(np.linspace(0, len(curve.x) - 1, _MOST_POINTS).astype(int))
        seen["curve"] = [_rounded(curve.x[i], curve.y[i]) for i in chosen if len(curve.x)]
    return seen


def _axis(axis: Axis) -> dict[str, Any]:
    marks = [
        [round(float(mark.place), 2), mark.text, float(mark.value), bool(mark.fits)]
        for mark in axis.marks
    ]
    return {"scale": axis.scale, "marks": marks}


def _rounded(*places: float | None) -> list[float | None]:
    return [None if place is None else round(float(place), 2) for place in places]
