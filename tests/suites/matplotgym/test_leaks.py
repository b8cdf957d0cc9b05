"""Each scan finds a planted leak of its kind; shipped tasks are clean."""

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from plotchain_lib.suites.matplotgym.leaks import (
    scan_answer_tokens,
    scan_claim,
    scan_derived_columns,
    scan_names,
    scan_task,
)
from plotchain_lib.suites.matplotgym.task import Task, load_task, shipped_tasks, tasks_root


@pytest.fixture
def task(tmp_path: Path) -> Task:
    target = tmp_path / "seattle-daily-range"
    shutil.copytree(tasks_root() / target.name, target)
    return load_task(target)


def with_column(task: Task, name: str) -> None:
    path = task.workspace / "data/weather.csv"
    header, rest = path.read_text().split("\n", 1)
    path.write_text(f"{header},{name}\n{rest}")


def test_shipped_tasks_are_clean() -> None:
    assert [f for tasks in shipped_tasks().values() for t in tasks for f in scan_task(t)] == []


@pytest.mark.parametrize("path", ["make_figure.py", "data/SCHEMA.md", "data/weather.csv"])
def test_an_answer_token_in_a_visible_file(task: Task, path: str) -> None:
    with (task.workspace / path).open("a") as file:
        file.write("use ErrorBar here\n")
    (finding,) = scan_answer_tokens(task)
    assert finding.startswith(f"{path}: answer token 'errorbar'")


def test_an_answer_token_in_the_claim(task: Task) -> None:
    assert scan_answer_tokens(replace(task, claim="See the errorbar."))


@pytest.mark.parametrize("name", ["daily_range", "Daily Range", "dailyRange"])
def test_a_derived_column(task: Task, name: str) -> None:
    with_column(task, name)
    assert ["computed by the reference" in finding for finding in scan_derived_columns(task)] == [
        True
    ]


def test_a_column_the_reference_assigns_without_declaring_it(task: Task) -> None:
    with_column(task, "daily_range")
    assert scan_derived_columns(replace(task, derived_columns=()))


@pytest.mark.parametrize("name", ["mean_wind", "dry_vs_wet", "bestMonth"])
def test_a_telling_column_name(task: Task, name: str) -> None:
    with_column(task, name)
    (finding,) = scan_names(task)
    assert name in finding


def test_a_telling_file_name(task: Task) -> None:
    file = replace(task.files[0], path="data/summary.csv")
    (task.workspace / "data/weather.csv").rename(task.workspace / file.path)
    assert "summary" in scan_names(replace(task, files=(file,)))[0]


@pytest.mark.parametrize(
    "word", ["scatter plot", "averages", "log-log", "x-axis", "histogram", "panels", "median"]
)
def test_a_claim_that_lists_its_answer(task: Task, word: str) -> None:
    assert scan_claim(replace(task, claim=f"The {word} of range by month differs."))


def test_a_claim_of_two_sentences(task: Task) -> None:
    assert "not one sentence" in scan_claim(replace(task, claim="It is dry. It is wide."))[0]
