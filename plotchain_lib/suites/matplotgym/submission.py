"""Run a submitted script once more and take the spec of the figure it built.

The script runs in a fresh copy of the shipped workspace, in a fresh sandbox, under a program that
executes it and writes what it drew (``figure.run SCRIPT OUT``). Program and script share a process,
so that the script can write any spec it likes; that gains nothing:

- What comes back is a description of a figure and never a score. It is compared here, in another
  process, with a reference that the sandbox does not hold: the tasks are not mounted.
- To state the right rows, marks, panels and scales in a forged spec, one has to know them, and who
  knows them can draw them. Whatever a forged spec may say, an honest figure may say too.
- It is read as JSON of a bounded size, with bounded depth, no repeated keys and no other keys than
  agreed; nothing is unpickled, executed or looked up. A file that is not that counts as a crash.
- `audit.tampering` lists scripts that reach for the program, for the report.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from plotchain_lib.item import PlotChainError
from plotchain_lib.suites.matplotgym.figure.run import EMPTY, NOTHING
from plotchain_lib.suites.matplotgym.figure.shape import shape_problem
from plotchain_lib.suites.matplotgym.prompt import SUBMISSION
from plotchain_lib.suites.matplotgym.sandbox import LIMITS, Runs
from plotchain_lib.suites.matplotgym.watch import Limits, Result
from plotchain_lib.suites.matplotgym.workspace import empty, read_file, write_file

OUT = ".figure_spec.json"
PICTURE = ".figure.png"
# The interpreter is not resolved: a link is what makes a venv one.
READER = (
    str(Path(sys.executable).absolute()), "-m", "plotchain_lib.suites.matplotgym.figure.run",
)  # fmt: skip
_LARGEST = 64 << 20
_LARGEST_PICTURE = 4 << 20
_KEYS = {"figures", "chosen", "error"}
_LONGEST_REASON = 500


@dataclass(frozen=True, slots=True)
class Submitted:
    """What a submitted script drew.

    Attributes:
        spec: of the chosen figure; None where there is none to compare.
        failure: why there is none: ``nothing submitted``, ``crashed``, ``drew nothing``,
            or ``stopped`` by a limit; empty where there is a spec.
        reason: one line about a failure.
        sealed: whether it ran in a sandbox.
        seconds: of wall clock.
        output: what it printed, trimmed.
        picture: the figure as a PNG, for people; anything else the script may have put there.
    """

    spec: dict[str, Any] | None
    failure: str
    reason: str
    sealed: bool
    seconds: float
    output: str
    picture: bytes | None = None


def run_submission(
    files: Mapping[str, bytes],
    script: str | None,
    runner: Sequence[str],
    runs: Runs,
    limits: Limits = LIMITS,
) -> Submitted:
    """Run a script and read what it drew.

    Args:
        files: the workspace as it is shipped, by path; the script replaces its stub.
        script: the submitted text; None where nothing was submitted.
        runner: the command that is given the names of the script, the output and the picture:
            `READER`.
        runs: a scoring sandbox, from ``open_sandbox(scoring=True)``.
        limits: of the run.
    """
    if script is None:
        return Submitted(None, "nothing submitted", "", runs.sealed, 0.0, "")
    with tempfile.TemporaryDirectory(prefix="work-", ignore_cleanup_errors=True) as place:
        workspace = Path(place)
        for path, data in {**files, SUBMISSION: script.encode("utf-8", "replace")}.items():
            write_file(workspace, path, data)
        result = runs([*runner, SUBMISSION, OUT, PICTURE], workspace, limits)
        content = read_file(workspace, OUT, _LARGEST)
        picture = read_file(workspace, PICTURE, _LARGEST_PICTURE)
        empty(workspace)
    return replace(_judged(result, content), picture=picture)


def _judged(result: Result, content: bytes | None) -> Submitted:
    def failed(failure: str, reason: str) -> Submitted:
        line = " ".join(reason.split())[:_LONGEST_REASON]
        return Submitted(None, failure, line, result.sealed, result.seconds, result.output)

    if result.stopped:
        return failed("stopped", f"the limit of {result.stopped} was reached")
    if content is None:
        last = result.output.strip().rpartition("\n")[2]
        return failed("crashed", f"exit code {result.code}: {last}")
    try:
        figures, chosen, error = read_outcome(content)
    except PlotChainError as refused:
        return failed("crashed", str(refused))
    if error:
        return failed("drew nothing" if error in (NOTHING, EMPTY) else "crashed", error)
    if chosen is None:
        return failed("drew nothing", "no figure")
    spec = figures[chosen]
    if not spec.get("panels"):
        return failed("drew nothing", "the figure has no panel")
    if problem := shape_problem(spec):
        return failed("crashed", f"the figure's spec is none: {problem}")
    return Submitted(spec, "", "", result.sealed, result.seconds, result.output)


def read_outcome(content: bytes) -> tuple[list[dict[str, Any]], int | None, str]:
    """The figures, the index of the chosen one, and the error, of the program's JSON.

    Raises PlotChainError where it is anything else: the script may have written it.
    """
    try:
        outcome = json.loads(
            content.decode("utf-8"), parse_constant=_refused, object_pairs_hook=_without_repeats
        )
    except (ValueError, RecursionError) as problem:
        raise PlotChainError(f"the figure's spec is no JSON ({problem})") from problem
    if not isinstance(outcome, dict) or outcome.keys() != _KEYS:
        raise PlotChainError("the figure's spec has other keys than figures, chosen and error")
    figures, chosen, error = outcome["figures"], outcome["chosen"], outcome["error"]
    if not isinstance(figures, list) or not all(isinstance(figure, dict) for figure in figures):
        raise PlotChainError("the figure's spec holds no list of figures")
    if not isinstance(error, str | None):
        raise PlotChainError("the figure's spec has an error that is no text")
    if chosen is not None and (type(chosen) is not int or not 0 <= chosen < len(figures)):
        raise PlotChainError("the figure's spec chooses a figure that is not there")
    return figures, chosen, error or ""


def _refused(name: str) -> Any:
    raise ValueError(f"{name} is no number of JSON")


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    record = dict(pairs)
    if len(record) != len(pairs):
        raise ValueError("a key is repeated")
    return record
