"""Why a decision lost points, in a few fixed phrases.

The phrases come from the matching that the scores come from, so that the two never contradict: a
decision with a score of 1 has none, one below 1 has at least one. `docs/matplotgym-failures.md`
says what each means.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from plotchain_lib.suites.matplotgym.comparison.kinds import kind_score
from plotchain_lib.suites.matplotgym.comparison.laid_over import answered
from plotchain_lib.suites.matplotgym.comparison.layout import (
    CURVED,
    at_home,
    lost_with_panels,
    same_role,
    scales_of,
    sharing_of,
    spare_panels,
)
from plotchain_lib.suites.matplotgym.comparison.matching import Match, Pair, match
from plotchain_lib.suites.matplotgym.comparison.points import as_numbers, tidy
from plotchain_lib.suites.matplotgym.comparison.values import axis_agreement
from plotchain_lib.suites.matplotgym.decisions import (
    colour_dropped,
    confused,
    enough_of,
    incomplete,
    rearranged,
    size_dropped,
    turned,
)

Spec = Mapping[str, Any]
BETWEEN = "; "
# Of each decision; the last is what remains to be said where no other phrase fits.
PHRASES: Mapping[str, tuple[str, ...]] = {
    "data_selection": (
        "right series, wrong values", "a series over time reduced to one value",
        "a condition dropped", "other data", "values nearly right",
    ),
    "encoding": (
        "another kind of mark", "joined points left separate", "stacked for grouped",
        "grouped for stacked", "x and y exchanged", "colour mapping dropped",
        "size mapping dropped", "too few series drawn", "another encoding",
    ),
    "overlays": (
        "error bars or bands missing", "fit or reference line missing", "overlay of other values",
        "another kind of overlay", "overlays the reference left out", "other overlays",
    ),
    "panel_layout": (
        "one comparison split over panels", "panels merged", "panels dropped",
        "panels the reference left out", "twin axes or inset for a panel, or the reverse",
        "another layout",
    ),
    "axis_scales": (
        "log for linear", "linear for log", "another scale", "limits shared", "limits not shared",
        "other axes",
    ),
    "series_completeness": (
        "a condition dropped", "series or conditions the reference left out", "other series",
    ),
}  # fmt: skip
DREW_NOTHING = "drew nothing"
NEARLY = 0.95  # agreement of values from which a series is drawn, if not quite the same
ALIKE = 0.5  # agreement along one axis from which it is the same series with other values
OVER_TIME = 5  # positions from which a series has a course that can be lost
_COURSES = ("line", "step", "area", "scatter", "stem")
_JOINED = ("line", "step")


def diagnose(
    reference: Spec,
    submitted: Spec | None,
    scores: Mapping[str, float | None],
    found: Match | None = None,
) -> dict[str, str]:
    """Decision to what it lost points for; only decisions that lost any.

    Args:
        reference, submitted: specs, as `decisions.compare` takes them.
        scores: what it made of them.
        found: their matching, where it is known already.

    Phrases of one decision are joined by BETWEEN, in the order of PHRASES.
    """
    losing = [name for name, score in scores.items() if score is not None and score < 1.0]
    if submitted is None or not any(panel["marks"] for panel in submitted["panels"]):
        return dict.fromkeys(losing, DREW_NOTHING)
    told: dict[str, str] = {}
    if not losing:
        return told
    found = found or match(reference, submitted)
    for name in losing:
        phrases = set(_READERS[name](reference, submitted, found)) or {PHRASES[name][-1]}
        told[name] = BETWEEN.join(phrase for phrase in PHRASES[name] if phrase in phrases)
    return told


def _data(_reference: Spec, _submitted: Spec, found: Match) -> Iterator[str]:
    if enough_of(found) < 1.0:
        yield "a condition dropped"
    for pair in found.pairs:
        if pair.values >= 1.0:
            continue
        if _reduced(pair, found):
            yield "a series over time reduced to one value"
        elif pair.values >= NEARLY:
            yield "values nearly right"
        elif _same_series(pair):
            yield "right series, wrong values"
        else:
            yield "other data"


def _reduced(pair: Pair, found: Match) -> bool:
    """Whether a series with a course is answered by one value, or by one value a series."""
    if pair.reference.kind not in _COURSES or len(_known(pair.reference.x)) < OVER_TIME:
        return False
    values, course = _known(pair.submitted.y), _known(pair.reference.y)
    if not len(course) or np.ptp(course) == 0:
        return False
    if len(values) <= 1 or (pair.submitted.kind in _JOINED and np.ptp(values) == 0):
        return True
    series = [p for p in [*found.missing, *(p.reference for p in found.pairs)]
              if p.panel == pair.reference.panel]  # fmt: skip
    by_name = as_numbers(pair.submitted.x) is None or as_numbers(pair.submitted.y) is None
    return by_name and len(pair.submitted.x) == len(series)


def _known(values: list[Any]) -> Any:
    """The finite numbers among them; places in the list for labels."""
    numbers = as_numbers(values)
    numbers = np.arange(float(len(values))) if numbers is None else numbers
    return numbers[np.isfinite(numbers)]


def _same_series(pair: Pair) -> bool:
    """Whether two series are of the same things, whatever their values: by name or by one axis."""
    names = [series.mark.get("label") for series in (pair.reference, pair.submitted)]
    if all(names) and tidy(names[0]) == tidy(names[1]):
        return True
    agreement = axis_agreement(pair.reference, pair.submitted)
    return agreement is None or agreement >= ALIKE


def _encoding(_reference: Spec, _submitted: Spec, found: Match) -> Iterator[str]:
    if enough_of(found) < 1.0:
        yield "too few series drawn"
    for pair in found.pairs:
        yield from _encodings(pair)
        if confused(pair, found):
            yield "colour mapping dropped"


def _encodings(pair: Pair) -> Iterator[str]:
    one, other = pair.reference.kind, pair.submitted.kind
    if kind_score(one, other) < 1.0:
        joined = one == "scatter" and other in _JOINED
        yield "joined points left separate" if joined else "another kind of mark"
    if turned(pair):
        yield "x and y exchanged"
    if rearranged(pair):
        stacked = pair.submitted.mark["arrangement"] == "stacked"
        yield "stacked for grouped" if stacked else "grouped for stacked"
    if colour_dropped(pair):
        yield "colour mapping dropped"
    if size_dropped(pair):
        yield "size mapping dropped"


def _overlays(reference: Spec, submitted: Spec, found: Match) -> Iterator[str]:
    answers, spare = answered(reference, submitted, found)
    for answer in answers:
        kind = answer.overlay["kind"]
        if answer.worth >= 1.0:
            continue
        if kind in answer.kinds:
            spare -= answer.worth == 0  # said already: it stands where another was wanted
            yield "overlay of other values"
        elif answer.worth > 0:
            yield "another kind of overlay"
        elif kind in ("error_bar", "band"):
            yield "error bars or bands missing"
        else:
            yield "fit or reference line missing"
    if spare > 0:
        yield "overlays the reference left out"


def _layout(_reference: Spec, _submitted: Spec, found: Match) -> Iterator[str]:
    for pair in found.pairs:
        if not at_home(pair, found):
            yield from _misplaced(pair, found)
        elif not same_role(pair):
            yield "twin axes or inset for a panel, or the reverse"
    if lost_with_panels(found):
        yield "panels dropped"
    if spare_panels(found):
        yield "panels the reference left out"


def _misplaced(pair: Pair, found: Match) -> Iterator[str]:
    """A series away from the panel of its own company."""
    for other in found.pairs:
        together = other.reference.panel == pair.reference.panel
        beside = other.submitted.panel == pair.submitted.panel
        if together and not beside:
            yield "one comparison split over panels"
        elif beside and not together:
            yield "panels merged"


def _scales(reference: Spec, submitted: Spec, found: Match) -> Iterator[str]:
    for ours, theirs in (scales for pair in found.pairs for scales in scales_of(pair)):
        if ours == theirs:
            continue
        if ours == "linear" and theirs in CURVED:
            yield "log for linear"
        elif ours in CURVED and theirs == "linear":
            yield "linear for log"
        else:
            yield "another scale"
    for shared, sharing in sharing_of(reference, submitted, found):
        if shared != sharing:
            yield "limits shared" if sharing else "limits not shared"


def _completeness(reference: Spec, _submitted: Spec, found: Match) -> Iterator[str]:
    missing, extra = incomplete(reference, found)
    if missing:
        yield "a condition dropped"
    if extra:
        yield "series or conditions the reference left out"


_READERS: Mapping[str, Callable[[Spec, Spec, Match], Iterator[str]]] = {
    "data_selection": _data,
    "encoding": _encoding,
    "overlays": _overlays,
    "panel_layout": _layout,
    "axis_scales": _scales,
    "series_completeness": _completeness,
}
