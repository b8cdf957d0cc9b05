"""What a task must pass before it may judge anyone.

Six gates run here: nothing the agent sees leaks the answer; the reference scored against itself
gets 1; redrawn from its decisions alone, never by its script, it gets at least 0.95; lazy figures
stay well below; a figure with one decision broken loses in that one alone; run again, the
reference script gives the same spec and score (an imported task has no script). All figures are
drawn in the scoring sandbox. Two more gates are about the scores of a strong model, which
`benchmarks/matplotgym_gates.py` asks: one that is told the decisions reaches 0.95, and the scores
of five independent attempts spread.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from plotchain_lib.item import PlotChainError
from plotchain_lib.suites.matplotgym.agents import LAZY
from plotchain_lib.suites.matplotgym.decisions import DECISIONS, Scores, compare, total
from plotchain_lib.suites.matplotgym.degrade import degrade
from plotchain_lib.suites.matplotgym.leaks import scans
from plotchain_lib.suites.matplotgym.sandbox import Runs
from plotchain_lib.suites.matplotgym.submission import READER, Submitted, run_submission
from plotchain_lib.suites.matplotgym.task import Task, shipped_spec
from plotchain_lib.suites.matplotgym.workspace import files_of

Spec = Mapping[str, Any]
INFORMED = REDRAWN = 0.95  # at least; the seed's bound for an informed solver
LAZY_MOST = 0.6
LOST = 0.1  # at least, in the decision that was broken
KEPT = 0.02  # at most, in any other
RESCORED = 3  # times
ATTEMPTS = 5
SPREAD = 0.05  # at least, between the best and the worst of them
ELSEWHERE = "lost elsewhere"
_REDRAW = """\
import json
import matplotlib.pyplot as plt
from plotchain_lib.suites.matplotgym.renderer import render
figure = plt.figure()
render(json.load(open("spec.json")), figure)
figure.savefig("figure.png")
"""
# A script, and files beside it, to what it drew.
Draw = Callable[..., Submitted]


@dataclass(frozen=True, slots=True)
class Found:
    """What a gate found on a task.

    Attributes:
        figures: scores, counts and losses, by what they are of.
        failures: one line each; empty where the task passes.
    """

    figures: Mapping[str, float]
    failures: tuple[str, ...] = ()


def drawing(task: Task, runs: Runs) -> Draw:
    """What draws scripts in copies of a task's workspace, in a scoring sandbox."""
    files = files_of(task.workspace)

    def draw(script: str, more: Mapping[str, bytes] | None = None) -> Submitted:
        return run_submission({**files, **(more or {})}, script, READER, runs)

    return draw


def reference_spec(task: Task, draw: Draw) -> dict[str, Any]:
    """What a curated task's reference script draws; an imported task's spec as it was written.

    Raises PlotChainError where it draws nothing.
    """
    if task.reference is None:
        return shipped_spec(task)
    drawn = draw(task.reference.read_text(encoding="utf-8"))
    if drawn.spec is None:
        raise PlotChainError(f"{task.id}: reference.py: {drawn.failure}: {drawn.reason}")
    return dict(drawn.spec)


def redrawn(spec: Spec, draw: Draw) -> Submitted:
    """A spec drawn by the renderer and read back, as a submission would be."""
    return draw(_REDRAW, {"spec.json": json.dumps(spec).encode()})


def _leaks(task: Task, spec: Spec, draw: Draw) -> Found:
    found = scans(task)
    lines = tuple(line for part in found.values() for line in part)
    return Found({name: len(part) for name, part in found.items()}, lines)


def _itself(task: Task, spec: Spec, draw: Draw) -> Found:
    own = compare(spec, spec)
    made = {name for name, score in own.items() if score is not None}
    lines = []
    if abs(total(own) - 1.0) > 1e-9:
        lines.append(f"scored against itself it gets {total(own):.3f}")
    if made != set(task.decisions):
        lines.append(f"task.yaml names {sorted(task.decisions)}, it makes {sorted(made)}")
    return Found({"itself": total(own)}, tuple(lines))


def _redrawn(task: Task, spec: Spec, draw: Draw) -> Found:
    score = total(compare(spec, redrawn(spec, draw).spec))
    failed = score < REDRAWN
    return Found(
        {"redrawn": score}, (f"redrawn from its spec it gets {score:.3f}",) if failed else ()
    )


