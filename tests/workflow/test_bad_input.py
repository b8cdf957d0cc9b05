"""Bad input ends in one line that names the file, the place and the remedy."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from clone import ROOT, Workspace, new_workspace, small_config


def complaints(workspace: Workspace, *arguments: str) -> list[str]:
    """What was said to the user, the lines about how the run went left out."""
    ended = workspace.run("--cores", "2", *arguments, check=False)
    assert ended.returncode != 0
    lines = (ended.stdout + ended.stderr).splitlines()
    said = [line for line in lines if line.startswith(("plotchain:", "query failed:"))]
    assert not any("Traceback" in line for line in lines), lines
    assert not workspace.half_written()
    return said


@pytest.fixture
def fresh(tmp_path: Path) -> Workspace:
    return new_workspace(tmp_path / "clone")


def test_config_typo_is_one_line_before_any_job(fresh: Workspace) -> None:
    fresh.edit_config(modles={})
    ended = fresh.run("--cores", "2", check=False)
    assert ended.returncode != 0
    lines = [line for line in ended.stderr.splitlines() if not line.startswith("Using workflow")]
    assert lines == ["plotchain: config/config.yaml: unknown key 'modles'; did you mean 'models'?"]
    assert not (fresh.folder / "results").exists()


def test_policy_without_a_column(fresh: Workspace) -> None:
    fresh.replace("config/policies/plotchain/strict.yaml", "abs_tol, ", "")
    (line,) = complaints(fresh)
    assert "config/policies/plotchain/strict.yaml" in line and "abs_tol" in line


def test_cut_line_of_a_release(fresh: Workspace) -> None:
    (fresh.folder / "release").mkdir()
    (fresh.folder / "release/plotchain.jsonl").write_text('{"id": "a_000", "type": ')
    fresh.edit_config(datasets={"r": {"suite": "plotchain", "release": "release"}})
    (line,) = complaints(fresh)
    assert "release/plotchain.jsonl:1" in line


def test_cut_line_of_recorded_answers_is_one_line_before_any_job(fresh: Workspace) -> None:
    lines = (fresh.folder / "replay.jsonl").read_text().splitlines()
    lines[3] = lines[3][:20]
    (fresh.folder / "replay.jsonl").write_text("\n".join(lines) + "\n")
    (line,) = complaints(fresh)
    assert "replay.jsonl:4" in line
    assert not (fresh.folder / "results").exists()


def test_policy_row_of_a_field_that_nobody_asks_for(workspace: Workspace) -> None:
    path = "config/policies/plotchain/plotread.yaml"
    workspace.replace(path, "[bandpass_response, resonance_hz", "[bandpass_response, resonanze_hz")
    (line,) = complaints(workspace)
    assert path in line and "did you mean 'resonance_hz'?" in line


def test_copied_family_that_kept_its_name(fresh: Workspace) -> None:
    folder = fresh.folder / "plotchain_lib/suites/plotchain/families"
    (folder / "my_pump.py").write_text((folder / "pump_curve.py").read_text())
    datasets = small_config()["datasets"]
    datasets["small"]["families"] = ["my_pump"]
    fresh.edit_config(datasets=datasets)
    (line,) = complaints(fresh)
    assert "my_pump.py" in line and "NAME = 'my_pump'" in line


def test_response_of_zero_bytes(workspace: Workspace) -> None:
    path = "results/small/responses/replay/pump_curve_001.1.json"
    (workspace.folder / path).write_bytes(b"")
    said = complaints(workspace)
    assert said and all(path in line for line in said)
    (workspace.folder / path).unlink()
    workspace.build("results/small/answers/tolerant/replay.parquet")
    assert workspace.asked() == 6


@pytest.mark.long
def test_pictures_that_are_broken_or_missing_are_found_and_mended(workspace: Workspace) -> None:
    broken, missing = (f"results/small/images/pump_curve/pump_curve_00{n}.png" for n in (0, 1))
    (workspace.folder / broken).unlink()
    (workspace.folder / broken).write_bytes(b"not a picture")
    (workspace.folder / missing).unlink()
    ended = workspace.run("--cores", "2", "verify", check=False)
    assert ended.returncode != 0
    assert f"different: {broken}" in ended.stdout
    assert f"missing: {missing}" in ended.stdout
    (line,) = [x for x in ended.stderr.splitlines() if x.startswith("plotchain:")]
    workspace.run(*line.split(" snakemake ")[1].split())
    assert "11 byte-equal" in workspace.run("--cores", "2", "verify").stdout


@pytest.mark.long
def test_fifty_failing_jobs_print_one_line_each(fresh: Workspace) -> None:
    datasets = {"small": {"suite": "plotchain", "seed": 0, "items_per_family": 50,
                          "families": ["iv_resistor"]}}  # fmt: skip
    fresh.edit_config(datasets=datasets, models={"blind": {"kind": "blind"}})
    fresh.build("results/small/floor.json")
    path = "results/small/items/iv_resistor.jsonl"
    fresh.replace(path, '"id"', '"id')
    ended = fresh.run("--cores", "2", "results/small/run.json", check=False)
    lines = (ended.stdout + ended.stderr).splitlines()
    said = [line for line in lines if f"{path}:1" in line]
    assert len(said) == 50
    assert len(lines) < 100


def test_scripts_hold_no_logic() -> None:
    for script in (ROOT / "workflow/scripts").glob("*.py"):
        source = script.read_text()
        assert len(source.splitlines()) <= 40, script
        assert "def " not in source and "class " not in source, script
        assert "import snakemake" not in source, script


@pytest.mark.long
def test_pending_calls_do_not_stop_the_report_and_are_asked_again(workspace: Workspace) -> None:
    lines = (workspace.folder / "replay.jsonl").read_text().splitlines(keepends=True)
    kept = [line for line in lines if json.loads(line)["id"] != "pump_curve_000"]
    (workspace.folder / "replay.jsonl").write_text("".join(kept))
    ended = workspace.run("--cores", "2")
    assert "small: replay: 1 calls pending" in ended.stderr
    path = workspace.folder / "results/small/responses/replay/pump_curve_000.1.json"
    assert json.loads(path.read_text())["outcome"] == "pending"
    assert "pending" in (workspace.folder / "results/report.html").read_text()

    before = {p: p.stat().st_mtime_ns for p in (workspace.folder / "results").rglob("*.json")}
    assert workspace.planned() == {}  # a dry run changes nothing
    assert {p: p.stat().st_mtime_ns for p in before} == before
    assert workspace.build()["query"] == 1  # nothing else has changed: only it is asked again
    assert json.loads(path.read_text())["outcome"] == "pending"

    (workspace.folder / "replay.jsonl").write_text("".join(lines))
    workspace.build("results/small/run.json")
    assert json.loads(path.read_text())["outcome"] == "answered"
    assert workspace.planned("results/small/run.json") == {}
