"""The overlays of two specs: error bars, bands, fits, reference lines and spans."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from plotchain_lib.suites.matplotgym.comparison.matching import Match, Pair
from plotchain_lib.suites.matplotgym.comparison.points import (
    Floats,
    as_numbers,
    coordinates,
    credit,
    log_of,
    span_of,
)
from plotchain_lib.suites.matplotgym.comparison.series import Series, Spec

PRESENT = 0.6  # for being there at all; the rest for its extent
NEAR = 0.5
ALIKE = 0.8  # agreement from which two curves are one, whatever they are attached to
TRUSTED = 0.5  # agreement of the data from which extents around them can be compared
EXTRA = 0.5
EXTENT_TOLERANCE = (0.05, 0.5)  # of the mean extent
VALUE_TOLERANCE = (0.01, 0.05)  # of the panel's extent
NOT_COMPARED = ("annotation",)


@dataclass(frozen=True)
class Answer:
    """What the submission laid where the reference has an overlay.

    `worth` is the best answer's, 0 to 1, and `kinds` the kinds that were laid over the same
    series or panel, whatever they are worth.
    """

    overlay: Spec
    worth: float
    kinds: frozenset[str]


def overlay_score(reference: Spec, submitted: Spec, found: Match) -> float | None:
    """0 to 1, or None where the reference has no overlay. What was lost with its series or its
    panel is that decision's loss and is left out here."""
    if not any(o["kind"] not in NOT_COMPARED for p in reference["panels"] for o in p["overlays"]):
        return None
    answers, spare = answered(reference, submitted, found)
    if not answers:
        return 1.0 if found.pairs else 0.0
    earned = sum(answer.worth for answer in answers)
    return float(np.clip((earned - EXTRA * spare) / len(answers), 0.0, 1.0))


def answered(reference: Spec, submitted: Spec, found: Match) -> tuple[list[Answer], int]:
    """The best answer to each overlay of matched series and panels, and how many answer none."""
    wanted = _listed(reference, {id(p.reference.mark): p for p in found.pairs}, found, side=0)
    offered = _listed(submitted, {id(p.submitted.mark): p for p in found.pairs}, found, side=1)
    lines: list[Listed] = [(_as_overlay(series), None, series.panel) for series in found.extra]
    lines += _on_extra_lines(submitted, found)
    answers: list[Answer] = []
    used: set[int] = set()
    for overlay, pair, panel in wanted:
        best, kinds = 0.0, set()
        for index, (other, other_pair, other_panel) in enumerate([*offered, *lines]):
            if other is None or not (
                _together(pair, other_pair, panel, other_panel, found)
                or (
                    _linked(panel, other_panel, found)
                    and _same_curve(overlay, other, reference["panels"][panel])
                )
            ):
                continue
            worth = _worth(overlay, other, pair, reference["panels"][panel])
            if worth > 0:
                used.add(index)
            if index < len(offered) or worth > 0:  # any line could be taken for a fit
                kinds.add(str(other["kind"]))
            best = max(best, worth)
        answers.append(Answer(overlay, best, frozenset(kinds)))
    spare = {_name(o) for i, (o, _, _) in enumerate(offered) if i not in used}
    return answers, len(spare)


def explained(reference: Spec, found: Match) -> set[int]:
    """Indices into `found.extra` of lines that answer a fit or a reference line."""
    wanted = [
        (number, overlay)
        for number, panel in enumerate(reference["panels"])
        for overlay in panel["overlays"]
        if overlay["kind"] in ("fit", "reference_line")
    ]
    answered = set()
    for index, series in enumerate(found.extra):
        line = _as_overlay(series)
        if line and any(
            _linked(number, series.panel, found)
            and _worth(overlay, line, None, reference["panels"][number]) > PRESENT
            for number, overlay in wanted
        ):
            answered.add(index)
    return answered


def _as_overlay(series: Series) -> dict[str, Any] | None:
    """What a line that answers no series may be: a reference line where it is level, or a fit."""
    if series.kind != "line":
        return None
    x, y = series.mark["x"], series.mark["y"]
    for name, values in (("horizontal", y), ("vertical", x)):
        if values and values[0] is not None and len(set(values)) == 1:
            return {"kind": "reference_line", "orientation": name, "value": values[0]}
    return {"kind": "fit", "x": x, "y": y}


Listed = tuple[Any, Pair | None, int]


def _on_extra_lines(submitted: Spec, found: Match) -> list[Listed]:
    """Overlays of lines that answer no series: they can earn and never cost."""
    lines = {(s.panel, s.index) for s in found.extra if s.kind == "line"}
    return [
        (overlay, None, number)
        for number, panel in enumerate(submitted["panels"])
        for overlay in panel["overlays"]
        if (number, overlay.get("of")) in lines
    ]


def _listed(spec: Spec, pairs: dict[int, Pair], found: Match, *, side: int) -> list[Listed]:
    """Overlays in panels that were matched, of series that were matched or of none."""
    panels = {(p.reference if side == 0 else p.submitted).panel for p in found.pairs}
    by_place = {}
    for pair in pairs.values():
        series = pair.reference if side == 0 else pair.submitted
        by_place[series.panel, series.index] = pair
    listed: list[Listed] = []
    for number, panel in enumerate(spec["panels"]):
        for overlay in panel["overlays"]:
            if number not in panels or overlay["kind"] in NOT_COMPARED:
                continue
            owner = overlay.get("of")
            pair_of = None if owner is None else by_place.get((number, owner))
            if owner is None or pair_of is not None:
                listed.append((overlay, pair_of, number))
    return listed


