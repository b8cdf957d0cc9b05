"""The exports of a real run: each by its named target, none with the report, none again."""

from __future__ import annotations

import json
from importlib.util import find_spec
from pathlib import Path

import pandas as pd
import pyarrow.parquet as pq
import pytest
from clone import FAMILIES, Workspace, new_workspace, small_config

# Croissant metadata is made too where the library that writes it is installed.
CROISSANT = find_spec("mlcroissant") is not None
TARGETS = {
    "export_huggingface": "huggingface/README.md",
    "export_inspect": "inspect/plotchain_task.py",
    "export_lmms_eval": "lmms_eval/utils.py",
    "export_vlmevalkit": "vlmevalkit.tsv",
    "export_results": "results/data_dictionary.md",
    **({"export_croissant": "croissant.json"} if CROISSANT else {}),
}


@pytest.mark.long
def test_every_export_is_made_when_asked_and_not_again(workspace: Workspace) -> None:
    exports = workspace.folder / "results" / "exports"
    assert not exports.exists()
    jobs = workspace.build(*TARGETS)
    assert jobs == {
        rule: 1 for name in TARGETS for rule in (name, name.replace("export_", "exported_"))
    }
    for file in TARGETS.values():
        assert (exports / "small" / file).is_file()
    for name in TARGETS:
        kind = workspace.planned(name)
        assert name.replace("export_", "exported_") not in kind
    assert workspace.half_written() == []
    items = [
        json.loads(line)
        for line in (exports / "small/inspect/items.jsonl").read_text().splitlines()
    ]
    assert [item["id"] for item in items] == [f"{f}_{n:03d}" for f in FAMILIES for n in (0, 1)]
    for item in items:
        original = workspace.folder / "results/small" / item["picture"]
        assert (exports / "small/inspect" / item["picture"]).read_bytes() == original.read_bytes()
    source = (exports / "small/inspect/plotchain_task.py").read_text()
    assert 'POLICIES: tuple[str, ...] = ("plotread", "strict",)' in source
    scores = pd.read_parquet(exports / "small/results/scores.parquet")
    assert set(scores["policy"]) == {"plotread", "strict"}
    parts = [pd.read_parquet(workspace.folder / f"results/small/scores/{p}.parquet")
             for p in ("plotread", "strict")]  # fmt: skip
    pd.testing.assert_frame_equal(scores, pd.concat(parts, ignore_index=True), check_dtype=False)
    assert set(pq.read_table(exports / "small/results/answers.parquet")["model"].to_pylist()) == {
        "blind", "replay",
    }  # fmt: skip
    assert workspace.planned() == {}
    workspace.replace("config/policies/plotchain/strict.yaml", "0.048", "0.047")
    planned = workspace.planned(*TARGETS)
    assert {"exported_inspect", "exported_lmms_eval", "exported_results"} <= set(planned)
    kept = {"exported_huggingface", "exported_croissant", "exported_vlmevalkit", "query"}
    assert not kept & set(planned)


def test_a_run_says_where_what_was_asked_for_lies(workspace: Workspace) -> None:
    def said(*targets: str) -> list[str]:
        ended = workspace.run("--cores", "2", "--quiet", "all", "--", *targets)
        return [line for line in ended.stderr.splitlines() if line.startswith("plotchain: ")]

    assert said("export_vlmevalkit") == ["plotchain: the exports are in results/exports"]
    workspace.edit_config(
        datasets={"played": {"suite": "matplotgym", "families": ["physics"]}},
        models={"reference": {"kind": "reference"}},
        suites={"matplotgym": {"policies": ["decisions"]}},
    )
    nothing = "nothing to export: of episodes only the results leave (export_results)"
    assert said("export_inspect", "export_vlmevalkit") == [f"plotchain: {nothing}"]


def test_a_dataset_cannot_take_the_exports_place(tmp_path: Path) -> None:
    workspace = new_workspace(tmp_path / "clone")
    entry = small_config()["datasets"]["small"]
    workspace.edit_config(datasets={"exports": entry})
    ended = workspace.run("--dry-run", "--cores", "2", check=False)
    assert "datasets.exports: the name is taken; choose another" in ended.stdout + ended.stderr


@pytest.mark.long
def test_a_release_without_a_picture_is_told_in_one_line(tmp_path: Path) -> None:
    workspace = new_workspace(tmp_path / "clone")
    record = {"pid": 1, "question": "How many points? As an integer.", "answer": "9", "task":
              "properties", "category": "Counting", "complexity": 1, "image": "images/1.png"}  # fmt: skip
    (workspace.folder / "released").mkdir()
    (workspace.folder / "released" / "grab.json").write_text(json.dumps({"1": record}))
    workspace.edit_config(
        datasets={"known": {"suite": "grab", "release": "released"}},
        models={"blind": {"kind": "blind"}},
        suites={"grab": {"policies": ["exact"]}},
    )
    ended = workspace.run("--cores", "2", "export_vlmevalkit", check=False)
    assert ended.returncode == 1
    said = [line for line in ended.stderr.splitlines() if "its picture" in line]
    assert said == [
        "plotchain: item 1: its picture is not there; put it in place, an export holds every picture"
    ]
    assert not (workspace.folder / "results/exports/known/vlmevalkit.tsv").exists()
