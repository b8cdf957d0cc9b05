"""A pole and a zero in the s-plane, alone or with their conjugates: a cross and a ring."""

from __future__ import annotations

import re

from plotchain_lib.models.reader.lines import require_linear
from plotchain_lib.models.reader.scene import Scene
from plotchain_lib.models.reader.seen import Marker, Reading

FIELDS = frozenset({"pole_real", "pole_imag", "zero_real", "zero_imag"})

_MIRRORED = 4.0  # pixels at 100 dots per inch that conjugates may differ by
_SPECK = 0.4  # of the largest mark's size: what is smaller is none of the map's marks
_SIZE = 11.0  # pixels across a mark at 100 dots per inch, near enough


def read(scene: Scene, prompt: str) -> Reading:
    """The only mark of each shape, or the upper of a conjugate pair, whose halves must agree.

    Raises:
        UnreadableError: an axis is logarithmic.
    """
    require_linear(scene.x, scene.y)
    paired = re.search(r"conjugate|upper half", prompt) is not None
    values: dict[str, float | None] = {}
    reasons: dict[str, str] = {}
    points: dict[str, tuple[float | None, float | None]] = {}
    largest = max((marker.size for marker in scene.markers), default=0.0)
    for name, shape in (("pole", "cross"), ("zero", "ring")):
        marks = [
            marker
            for marker in scene.markers
            if marker.shape == shape and marker.size > _SPECK * largest
        ]
        place = _root(scene, marks, paired)
        parts = (f"{name}_real", f"{name}_imag")
        if isinstance(place, str):
            values |= dict.fromkeys(parts)
            reasons |= dict.fromkeys(parts, place)
            continue
        values[parts[0]] = float(scene.x.value(place[0]))
        values[parts[1]] = float(scene.y.value(place[1]))
        points |= dict.fromkeys(parts, place)
    return Reading(values, reasons, points)


def _root(scene: Scene, marks: list[Marker], paired: bool) -> tuple[float, float] | str:
    """Where one root or the upper of a pair is, in pixels; or why it cannot be said.

    Of a pair that the question speaks of, one mark is enough: the other mirrors it.
    """
    real_axis = float(scene.y.place(0.0))
    if len(marks) == 1:
        below = marks[0].y - real_axis
        return marks[0].x, real_axis - abs(below) if paired else marks[0].y
    if len(marks) != 2:
        return f"{len(marks) or 'no'} marks of its shape"
    upper, lower = sorted(marks, key=lambda mark: mark.y)
    limit = _MIRRORED * max(upper.size / _SIZE, 0.7)
    if abs(upper.x - lower.x) > limit or abs(upper.y + lower.y - 2.0 * real_axis) > limit:
        return "two marks of its shape that are no conjugate pair"
    return (upper.x + lower.x) / 2.0, real_axis - (lower.y - upper.y) / 2.0
