"""The importer's parts: notebooks, stubs, interpreters, columns, drafts, what a task may hold."""

import importlib
import json
import shutil
import sys
from pathlib import Path

import nbformat
import pandas as pd
import pytest
import yaml

from plotchain_lib.item import PlotChainError
from plotchain_lib.suites.matplotgym import gates
from plotchain_lib.suites.matplotgym.columns import head, header
from plotchain_lib.suites.matplotgym.defects import UNFILLED
from plotchain_lib.suites.matplotgym.importing import stubs
from plotchain_lib.suites.matplotgym.importing.folder import code_lines, new_columns
from plotchain_lib.suites.matplotgym.importing.notebook import python_of, read_notebook
from plotchain_lib.suites.matplotgym.importing.pins import pins_of
from plotchain_lib.suites.matplotgym.importing.project import copy_project, find_project
from plotchain_lib.suites.matplotgym.importing.schema import draft
from plotchain_lib.suites.matplotgym.leaks import scan_task
from plotchain_lib.suites.matplotgym.sandbox import Runs
from plotchain_lib.suites.matplotgym.task import (
    draw_reference,
    load_task,
    load_tasks,
    main,
    task_defects,
    tasks_root,
)


@pytest.mark.parametrize(
    ("source", "code", "dropped"),
    [
        ("x = 1\ny = x % 2", "x = 1\ny = x % 2", []),
        ("%matplotlib inline\nx = 1", "pass\nx = 1", ["%matplotlib inline"]),
        ("if x:\n    %time y = 2", "if x:\n    y = 2", ["%time y = 2"]),
        ("%cd ../data", "__import__('os').chdir('../data')", ["%cd ../data"]),
        ("z = (7\n % 4)", "z = (7\n % 4)", []),
        ("t = '''\n!ls\n'''", "t = '''\n!ls\n'''", []),
        ("!echo don't\nimport os?\nfiles = !ls", "pass\npass\npass", ["!echo don't", "import os?", "files = !ls"]),
        ("%%time\nx = 1", "\nx = 1", ["%%time"]),
        ("%%html\n<b>", "", ["%%html (the whole cell)"]),
        ("def broken(", "def broken(", []),
        ("", "", []),
    ],
)  # fmt: skip
def test_magic_is_taken_out_of_cells(source: str, code: str, dropped: list[str]) -> None:
    found, lines = python_of(source)
    assert found == code and sorted(lines) == sorted(dropped)


def test_running_another_file_keeps_its_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("names.py").write_text("VALUE = 3\n")
    space: dict[str, object] = {}
    exec(python_of("%run names.py\nresult = VALUE + 1")[0], space)
    assert space["result"] == 4


def test_notebooks_of_other_kinds(tmp_path: Path) -> None:
    path = tmp_path / "a.ipynb"
    book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("%matplotlib notebook")])
    nbformat.write(book, path)
    assert not read_notebook(path).flush  # figures stay open from cell to cell
    old = {"nbformat": 3, "nbformat_minor": 0, "metadata": {}, "worksheets": [{"metadata": {}, "cells": [
        {"cell_type": "code", "language": "python", "metadata": {}, "outputs": [], "collapsed": False, "input": "x = 1"}]}]}  # fmt: skip
    path.write_text(json.dumps(old))
    assert read_notebook(path).cells == ((1, "x = 1"),)
    book.metadata["kernelspec"] = {"language": "R", "name": "ir", "display_name": "R"}
    nbformat.write(book, path)
    with pytest.raises(PlotChainError, match="a notebook in R; only Python"):
        read_notebook(path)
    path.write_text("not JSON")
    with pytest.raises(PlotChainError, match="not a notebook that can be read"):
        read_notebook(path)


def test_a_stub_swallows_what_is_done_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "meta_path", list(sys.meta_path))
    stubs.install(["absent_tool"])
    try:
        tool = importlib.import_module("absent_tool.deep.module")
        assert not tool.run(1)[2].more and list(tool.items) == [] and len(tool.all) == 0
        with tool.session(user="me") as session:
            assert isinstance(session * 2 + 1, stubs.Nothing)
        assert not isinstance(3, tool.Kind)  # type: ignore[arg-type]

        @tool.traced
        def twice(x: int) -> int:
            return 2 * x

        @tool.jit(parallel=True)
        def thrice(x: int) -> int:
            return 3 * x

        class Model(tool.Base):  # type: ignore[misc]
            value = 5

        assert (twice(2), thrice(2), Model().value) == (4, 6, 5)
        with pytest.raises(ModuleNotFoundError):
            importlib.import_module("absent_other")
    finally:
        for name in [name for name in sys.modules if name.startswith("absent_tool")]:
            del sys.modules[name]


