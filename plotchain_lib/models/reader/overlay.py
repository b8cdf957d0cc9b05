"""The picture with what the reader saw drawn over it, as SVG: for a person to check it by eye."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from html import escape
from typing import Any

_FRAME, _TICKS, _CURVE, _POINTS, _REFUSED = "#b000b8", "#0a7a2f", "#ff6a00", "#c00020", "#8a8a8a"
# A field's name stands in a band of the ground's colour, so that it reads over any curve.
_STYLE = (
    "text{font-family:system-ui,sans-serif;paint-order:stroke;stroke:#fff;stroke-width:3px;"
    "stroke-linejoin:round}"
)


def overlay(seen: Mapping[str, Any], href: str, size: tuple[int, int]) -> str:
    """An ``<svg>`` element of the picture's size: the picture, then frame, ticks, curve and reads.

    Args:
        seen: the record of `plotchain_lib.models.reader.record`; empty where nothing was found.
        href: where the picture lies: a path relative to the page, or a ``data:`` address.
        size: the picture's width and height in pixels.
    """
    width, height = size
    unit = width / 1000
    parts = [f'<image href="{escape(href)}" width="{width}" height="{height}"/>']
    if "box" in seen:
        left, top, right, bottom = seen["box"]
        parts.append(
            f'<rect x="{left}" y="{top}" width="{right - left:.2f}" height="{bottom - top:.2f}" '
            f'fill="none" stroke="{_FRAME}" stroke-width="{unit:.2f}"/>'
        )
        parts += _ticks(seen, unit)
    if seen.get("curve"):
        points = " ".join(f"{x},{y}" for x, y in seen["curve"])
        parts.append(
            f'<polyline points="{points}" fill="none" stroke="{_CURVE}" '
            f'stroke-width="{1.2 * unit:.2f}"/>'
        )
    parts += _reads(seen, unit)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img">'
        f"<style>{_STYLE}</style>{''.join(parts)}</svg>"
    )


def _ticks(seen: Mapping[str, Any], unit: float) -> Iterable[str]:
    """A short stroke inwards at every labelled tick, with the value that was read."""
    left, _, _, bottom = seen["box"]
    length = 12 * unit
    for name in ("x", "y"):
        for place, _, value, fits in seen[name]["marks"]:
            colour = _TICKS if fits else _REFUSED
            if name == "x":
                ends = f'x1="{place}" y1="{bottom}" x2="{place}" y2="{bottom - length:.2f}"'
                at = f'x="{place}" y="{bottom - 1.4 * length:.2f}" text-anchor="middle"'
            else:
                ends = f'x1="{left}" y1="{place}" x2="{left + length:.2f}" y2="{place}"'
                at = f'x="{left + 1.4 * length:.2f}" y="{place}" dominant-baseline="middle"'
            yield f'<line {ends} stroke="{colour}" stroke-width="{2 * unit:.2f}"/>'
            yield _text(at, f"{value:g}", colour, 11 * unit)


def _reads(seen: Mapping[str, Any], unit: float) -> Iterable[str]:
    """A ring at each place a field was read at; a line where it was a level or an abscissa."""
    points: Mapping[str, list[float | None]] = seen.get("points", {})
    if "box" not in seen:
        return
    left, top, right, bottom = seen["box"]
    for number, (field, (x, y)) in enumerate(points.items()):
        # Names of fields read at one place must not lie upon each other.
        shift = (16 * (number % 4) - 10) * unit
        if x is None and y is None:
            continue
        if x is None or y is None:
            ends = (
                f'x1="{left}" y1="{y}" x2="{right}" y2="{y}"'
                if x is None
                else f'x1="{x}" y1="{top}" x2="{x}" y2="{bottom}"'
            )
            yield (
                f'<line {ends} stroke="{_POINTS}" stroke-width="{unit:.2f}" '
                f'stroke-dasharray="{6 * unit:.1f} {4 * unit:.1f}"/>'
            )
        else:
            yield (
                f'<circle cx="{x}" cy="{y}" r="{6 * unit:.2f}" fill="none" stroke="{_POINTS}" '
                f'stroke-width="{1.6 * unit:.2f}"/>'
            )
        # A level's name stands at its right end, an abscissa's at its upper one: away from reads.
        across = right if x is None else x
        up = top + 20 * unit if y is None else y
        before = across > (left + right) / 2
        beside = across + (-10 if before else 10) * unit
        anchor = "end" if before else "start"
        at = f'x="{beside:.2f}" y="{up + shift:.2f}" text-anchor="{anchor}"'
        yield _text(at, field, _POINTS, 13 * unit)


def _text(at: str, content: str, colour: str, size: float) -> str:
    return f'<text {at} fill="{colour}" font-size="{size:.1f}">{escape(content)}</text>'
