"""The gates: what all shipped tasks hold by their specs, and three tasks run whole."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from plotchain_lib.item import PlotChainError
from plotchain_lib.suites.matplotgym import gates
from plotchain_lib.suites.matplotgym.agents import LAZY
from plotchain_lib.suites.matplotgym.decisions import DECISIONS, compare, total
from plotchain_lib.suites.matplotgym.degrade import degrade
from plotchain_lib.suites.matplotgym.gates import (
    ELSEWHERE,
    GATES,
    KEPT,
    LOST,
    drawing,
    gates_of,
    losses,
)
from plotchain_lib.suites.matplotgym.sandbox import Runs
from plotchain_lib.suites.matplotgym.task import shipped_spec, shipped_tasks

TASKS = {task.id: task for tasks in shipped_tasks().values() for task in tasks}
RUN = ("iris-organ-allometry", "unemployment-growth", "gamble-acceptance")


@pytest.mark.parametrize("name", TASKS)
def test_a_reference_makes_the_decisions_its_task_names_and_loses_those_alone(name: str) -> None:
    spec = shipped_spec(TASKS[name])
    own = compare(spec, spec)
    assert total(own) == 1.0
    made = {decision for decision, score in own.items() if score is not None}
    assert made == set(TASKS[name].decisions) and len(made) >= 3
    broken = 0
    for decision in made:
        worse = degrade(spec, decision)
        if worse is not None:
            there, elsewhere = losses(decision, compare(spec, worse))
            assert there >= LOST and elsewhere <= KEPT
            broken += 1
    assert broken >= 3


def test_a_quarter_of_the_tasks_make_all_six_decisions() -> None:
    assert sum(len(task.decisions) == 6 for task in TASKS.values()) >= len(TASKS) / 4


@pytest.mark.long
@pytest.mark.parametrize("name", RUN)
def test_a_task_passes_every_gate_run_whole(name: str, scoring: Runs) -> None:
    found = dict(gates_of(TASKS[name], scoring))
    assert list(found) == list(GATES)
    assert [line for part in found.values() for line in part.failures] == []
    assert found["redrawn"].figures["redrawn"] >= 0.95
    assert set(found["broken"].figures) >= {"data_selection", "encoding", ELSEWHERE}
    assert set(found["lazy"].figures) == set(LAZY)


def test_what_is_lost_in_a_decision_and_elsewhere() -> None:
    scores = {
        **dict.fromkeys(DECISIONS, 1.0),
        "encoding": 0.5,
        "overlays": None,
        "axis_scales": 0.9,
    }
    assert losses("encoding", scores) == pytest.approx((0.5, 0.1))


def test_a_leak_a_wrong_list_and_another_script_fail(scoring: Runs) -> None:
    """A task whose claim, decisions and script are another's fails by name."""
    task = TASKS["unemployment-growth"]
    bad = replace(task, claim="The averages differ.", decisions=("encoding",))
    found = dict(gates_of(bad, scoring, ["leaks", "itself"]))
    assert found["leaks"].figures["claim"] == 1 and "averages" in found["leaks"].failures[0]
    assert "task.yaml names ['encoding']" in found["itself"].failures[0]
    with pytest.raises(KeyError):
        dict(gates_of(task, scoring, ["style"]))


@pytest.mark.long
def test_a_script_that_draws_otherwise_does_not_rescore(scoring: Runs) -> None:
    task = TASKS["unemployment-growth"]
    another = {**shipped_spec(task), "unrepresented": ["a table"]}
    found = GATES["rescored"](task, another, drawing(task, scoring))
    assert len(found.failures) == 3 and found.figures["lowest"] == 1.0


def test_a_script_that_crashes_is_one_line_and_one_that_draws_nothing_has_no_spec(
    scoring: Runs,
) -> None:
    draw = drawing(TASKS["unemployment-growth"], scoring)
    crashed = draw("1 / 0")
    assert crashed.spec is None and "ZeroDivisionError" in crashed.reason
    assert draw(LAZY["lazy-nothing"]).failure == "drew nothing"


def test_a_missing_reference_spec_is_one_line(tmp_path: Path) -> None:
    task = replace(TASKS["unemployment-growth"], folder=tmp_path)
    with pytest.raises(PlotChainError, match=r"reference_spec\.json"):
        shipped_spec(task)


@pytest.mark.parametrize(("score", "fails"), [(0.95, False), (0.949, True), (1.0, False)])
def test_the_gate_of_an_informed_solver(score: float, fails: bool) -> None:
    assert bool(gates.informed(score).failures) == fails


def test_the_gate_of_a_spread() -> None:
    wide = gates.spread([0.2, 0.5, 0.9, 0.5, 0.5])
    assert wide.figures == {"spread": pytest.approx(0.7), "best": 0.9, "worst": 0.2}
    assert not wide.failures
    (line,) = gates.spread([0.5, 0.5, 0.5, 0.5, 0.52]).failures
    assert "0.520" in line
    with pytest.raises(ValueError, match="5 attempts"):
        gates.spread([0.5])
