"""Tasks of the figure suite: a folder each, read and checked.

``python -m plotchain_lib.suites.matplotgym.task --check`` checks every shipped task, or those of
another folder, and draws its reference. A *curated* task has a reference script of ours, which
runs in a copy of its workspace; an *imported* one has the spec of an author's figure and no code.
"""

import argparse
import json
import sys
import tempfile
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from plotchain_lib.files import write_atomically
from plotchain_lib.item import PlotChainError
from plotchain_lib.suites.matplotgym.defects import FILE_KEYS, read_record, task_defects
from plotchain_lib.suites.matplotgym.figure.shape import shape_problem
from plotchain_lib.suites.matplotgym.words import DISCIPLINES

if TYPE_CHECKING:
    from plotchain_lib.suites.matplotgym.sandbox import Runs

__all__ = [
    "DISCIPLINES", "DataFile", "Task", "draw_reference", "load_task", "load_tasks", "read_task",
    "shipped_tasks", "task_defects", "tasks_root",
]  # fmt: skip


@dataclass(frozen=True)
class DataFile:
    """A data file of a task, its path relative to the workspace, and where it comes from."""

    path: str
    source: str
    url: str
    licence: str
    terms: str
    sha256: str


@dataclass(frozen=True)
class Task:
    """A task as read from its folder."""

    folder: Path
    id: str
    title: str
    claim: str
    discipline: str
    review: str
    decisions: tuple[str, ...]
    files: tuple[DataFile, ...]
    derived_columns: tuple[str, ...]
    answer_tokens: tuple[str, ...]

    @property
    def workspace(self) -> Path:
        """The folder the agent gets a copy of."""
        return self.folder / "workspace"

    @property
    def reference(self) -> Path | None:
        """The script that draws the reference figure, in a copy of the workspace.

        None for an imported task: the author's code is not shipped.
        """
        return self.folder / "reference.py" if self.review == "curated" else None

    @property
    def reference_spec(self) -> Path:
        """The file with the spec of the reference figure."""
        return self.folder / "reference_spec.json"


def load_task(folder: Path) -> Task:
    """The task of a folder; ValueError with every defect, one a line, if it has any."""
    defects = task_defects(folder)
    if defects:
        raise ValueError("\n".join(defects))
    return read_task(folder)


def read_task(folder: Path) -> Task:
    """The task of a folder that may have defects, such as a schema that is a draft.

    Raises KeyError, TypeError or ValueError where its record is not one.
    """
    record = read_record(folder)
    return Task(
        folder=folder,
        files=tuple(DataFile(**{key: file[key] for key in FILE_KEYS}) for file in record["files"]),
        decisions=tuple(record["decisions"]),
        derived_columns=tuple(record.get("derived_columns") or ()),
        answer_tokens=tuple(record.get("answer_tokens") or ()),
        **{key: str(record[key]) for key in ("id", "title", "claim", "discipline", "review")},
    )


def tasks_root() -> Path:
    """The folder of the shipped tasks, in a checkout as in an installed package."""
    return Path(str(files("plotchain_lib.suites.matplotgym") / "tasks"))


def shipped_tasks() -> dict[str, list[Task]]:
    """Discipline → its shipped tasks, by id; ValueError with all defects if there are any."""
    return load_tasks(tasks_root())


def load_tasks(root: Path) -> dict[str, list[Task]]:
    """Discipline → the tasks of a folder of tasks, by id; disciplines without a task are there.

    Folders whose names begin with a dot are passed over: an import on its way is one. Raises
    ValueError with all defects, one a line, or where there is no task.
    """
    if not root.is_dir():
        raise ValueError(f"{root}: no such folder of tasks: check the path")
    folders = sorted(
        folder for folder in root.iterdir()
        if folder.is_dir() and not folder.name.startswith((".", "__"))
    )  # fmt: skip
    if not folders:
        raise ValueError(f"{root}: holds no task: a task is a folder with task.yaml in it")
    defects = [defect for folder in folders for defect in task_defects(folder)]
    if defects:
        raise ValueError("\n".join(defects))
    tasks = [load_task(folder) for folder in folders]
    return {name: [t for t in tasks if t.discipline == name] for name in DISCIPLINES}


def shipped_spec(task: Task) -> dict[str, Any]:
    """The task's reference spec. Raises PlotChainError where there is none."""
    try:
        spec = json.loads(task.reference_spec.read_bytes())
    except FileNotFoundError as error:
        raise PlotChainError(
            f"{task.id}: reference_spec.json is missing; write it with "
            "benchmarks/matplotgym_gates.py write"
        ) from error
    except (OSError, ValueError) as error:
        raise PlotChainError(f"{task.id}: reference_spec.json: {error}; write it again") from error
    if problem := shape_problem(spec):
        raise PlotChainError(f"{task.id}: reference_spec.json: {problem}; write it again")
    return dict(spec)


def draw_reference(task: Task, runs: "Runs") -> bytes:
    """The figure of a task's reference as a PNG, drawn in a scoring sandbox.

    A curated task's script runs in a copy of its workspace; an imported one's spec is drawn. Raises
    ValueError where there is no figure.
    """
    # Only here: whoever reads tasks alone needs no sandbox.
    from plotchain_lib.suites.matplotgym.floor import reference_script
    from plotchain_lib.suites.matplotgym.submission import READER, run_submission
    from plotchain_lib.suites.matplotgym.workspace import files_of

    script = reference_script(task)
    found = run_submission(files_of(task.workspace), script, READER, runs)
    if found.spec is None or found.picture is None:
        raise ValueError(f"{task.id}: its reference: {found.failure} {found.reason}".rstrip())
    return found.picture


def main(arguments: list[str] | None = None) -> int:
    """List the tasks; with ``--check``, draw each reference too. 1 on any defect."""
    from plotchain_lib.suites.matplotgym.submissions import scoring_sandbox

    parser = argparse.ArgumentParser(description="Tasks of the figure suite.")
    parser.add_argument("--tasks", type=Path, default=tasks_root(), help="else the shipped ones")
    parser.add_argument("--check", action="store_true", help="draw every reference")
    parser.add_argument("--pictures", type=Path, help="keep the pictures in this folder")
    parser.add_argument("--unsealed", action="store_true", help="do without bubblewrap")
    options = parser.parse_args(arguments)
    try:
        by_discipline = load_tasks(options.tasks)
        if options.check:
            runs = scoring_sandbox(unsealed=options.unsealed)
    except (ValueError, PlotChainError) as error:
        print(error, file=sys.stderr)
        return 1
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        target = options.pictures or Path(folder)
        target.mkdir(parents=True, exist_ok=True)
        for discipline, tasks in by_discipline.items():
            for task in tasks:
                print(f"{discipline}\t{task.id}\t{len(task.decisions)} decisions")
                if options.check:
                    try:
                        picture = draw_reference(task, runs)
                        write_atomically(target / f"{task.id}.png", picture)
                    except ValueError as error:
                        print(error, file=sys.stderr)
                        failed = 1
    return failed


if __name__ == "__main__":
    sys.exit(main())