def _together(
    pair: Pair | None, other: Pair | None, panel: int, other_panel: int, found: Match
) -> bool:
    """Whether two overlays are about the same series, or stand in panels that share one."""
    if pair is not None and other is not None and pair is not other:
        return False
    if pair is not None and other is not None:
        return True
    return _linked(panel, other_panel, found)


def _linked(panel: int, other_panel: int, found: Match) -> bool:
    """Whether two panels share a series."""
    return any(p.reference.panel == panel and p.submitted.panel == other_panel for p in found.pairs)


def _same_curve(overlay: Spec, other: Spec, panel: Spec) -> bool:
    """Whether two fits, or a fit and a sloped reference line, are one curve.

    To which series a fit through several belongs, and what a straight line through joined points
    is called, can be read either way.
    """
    return _fits(_curve(overlay, other), _curve(other, overlay), panel) >= ALIKE


def _curve(overlay: Spec, other: Spec) -> Spec | None:
    """A fit, or a sloped line over the extent of the fit it is compared with; else None."""
    if overlay["kind"] == "fit":
        return overlay
    if overlay.get("orientation") != "sloped" or other["kind"] != "fit":
        return None
    x = as_numbers(other["x"])
    return None if x is None else {"x": x, "y": overlay["value"] + overlay["slope"] * x}


def _name(overlay: Spec) -> tuple[Any, ...]:
    """One name for one statement, so that a line repeated in every panel counts once."""
    value = overlay.get("value")
    owner = overlay.get("of")
    return (
        overlay["kind"],
        overlay.get("orientation"),
        None if value is None else round(value, 9),
        owner,
        id(overlay) if owner is not None else None,
    )


def _worth(overlay: Spec, other: Spec, pair: Pair | None, panel: Spec) -> float:
    kinds = (overlay["kind"], other["kind"])
    if kinds[0] == kinds[1]:
        kind = 1.0
    elif _same_curve(overlay, other, panel):
        alike = _fits(_curve(overlay, other), _curve(other, overlay), panel)
        return PRESENT + (1 - PRESENT) * alike
    elif set(kinds) in ({"error_bar", "band"}, {"fit", "reference_line"}):
        return NEAR
    else:
        return 0.0
    turned = pair is not None and pair.swapped
    same_way = overlay.get("orientation") == other.get("orientation")
    if same_way == turned and overlay.get("orientation") and kinds[0] != "reference_line":
        return 0.0 if not turned else kind
    if kinds[0] in ("error_bar", "band"):
        return PRESENT + (1 - PRESENT) * _extents(overlay, other, pair)
    if kinds[0] == "fit":
        if pair is not None and pair.values < TRUSTED:
            return 1.0
        return PRESENT + (1 - PRESENT) * _fits(overlay, other, panel)
    return _references(overlay, other, panel)


def _extents(overlay: Spec, other: Spec, pair: Pair | None) -> float:
    """Agreement of half the widths, position by position; wrong data do not cost again."""
    if pair is not None and pair.values < TRUSTED:
        return 1.0
    one = (np.asarray(overlay["upper"], float) - np.asarray(overlay["lower"], float)) / 2
    two = (np.asarray(other["upper"], float) - np.asarray(other["lower"], float)) / 2
    mean = float(np.nanmean(np.abs(one))) or 1.0
    if len(one) == len(two):
        keys = coordinates(overlay["x"], other["x"], 1.0, log=False)
        if keys is not None:
            one, two = one[np.argsort(keys[0])], two[np.argsort(keys[1])]
        return float(credit(np.abs(one - two) / mean, *EXTENT_TOLERANCE).mean())
    gap = abs(float(np.nanmean(two)) - mean) / mean
    return float(credit(np.asarray([gap]), *EXTENT_TOLERANCE)[0])


def _fits(overlay: Spec | None, other: Spec | None, panel: Spec) -> float:
    """Agreement of two curves, as the axes show them, over the extent they share; 0 without."""
    if overlay is None or other is None:
        return 0.0
    x, y = _shown(overlay, panel)
    u, v = _shown(other, panel)
    if not len(x) or not len(u):
        return 0.0
    low, high = max(x.min(), u.min()), min(x.max(), u.max())
    if high <= low:
        return 0.0
    at = np.linspace(low, high, 100)
    gap = np.abs(np.interp(at, x, y) - np.interp(at, u, v))
    return float(credit(gap / span_of(y), 0.02, 0.25).mean())


def _shown(line: Spec, panel: Spec) -> tuple[Floats, Floats]:
    """A line's finite points in order of x, in decades on log axes; none over categories."""
    x, y = as_numbers(line["x"]), as_numbers(line["y"])
    if x is None or y is None:
        return np.zeros(0), np.zeros(0)
    x = log_of(x) if panel["x"]["scale"] == "log" else x
    y = log_of(y) if panel["y"]["scale"] == "log" else y
    keep = np.isfinite(x) & np.isfinite(y)
    order = np.argsort(x[keep])
    return x[keep][order], y[keep][order]


def _references(overlay: Spec, other: Spec, panel: Spec) -> float:
    if (overlay.get("orientation") == "sloped") != (other.get("orientation") == "sloped"):
        return 0.0
    names = ("value", "slope") if overlay["kind"] == "reference_line" else ("lower", "upper")
    upright = overlay.get("orientation") == "vertical"
    low, high = panel["x" if upright else "y"]["limits"]
    size = abs(high - low) or 1.0
    worth = []
    for name in names:
        if overlay.get(name) is None or other.get(name) is None:
            continue
        scale = max(abs(overlay[name]), 1e-12) if name == "slope" else size
        gap = abs(overlay[name] - other[name]) / scale
        worth.append(float(credit(np.asarray([gap]), *VALUE_TOLERANCE)[0]))
    return min(worth, default=0.0)