def _lazy(task: Task, spec: Spec, draw: Draw) -> Found:
    figures, lines = {}, []
    for name, script in LAZY.items():
        drawn = draw(script)
        figures[name] = total(compare(spec, drawn.spec))
        if figures[name] > LAZY_MOST:
            lines.append(f"{name} gets {figures[name]:.2f}")
        # An imported task's data may be no table, which is what the lazy scripts read.
        if drawn.failure not in ("", "drew nothing") and task.reference is not None:
            lines.append(f"{name} {drawn.failure}: {drawn.reason}")
    return Found(figures, tuple(lines))


def _broken(task: Task, spec: Spec, draw: Draw) -> Found:
    """Each decision broken alone, as a spec and as a figure; the figures are the drawn ones'."""
    own, figures, lines = compare(spec, spec), {ELSEWHERE: 0.0}, []
    for decision in DECISIONS:
        worse = degrade(spec, decision) if own[decision] is not None else None
        if worse is None:
            continue
        drawn = redrawn(worse, draw)
        if drawn.spec is None:
            lines.append(f"{decision} broken: {drawn.failure}: {drawn.reason}")
            continue
        for how, broken in (("as a spec", worse), ("drawn", drawn.spec)):
            there, elsewhere = losses(decision, compare(spec, broken))
            if there < LOST or elsewhere > KEPT:
                lines.append(
                    f"{decision} broken, {how}: {there:.2f} lost there, {elsewhere:.2f} elsewhere"
                )
        figures[decision] = 1.0 - there
        figures[ELSEWHERE] = max(figures[ELSEWHERE], elsewhere)
    return Found(figures, tuple(lines))


def losses(decision: str, scores: Scores) -> tuple[float, float]:
    """What is lost in one decision, and the most that is lost in any other."""
    lost = {name: round(1.0 - score, 9) for name, score in scores.items() if score is not None}
    return lost.pop(decision), max(lost.values(), default=0.0)


def _rescored(task: Task, spec: Spec, draw: Draw) -> Found:
    if task.reference is None:
        return Found({})
    script, totals, lines = task.reference.read_text(encoding="utf-8"), [], []
    longest = 0.0
    for number in range(1, RESCORED + 1):
        drawn = draw(script)
        longest = max(longest, drawn.seconds)
        totals.append(total(compare(spec, drawn.spec)))
        if drawn.spec != spec:
            what = drawn.failure or "another spec than reference_spec.json"
            lines.append(f"run {number} of its script: {what}")
    if len(set(totals)) > 1:
        lines.append(f"run again, its script gets {', '.join(f'{score:.6f}' for score in totals)}")
    return Found({"lowest": min(totals), "seconds": longest}, tuple(lines))


Gate = Callable[[Task, Spec, Draw], Found]
GATES: Mapping[str, Gate] = {
    "leaks": _leaks,
    "itself": _itself,
    "redrawn": _redrawn,
    "lazy": _lazy,
    "broken": _broken,
    "rescored": _rescored,
}


def gates_of(
    task: Task, runs: Runs, names: Sequence[str] = tuple(GATES)
) -> Iterator[tuple[str, Found]]:
    """Run gates on a task, one after the other, against its shipped spec.

    Raises PlotChainError where there is no spec, and KeyError for an unknown gate.
    """
    spec, draw = shipped_spec(task), drawing(task, runs)
    for name in names:
        yield name, GATES[name](task, spec, draw)


def informed(score: float) -> Found:
    """The gate of a strong model that was told the decisions: its score on the task."""
    failed = (f"a model that was told the decisions gets {score:.3f}",) if score < INFORMED else ()
    return Found({"informed": score}, failed)


def spread(scores: Sequence[float]) -> Found:
    """The gate of a strong model's independent attempts: their scores on the task.

    Raises ValueError where there are other than five.
    """
    if len(scores) != ATTEMPTS:
        raise ValueError(f"{len(scores)} scores: the gate takes {ATTEMPTS} attempts")
    width = max(scores) - min(scores)
    shown = ", ".join(f"{score:.3f}" for score in scores)
    failed = (f"{ATTEMPTS} attempts do not spread: {shown}",) if width < SPREAD else ()
    return Found({"spread": width, "best": max(scores), "worst": min(scores)}, failed)
