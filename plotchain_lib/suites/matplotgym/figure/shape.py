"""Whether data are a figure's spec: a script can write the file the reader writes."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from typing import Any, TypeGuard

_KINDS = """
line scatter step bar histogram stem area interval event box violin heatmap contour hexbin pie
quiver barbs stream polygon surface
"""
KINDS = frozenset(_KINDS.split())
OVERLAYS = {  # and the columns they must have
    "error_bar": ("x", "lower", "upper"),
    "band": ("x", "lower", "upper"),
    "fit": ("x", "y"),
    "reference_line": (),
    "reference_span": (),
    "annotation": ("x", "y"),
}
ROLES = frozenset(("main", "twin", "inset"))
GRIDS = frozenset(("heatmap", "contour", "surface", "hexbin"))
ARROWS = frozenset(("quiver", "barbs", "stream"))
QUANTILES = 5  # of a box or a violin, one row a position
LARGEST = 1e300  # beyond it differences overflow

Types = frozenset[type]
_NUMBERS: Types = frozenset((int, float, type(None)))
_LABELS: Types = _NUMBERS | {str}


def shape_problem(spec: object) -> str | None:
    """What is wrong with a spec (`docs/matplotgym-figures.md` says its parts), or None.

    Of a spec that is right every number is finite or null and columns have equal lengths, so that
    two can be compared.
    """
    return next(_spec(spec), None)


def _spec(spec: Any) -> Iterator[str]:
    if not isinstance(spec, dict) or not isinstance(spec.get("panels"), list):
        yield "the spec has no list of panels"
        return
    for number, panel in enumerate(spec["panels"]):
        for problem in _panel(panel, len(spec["panels"])):
            yield f"panel {number}: {problem}"


def _panel(panel: Any, panels: int) -> Iterator[str]:
    if not isinstance(panel, dict):
        yield "is no object"
        return
    for name in ("row", "column", "row_span", "column_span"):
        if type(panel.get(name)) is not int or not 0 <= panel[name] < 10_000:
            yield f"{name} is no place in a grid"
    for name in ("of", "share_x", "share_y"):
        if name not in panel or not _index(panel[name], panels):
            yield f"{name} names no panel"
    if not _one_of(panel.get("role"), ROLES) or not isinstance(panel.get("projection"), str):
        yield "role or projection is unknown"
    for name in ("x", "y"):
        yield from (f"{name}: {problem}" for problem in _axis(panel.get(name)))
    if not isinstance(panel.get("marks"), list) or not isinstance(panel.get("overlays"), list):
        yield "has no lists of marks and overlays"
        return
    for number, mark in enumerate(panel["marks"]):
        yield from (f"mark {number}: {problem}" for problem in _mark(mark))
    for number, overlay in enumerate(panel["overlays"]):
        yield from (
            f"overlay {number}: {problem}" for problem in _overlay(overlay, len(panel["marks"]))
        )


def _one_of(value: Any, words: Container[str]) -> bool:
    return isinstance(value, str) and value in words


def _index(value: Any, count: int) -> bool:
    return value is None or (type(value) is int and 0 <= value < count)


def _axis(axis: Any) -> Iterator[str]:
    if not isinstance(axis, dict):
        yield "is no axis"
        return
    if not isinstance(axis.get("scale"), str) or type(axis.get("set_limits")) is not bool:
        yield "has no scale or set_limits"
    limits = axis.get("limits")
    if not _numbers(limits) or len(limits) != 2 or None in limits:
        yield "has no two limits"
    labels = axis.get("categories")
    if "categories" not in axis or not (labels is None or _only(labels, _LABELS - _NUMBERS)):
        yield "has categories that are no labels"


def _mark(mark: Any) -> Iterator[str]:
    if not isinstance(mark, dict) or not _one_of(mark.get("kind"), KINDS):
        yield "is of no known kind"
        return
    if type(mark.get("look")) is not int:
        yield "has no look"
    yield from _texts(mark, ("orientation", "arrangement", "label"))
    yield from _number(mark, ("width",))
    x, y = mark.get("x"), mark.get("y")
    if not _only(x, _LABELS) or not _only(y, _LABELS):
        yield "x or y is no list of numbers or labels"
        return
    for name in ("base", "edges", "size_key"):
        if mark.get(name) is not None and not _numbers(mark[name]):
            yield f"{name} is no list of numbers"
            return
    yield from _lengths(mark, len(x), len(y))
    yield from _colours(mark.get("color_key"))


def _lengths(mark: Mapping[str, Any], x: int, y: int) -> Iterator[str]:
    kind, z = mark["kind"], mark.get("z")
    if kind == "histogram":
        if not mark.get("edges") or len(mark["edges"]) != y + 1:
            yield "edges are not one more than y"
    elif kind in GRIDS:
        if not _grid(z, x, y):
            yield "z is neither a number for each point nor a row for each y"
        return
    elif kind in ARROWS:
        if not _grid(z):
            yield "z is no matrix"
        return
    if y != x:
        yield "x and y are not equally long"
    for name in ("base", "size_key"):
        if mark.get(name) is not None and len(mark[name]) != x:
            yield f"{name} is not as long as x"
    if kind in ("box", "violin"):
        if not _grid(z) or len(z) != x or not all(_row(row, QUANTILES) for row in z):
            yield f"z is no row of {QUANTILES} numbers for each x"
    elif z is not None and not (_numbers(z) and len(z) == x):
        yield "z is not as long as x"


def _row(row: Any, count: int) -> bool:
    return isinstance(row, list) and len(row) == count


def _colours(key: Any) -> Iterator[str]:
    if key is None:
        return
    if not isinstance(key, dict):
        yield "color_key is no object"
        return
    values = key.get("values")
    if values is not None and not _only(values, _LABELS):
        yield "color_key has values that are neither numbers nor labels"
    yield from _texts(key, ("type", "scale"))


def _overlay(overlay: Any, marks: int) -> Iterator[str]:
    if not isinstance(overlay, dict) or not _one_of(overlay.get("kind"), OVERLAYS):
        yield "is of no known kind"
        return
    if not _index(overlay.get("of"), marks):
        yield "is of no mark"
    yield from _texts(overlay, ("orientation", "text"))
    yield from _number(overlay, ("value", "slope"))
    if overlay.get("orientation") == "sloped" and None in map(overlay.get, ("value", "slope")):
        yield "is sloped without value or slope"
    needed, lengths = OVERLAYS[overlay["kind"]], set()
    for name in ("x", "y", "lower", "upper"):
        values = overlay.get(name)
        if values is None and (name not in needed or overlay["kind"] == "annotation"):
            continue
        if name not in needed:
            yield from _number(overlay, (name,))
        elif _only(values, _LABELS if name in ("x", "y") else _NUMBERS):
            lengths.add(len(values))
        else:
            yield f"{name} is no list of numbers"
    if len(lengths) > 1:
        yield "its columns are not equally long"


def _texts(record: Mapping[str, Any], names: tuple[str, ...]) -> Iterator[str]:
    for name in names:
        if not isinstance(record.get(name), str | None):
            yield f"{name} is no text"


def _number(record: Mapping[str, Any], names: tuple[str, ...]) -> Iterator[str]:
    for name in names:
        if not _numbers([record.get(name)]):
            yield f"{name} is no number"


def _only(values: Any, types: Types) -> TypeGuard[list[Any]]:
    """Whether a list holds these types alone, and no number that overflows."""
    if not isinstance(values, list) or not types.issuperset(map(type, values)):
        return False
    return all(abs(v) < LARGEST for v in values if type(v) in (int, float))


def _numbers(values: Any) -> TypeGuard[list[Any]]:
    return _only(values, _NUMBERS)


def _grid(values: Any, columns: int | None = None, rows: int | None = None) -> TypeGuard[list[Any]]:
    """Whether these are numbers, or rows of numbers of one length; and as many as there must be."""
    if _numbers(values):
        return columns is None or len(values) == columns == rows
    if not isinstance(values, list) or not all(_numbers(row) for row in values):
        return False
    wide = set(map(len, values))
    return len(wide) == 1 and (columns is None or (wide == {columns} and len(values) == rows))
