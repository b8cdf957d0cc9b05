"""A spec with one decision broken and the others kept: what a grader must tell apart."""

from __future__ import annotations

import copy
import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from plotchain_lib.suites.matplotgym.comparison.layout import exercised_axes
from plotchain_lib.suites.matplotgym.comparison.series import FIELDS

Spec = dict[str, Any]
FAR = 0.4  # of the data's range: how far wrong values lie
OTHER_KIND = {
    "line": "scatter",
    "step": "scatter",
    "scatter": "line",
    "bar": "scatter",
    "histogram": "bar",
    "stem": "scatter",
    "box": "violin",
    "violin": "box",
    "heatmap": "contour",
    "contour": "heatmap",
    "pie": "bar",
    "quiver": "barbs",
    "barbs": "quiver",
    "stream": "quiver",
}


def degrade(spec: Mapping[str, Any], decision: str) -> Spec | None:
    """The spec with this decision broken, or None where it cannot be broken alone.

    Raises KeyError for an unknown decision.
    """
    broken = _BREAKERS[decision](copy.deepcopy(dict(spec)))
    return None if broken is None or broken == spec else broken


def _data(spec: Spec) -> Spec | None:
    """Other values for every series: as from the wrong rows or the wrong statistic."""
    for panel in spec["panels"]:
        kinds = {mark["kind"] for mark in panel["marks"]}
        if {"interval", "scatter"} <= kinds:  # ranges that end on points cannot move alone
            return None
        for index, mark in enumerate(panel["marks"]):
            overlays = [o for o in panel["overlays"] if o.get("of") == index]
            if not _move(mark, panel, overlays):
                return None
    return spec


