"""What a task must pass before it may judge anyone: `python -m ...gates [TASK …] [--write]`.

For each shipped task, or each of the folder ``--tasks`` names: the four leak scans find nothing;
the reference spec is what the reference script draws, where there is one (an imported task has
none); scored against itself it gets 1; the decisions the task names are those it makes; redrawn
from the spec alone it gets at least 0.95; lazy figures stay well below; a spec with one decision
broken loses in that one alone. Two more gates need a strong model and were not run: an informed
solver (at least 0.95), and a spread over five attempts.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from plotchain_lib.item import PlotChainError, write_json
from plotchain_lib.suites.matplotgym.agents import LAZY
from plotchain_lib.suites.matplotgym.decisions import DECISIONS, compare, total
from plotchain_lib.suites.matplotgym.degrade import degrade
from plotchain_lib.suites.matplotgym.leaks import scan_task
from plotchain_lib.suites.matplotgym.task import Task, load_tasks, tasks_root

Spec = Mapping[str, Any]
REDRAWN = 0.95  # at least; the seed's bound for an informed solver
LAZY_MOST = 0.6
LOST = 0.1  # at least, in the decision that was broken
KEPT = 0.02  # at most, in any other
_TIMEOUT_S = 120.0
_RUNNER = "plotchain_lib.suites.matplotgym.figure.run"
_REDRAW = """\
import json, sys
import matplotlib
matplotlib.use("Agg")
import matplotlib.pyplot as plt
from plotchain_lib.suites.matplotgym.renderer import render
figure = plt.figure()
render(json.load(open("spec.json")), figure)
figure.savefig("figure.png")
"""


@dataclass(frozen=True, slots=True)
class Gates:
    """The figures of one task.

    Attributes:
        own: the reference against itself.
        made: the decisions the reference makes, as `compare` finds them.
        redrawn: the reference redrawn from its spec alone.
        lazy: each lazy figure's score.
        broken: decision to (score in it, largest loss in another); only those that can be broken.
    """

    own: float
    made: tuple[str, ...]
    redrawn: float
    lazy: Mapping[str, float]
    broken: Mapping[str, tuple[float, float]]


def drawn(script: str, workspace: Path, more: Mapping[str, str] | None = None) -> Spec | None:
    """The spec of the figure a script of ours draws in a copy of a workspace; None without one.

    Raises PlotChainError where the script crashes or takes two minutes.
    """
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "workspace"
        shutil.copytree(workspace, copy)
        for name, text in {"make_figure.py": script, **(more or {})}.items():
            (copy / name).write_text(text)
        out = Path(folder) / "out.json"
        command = [sys.executable, "-m", _RUNNER, "make_figure.py", str(out)]
        subprocess.run(  # noqa: S603 - our own interpreter on a shipped script
            command, cwd=copy, check=False, capture_output=True, timeout=_TIMEOUT_S
        )
        outcome = json.loads(out.read_text())
    if outcome["chosen"] is None:
        if outcome["error"] and not str(outcome["error"]).startswith("the script drew"):
            raise PlotChainError(f"{workspace}: {outcome['error']}")
        return None
    chosen: Spec = outcome["figures"][outcome["chosen"]]
    return chosen


def reference_spec(task: Task) -> Spec:
    """What the task's reference script draws; an imported task's spec as it was written.

    Raises PlotChainError where it draws nothing.
    """
    if task.reference is None:
        written: Spec = json.loads(task.reference_spec.read_text(encoding="utf-8"))
        return written
    spec = drawn(task.reference.read_text(), task.workspace)
    if spec is None:
        raise PlotChainError(f"{task.reference}: draws nothing")
    return spec


def gates_of(task: Task, spec: Spec) -> Gates:
    """All figures of one task, whose reference is `spec`."""
    own = compare(spec, spec)
    redrawn = drawn(_REDRAW, task.workspace, {"spec.json": json.dumps(spec)})
    lazy = {name: _score(spec, script, task.workspace) for name, script in LAZY.items()}
    broken = {}
    for decision in DECISIONS:
        worse = degrade(spec, decision) if own[decision] is not None else None
        if worse is not None:
            found = compare(spec, worse)
            others = [1.0 - (found[n] or 0.0) for n in own if n != decision and own[n] is not None]
            broken[decision] = (found[decision] or 0.0, max(others, default=0.0))
    return Gates(
        total(own), tuple(name for name, score in own.items() if score is not None),
        total(compare(spec, redrawn)), lazy, broken,
    )  # fmt: skip


def _score(spec: Spec, script: str, workspace: Path) -> float:
    """What a script earns; nothing where it crashes, as it may on data that is no table."""
    try:
        return total(compare(spec, drawn(script, workspace)))
    except PlotChainError:
        return 0.0


def failures(task: Task, found: Gates) -> list[str]:
    """What a task fails, one line each."""
    lines = []
    if abs(found.own - 1.0) > 1e-9:
        lines.append(f"scored against itself it gets {found.own:.3f}")
    if set(found.made) != set(task.decisions):
        lines.append(f"task.yaml names {sorted(task.decisions)}, it makes {sorted(found.made)}")
    if found.redrawn < REDRAWN:
        lines.append(f"redrawn from its spec it gets {found.redrawn:.3f}")
    lines += [f"{n} gets {score:.2f}" for n, score in found.lazy.items() if score > LAZY_MOST]
    for decision, (score, lost) in found.broken.items():
        if score > 1.0 - LOST or lost > KEPT:
            lines.append(f"{decision} broken: {score:.2f} there, {lost:.2f} lost elsewhere")
    return [f"{task.id}: {line}" for line in lines]


def line_of(task: Task, found: Gates) -> str:
    """A task's figures in one line."""
    lazy = " ".join(f"{score:.2f}" for score in found.lazy.values())
    broken = " ".join(f"{name}={score:.2f}" for name, (score, _) in found.broken.items())
    return f"{task.id:32} self {found.own:.3f} redrawn {found.redrawn:.3f} lazy {lazy} {broken}"


def main(arguments: list[str] | None = None) -> int:
    """Print a line a task and what fails; with ``--write`` write the reference specs first."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("tasks", nargs="*", help="their ids; all without any")
    parser.add_argument("--write", action="store_true", help="write reference_spec.json")
    parser.add_argument(
        "--tasks", type=Path, dest="root", help="a folder of tasks, not the shipped"
    )
    options = parser.parse_args(arguments)
    failed: list[str] = []
    try:
        by_discipline = load_tasks(options.root or tasks_root())
    except ValueError as error:
        print(error, file=sys.stderr)
        return 1
    for task in (task for tasks in by_discipline.values() for task in tasks):
        if options.tasks and task.id not in options.tasks:
            continue
        spec, place = reference_spec(task), task.reference_spec
        if options.write and task.reference is not None:
            write_json(place, spec)
        elif not place.is_file() or json.loads(place.read_text()) != spec:
            failed.append(f"{task.id}: {place.name} is not what reference.py draws; use --write")
        found = gates_of(task, spec)
        failed += [*scan_task(task), *failures(task, found)]
        print(line_of(task, found))
        sys.stdout.flush()
    print("\n".join(failed) or "no task fails")
    return int(bool(failed))


if __name__ == "__main__":
    sys.exit(main())
