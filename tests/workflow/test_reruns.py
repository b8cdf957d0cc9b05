"""What reruns when: the table of docs/workflow.md, row by row, on the real DAG."""

from __future__ import annotations

import os

import pytest
from clone import FAMILIES, Workspace, small_config

# A blind answer is the same for all items of a family, so one call each; four recorded ones.
ASKED = 2 + 4
JUDGED = {"score": 1, "significance": 1, "certificate": 1, "figures": 1, "report": 1}
POLICY = "config/policies/plotchain/plotread.yaml"
ROW = "- [bandpass_response, bandwidth_hz, 0.0, 0.08]"


RESPONSES = "results/small/run.json"  # needs every response and nothing that is judged


def test_nothing_changed_reruns_nothing(workspace: Workspace) -> None:
    assert workspace.planned() == {}
    assert workspace.asked() == ASKED


@pytest.mark.long
def test_literal_touch_of_a_policy_judges_again(workspace: Workspace) -> None:
    os.utime(workspace.folder / POLICY)
    assert workspace.planned() == JUDGED
    before = workspace.tables()
    judged = "results/small/significance/plotread.json"
    assert workspace.build(judged) == {"score": 1, "significance": 1}
    assert workspace.tables() == before
    assert workspace.planned() == {}


def test_edited_policy_judges_again_and_asks_nobody(workspace: Workspace) -> None:
    workspace.replace(POLICY, ROW, ROW.replace("0.08", "1000.0"))
    before = workspace.tables()
    assert workspace.build() == JUDGED
    changed = {name for name, data in workspace.tables().items() if before[name] != data}
    assert "small/scores/plotread.parquet" in changed
    assert "small/scores/strict.parquet" not in changed
    assert not any(name.startswith("small/answers") for name in changed)
    assert workspace.asked() == ASKED


def test_changed_parsing_parses_again(workspace: Workspace) -> None:
    workspace.replace(POLICY, "parsing: tolerant", "parsing: paper")
    assert workspace.planned() == JUDGED | {"parse": 2}


def test_alpha_and_resamples_test_again(workspace: Workspace) -> None:
    workspace.edit_config(significance={"alpha": 0.01, "resamples": 300, "seed": 0})
    assert workspace.planned() == {"significance": 2, "figures": 1, "report": 1}


def test_added_model_is_asked_and_no_other(workspace: Workspace) -> None:
    models = small_config()["models"] | {"again": {"kind": "recorded", "file": "replay.jsonl"}}
    workspace.edit_config(models=models)
    assert workspace.planned() == {
        "query": 4, "parse": 1, "run_facts": 1, "score": 2, "significance": 2, "certificate": 1,
        "export_raw": 1, "figures": 1, "report": 1,
    }  # fmt: skip


def test_removed_model_is_left_out_of_the_scores(workspace: Workspace) -> None:
    workspace.edit_config(models={"blind": {"kind": "blind"}})
    planned = workspace.planned()
    assert planned == {"run_facts": 1} | JUDGED | {"score": 2, "significance": 2}


def test_lowered_limit_scores_fewer_items(workspace: Workspace) -> None:
    workspace.edit_config(limit=1)
    planned = workspace.planned()
    assert planned["query"] == planned["generate"] == planned["render_small"] == 0
    assert (planned["score"], planned["significance"], planned["report"]) == (2, 2, 1)
    assert planned["certificate"] == 1


def test_more_repeats_ask_only_the_new_ones(workspace: Workspace) -> None:
    workspace.edit_config(suites={"plotchain": {"policies": ["plotread", "strict"], "repeats": 3}})
    responses = list((workspace.folder / "results/small/responses").glob("*/*.json"))
    before = {path: path.stat().st_mtime_ns for path in responses}
    assert workspace.build(RESPONSES) == {"query": 2 * len(before), "run_facts": 1}
    assert {path: path.stat().st_mtime_ns for path in before} == before
    assert workspace.asked() == 3 * ASKED


def test_more_items_ask_only_the_new_ones(workspace: Workspace) -> None:
    datasets = small_config()["datasets"]
    datasets["small"]["items_per_family"] = 3
    pictures = {p: p.read_bytes() for p in workspace.folder.glob("results/small/images/*/*.png")}
    workspace.edit_config(datasets=datasets)
    jobs = workspace.build(RESPONSES, "results/small/manifest.json")
    assert (jobs["generate"], jobs["render_small"]) == (2, 2)
    assert {path: path.read_bytes() for path in pictures} == pictures
    assert workspace.asked() == ASKED + 2


def test_edited_family_redraws_its_shard_and_asks_nobody_where_the_request_is_the_same(
    workspace: Workspace,
) -> None:
    family = "plotchain_lib/suites/plotchain/families/pump_curve.py"
    workspace.replace(family, '"""', '"""Edited. ')
    jobs = workspace.build(RESPONSES, "results/small/manifest.json")
    assert (jobs["generate"], jobs["render_small"]) == (1, 1)
    assert jobs["query"] >= 4
    assert workspace.asked() == ASKED


def test_edited_library_module_reruns_its_stages_and_no_paid_call(workspace: Workspace) -> None:
    workspace.replace("plotchain_lib/statistics.py", '"""', '"""Edited. ')
    workspace.replace("plotchain_lib/certificate.py", '"""', '"""Edited. ')
    assert workspace.planned() == {
        "significance": 2, "certificate": 1, "figures": 1, "report": 1,
    }  # fmt: skip
    workspace.replace("plotchain_lib/score.py", '"""', '"""Edited. ')
    assert workspace.planned() == JUDGED | {"score": 2, "significance": 2}


def test_touched_library_and_moved_folder_rerun_nothing(workspace: Workspace) -> None:
    for path in (workspace.folder / "plotchain_lib").rglob("*.py"):
        os.utime(path)
    moved = workspace.folder.rename(workspace.folder.with_name("moved"))
    assert Workspace(moved).planned() == {}


def test_edited_recorded_file_asks_only_what_it_changed(workspace: Workspace) -> None:
    workspace.replace("replay.jsonl", '\\"resonance_hz\\": 100', '\\"resonance_hz\\": 101')
    assert workspace.build(RESPONSES)["query"] == 2 * len(FAMILIES)
    assert workspace.asked() == ASKED + 1
