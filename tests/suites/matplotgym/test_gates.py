"""The gates: what all shipped tasks hold by their specs, and three tasks run whole."""

from __future__ import annotations

import dataclasses
import json
from typing import Any

import pytest

from plotchain_lib.item import PlotChainError
from plotchain_lib.suites.matplotgym.agents import LAZY
from plotchain_lib.suites.matplotgym.decisions import compare, total
from plotchain_lib.suites.matplotgym.degrade import degrade
from plotchain_lib.suites.matplotgym.gates import (
    KEPT,
    LOST,
    Gates,
    drawn,
    failures,
    gates_of,
    reference_spec,
)
from plotchain_lib.suites.matplotgym.task import Task, shipped_tasks

TASKS = {task.id: task for tasks in shipped_tasks().values() for task in tasks}
RUN = ("iris-organ-allometry", "unemployment-growth", "hemisphere-connectivity")


def _shipped(task: Task) -> dict[str, Any]:
    spec: dict[str, Any] = json.loads(task.reference.with_name("reference_spec.json").read_text())
    return spec


@pytest.mark.parametrize("name", TASKS)
def test_a_reference_makes_the_decisions_its_task_names_and_loses_those_alone(name: str) -> None:
    spec = _shipped(TASKS[name])
    own = compare(spec, spec)
    assert total(own) == 1.0
    made = {decision for decision, score in own.items() if score is not None}
    assert made == set(TASKS[name].decisions) and len(made) >= 3
    broken = 0
    for decision in made:
        worse = degrade(spec, decision)
        if worse is not None:
            found = compare(spec, worse)
            broken += 1
            assert (found.pop(decision) or 0.0) <= 1.0 - LOST
            assert all(score >= 1.0 - KEPT for score in found.values() if score is not None)
    assert broken >= 3


def test_a_quarter_of_the_tasks_make_all_six_decisions() -> None:
    assert sum(len(task.decisions) == 6 for task in TASKS.values()) >= len(TASKS) / 4


@pytest.mark.long
@pytest.mark.parametrize("name", RUN)
def test_a_task_passes_every_gate_run_whole(name: str) -> None:
    task = TASKS[name]
    spec = reference_spec(task)
    assert spec == _shipped(task)
    assert failures(task, gates_of(task, spec)) == []


def test_what_fails_is_told_by_task_and_figure() -> None:
    task = TASKS["unemployment-growth"]
    bad = Gates(0.9, ("encoding",), 0.5, {"lazy-columns": 0.8}, {"encoding": (0.95, 0.3)})
    told = failures(task, bad)
    assert len(told) == 5 and all(line.startswith("unemployment-growth: ") for line in told)
    good = dataclasses.replace(
        bad, own=1.0, made=tuple(task.decisions), redrawn=1.0, lazy={}, broken={}
    )
    assert failures(task, good) == []


def test_a_script_that_crashes_is_one_line_and_one_that_draws_nothing_has_no_spec() -> None:
    workspace = TASKS["unemployment-growth"].workspace
    with pytest.raises(PlotChainError, match="ZeroDivisionError"):
        drawn("1 / 0", workspace)
    assert drawn(LAZY["lazy-nothing"], workspace) is None
