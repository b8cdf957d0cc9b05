"""One spec for all idioms of one figure: merging loops, doubled marks and lollipops."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import Any

import numpy as np

from plotchain_lib.suites.matplotgym.figure.reading import Reading
from plotchain_lib.suites.matplotgym.figure.spec import Floats, Mark

MERGED_KINDS = ("bar", "scatter", "area")


def unify(reading: Reading) -> None:
    """Rewrite the marks so that the idiom they were drawn with no longer shows."""
    for kind in ("bar", "scatter"):
        _merge_loops(reading, kind)
    _merge_styles(reading)
    _lollipops(reading)
    _drop_doubles(reading)
    _arrange_bars(reading)


def replace(reading: Reading, old: Mark, new: Mark) -> None:
    """Drop a mark in favour of another one, which inherits its overlays and its label."""
    new.label = new.label or old.label
    reading.marks = [mark for mark in reading.marks if mark is not old]
    for overlay in reading.overlays:
        if overlay.owner is old:
            overlay.owner = new


def _merge_loops(reading: Reading, kind: str) -> None:
    """Bars or points drawn one call each are series by look, or one where no look repeats."""
    single = [m for m in reading.marks if m.kind == kind and len(m.x) == 1 and not m.color_key]
    counts = Counter((m.style, m.orientation) for m in single)
    if kind == "scatter":
        groups = [look for look, count in counts.items() if count > 1]
        chosen = [[m for m in single if (m.style, m.orientation) == look] for look in groups]
    elif counts and min(counts.values()) > 1:
        chosen = [[m for m in single if (m.style, m.orientation) == look] for look in counts]
    else:
        by_side = defaultdict(list)
        for mark in single:
            by_side[mark.orientation].append(mark)
        chosen = [group for group in by_side.values() if len({float(m.x[0]) for m in group}) > 1]
    for group in chosen:
        _join(reading, group, keep_label=len({m.style for m in group}) == 1)


def _join(reading: Reading, group: list[Mark], *, keep_label: bool) -> None:
    first, rest = group[0], group[1:]
    if not rest:
        return
    bases = [_base(mark) for mark in group]
    first.x = _chain([mark.x for mark in group])
    first.y = _chain([mark.y for mark in group])
    if any(mark.base is not None for mark in group):
        first.base = np.concatenate(bases)
    if any(mark.size_key is not None for mark in group):
        first.size_key = None
    labels = {mark.label for mark in group if mark.label}
    merged = {id(mark) for mark in rest}
    reading.marks = [mark for mark in reading.marks if id(mark) not in merged]
    for overlay in reading.overlays:
        if id(overlay.owner) in merged:
            overlay.owner = first
    first.label = labels.pop() if keep_label and len(labels) == 1 else None


def _chain(parts: list[Any]) -> Any:
    """Positions one after the other; labels stay a list."""
    if any(isinstance(part, list) for part in parts):
        return [value for part in parts for value in part]
    return np.concatenate(parts)


def _base(mark: Mark) -> Floats:
    return np.zeros(len(mark.x)) if mark.base is None else np.asarray(mark.base, dtype=float)


def _merge_styles(reading: Reading) -> None:
    """Points and boxes of one look in one panel, drawn category by category, are one series."""
    groups: dict[tuple[Any, ...], list[Mark]] = defaultdict(list)
    for mark in reading.marks:
        if mark.kind in ("box", "event"):
            groups[mark.kind, mark.style, mark.orientation].append(mark)
        elif mark.kind == "scatter" and mark.color_key is None and mark.size_key is None:
            groups["scatter", mark.style, mark.label].append(mark)
    for group in groups.values():
        matrices = [mark.z for mark in group if mark.z is not None]
        if len(group) > 1 and len(matrices) == len(group):
            group[0].z = np.concatenate(matrices)
        if len(group) > 1:
            _join(reading, group, keep_label=True)
    boxes = [mark for mark in reading.marks if mark.kind == "box"]
    if len(boxes) > 1 and all(len(mark.x) == 1 for mark in boxes):  # a palette over categories
        boxes[0].z = np.concatenate([mark.z for mark in boxes])
        _join(reading, boxes, keep_label=False)


def merge_palette(reading: Reading) -> list[Mark]:
    """Points coloured by the category they stand in already are one series, not many."""
    clouds = [m for m in reading.marks if m.kind == "scatter" and not m.color_key]
    for name in ("x", "y"):
        places = [getattr(m, name) for m in clouds]
        named = all(isinstance(place, list) and len(set(place)) == 1 for place in places)
        if len(clouds) > 1 and named and len({place[0] for place in places}) == len(clouds):
            _join(reading, clouds, keep_label=False)
            break
    return reading.marks


def coincide(one: Mark, other: Mark) -> bool:
    """Whether two marks stand at the same points."""
    a, b = np.asarray(one.x, float), np.asarray(other.x, float)
    c, d = np.asarray(one.y, float), np.asarray(other.y, float)
    if len(a) != len(b):
        return False
    first, second = np.lexsort((c, a)), np.lexsort((d, b))
    return bool(
        np.allclose(a[first], b[second], equal_nan=True)
        and np.allclose(c[first], d[second], equal_nan=True)
    )


def _lollipops(reading: Reading) -> None:
    """Segments from one base with points on their ends are a stem plot."""
    for sticks in [m for m in reading.marks if m.kind == "interval"]:
        low, high = np.asarray(sticks.base), np.asarray(sticks.base) + np.asarray(sticks.y)
        for points in [m for m in reading.marks if m.kind == "scatter"]:
            flat = sticks.orientation == "horizontal"
            key, value = (points.y, points.x) if flat else (points.x, points.y)
            tip = Mark("", key, value)
            for base, ends in ((low, high), (high, low)):
                if np.ptp(base) == 0 and coincide(tip, Mark("", sticks.x, ends)):
                    points.kind, points.orientation = "stem", sticks.orientation
                    points.x, points.y = key, value
                    replace(reading, sticks, points)
                    break
            if points.kind == "stem":
                break


def _drop_doubles(reading: Reading) -> None:
    """Points on a line's own points, and the upper edge of an area, say nothing new."""
    for points in [m for m in reading.marks if m.kind == "scatter" and not m.color_key]:
        for line in [m for m in reading.marks if m.kind in ("line", "step")]:
            finite = np.isfinite(line.y) & np.isfinite(line.x)
            bare = Mark("", np.asarray(line.x)[finite], np.asarray(line.y)[finite])
            if len(bare.x) > 1 and coincide(points, bare):
                replace(reading, points, line)
                break
    for bar in [m for m in reading.marks if m.kind == "bar"]:
        if len(bar.x) == 1 and bar.y[0] == 0 and len(reading.marks) > 1:  # a legend's proxy
            reading.marks = [m for m in reading.marks if m is not bar]
    for area in [m for m in reading.marks if m.kind == "area"]:
        key, top = np.asarray(area.x), np.asarray(area.y) + np.asarray(area.base)
        edges = (Mark("", key, top), Mark("", key, np.asarray(area.base)))
        for line in [m for m in reading.marks if m.kind == "line"]:
            on_zero = area.arrangement == "stacked" or np.ptp(area.base) == 0
            if area.orientation == "vertical" and on_zero and coincide(edges[0], line):
                replace(reading, line, area)


