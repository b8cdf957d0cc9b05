"""What a sine is made of."""

from __future__ import annotations

import math

from plotchain_lib.models.reader.graphs.forms import Sine
from plotchain_lib.models.reader.graphs.view import View
from plotchain_lib.models.reader.seen import UnreadableError

KINDS = dict.fromkeys(("amplitude", "period", "vertical_shift", "phase_shift"), ("sine",))
ENDS = frozenset[str]()
_SHOWN = 0.9  # periods that a curve must show
_EITHER = 0.47  # periods: a shift further from 0 might as well be of the other sign


def measure(name: str, view: View) -> float:
    """A parameter of the sine. Raises UnreadableError where too little of it is shown."""
    height, period, shift, level = parameters(view)
    if name == "amplitude":
        return height
    if name == "period":
        return period
    if name == "vertical_shift":
        return level
    if abs(shift) > _EITHER * period:
        raise UnreadableError("the phase shift is about half a period: its sign is uncertain")
    return shift


def parameters(view: View) -> tuple[float, float, float, float]:
    """Amplitude, period, shift (at most half a period from 0) and level, in the axes' units."""
    form, graph = view.graph.form, view.graph
    if not isinstance(form, Sine) or graph.high - graph.low < _SHOWN * form.period:
        raise UnreadableError("a curve shows less than a period of a sine")
    period = form.period * abs(view.x.gain)
    # Downwards in the picture is downwards in value: it rises half a period later.
    shift = float(view.x.value(form.shift)) + period / 2.0
    shift -= period * math.floor(shift / period + 0.5)
    return form.height * abs(view.y.gain), period, shift, float(view.y.value(form.level))