def test_the_pins_of_an_environment_are_all_its_folders(tmp_path: Path) -> None:
    own = Path(sys.executable).resolve()
    place = tmp_path / "environment"
    (place / "bin").mkdir(parents=True)
    (place / "pyvenv.cfg").write_text(f"home = {own.parent}\n")
    site = place / "lib" / "python3.11" / "site-packages"
    site.mkdir(parents=True)
    (tmp_path / "editable").mkdir()
    (site / "e.pth").write_text(f"import os\n# note\n{tmp_path / 'editable'}\n../../gone\n")
    (place / "bin" / "python").symlink_to(own)
    pins = pins_of(place / "bin" / "python")
    assert pins.program == place / "bin" / "python"
    assert {place, tmp_path / "editable"} <= set(pins.shown)
    assert any(own.is_relative_to(folder) for folder in pins.shown)
    assert Path.home() not in pins.shown and Path("/") not in pins.shown


def test_the_project_is_the_smallest_folder_that_holds_it_all(tmp_path: Path) -> None:
    (tmp_path / "paper" / "code" / ".git").mkdir(parents=True)
    (tmp_path / "paper" / "code" / "plots").mkdir()
    (tmp_path / "paper" / "data").mkdir()
    (tmp_path / "paper" / ".venv" / "bin").mkdir(parents=True)
    (tmp_path / "paper" / ".venv" / "pyvenv.cfg").write_text("")
    script = tmp_path / "paper" / "code" / "plots" / "a.py"
    script.write_text("x = 1\n")
    found = find_project(script, tmp_path / "paper" / "data", None, None)
    assert found.root == tmp_path / "paper" and found.cwd == Path("code/plots")
    assert find_project(script, script.parent, None, None).root == tmp_path / "paper" / "code"
    copied = copy_project(found, tmp_path / "copy")
    assert [p.name for p in (tmp_path / "copy").rglob("*")] == ["code", "data", "plots", "a.py"]
    assert copied.files == 1 and copied.size == 6
    script.write_text("x = 2\n")
    assert copy_project(found, tmp_path / "copy2").digest != copied.digest


@pytest.mark.parametrize(
    ("name", "text", "names"),
    [
        ("a.csv", "# made by us\nx,y\n1,2\n", ["x", "y"]),
        ("a.tsv", "time, s\tvalue\n1\t2\n", ["time, s", "value"]),
        ("a.csv", '\ufeffx;"y;z"\n1;2\n', ["x", "y;z"]),
        ("a.dat", "time  value\n1  2\n3  4\n", ["time", "value"]),
        ("a.txt", "Rows as they were measured.\nBy us, in 2020.\n", []),
        ("a.csv", "", []),
        ("a.npy", "\0\0", []),
    ],
)
def test_the_columns_of_a_file(tmp_path: Path, name: str, text: str, names: list[str]) -> None:
    (tmp_path / name).write_text(text)
    assert header(tmp_path / name) == names


def test_a_draft_says_what_a_machine_can_tell(tmp_path: Path) -> None:
    frame = pd.DataFrame(
        {"n": range(20), "x": [0.5, None] * 10, "site": ["north", "south"] * 10, "ok": [True] * 20}
    )
    frame.to_csv(tmp_path / "a.csv", index=False)
    frame.to_parquet(tmp_path / "b.parquet")
    (tmp_path / "c.npy").write_bytes(b"\x93NUMPY")
    lines = draft(tmp_path, ["a.csv", "b.parquet", "c.npy"]).split("\n")
    assert lines[:6] == [
        "# data/a.csv", f"One row per {UNFILLED}.", f"- n: {UNFILLED} (whole number, e.g. 0)",
        f"- x: {UNFILLED} (number, with gaps, e.g. 0.5)", f"- site: {UNFILLED} (text: north, south)",
        f"- ok: {UNFILLED} (true or false)",
    ]  # fmt: skip
    assert lines[7:13] == ["# data/b.parquet", *lines[1:6]]
    assert lines[-2] == f"{UNFILLED}: what the file holds, in what layout and units."
    assert head(tmp_path / "c.npy") is None


