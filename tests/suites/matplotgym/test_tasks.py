"""Shipped tasks are whole, and a broken folder is told in one line."""

import shutil
from pathlib import Path

import pytest
import yaml

from plotchain_lib.suites.matplotgym.decisions import DECISIONS
from plotchain_lib.suites.matplotgym.sandbox import Runs
from plotchain_lib.suites.matplotgym.task import (
    DISCIPLINES,
    draw_reference,
    load_task,
    shipped_tasks,
    task_defects,
    tasks_root,
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    target = tmp_path / "iris-organ-allometry"
    shutil.copytree(tasks_root() / target.name, target)
    return target


def change(folder: Path, **values: object) -> None:
    path = folder / "task.yaml"
    path.write_text(yaml.safe_dump({**yaml.safe_load(path.read_text()), **values}))


def test_three_tasks_in_each_of_nine_disciplines() -> None:
    assert {name: len(tasks) for name, tasks in shipped_tasks().items()} == dict.fromkeys(
        DISCIPLINES, 3
    )


def test_a_quarter_of_the_tasks_uses_all_decisions() -> None:
    tasks = [task for group in shipped_tasks().values() for task in group]
    assert sum(set(task.decisions) == set(DECISIONS) for task in tasks) >= len(tasks) / 4


def test_data_of_all_tasks_is_small() -> None:
    assert sum(path.stat().st_size for path in tasks_root().rglob("*.csv")) < 4_000_000


def test_a_whole_folder_has_no_defects(folder: Path) -> None:
    assert task_defects(folder) == []
    assert load_task(folder).files[0].licence == "CC-BY-4.0"


def test_reference_draws_a_figure(folder: Path, scoring: Runs) -> None:
    assert draw_reference(load_task(folder), scoring)[:4] == b"\x89PNG"


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        ("raise RuntimeError('no data')\n", "crashed RuntimeError: no data"),
        ("", "drew nothing the script drew no figure"),
    ],
)
def test_a_failing_reference_is_told_with_its_reason(
    folder: Path, scoring: Runs, script: str, reason: str
) -> None:
    (folder / "reference.py").write_text(script)
    with pytest.raises(ValueError, match=f"its reference: {reason}"):
        draw_reference(load_task(folder), scoring)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"discipline": "alchemy"}, "unknown discipline alchemy"),
        ({"decisions": ["encoding", "overlays", "colour"]}, "unknown decision colour"),
        ({"decisions": ["encoding"]}, "fewer than three decisions"),
        ({"id": "other"}, "differs from the folder's name"),
        ({"claim": ""}, "claim missing"),
    ],
)
def test_a_wrong_record_is_one_line(folder: Path, values: dict[str, object], message: str) -> None:
    change(folder, **values)
    (defect,) = task_defects(folder)
    assert message in defect


def test_a_missing_licence(folder: Path) -> None:
    files = yaml.safe_load((folder / "task.yaml").read_text())["files"]
    del files[0]["licence"]
    change(folder, files=files)
    assert ["licence missing" in defect for defect in task_defects(folder)] == [True]


@pytest.mark.parametrize(
    ("path", "content", "message"),
    [
        ("workspace/data/iris.csv", "a,b\n1,2\n", "checksum mismatch"),
        ("workspace/make_figure.py", "# a\n# b\n", "not one line"),
        ("workspace/data/more.csv", "a\n", "not listed"),
    ],
)
def test_a_wrong_file_is_one_line(folder: Path, path: str, content: str, message: str) -> None:
    (folder / path).write_text(content)
    (defect,) = task_defects(folder)
    assert message in defect


def test_a_large_file(folder: Path) -> None:
    (folder / "workspace/data/iris.csv").write_text("a\n" * 200_000)
    assert "limit 300000" in task_defects(folder)[0]


@pytest.mark.parametrize(
    "name", ["reference.py", "workspace/data/SCHEMA.md", "workspace/data/iris.csv"]
)
def test_a_missing_file(folder: Path, name: str) -> None:
    (folder / name).unlink()
    (defect,) = task_defects(folder)
    assert "missing" in defect
    with pytest.raises(ValueError, match="missing"):
        load_task(folder)