def _arrange_bars(reading: Reading) -> None:
    """Whether bars stand on each other, side by side, or alone."""
    for kind in ("bar", "histogram", "area"):
        marks = [m for m in reading.marks if m.kind == kind]
        if len(marks) < 2:
            continue
        for mark in marks:
            if mark.arrangement is None:
                mark.arrangement = _arrangement(mark, marks)
        if any(mark.arrangement == "stacked" for mark in marks):
            below = [m for m in marks if m.arrangement in ("overlaid", None)]
            for mark in below:
                mark.arrangement = "stacked"


def _touch(upper: Mark, lower: Mark) -> bool:
    """Whether one area stands on the other."""
    if len(upper.x) != len(lower.x):
        return False
    return bool(np.allclose(upper.base, np.add(lower.base, lower.y), equal_nan=True))


def _arrangement(mark: Mark, marks: list[Mark]) -> str | None:
    others = [m for m in marks if m is not mark and m.orientation == mark.orientation]
    if not others:
        return None
    if mark.kind == "area":
        return "stacked" if any(_touch(mark, m) or _touch(m, mark) for m in others) else "overlaid"
    width = mark.width or 0.0
    for other in others:
        same = np.abs(np.subtract.outer(mark.x, other.x)).min() < 0.25 * max(width, 1e-12)
        if mark.base is not None and same:
            return "stacked"
        if same or mark.kind == "histogram":
            return "overlaid"
    return "grouped"
