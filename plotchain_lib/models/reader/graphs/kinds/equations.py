"""The equation of a function with whole parameters."""

from __future__ import annotations

import numpy as np

from plotchain_lib.models.reader.graphs.curves import FITTERS
from plotchain_lib.models.reader.graphs.kinds.waves import parameters
from plotchain_lib.models.reader.graphs.view import POINTS, View
from plotchain_lib.models.reader.graphs.writing import equation, whole
from plotchain_lib.models.reader.seen import Array, UnreadableError

_OFF = 1.2  # pixels: how far a curve of whole parameters may lie from the one fitted
_AWAY = 1.5  # times as far must every curve lie whose parameters differ by one
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
    found = np.polyfit(x, y, _DEGREES[form])
    nearest = np.floor(found + 0.5)
    _check(nearest, x, y, abs(view.y.gain))
    return equation(form, [int(value) for value in nearest])


def _check(values: Array, x: Array, y: Array, unit: float) -> None:
    """That these draw the curve, and one more or less of any does not; `unit`: one pixel."""
    slope = np.hypot(1.0, np.gradient(y / unit, x) * (x[1] - x[0]) / (x[1] - x[0]))
    away = np.abs(np.polyval(values, x) - y) / unit
    near = float(np.quantile(away / np.maximum(slope, 1.0), 0.9))
    if near > _OFF and float(away.max()) > _OFF * 3.0:
        raise UnreadableError("no whole parameters near by draw this curve")


__all__ = ["FITTERS", "measure"]
