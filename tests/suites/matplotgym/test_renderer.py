"""A figure drawn from its spec alone scores like the figure; broken in one decision, only there."""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import pytest

sys.path.insert(0, str(Path(__file__).parent))

import kinds_libraries
import kinds_matplotlib
from figure_kinds import spec_of

from plotchain_lib.suites.matplotgym.decisions import DECISIONS, compare, total
from plotchain_lib.suites.matplotgym.degrade import degrade
from plotchain_lib.suites.matplotgym.renderer import render

TABLE = {name: draw for name, draw, _ in [*kinds_matplotlib.KINDS, *kinds_libraries.KINDS]}
NO_MARK = {"a photograph is said"}
DRAWN = [name for name in TABLE if name not in NO_MARK]
GATE = 0.95
LOSS = 0.1


@cache
def spec(name: str) -> dict[str, Any]:
    return spec_of(TABLE[name])


def redrawn(one: dict[str, Any]) -> dict[str, Any]:
    return spec_of(lambda: render(one, plt.figure()))


@pytest.mark.parametrize("name", DRAWN)
def test_reference_against_itself(name: str) -> None:
    assert total(compare(spec(name), spec(name))) == 1.0


@pytest.mark.parametrize("name", DRAWN)
def test_drawn_from_its_decisions_alone(name: str) -> None:
    assert total(compare(spec(name), redrawn(spec(name)))) >= GATE


@pytest.mark.parametrize("decision", DECISIONS)
@pytest.mark.parametrize("drawn", [False, True], ids=["spec", "drawn"])
def test_a_broken_decision_loses_there_and_only_there(decision: str, drawn: bool) -> None:
    broken = 0
    for name in DRAWN:
        worse = degrade(spec(name), decision)
        if worse is None or compare(spec(name), spec(name))[decision] is None:
            continue
        scores = compare(spec(name), redrawn(worse) if drawn else worse)
        own = scores.pop(decision)
        assert own is not None and own <= 1 - LOSS, name
        assert all(s is None or s > 0.999 for s in scores.values()), (name, scores)
        broken += 1
    assert broken >= 10


def test_what_cannot_be_broken_alone_is_none() -> None:
    assert degrade(spec("line"), "series_completeness") is None
    assert degrade(spec("line"), "overlays") is None
    with pytest.raises(KeyError):
        degrade(spec("line"), "style")
