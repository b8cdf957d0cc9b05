"""Which submitted series and panel answers which of the reference: the best assignment."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment
from scipy.spatial import cKDTree

from plotchain_lib.suites.matplotgym.comparison.kinds import kind_score
from plotchain_lib.suites.matplotgym.comparison.points import Floats, as_numbers, is_labels, tidy
from plotchain_lib.suites.matplotgym.comparison.series import Series, Spec, series_of
from plotchain_lib.suites.matplotgym.comparison.values import points, similarity

KIND_BONUS, LABEL_BONUS, PANEL_BONUS, PLACE_BONUS = 0.05, 0.03, 0.04, 0.0005
CONTEXT_BONUS = 0.002  # for each of: role, scales, what is laid over
CHANCE = 0.25  # agreement up to which the values say nothing about who answers whom
JOINED = ("line", "step", "stem")
MANY, LARGE, NEAREST = 150, 2_000_000, 2
POOLED = 0.9  # agreement from which several clouds are one cloud drawn apart


@dataclass(frozen=True)
class Pair:
    """A series of the reference with the one that answers it."""

    reference: Series
    submitted: Series
    values: float
    swapped: bool


@dataclass(frozen=True)
class Match:
    """The whole matching. `panels` maps a panel of the reference to one of the submission."""

    pairs: list[Pair]
    missing: list[Series]
    extra: list[Series]
    panels: dict[int, int]


def match(reference: Spec, submitted: Spec) -> Match:
    """Best matching of series, and of panels by the series they share."""
    ours = series_of(reference)
    theirs = regroup(ours, series_of(submitted))
    if not ours or not theirs:
        return Match([], ours, theirs, {})
    values = np.zeros((len(ours), len(theirs)))
    swapped = np.zeros(values.shape, dtype=bool)
    worth = np.zeros(values.shape)
    likely = candidates(ours, theirs)
    for i, one in enumerate(ours):
        for j, other in enumerate(theirs):
            if likely[i, j]:
                values[i, j], swapped[i, j] = similarity(one, other)
            worth[i, j] = max(0.0, values[i, j] - CHANCE) / (1 - CHANCE) + _bonus(one, other)
    worth += PANEL_BONUS * _panel_affinity(ours, theirs, worth)
    rows, columns = linear_sum_assignment(worth, maximize=True)
    pairs = [
        Pair(ours[i], theirs[j], float(values[i, j]), bool(swapped[i, j]))
        for i, j in zip(rows, columns, strict=True)
    ]
    missing = [one for i, one in enumerate(ours) if i not in set(rows)]
    extra = [other for j, other in enumerate(theirs) if j not in set(columns)]
    return Match(pairs, missing, extra, _panels(pairs))


def candidates(ours: list[Series], theirs: list[Series]) -> NDArray[np.bool_]:
    """Which pairs are worth comparing point by point, shape (ours, theirs).

    All of them up to MANY, or LARGE points in all these pairs; beyond, each series with the
    NEAREST ones by quantiles of x and y.
    """
    likely = np.ones((len(ours), len(theirs)), dtype=bool)
    sizes = [[len(series.x) for series in side] for side in (ours, theirs)]
    if likely.size <= MANY and np.add.outer(*sizes).sum() <= LARGE:
        return likely
    one = np.stack([_signature(s) for s in ours])
    other = np.stack([_signature(s) for s in theirs])
    scale = np.maximum(one.std(axis=0), 1e-9 * np.maximum(np.abs(one).max(axis=0), 1e-12))
    gap = np.abs(one[:, None, :] - other[None, :, :]) / scale
    far = np.minimum(gap, 10.0).mean(axis=2)
    rows, columns = far.argsort(axis=1), far.argsort(axis=0)
    likely[:] = False
    np.put_along_axis(likely, rows[:, :NEAREST], True, axis=1)
    np.put_along_axis(likely, columns[:NEAREST], True, axis=0)
    return likely


def _signature(series: Series) -> Floats:
    parts = []
    for values in (series.x, series.y):
        numbers = as_numbers(values)
        known = np.zeros(1) if numbers is None else numbers[np.isfinite(numbers)]
        parts.append(np.quantile(known if len(known) else np.zeros(1), [0, 0.25, 0.5, 0.75, 1]))
        parts.append(np.asarray([known[0] if len(known) else 0.0, float(len(values))]))
    return np.concatenate(parts)


def _bonus(one: Series, other: Series) -> float:
    label = one.mark.get("label"), other.mark.get("label")
    named = bool(label[0] and label[1] and tidy(label[0]) == tidy(label[1]))
    place = (one.panel, one.index) == (other.panel, other.index)
    kind = kind_score(one.kind, other.kind)
    context: int = sum(a == b for a, b in zip(_context(one), _context(other), strict=True))
    named_like: float = KIND_BONUS * kind + LABEL_BONUS * named
    return named_like + CONTEXT_BONUS * context + PLACE_BONUS * place


def _context(series: Series) -> tuple[Any, ...]:
    """What tells series of equal values apart: how they lie, their panel, what is laid over."""
    panel = series.axes
    laid = sorted(o["kind"] for o in panel["overlays"] if o.get("of") == series.index)
    return panel["role"], panel["x"]["scale"], panel["y"]["scale"], laid, series.flat


def _panel_affinity(ours: list[Series], theirs: list[Series], worth: Floats) -> Floats:
    """1 for series whose panels are best matched to each other as wholes, else 0."""
    rows = np.asarray([series.panel for series in ours])
    columns = np.asarray([series.panel for series in theirs])
    one, other = np.unique(rows), np.unique(columns)
    score = np.zeros((len(one), len(other)))
    for i, p in enumerate(one):
        for j, q in enumerate(other):
            block = worth[np.ix_(rows == p, columns == q)]
            a, b = linear_sum_assignment(block, maximize=True)
            score[i, j] = block[a, b].sum() / max(block.shape)
    chosen, answers = linear_sum_assignment(score, maximize=True)
    partner = dict(zip(one[chosen], other[answers], strict=True))
    return np.asarray([[float(partner.get(p) == q) for q in columns] for p in rows])


def _panels(pairs: list[Pair]) -> dict[int, int]:
    shared = Counter((pair.reference.panel, pair.submitted.panel) for pair in pairs)
    one, other = sorted({p for p, _ in shared}), sorted({q for _, q in shared})
    counts = np.asarray([[shared[p, q] for q in other] for p in one], dtype=float)
    rows, columns = linear_sum_assignment(counts, maximize=True)
    return {one[i]: other[j] for i, j in zip(rows, columns, strict=True) if counts[i, j]}


def regroup(ours: list[Series], theirs: list[Series]) -> list[Series]:
    """Clouds of points cut as the reference cuts them.

    Points of several conditions drawn in one colour are the same data without the mapping that
    tells them apart; points drawn in more colours than the reference are the same data too.
    """
    for panel in sorted({series.panel for series in theirs}):
        clouds = _clouds(theirs, panel)
        if all(_is_one_of(cloud, ours) for cloud in clouds):
            continue
        for home in sorted({series.panel for series in ours}):
            wanted = _clouds(ours, home)
            if not wanted and len(clouds) == 1:  # one look for the points of several lines
                wanted = [s for s in ours if s.panel == home and s.kind in JOINED]
            if len(clouds) == len(wanted) or not clouds or not wanted:
                continue
            if min(len(clouds), len(wanted)) == 1 and _one_cloud(wanted, clouds):
                cut = _cut(wanted, clouds[0]) if len(clouds) == 1 else [_pool(clouds)]
                kept = [s for s in theirs if s not in clouds]
                theirs = kept + cut
                break
    return theirs


def _clouds(series: list[Series], panel: int) -> list[Series]:
    return [s for s in series if s.panel == panel and s.kind == "scatter" and not s.mark.get("z")]


def _is_one_of(cloud: Series, ours: list[Series]) -> bool:
    """Whether a cloud has just the points of a series of the reference."""
    alike = (s for s in ours if s.kind == cloud.kind and len(s.mark["x"]) == len(cloud.mark["x"]))
    return any(points(s, cloud) >= 1.0 for s in alike if not s.mark.get("z"))


def _pool(clouds: list[Series]) -> Series:
    mark: dict[str, Any] = dict(clouds[0].mark)
    mark["x"] = [value for s in clouds for value in s.mark["x"]]
    mark["y"] = [value for s in clouds for value in s.mark["y"]]
    mark.pop("label", None)
    mark.pop("size_key", None)
    return replace(clouds[0], mark=mark)


def _one_cloud(wanted: list[Series], clouds: list[Series]) -> bool:
    one, other = _pool(wanted), _pool(clouds)
    near = abs(len(one.mark["x"]) - len(other.mark["x"])) <= 0.02 * len(one.mark["x"])
    return near and points(one, other) >= POOLED


def _cut(wanted: list[Series], cloud: Series) -> list[Series]:
    """One cloud dealt out to the reference's series by nearest point."""
    whole = _pool(wanted)
    axes = [_plane(whole.mark[name], cloud.mark[name]) for name in ("x", "y")]
    known = np.column_stack([axis[0] for axis in axes])
    mine = np.column_stack([axis[1] for axis in axes])
    owner = np.repeat(np.arange(len(wanted)), [len(s.mark["x"]) for s in wanted])
    nearest = owner[cKDTree(known).query(mine)[1]]
    parts = []
    for index in range(len(wanted)):
        keep = np.flatnonzero(nearest == index)
        if len(keep):
            mark = dict(cloud.mark)
            for name in ("x", "y"):
                mark[name] = [cloud.mark[name][k] for k in keep]
            parts.append(replace(cloud, mark=mark))
    return parts


def _plane(reference: list[Any], submitted: list[Any]) -> tuple[Floats, Floats]:
    """Both along one axis as finite numbers of one scale."""
    if is_labels(reference) or is_labels(submitted):
        numbers = {tidy(v): i for i, v in enumerate(dict.fromkeys([*reference, *submitted]))}
        return (
            np.asarray([numbers[tidy(v)] for v in reference], dtype=float),
            np.asarray([numbers[tidy(v)] for v in submitted], dtype=float),
        )
    one, other = as_numbers(reference), as_numbers(submitted)
    assert one is not None and other is not None
    span = float(np.nanmax(one) - np.nanmin(one)) or 1.0
    return np.nan_to_num(one / span), np.nan_to_num(other / span)
