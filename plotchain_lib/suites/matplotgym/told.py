"""The decisions of a figure in words, made from its spec alone: what an informed solver is told."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

Part = Mapping[str, Any]
_LISTED = 12  # so many values are told one by one; of more, the first and the last three
_ENDS = 3


def decisions_text(spec: Part) -> str:
    """Panels, scales, series with where their values lie, and overlays of a spec, as a list.

    Says no file, column or filter, which a spec does not hold: the values tell the rows.
    """
    panels = spec["panels"]
    lines = [f"The figure has {len(panels)} panel{'s' if len(panels) > 1 else ''}."]
    for number, panel in enumerate(panels, 1):
        lines += ["", f"Panel {number}: {_place(panel)}."]
        lines += [f"- {line}" for line in (*_axes(panel, panels), *_series(panel))]
    return "\n".join(lines)


def _place(panel: Part) -> str:
    if panel["role"] != "main":
        what = "a second axis over" if panel["role"] == "twin" else "an inset of"
        return f"{what} panel {panel['of'] + 1}"
    place = f"row {panel['row'] + 1}, column {panel['column'] + 1}"
    if panel["row_span"] > 1 or panel["column_span"] > 1:
        place += f", over {panel['row_span']} rows and {panel['column_span']} columns"
    kind = panel["projection"]
    return place if kind in (None, "rectilinear") else f"{place}, {kind} axes"


def _axes(panel: Part, panels: Sequence[Part]) -> Iterator[str]:
    for name in ("x", "y"):
        axis, words = panel[name], [f"{panel[name]['scale']} scale"]
        if axis["categories"]:
            words.append(f"categories {', '.join(map(str, axis['categories']))}")
        if axis["set_limits"]:
            words.append(f"limits {_numbers(axis['limits'])}")
        group = panel[f"share_{name}"]
        others = [
            str(number)
            for number, other in enumerate(panels, 1)
            if group is not None and other is not panel and other[f"share_{name}"] == group
        ]
        if others:
            words.append(f"limits shared with panel {', '.join(others)}")
        yield f"{name} axis: {', '.join(words)}"


def _series(panel: Part) -> Iterator[str]:
    for index, mark in enumerate(panel["marks"]):
        yield f"series {index + 1}: {_mark(mark)}"
    for overlay in panel["overlays"]:
        yield _overlay(overlay)


def _mark(mark: Part) -> str:
    named = f" {mark['label']!r}" if mark.get("label") else ""
    words = [f"{mark['kind']}{named}"]
    for name in ("orientation", "arrangement"):
        if mark.get(name):
            words.append(str(mark[name]))
    words += [f"{name}: {_values(mark[name])}" for name in ("x", "y", "edges") if _has(mark, name)]
    if _has(mark, "base") and np.any(np.asarray(mark["base"], dtype=float)):
        words.append(f"starting at: {_values(mark['base'])}")
    if _has(mark, "z"):
        words.append(f"{_NAMES.get(mark['kind'], 'values')}: {_values(mark['z'])}")
    for name, what in (("color_key", "colour"), ("size_key", "size")):
        if mark.get(name):
            values = mark[name].get("values") if isinstance(mark[name], Mapping) else None
            words.append(
                f"{what} stands for a quantity" + (f": {_values(values)}" if values else "")
            )
    return "; ".join(words)


_NAMES = {
    "box": "whisker, quartile, median, quartile, whisker",
    "violin": "5, 25, 50, 75 and 95 % points",
}


def _overlay(overlay: Part) -> str:
    of = overlay.get("of")
    words = [overlay["kind"].replace("_", " ") + ("" if of is None else f" on series {of + 1}")]
    if overlay.get("orientation"):
        words.append(str(overlay["orientation"]))
    for name in ("x", "y", "lower", "upper", "value", "slope", "text"):
        if _has(overlay, name):
            words.append(f"{name}: {_values(overlay[name])}")
    return "; ".join(words)


def _has(part: Part, name: str) -> bool:
    value = part.get(name)
    return value is not None and (not isinstance(value, list) or len(value) > 0)


def _values(values: Any) -> str:
    """One value, or the list of them; of many, how many there are, their range and their ends."""
    if not isinstance(values, list):
        return _number(values)
    shape = np.shape(np.asarray(values, dtype=object))
    flat = [value for row in values for value in row] if len(shape) > 1 else values
    if len(flat) <= _LISTED:
        return _numbers(flat)
    count = " by ".join(map(str, shape)) if len(shape) > 1 else str(len(flat))
    ends = f"{_numbers(flat[:_ENDS])}, … {_numbers(flat[-_ENDS:])}"
    known = [value for value in flat if isinstance(value, int | float)]
    if not known:
        return f"{count} labels, {ends}"
    low, high, mean = min(known), max(known), sum(known) / len(known)
    between = f"from {_number(low)} to {_number(high)} with mean {_number(mean)}"
    return f"{count} values {between}, {ends}"


def _numbers(values: Sequence[Any]) -> str:
    return ", ".join(map(_number, values))


def _number(value: Any) -> str:
    return f"{value:.6g}" if isinstance(value, int | float) else str(value)