def test_lines_of_code_and_computed_columns() -> None:
    script = (
        '"""Width follows length in petals."""\nimport os\n# a comment that is long enough\n'
        "values = [\n    0.123456, 0.234567,\n]\nframe['rate'] = frame['n'] / frame['t']\n"
        "frame['day'] = pd.to_datetime(frame['day'])\n"
    )
    assert code_lines(script) == {
        "frame['rate'] = frame['n'] / frame['t']", "frame['day'] = pd.to_datetime(frame['day'])",
    }  # fmt: skip
    assert new_columns(script) == {"rate"}
    assert code_lines("print 'an old script'")  # whatever it is
    assert new_columns("print 'an old script'") == set()


@pytest.fixture
def imported(tmp_path: Path) -> Path:
    """A task such as an import leaves, of a shipped one."""
    folder = tmp_path / "tasks" / "iris-organ-allometry"
    shutil.copytree(tasks_root() / folder.name, folder)
    (folder / "reference.py").unlink()
    change(folder, review="imported")
    return folder


def change(folder: Path, **values: object) -> None:
    path = folder / "task.yaml"
    path.write_text(yaml.safe_dump({**yaml.safe_load(path.read_text()), **values}))


def test_an_imported_task_needs_no_script(imported: Path, scoring: Runs) -> None:
    (imported.parent / ".half-written").mkdir()
    tasks = load_tasks(imported.parent)
    (task,) = tasks["biology"]
    assert task == load_task(imported) and task.reference is None and len(tasks) == 9
    assert scan_task(task) == []
    assert draw_reference(task, scoring).startswith(b"\x89PNG")
    assert main(["--tasks", str(imported.parent), "--check"]) == 0
    change(imported, derived_columns=["Sepal Length (cm)"])
    assert "is computed by the reference" in scan_task(load_task(imported))[0]


@pytest.mark.parametrize(
    ("path", "content", "message"),
    [
        (
            "reference.py",
            "x = 1\n",
            "reference.py: no part of an imported task, which ships no code",
        ),
        ("notes.md", "x", "notes.md: no part of an imported task"),
        ("reference_spec.json", "{}", "not the spec of a figure"),
        ("reference_spec.json", '{"panels": []}', "shows no mark"),
        ("workspace/data/SCHEMA.md", f"x: {UNFILLED}", "1 times 'TO BE FILLED IN'"),
        ("task.yaml", "files: 3", "files is no list of mappings"),
        ("task.yaml", "decisions: 3", "decisions is no list"),
    ],
)
def test_a_wrong_imported_task_is_one_line(
    imported: Path, path: str, content: str, message: str
) -> None:
    (imported / path).write_text(content)
    (defect,) = task_defects(imported)
    assert message in defect and "\n" not in defect


@pytest.mark.long
def test_an_imported_task_passes_the_gates(imported: Path, scoring: Runs) -> None:
    found = dict(gates.gates_of(load_task(imported), scoring))
    assert [line for gate in found.values() for line in gate.failures] == []
    assert found["itself"].figures == {"itself": 1.0}
    assert found["redrawn"].figures["redrawn"] == pytest.approx(1.0)
    assert found["rescored"].figures == {}
    change(imported, claim="Bars of width.")
    leaks = dict(gates.gates_of(load_task(imported), scoring, ["leaks"]))["leaks"].failures
    assert any("'Bars' is a decision under test" in line for line in leaks)


def test_an_imported_task_without_its_spec(imported: Path) -> None:
    (imported / "reference_spec.json").unlink()
    assert task_defects(imported) == [
        "iris-organ-allometry: reference_spec.json is missing: add it"
    ]
    change(imported, review="guessed")
    assert "reference.py is missing" in task_defects(imported)[0]


def test_a_folder_without_tasks(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(ValueError, match="holds no task"):
        load_tasks(tmp_path)
    with pytest.raises(ValueError, match="no such folder of tasks"):
        load_tasks(tmp_path / "nowhere")
    assert main(["--tasks", str(tmp_path / "nowhere")]) == 1
    assert "check the path" in capsys.readouterr().err
