"""From a line to a graph: the form that it follows, and where it begins and ends."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from plotchain_lib.models.reader.graphs.colours import Drawing
from plotchain_lib.models.reader.graphs.forms import (
    Form,
    distances,
    fit_bell,
    fit_polynomial,
    fit_sine,
)
from plotchain_lib.models.reader.graphs.strokes import Stroke
from plotchain_lib.models.reader.grid import Mask
from plotchain_lib.models.reader.seen import Array, UnreadableError

_CLOSE = 0.55  # pixels, and of the stroke's width the share below: three quarters lie as near
_CLOSE_SHARE = 0.03
_FOREIGN = 0.01  # of the ink: more of it off the form is something else
_AROUND = 1.8  # pixels beyond half the stroke that its own ink reaches
_BEYOND = 2.5  # pixels beyond an end that are looked at for what may hide more of the line
_FARTHEST = 400  # pixels that may be hidden beyond an end
_COVERED = 0.6  # of the stroke's width: less ink is a gap
_GAPS = 4.0  # pixels of gaps that nothing explains in a whole line
_STEPS = 4000
_SLIVER = 2.0  # pixels beyond an end
_ASIDE = 0.42  # of the stroke's width: near either edge of it
_END_ERROR = 0.5  # pixels: how well an end in view is known

Fitter = Callable[[Array, Array], Form]
FITTERS: dict[str, Fitter] = {
    "line": lambda x, y: fit_polynomial(x, y, 1),
    "quadratic": lambda x, y: fit_polynomial(x, y, 2),
    "cubic": lambda x, y: fit_polynomial(x, y, 3),
    "quartic": lambda x, y: fit_polynomial(x, y, 4),
    "sine": fit_sine,
    "bell": fit_bell,
}
ANY = ("line", "quadratic", "cubic", "sine")


@dataclass(frozen=True, slots=True)
class Graph:
    """A function as drawn, in pixels.

    Attributes:
        kind: a key of FITTERS.
        form: the function.
        low, high: where it begins and ends in x.
        low_error, high_error: how far these may be off.
        whole: whether it is drawn without a gap that nothing explains.
    """

    kind: str
    form: Form
    low: float
    high: float
    low_error: float
    high_error: float
    whole: bool


def find_graph(stroke: Stroke, kinds: Sequence[str], drawing: Drawing) -> Graph:
    """The first of some kinds that a line follows, with its ends.

    Raises UnreadableError where it follows none, or the ink draws something else besides.
    """
    for kind in kinds:
        form = FITTERS[kind](stroke.x, stroke.y)
        away = np.abs(distances(form, stroke.x, stroke.y))
        if float(np.quantile(away, 0.75)) <= _CLOSE + _CLOSE_SHARE * stroke.width:
            try:
                return _ended(kind, form, stroke, drawing)
            except UnreadableError:
                continue
    raise UnreadableError(f"a line is none of these: {', '.join(kinds)}")


def _feet(form: Form, x: Array, y: Array, reach: float) -> tuple[Array, Array]:
    """The nearest places on the form: their x, and how far they are."""
    foot = x.copy()
    for _ in range(4):
        height, slope = form.at(foot), form.slope(foot)
        foot = foot + np.clip(((x - foot) + (y - height) * slope) / (1.0 + slope**2), -reach, reach)
    return foot, np.hypot(x - foot, y - form.at(foot))


@dataclass(frozen=True, slots=True)
class _Along:
    """What is drawn along a form.

    Attributes:
        x, arc: closely spaced places in x, and how far along the form each is, in pixels.
        profile: the ink in each pixel's length of it, in strokes' widths.
        first, last: where along the form its ink begins and ends.
    """

    x: Array
    arc: Array
    profile: Array
    first: float
    last: float


def _along(form: Form, stroke: Stroke) -> _Along:
    """Raises UnreadableError where a part of the ink lies elsewhere, or there is too little."""
    ink = stroke.ink
    rows, columns = np.nonzero(ink.opacity)
    opacity = ink.opacity[rows, columns].astype(np.float64)
    x, y = columns.astype(np.float64) + ink.left, rows.astype(np.float64) + ink.top
    foot, away = _feet(form, x, y, 2.0 * stroke.width)
    near = away <= stroke.width / 2.0 + _AROUND
    if float(opacity[~near].sum()) > _FOREIGN * float(opacity.sum()):
        raise UnreadableError("a colour draws more than one line")
    reach = 2.0 * stroke.width + 4.0
    fine = np.linspace(foot[near].min() - reach, foot[near].max() + reach, _STEPS)
    steps = np.hypot(np.diff(fine), np.diff(form.at(fine)))
    arc = np.concatenate([[0.0], np.cumsum(steps)])
    place = np.interp(foot[near], fine, arc)
    profile = np.bincount(place.astype(np.intp), opacity[near], int(arc[-1]) + 1) / stroke.width
    solid = np.flatnonzero(profile >= _COVERED)
    if len(solid) < 2 * stroke.width:
        raise UnreadableError("too little of a line is to be seen")
    first, last = int(solid[0]), int(solid[-1])
    begin = first + 3 - float(np.minimum(profile[max(0, first - 4) : first + 3], 1.0).sum())
    end = last - 2 + float(np.minimum(profile[last - 2 : last + 5], 1.0).sum())
    # Beside another line that hides most of it, a sliver may go on.
    sliver = place[opacity[near] > 0.5]
    begin = min(begin, float(sliver.min())) if sliver.min() < begin - _SLIVER else begin
    end = max(end, float(sliver.max())) if sliver.max() > end + _SLIVER else end
    return _Along(fine, arc, profile, begin, end)


def _ended(kind: str, form: Form, stroke: Stroke, drawing: Drawing) -> Graph:
    """The graph, its ends in view or not. Raises UnreadableError as `_along` does."""
    along = _along(form, stroke)
    ends = []
    for edge, way in ((along.first, -1.0), (along.last, 1.0)):
        place = float(np.interp(edge, along.arc, along.x))
        hidden = _hidden(drawing, stroke, form, place, way)
        # An error along the line is a smaller one along x where it is steep.
        error = hidden / 2.0 + _END_ERROR / float(np.hypot(1.0, form.slope(place)))
        ends.append((place + way * hidden / 2.0, error))
    whole = _gaps(along, form, stroke, drawing) <= _GAPS
    return Graph(kind, form, ends[0][0], ends[1][0], ends[0][1], ends[1][1], whole)


def _gaps(along: _Along, form: Form, stroke: Stroke, drawing: Drawing) -> int:
    """The pixels along a line where it is not drawn and no other ink lies over it."""
    first, last = int(along.first), int(along.last)
    # A thin line has a pixel more or less from one place to the next.
    even = np.convolve(along.profile, np.ones(3) / 3.0, "same")
    empty = np.flatnonzero(even[first + 2 : last - 1] < _COVERED) + first + 2
    explained = np.zeros(len(empty), dtype=bool)
    for ahead in (-2.0, 0.0, 2.0):
        there = np.interp(empty + 0.5 + ahead, along.arc, along.x)
        explained |= _covered(drawing, stroke, form, there)
    return int(np.count_nonzero(~explained))


def _covered(drawing: Drawing, stroke: Stroke, form: Form, x: Array) -> Mask:
    """Whether another ink covers a form somewhere across its stroke, at some places in x."""
    height, width = drawing.owner.shape
    slope = form.slope(x)
    own = next((n for n, ink in enumerate(drawing.inks, 1) if ink.colour == stroke.ink.colour), 0)
    found = np.zeros(len(x), dtype=bool)
    for aside in (-_ASIDE, 0.0, _ASIDE):
        across = aside * stroke.width / np.hypot(1.0, slope)
        rows = np.round(form.at(x) + across).astype(np.intp) - drawing.top
        columns = np.round(x - across * slope).astype(np.intp) - drawing.left
        there = drawing.owner[rows.clip(0, height - 1), columns.clip(0, width - 1)]
        found |= (there > 0) & (there != own)
    return found


def _hidden(drawing: Drawing, stroke: Stroke, form: Form, edge: float, way: float) -> float:
    """How much further in x a line may go on under other inks."""
    cosine = 1.0 / float(np.hypot(1.0, form.slope(edge)))
    steps = np.arange(_BEYOND, _FARTHEST) * cosine
    seen = np.flatnonzero(~_covered(drawing, stroke, form, edge + way * steps))
    count = int(seen[0]) if len(seen) else len(steps)
    return (count + _BEYOND) * cosine if count else 0.0
