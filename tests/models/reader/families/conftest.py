"""Scenes made of known parts, without a picture, for the families' readers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pytest

from plotchain_lib.models.reader.scene import Scene
from plotchain_lib.models.reader.seen import Axis, Box, Curve, Picture, Runs

BOX = Box(100.0, 50.0, 900.0, 500.0, 1.0, (255.0, 255.0, 255.0))
Limits = tuple[float, float]


class Known(Scene):
    """A scene whose parts are given."""

    def __init__(self, x: Axis, y: Axis, parts: Mapping[str, Any], labels: Mapping[str, str]):
        pixels = parts.get("pixels", np.full((560, 1000, 3), 255.0, np.float32))
        picture = Picture(pixels, bool(parts.get("inverted", False)), (255.0, 255.0, 255.0))
        super().__init__(picture, BOX, x, y)
        defaults: dict[str, Any] = {"inks": (), "markers": (), "rules": (), "texts": ()}
        vars(self).update(defaults | {k: v for k, v in parts.items() if v is not None})
        self.labels = labels

    def label(self, axis: str) -> str:  # type: ignore[override]
        return self.labels.get(axis, "")


def linear(low: float, high: float, start: float, end: float) -> Axis:
    """The axis with `low` at pixel `start` and `high` at pixel `end`."""
    gain = (high - low) / (end - start)
    return Axis("linear", gain, low - gain * start)


def curve_of(points_x: Any, points_y: Any, stroke: float = 2.1) -> Curve:
    """One point a column, each a run as high as a stroke is there."""
    order = np.argsort(points_x)
    x, y = np.asarray(points_x, float)[order], np.asarray(points_y, float)[order]
    columns = np.arange(np.ceil(x[0]), np.floor(x[-1]) + 1.0)
    centre = np.interp(columns, x, y)
    half = stroke / 2.0 * np.hypot(1.0, np.gradient(centre))
    runs = Runs(columns, centre, centre - half, centre + half)
    empty = Runs(*(np.empty(0),) * 4)
    return Curve(columns, centre, runs, empty, stroke, (31.0, 119.0, 180.0))


@pytest.fixture
def make_scene() -> Callable[..., Scene]:
    """A scene of linear axes with these limits; `values` is the curve's (x values, y values)."""

    def make(
        x: Limits,
        y: Limits,
        values: tuple[Any, Any] | None = None,
        labels: Mapping[str, str] | None = None,
        **parts: Any,
    ) -> Scene:
        across = linear(*x, BOX.left, BOX.right)
        up = linear(*y, BOX.bottom, BOX.top)
        if values is not None:
            noise = parts.pop("noise", 0.0)
            parts["curve"] = curve_of(across.place(values[0]), up.place(values[1]) + noise)
        return Known(across, up, parts, labels or {})

    return make


def logarithmic(low: float, high: float, start: float, end: float) -> Axis:
    """Like `linear`, for a logarithmic axis."""
    made = linear(float(np.log10(low)), float(np.log10(high)), start, end)
    return Axis("log", made.gain, made.offset)


def traced_curve(x: Any, y: Any, stroke: float = 2.1, noise: float = 0.0) -> Curve:
    """The runs of a polyline's ink along columns and rows, as of a line with round joins."""
    along = np.r_[0.0, np.cumsum(np.hypot(np.diff(x), np.diff(y)))]
    fine = np.union1d(np.arange(0.0, along[-1], 0.2), along)
    across, down = np.interp(fine, along, x), np.interp(fine, along, y)
    columns, rows = _runs_of(across, down, stroke), _runs_of(down, across, stroke)
    jitter = np.random.default_rng(7).normal(0.0, noise, columns.line.size) if noise else 0.0
    columns = Runs(columns.line, columns.centre + jitter, columns.start, columns.end)
    lines, first, counts = np.unique(columns.line, return_index=True, return_counts=True)
    single = counts == 1
    centre = columns.centre[first[single]]
    return Curve(lines[single], centre, columns, rows, stroke, (31.0, 119.0, 180.0))


def _runs_of(along: Any, place: Any, stroke: float) -> Runs:
    """The ink is everything nearer to the line than half a stroke."""
    near = np.round(along)[None, :] + np.array([[-1.0], [0.0], [1.0]])
    away = np.abs(along - near)
    inked = away < stroke / 2.0
    half = np.sqrt(stroke**2 / 4.0 - away[inked] ** 2)
    line, middle = near[inked], np.broadcast_to(place, near.shape)[inked]
    order = np.lexsort((middle - half, line))
    line, start, end = line[order], (middle - half)[order], (middle + half)[order]
    # Pieces that touch are one run: a run begins where the ink before it has ended.
    reached = np.maximum.accumulate(1e5 * line + end)
    begin = np.nonzero(np.r_[True, (1e5 * line + start)[1:] > reached[:-1]])[0]
    start, end = start[begin], np.maximum.reduceat(end, begin)
    return Runs(line[begin], (start + end) / 2.0, start, end)


@pytest.fixture
def trace_scene() -> Callable[..., Scene]:
    """A scene with a polyline in it, `values`, on linear or logarithmic axes (`log`: "", x, xy)."""

    def make(
        x: Limits, y: Limits, values: tuple[Any, Any], log: str = "", noise: float = 0.0,
        **parts: Any,
    ) -> Scene:  # fmt: skip
        across = (logarithmic if "x" in log else linear)(*x, BOX.left, BOX.right)
        up = (logarithmic if "y" in log else linear)(*y, BOX.bottom, BOX.top)
        places = np.asarray(across.place(values[0])), np.asarray(up.place(values[1]))
        return Known(across, up, parts | {"curve": traced_curve(*places, noise=noise)}, {})

    return make
