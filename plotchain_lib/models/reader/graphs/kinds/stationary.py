"""Stationary points, and the peak of a bell curve."""

from __future__ import annotations

import numpy as np

from plotchain_lib.models.reader.graphs.forms import Bell
from plotchain_lib.models.reader.graphs.view import View
from plotchain_lib.models.reader.seen import UnreadableError

KINDS = {
    "stationary_point": ("quadratic", "cubic", "sine"),
    "stationary_points": ("cubic", "sine"),
    "peak": ("bell",),
}
ENDS = frozenset[str]()
_EDGE = 6.0  # pixels from a curve's ends within which a turn may be the noise of the fit


def measure(name: str, view: View) -> float:
    """The only one. Raises UnreadableError where there is none, or another."""
    form = view.graph.form
    if name == "peak" and isinstance(form, Bell):
        if form.height > 0.0:  # downwards in the picture
            raise UnreadableError("the bell curve has no peak but a trough")
        return float(view.x.value(form.centre))
    found = turns(view)
    if len(found) != 1:
        raise UnreadableError(f"a curve has {len(found)} stationary points, not one")
    return found[0]


def turns(view: View) -> list[float]:
    """The x of every stationary point, rising. Raises UnreadableError where one is at an end."""
    graph = view.graph
    x = np.linspace(graph.low, graph.high, 4001)
    slope = np.asarray(graph.form.slope(x))
    steps = np.flatnonzero((slope[:-1] < 0.0) != (slope[1:] < 0.0))
    share = slope[steps] / (slope[steps] - slope[steps + 1])
    places = x[steps] + share * (x[steps + 1] - x[steps])
    if any(min(place - graph.low, graph.high - place) < _EDGE for place in places):
        raise UnreadableError("a curve turns too near to its end")
    return sorted(float(view.x.value(place)) for place in places)
