"""Panels and the scales of their axes."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np

from plotchain_lib.suites.matplotgym.comparison.matching import Match, Pair
from plotchain_lib.suites.matplotgym.comparison.points import Floats, as_numbers
from plotchain_lib.suites.matplotgym.comparison.series import Series, Spec

ROLE = 0.5  # for a twin or an inset drawn as a panel of its own
EXTRA = 0.5
SHARING = 0.25  # of axis_scales, where there are panels to share between
CURVED = frozenset({"log", "symlog", "asinh"})
DECADE = 10.0  # a positive axis that spans so much could have been a log axis


def panel_score(reference: Spec, submitted: Spec, found: Match) -> float | None:
    """Share of the reference's series that stand with the company they have there.

    None where the reference has one series. A panel lost as a whole counts with all its series;
    a panel that holds only extra series costs half of a missing one.
    """
    panels = [p for p in reference["panels"] if p["marks"]]
    if len(panels) < 2 and sum(len(p["marks"]) for p in panels) < 2:
        return None
    kept = 0.0
    for pair in found.pairs:
        if at_home(pair, found):
            kept += 1.0 if same_role(pair) else ROLE
    score = kept / (len(found.pairs) + len(lost_with_panels(found)))
    score -= EXTRA * len(spare_panels(found)) / len(panels)
    return float(np.clip(score, 0.0, 1.0))


def at_home(pair: Pair, found: Match) -> bool:
    """Whether a series stands in the panel that answers its own."""
    return found.panels.get(pair.reference.panel) == pair.submitted.panel


def same_role(pair: Pair) -> bool:
    """Whether both panels are main ones, twins or insets alike."""
    return bool(pair.reference.axes["role"] == pair.submitted.axes["role"])


def lost_with_panels(found: Match) -> list[Series]:
    """The series of the reference's panels of which no series is answered."""
    answered = {pair.reference.panel for pair in found.pairs}
    return [series for series in found.missing if series.panel not in answered]


def spare_panels(found: Match) -> set[int]:
    """The submission's panels that answer no series."""
    used = {pair.submitted.panel for pair in found.pairs}
    return {series.panel for series in found.extra} - used


def axis_score(reference: Spec, submitted: Spec, found: Match) -> float | None:
    """Scales of the axes each matched series stands on, and which panels share limits."""
    if not _exercised(reference):
        return None
    scales = [worth for pair in found.pairs for worth in _scales(pair)]
    sharing = _sharing(reference, submitted, found)
    if not scales and sharing is None:
        return 1.0
    if not scales:
        return sharing
    score = float(np.mean(scales))
    return score if sharing is None else (1 - SHARING) * score + SHARING * sharing


def _exercised(reference: Spec) -> bool:
    panels = [p for p in reference["panels"] if p["marks"]]
    many = sum(p["role"] == "main" for p in panels) > 1
    return many or any(exercised_axes(panel) for panel in panels)


def exercised_axes(panel: Spec) -> list[str]:
    """The axes of a panel whose scale is a decision: `x`, `y`, both or none."""
    return [name for name in ("x", "y") if _decided(panel, name)]


def _decided(panel: Spec, name: str) -> bool:
    """Whether an axis is curved, or could well have been: positive numbers over a decade."""
    if panel["projection"] != "rectilinear" or panel[name]["categories"] is not None:
        return False
    if panel[name]["scale"] != "linear":
        return True
    values = np.concatenate([np.zeros(0), *(_along(mark, name) for mark in panel["marks"])])
    return bool(len(values)) and values.min() > 0 and bool(values.max() >= DECADE * values.min())


def _along(mark: Spec, name: str) -> Floats:
    if mark["kind"] in ("pie", "event"):
        return np.zeros(0)
    key = name
    if mark.get("orientation") == "horizontal":
        key = "y" if name == "x" else "x"
    numbers = as_numbers(mark.get(key) or [])
    return np.zeros(0) if numbers is None else numbers[np.isfinite(numbers)]


def _scales(pair: Pair) -> list[float]:
    return [_scale(ours, theirs) for ours, theirs in scales_of(pair)]


def scales_of(pair: Pair) -> list[tuple[str, str]]:
    """The scales, reference's and submission's, of a pair's axes that are compared."""
    compared = []
    for name in ("x", "y"):
        other = name
        if pair.swapped:
            other = "y" if name == "x" else "x"
        ours, theirs = pair.reference.axes[name], pair.submitted.axes[other]
        if ours["categories"] is not None:
            continue
        if _decided(pair.reference.axes, name) or theirs["scale"] != ours["scale"]:
            compared.append((str(ours["scale"]), str(theirs["scale"])))
    return compared


def _scale(one: str, other: str) -> float:
    if one == other:
        return 1.0
    return 0.5 if {one, other} <= CURVED else 0.0


def _sharing(reference: Spec, submitted: Spec, found: Match) -> float | None:
    agree = [ours == theirs for ours, theirs in sharing_of(reference, submitted, found)]
    return float(np.mean(agree)) if agree else None


def sharing_of(reference: Spec, submitted: Spec, found: Match) -> list[tuple[bool, bool]]:
    """For both axes of every two matched main panels: whether they share limits, here and there."""
    mains = [p for p in found.panels if reference["panels"][p]["role"] == "main"]
    return [
        (
            _shared(reference, p, q, name),
            _shared(submitted, found.panels[p], found.panels[q], name),
        )
        for p, q in combinations(sorted(mains), 2)
        for name in ("x", "y")
    ]


def _shared(spec: Spec, one: int, other: int, name: str) -> bool:
    a, b = spec["panels"][one], spec["panels"][other]
    group: Any = a[f"share_{name}"]
    if group is not None and group == b[f"share_{name}"]:
        return True
    both = a[name]["set_limits"] and b[name]["set_limits"]
    return bool(both and np.allclose(a[name]["limits"], b[name]["limits"], rtol=0.01))
