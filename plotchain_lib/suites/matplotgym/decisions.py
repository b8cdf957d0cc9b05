"""Six decisions, each 0 to 1: what a submitted figure decided as the reference did.

Nothing cosmetic is read: not colours, fonts, sizes, ticks, legends or order. A mistake is charged
in the decision responsible and nowhere else. `docs/matplotgym-figures.md` has the formulae.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from plotchain_lib.suites.matplotgym.comparison.kinds import kind_score
from plotchain_lib.suites.matplotgym.comparison.laid_over import explained, overlay_score
from plotchain_lib.suites.matplotgym.comparison.layout import axis_score, panel_score
from plotchain_lib.suites.matplotgym.comparison.matching import Match, Pair, match
from plotchain_lib.suites.matplotgym.words import DECISIONS as DECISIONS
from plotchain_lib.suites.matplotgym.words import WEIGHTS as WEIGHTS

EXTRA_SERIES = 0.5
TURNED = 0.5  # for x and y exchanged, or bars lying instead of standing
ARRANGED = 0.5  # for stacked instead of grouped
MAPPED, SIZED, TOLD_APART = 0.5, 0.75, 0.75
ENOUGH = 0.5  # share of the series below which what is missing is a selection of its own

Scores = dict[str, float | None]


def compare(
    reference: Mapping[str, Any],
    submitted: Mapping[str, Any] | None,
    found: Match | None = None,
) -> Scores:
    """Each decision's score, or None where the reference does not make it.

    Both are specs as `figure.run` writes them. `submitted` is None after a crash; that, and a
    figure without marks, earns 0 in every decision the reference makes. `found` is their matching,
    where it is known already.
    Raises ValueError where the reference shows nothing.
    """
    if not any(panel["marks"] for panel in reference["panels"]):
        raise ValueError("reference spec: no panel has a mark, so there is nothing to compare")
    if submitted is None or not any(panel["marks"] for panel in submitted["panels"]):
        return {n: None if s is None else 0.0 for n, s in _scores(reference, reference).items()}
    return _scores(reference, submitted, found)


def total(scores: Mapping[str, float | None], weights: Mapping[str, float] = WEIGHTS) -> float:
    """Weighted mean over the decisions that are scored. Raises ValueError where none is."""
    counted = {name: score for name, score in scores.items() if score is not None}
    whole = sum(weights[name] for name in counted)
    if whole <= 0:
        raise ValueError("no decision with a weight above 0 is scored")
    return sum(weights[name] * score for name, score in counted.items()) / whole


def _scores(
    reference: Mapping[str, Any], submitted: Mapping[str, Any], found: Match | None = None
) -> Scores:
    found = found or match(reference, submitted)
    enough = enough_of(found)
    values = float(np.mean([pair.values for pair in found.pairs]))
    kinds = float(np.mean([_encoding(pair, found) for pair in found.pairs]))
    return {
        "data_selection": enough * values,
        "encoding": enough * kinds,
        "overlays": overlay_score(reference, submitted, found),
        "panel_layout": panel_score(reference, submitted, found),
        "axis_scales": axis_score(reference, submitted, found),
        "series_completeness": _completeness(reference, found),
    }


def enough_of(found: Match) -> float:
    """1, or less where fewer than half of the reference's series are answered at all."""
    series = len(found.pairs) + len(found.missing)
    return min(1.0, len(found.pairs) / series / ENOUGH)


def _completeness(reference: Mapping[str, Any], found: Match) -> float:
    missing, extra = incomplete(reference, found)
    return max(0.0, 1.0 - (missing + EXTRA_SERIES * extra) / (len(found.pairs) + missing))


def incomplete(reference: Mapping[str, Any], found: Match) -> tuple[int, int]:
    """How many series are missing, and how many are extra, in the panels that are matched.

    Those of whole panels are the layout's matter.
    """
    ours = {pair.reference.panel for pair in found.pairs}
    theirs = {pair.submitted.panel for pair in found.pairs}
    missing = sum(series.panel in ours for series in found.missing)
    answered = explained(reference, found)
    extra = sum(s.panel in theirs and i not in answered for i, s in enumerate(found.extra))
    return missing, extra


def _encoding(pair: Pair, found: Match) -> float:
    score = kind_score(pair.reference.kind, pair.submitted.kind)
    if turned(pair):
        score *= TURNED
    if rearranged(pair):
        score *= ARRANGED
    if colour_dropped(pair):
        score *= MAPPED
    if size_dropped(pair):
        score *= SIZED
    return score * (TOLD_APART if confused(pair, found) else 1.0)


def turned(pair: Pair) -> bool:
    """Whether x and y are exchanged, or bars lie instead of standing."""
    return pair.swapped or (pair.reference.flat != pair.submitted.flat and _oriented(pair))


def rearranged(pair: Pair) -> bool:
    """Whether marks are stacked in one figure and beside or over each other in the other."""
    arranged = pair.reference.mark.get("arrangement"), pair.submitted.mark.get("arrangement")
    return "stacked" in arranged and None not in arranged and arranged[0] != arranged[1]


def colour_dropped(pair: Pair) -> bool:
    """Whether colours stood for values and no longer do."""
    one, other = pair.reference, pair.submitted
    return _mapped(one.mark) and one.kind == other.kind == "scatter" and not _mapped(other.mark)


def size_dropped(pair: Pair) -> bool:
    """Whether sizes stood for values and no longer do."""
    one, other = pair.reference, pair.submitted
    lost = bool(one.mark.get("size_key")) and not other.mark.get("size_key")
    return lost and one.kind == other.kind


def _oriented(pair: Pair) -> bool:
    return bool(pair.reference.mark.get("orientation") and pair.submitted.mark.get("orientation"))


def _mapped(mark: Mapping[str, Any]) -> bool:
    return bool((mark.get("color_key") or {}).get("values"))


def confused(pair: Pair, found: Match) -> bool:
    """Whether a series that had a look of its own among its neighbours has lost it."""
    for other in found.pairs:
        neighbours = other.reference.panel == pair.reference.panel
        together = other.submitted.panel == pair.submitted.panel
        if other is pair or not neighbours or not together:
            continue
        differ = pair.reference.mark["look"] != other.reference.mark["look"]
        if differ and pair.submitted.mark["look"] == other.submitted.mark["look"]:
            same_kind = pair.submitted.kind == other.submitted.kind
            if same_kind and pair.reference.kind == other.reference.kind:
                return True
    return False
