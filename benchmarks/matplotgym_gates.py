"""The gates of the figure suite's tasks, with their numbers.

    python benchmarks/matplotgym_gates.py run [TASK …] [--gates GATE …] [--markdown FILE]
    python benchmarks/matplotgym_gates.py write TASK …
    python benchmarks/matplotgym_gates.py informed --model LABEL [TASK …] [--config FILE] [--direct]
    python benchmarks/matplotgym_gates.py spread   --model LABEL [TASK …] [--config FILE] [--direct]

`run` needs no model. `write` writes the reference specs that the reference scripts draw. `informed`
tells a model of the configuration the decisions, `spread` has it attempt each task five times; both
ask through the broker (or without one: --direct), under the model's limits and budget, and keep
every answer in the cache, so that what was paid for is not asked again.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from plotchain_lib.files import one_line_errors, write_atomically, write_json
from plotchain_lib.suites.matplotgym import gates
from plotchain_lib.suites.matplotgym.agents import LAZY
from plotchain_lib.suites.matplotgym.decisions import DECISIONS, compare, total
from plotchain_lib.suites.matplotgym.gates import ELSEWHERE, GATES, Found
from plotchain_lib.suites.matplotgym.sandbox import Runs
from plotchain_lib.suites.matplotgym.submissions import scoring_sandbox
from plotchain_lib.suites.matplotgym.task import Task, load_tasks, shipped_spec, tasks_root

NOT_RUN = "not run"
COLUMNS: Mapping[str, tuple[str, ...]] = {
    "leaks": ("answer tokens", "derived columns", "names", "claim"),
    "itself": ("itself",),
    "redrawn": ("redrawn",),
    "lazy": tuple(LAZY),
    "broken": (*DECISIONS, ELSEWHERE),
    "rescored": ("lowest", "seconds"),
    "informed": ("informed",),
    "spread": ("spread", "best", "worst"),
}
# In the table these gates have a column for each of their numbers, the others one for all.
PARTED = ("broken", "rescored")
HEADS = (
    "leaks", "itself", "redrawn", "lazy", "data", "encoding", "overlays", "panels", "scales",
    "series", "elsewhere", "rescored", "s", "informed", "spread",
)  # fmt: skip


def chosen(options: argparse.Namespace) -> Iterator[Task]:
    """The tasks of these ids; all without any."""
    names = options.tasks
    try:
        tasks = [task for group in load_tasks(options.folder).values() for task in group]
    except ValueError as error:
        sys.exit(f"plotchain: {error}")
    if unknown := set(names) - {task.id for task in tasks}:
        sys.exit(f"plotchain: no such task: {', '.join(sorted(unknown))}")
    return (task for task in tasks if not names or task.id in names)


def shown(gate: str, found: Found | None) -> str:
    """One gate's numbers in the order of its columns; an empty place where there is none."""
    if found is None:
        return NOT_RUN
    figures = [found.figures.get(name) for name in COLUMNS[gate]]
    places = 0 if gate == "leaks" else 3 if gate in ("itself", "redrawn", "informed") else 2
    return " ".join("–" if number is None else f"{number:.{places}f}" for number in figures)


def told(task: Task, found: Mapping[str, Found]) -> None:
    """Print a task's gates, each with its numbers, and what fails."""
    print(task.id)
    for gate in COLUMNS:
        names = ", ".join(COLUMNS[gate])
        print(f"  {gate:8} {shown(gate, found.get(gate)):48} {names}")
        for line in found[gate].failures if gate in found else ():
            print(f"  FAILS    {line}")
    sys.stdout.flush()


def markdown(results: Mapping[str, Mapping[str, Found]]) -> str:
    """A table of all gates, a row a task."""
    rows = [f"| task | {' | '.join(HEADS)} |", "|---" * (len(HEADS) + 1) + "|"]
    for task, found in results.items():
        cells = []
        for gate, names in COLUMNS.items():
            text = shown(gate, found.get(gate))
            cells += text.split() if gate in PARTED and gate in found else [text]
            cells += [""] * (len(names) - 1) if gate in PARTED and gate not in found else []
        rows.append(f"| `{task}` | {' | '.join(cells)} |")
    return "\n".join(rows) + "\n"


def run(options: argparse.Namespace, runs: Runs) -> int:
    """All local gates; 1 where a task fails one."""
    results: dict[str, dict[str, Found]] = {}
    for task in chosen(options):
        results[task.id] = dict(gates.gates_of(task, runs, options.gates))
        told(task, results[task.id])
    if options.markdown:
        write_atomically(options.markdown, markdown(results))
    return verdict(results)


def verdict(results: Mapping[str, Mapping[str, Found]]) -> int:
    """Print how many tasks fail; 1 where one does."""
    failed = [task for task, found in results.items() if any(f.failures for f in found.values())]
    print(f"{len(results) - len(failed)} of {len(results)} tasks pass", *failed)
    return int(bool(failed))


def write(options: argparse.Namespace, runs: Runs) -> int:
    """Write what the reference scripts draw, and say which decisions that makes."""
    for task in chosen(options):
        spec = gates.reference_spec(task, gates.drawing(task, runs))
        write_json(task.reference_spec, spec)
        made = [name for name, score in compare(spec, spec).items() if score is not None]
        print(f"{task.id}: {', '.join(made)}")
    return 0


def ask(options: argparse.Namespace, runs: Runs) -> int:
    """The gates of a strong model: `informed` and `spread`."""
    from matplotgym_attempts import Desk

    results: dict[str, dict[str, Found]] = {}
    desk = Desk(options.config, options.model, direct=options.direct, unsealed=options.unsealed)
    for task in chosen(options):
        spec, draw = shipped_spec(task), gates.drawing(task, runs)
        scripts = desk.scripts(task, spec, options.command == "informed", gates.ATTEMPTS)
        drawn = [draw(script).spec if script else None for script in scripts]
        scores = [total(compare(spec, one)) for one in drawn]
        found = gates.informed(scores[0]) if len(scores) == 1 else gates.spread(scores)
        results[task.id] = {options.command: found}
        told(task, results[task.id])
    return verdict(results)


def main(arguments: list[str] | None = None) -> int:
    """The command's exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--unsealed", action="store_true", help="do without bubblewrap")
    commands = parser.add_subparsers(dest="command", required=True)
    for name in ("run", "write", "informed", "spread"):
        command = commands.add_parser(name)
        command.add_argument("tasks", nargs="*", help="their ids; all without any")
        command.add_argument(
            "--tasks", type=Path, dest="folder", default=tasks_root(), help="else the shipped ones"
        )
        if name == "run":
            command.add_argument("--gates", nargs="+", choices=list(GATES), default=list(GATES))
            command.add_argument("--markdown", type=Path, help="write the table to this file")
        elif name != "write":
            command.add_argument("--model", required=True, help="its label in the configuration")
            command.add_argument("--config", type=Path, default=Path("config/config.yaml"))
            command.add_argument("--direct", action="store_true", help="without a broker")
    options = parser.parse_args(arguments)
    with one_line_errors():
        runs = scoring_sandbox(unsealed=options.unsealed)
        return {"run": run, "write": write}.get(options.command, ask)(options, runs)
    return 1


if __name__ == "__main__":
    sys.exit(main())
