"""What a script may have written in place of its figure's spec never stops the judging."""

from __future__ import annotations

import copy
import json
import random
import sys
import warnings
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent))

import kinds_libraries
import kinds_matplotlib
from figure_kinds import spec_of

from plotchain_lib.suites.matplotgym.comparison.matching import match
from plotchain_lib.suites.matplotgym.decisions import compare
from plotchain_lib.suites.matplotgym.diagnosis import diagnose
from plotchain_lib.suites.matplotgym.figure.shape import shape_problem
from plotchain_lib.suites.matplotgym.task import shipped_spec, shipped_tasks

JUNK = (
    None, "a", [], {}, -1, 1e308, True, [None], ["a", 1], [[1, 2], [3]], {"kind": "line"},
    [1.0] * 500, 0, [[]], 2**70,
)  # fmt: skip


@cache
def specs() -> tuple[dict[str, Any], ...]:
    """Every kind of figure and every shipped reference."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        drawn = [spec_of(draw) for _, draw, _ in kinds_matplotlib.KINDS + kinds_libraries.KINDS]
    shipped = [shipped_spec(task) for tasks in shipped_tasks().values() for task in tasks]
    return tuple(json.loads(json.dumps(spec)) for spec in [*drawn, *shipped])


def judged(reference: dict[str, Any], submitted: dict[str, Any]) -> None:
    """As the workflow judges; the scores must be scores."""
    found = match(reference, submitted)
    scores = compare(reference, submitted, found)
    diagnose(reference, submitted, scores, found)
    assert all(score is None or 0.0 <= score <= 1.0 for score in scores.values())


def showing() -> list[dict[str, Any]]:
    return [spec for spec in specs() if any(panel["marks"] for panel in spec["panels"])]


def test_what_the_reader_writes_is_a_spec() -> None:
    assert len(specs()) > 150
    assert [shape_problem(spec) for spec in specs()] == [None] * len(specs())


def test_any_figure_can_be_held_against_any_other() -> None:
    everything = showing()
    for i, reference in enumerate(everything):
        for submitted in everything[i % 11 :: 11]:
            judged(reference, submitted)


@pytest.mark.long
def test_each_figure_can_be_held_against_each_other() -> None:
    for reference in showing():
        for submitted in showing():
            judged(reference, submitted)


def places(part: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Where something stands in a spec, of long lists the first four."""
    if path:
        yield path
    if isinstance(part, dict | list):
        keys = list(part) if isinstance(part, dict) else range(min(len(part), 4))
        for key in keys:
            yield from places(part[key], (*path, key))


def broken(spec: dict[str, Any], chance: random.Random) -> dict[str, Any]:
    """A copy with one place replaced, removed or cut."""
    copied: Any = copy.deepcopy(spec)
    *way, last = chance.choice(list(places(copied)))
    part = copied
    for key in way:
        part = part[key]
    deed = chance.random()
    if deed < 0.4:
        del part[last]
    elif deed < 0.6 and isinstance(part[last], list):
        part[last] = part[last][:-1]
    else:
        part[last] = copy.deepcopy(chance.choice(JUNK))
    return dict(copied)


def test_broken_specs_are_refused_or_can_be_judged() -> None:
    chance, refused, references = random.Random(20), 0, showing()
    for _ in range(2500):
        spec = broken(chance.choice(references), chance)
        if shape_problem(spec):
            refused += 1
        else:
            judged(chance.choice(references), spec)
    assert 1000 < refused < 2500


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"panels": 3}, "no list of panels"),
        ({"panels": [[]]}, "panel 0: is no object"),
        ({"panels": [{}]}, "panel 0: row is no place"),
        ({"marks": [{"kind": []}]}, "panel 0: mark 0: is of no known kind"),
        ({"marks": [{"kind": "line", "look": 0, "x": [1, 2], "y": [1]}]}, "not equally long"),
        ({"marks": [{"kind": "line", "look": 0, "x": [1], "y": [1e305]}]}, "x or y is no list"),
        ({"marks": [{"kind": "box", "look": 0, "x": [1], "y": [1], "z": [[1, 2]]}]}, "z is no row"),
        ({"overlays": [{"kind": "band", "x": [1], "lower": [0]}]}, "upper is no list"),
        ({"overlays": [{"kind": "fit", "of": 7, "x": [1], "y": [0]}]}, "overlay 0: is of no mark"),
        ({"x": {"scale": "linear", "set_limits": True, "limits": [None, 1]}}, "x: has no two limits"),
    ],
)  # fmt: skip
def test_a_problem_is_named_with_its_place(change: dict[str, Any], says: str) -> None:
    spec = copy.deepcopy(showing()[0])
    (spec if "panels" in change else spec["panels"][0]).update(change)
    problem = shape_problem(spec)
    assert problem is not None and says in problem