def _move(mark: dict[str, Any], panel: Mapping[str, Any], overlays: list[Any]) -> bool:
    kind = mark["kind"]
    if kind in FIELDS or kind in ("quiver", "barbs", "stream"):
        flat = np.asarray(mark["z"], dtype=object)
        mark["z"] = np.roll(flat.ravel(), 1 + flat.size // 3).reshape(flat.shape).tolist()
        return True
    if kind == "pie":
        mark["y"] = [share**2 for share in mark["y"]]
        return len(set(mark["y"])) > 1
    name = "x" if kind == "histogram" else "y"
    if mark.get("orientation") is None and any(
        m.get("orientation") == "horizontal" for m in panel["marks"]
    ):
        name = "x"  # values run along x in this panel
    axis = _axis_of(mark, name)
    if any(isinstance(v, str) for v in mark[name]):
        if mark.get("orientation") is not None or any(isinstance(v, str) for v in mark["x"]):
            return False
        name = axis = "x"
    shift = _shifter(mark[name], str(panel[axis]["scale"]), from_zero=_from_zero(mark))
    mark[name] = shift(mark[name])
    if mark.get("arrangement") == "stacked" and mark.get("base"):
        mark["base"] = shift(mark["base"])  # a stack stays a stack
    for key in ("edges", "z"):
        if mark.get(key) and (key == "edges" or kind in ("box", "violin")):
            mark[key] = [
                shift(row) if isinstance(row, list) else shift([row])[0] for row in mark[key]
            ]
    for overlay in overlays:
        _move_overlay(overlay, axis, shift)
    return True


def _axis_of(mark: Mapping[str, Any], name: str) -> str:
    if mark.get("orientation") != "horizontal":
        return name
    return "y" if name == "x" else "x"


def _from_zero(mark: Mapping[str, Any]) -> bool:
    return mark["kind"] in ("bar", "stem", "area", "interval")


Shift = Callable[[list[Any]], list[Any]]


def _shifter(values: list[Any], scale: str, *, from_zero: bool) -> Shift:
    """Moves numbers by FAR of their range; lengths from zero grow instead."""
    known = np.asarray([v for v in values if v is not None], dtype=float)
    if scale == "logit":
        return lambda part: [None if v is None else v / (v + 3 * (1 - v)) for v in part]
    if from_zero or (scale != "linear" and not np.any(known <= 0)):
        factor = 1 + FAR
        if scale != "linear" and len(known):
            factor = max(1.5, float(known.max() / known.min()) ** FAR)
        return lambda part: [None if v is None else v * factor for v in part]
    span = float(np.ptp(known)) if len(known) else 0.0
    step = FAR * (span or abs(float(known.max())) or 1.0)
    return lambda part: [None if v is None else v + step for v in part]


def _move_overlay(overlay: dict[str, Any], axis: str, shift: Shift) -> None:
    """What hangs on moved data moves with it and keeps its extent where that is a shift."""
    along = "x" if overlay.get("orientation") == "horizontal" else "y"
    if overlay["kind"] in ("error_bar", "band"):
        keys = ("lower", "upper") if along == axis else ("x",)
        for key in keys:
            overlay[key] = shift(overlay[key])
    elif overlay["kind"] == "fit":
        overlay[axis] = shift(overlay[axis])


def _encoding(spec: Spec) -> Spec | None:
    """Every mark of the kinds the first mark's panel shows most becomes another kind."""
    changed = 0
    for panel in spec["panels"]:
        three = panel["projection"] == "3d"
        for mark in panel["marks"]:
            new = OTHER_KIND.get(mark["kind"])
            if new is None or three or not _possible(mark, new, panel):
                continue
            if mark["kind"] == "pie" and any(isinstance(v, str) for v in mark["x"]):
                panel["x"]["categories"] = list(dict.fromkeys(mark["x"]))
            _change(mark, new)
            changed += 1
    return spec if changed else None


def _possible(mark: Mapping[str, Any], new: str, panel: Mapping[str, Any]) -> bool:
    if new == "contour":
        return np.ndim(mark["z"]) == 2 and min(np.shape(mark["z"])) > 1
    if mark["kind"] == "contour":
        return np.ndim(mark["z"]) == 2
    if mark["kind"] == "box" and np.any(np.diff(np.asarray(mark["z"], dtype=float)) <= 0):
        return False  # a density has no quantiles that coincide
    labels = any(isinstance(v, str) for v in [*mark["x"], *(mark.get("y") or [])])
    return not (new == "line" and labels and len(set(mark["x"])) < len(mark["x"])) and not (
        new == "line" and len(mark["x"]) < 3
    )


def _change(mark: dict[str, Any], new: str) -> None:
    old = mark["kind"]
    mark["kind"] = new
    if old == "histogram":
        edges = mark.pop("edges")
        mark["width"] = edges[1] - edges[0]
    if new in ("scatter", "line"):
        if mark.pop("orientation", None) == "horizontal":
            mark["x"], mark["y"] = mark["y"], mark["x"]
        for key in ("base", "arrangement", "width"):
            mark.pop(key, None)
    if old == "pie":
        mark["orientation"] = "vertical"
    if new == "line":
        mark.pop("color_key", None)
        mark.pop("size_key", None)


def _overlays(spec: Spec) -> Spec | None:
    """No error bars, bands, fits or reference lines."""
    for panel in spec["panels"]:
        panel["overlays"] = [o for o in panel["overlays"] if o["kind"] == "annotation"]
    return spec


def _layout(spec: Spec) -> Spec | None:
    """The last series of a panel moves to a panel of its own; or else the last panel goes."""
    panels = spec["panels"]
    for panel in panels:
        if len(panel["marks"]) < 2 or panel["role"] != "main":
            continue
        new = copy.deepcopy(panel)
        index = len(panel["marks"]) - 1
        new["marks"], panel["marks"] = panel["marks"][index:], panel["marks"][:index]
        own = [o for o in new["overlays"] if o.get("of") == index]
        panel["overlays"] = [o for o in panel["overlays"] if o.get("of") != index]
        loose = [o for o in new["overlays"] if o.get("of") is None]
        new["overlays"] = [*({**o, "of": 0} for o in own), *loose]
        new["row"] = max(p["row"] + p["row_span"] for p in panels)
        new["column"], new["row_span"], new["column_span"] = 0, 1, 1
        spec["panels"] = [*panels, new]
        return spec
    last = len(panels) - 1
    if last < 1 or any(p["of"] == last for p in panels):
        return None
    spec["panels"] = panels[:last]
    return spec


def _scales(spec: Spec) -> Spec | None:
    """Log for linear and linear for every other scale; or else sharing turned about."""
    changed = False
    for panel in spec["panels"]:
        for name in exercised_axes(panel):
            axis = panel[name]
            axis["scale"] = "log" if axis["scale"] == "linear" else "linear"
            axis["set_limits"] = axis["set_limits"] and axis["limits"][0] > 0
            changed = True
    if changed or len(spec["panels"]) < 2:
        return spec if changed else None
    shared = any(p[f"share_{n}"] is not None for p in spec["panels"] for n in ("x", "y"))
    mains = [p for p in spec["panels"] if p["role"] == "main"]
    for panel in mains:
        for name in ("x", "y"):
            panel[f"share_{name}"] = None if shared or len(mains) < 2 else 0
            panel[name]["set_limits"] = False if shared else panel[name]["set_limits"]
    return spec


def _completeness(spec: Spec) -> Spec | None:
    """The last series of a panel goes, with what was laid over it."""
    total = sum(len(panel["marks"]) for panel in spec["panels"])
    for panel in spec["panels"]:
        last = len(panel["marks"]) - 1
        if last >= 1 and math.ceil(total / 2) <= total - 1:
            panel["marks"].pop()
            panel["overlays"] = [o for o in panel["overlays"] if o.get("of") != last]
            return spec
    return None


_BREAKERS: dict[str, Callable[[Spec], Spec | None]] = {
    "data_selection": _data,
    "encoding": _encoding,
    "overlays": _overlays,
    "panel_layout": _layout,
    "axis_scales": _scales,
    "series_completeness": _completeness,
}
