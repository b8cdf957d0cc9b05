"""The equation of a function with whole parameters."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from plotchain_lib.models.reader.graphs.kinds.waves import parameters
from plotchain_lib.models.reader.graphs.view import POINTS, View
from plotchain_lib.models.reader.graphs.writing import equation, whole
from plotchain_lib.models.reader.seen import UnreadableError

_OFF = 1.5  # pixels: how far a curve of whole parameters may lie from the one fitted at most
_APART = 2.0  # times as far must every curve lie that has one of them more or less by one
_DEGREES = {"line": 1, "quadratic": 2, "cubic": 3, "quartic": 4}


def measure(form: str, view: View) -> str:
    """The equation's text; `form` is a key of FITTERS.

    Raises UnreadableError where the parameters nearest to what was read are not whole numbers, or
    where other whole numbers would draw nearly the same curve.
    """
    if form == "sine":
        height, period, shift, level = parameters(view)
        rate = whole(2.0 * np.pi / period)
        angle = -rate * shift
        values = [whole(height), rate, whole(angle), whole(level)]
        if abs(values[2]) > 3 or min(values[:2]) < 1:
            raise UnreadableError("the sine has no parameters of the kind asked")
        return equation(form, values)
    x, y = view.points[:: POINTS // 300].T
    values = [round(float(value)) for value in np.polyfit(x, y, _DEGREES[form])]
    if _distance(values, view) > _OFF:
        raise UnreadableError("no whole parameters near by draw this curve")
    for place in range(len(values)):
        for change in (-1, 1):
            other = [value + change * (place == n) for n, value in enumerate(values)]
            if _distance(other, view) < _APART * _OFF:
                raise UnreadableError("other whole parameters draw nearly the same curve")
    return equation(form, values)


def _distance(values: Sequence[int], view: View) -> float:
    """How far the polynomial lies from the curve drawn where it is furthest, in pixels."""
    form = view.graph.form
    across = np.linspace(view.graph.low, view.graph.high, 300)
    height = view.y.place(np.polyval(values, view.x.value(across)))
    away = np.abs(height - form.at(across)) / np.hypot(1.0, form.slope(across))
    return float(away.max())
