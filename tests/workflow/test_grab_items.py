"""The GRAB suite on the real DAG: items, pictures, floor, validation and manifest of a small set."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pandas as pd
import pytest
from clone import Workspace, new_workspace
from PIL import Image

pytestmark = pytest.mark.long

SHARDS = ("properties_area_bounded", "transform_intercepts_and_gradients")


def config(**entry: object) -> dict[str, object]:
    dataset = {"suite": "grab", "seed": 0, "families": list(SHARDS), "width_px": 600, **entry}
    return {
        "datasets": {"small": dataset},
        "models": {"blind": {"kind": "blind"}},
        "suites": {"grab": {"policies": ["exact"], "repeats": 1}},
        "significance": {"alpha": 0.05, "resamples": 200, "seed": 0},
        "limit": None,
    }  # fmt: skip


@pytest.fixture(scope="module")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> tuple[Workspace, Counter[str]]:
    """A set of eight questions, made up to its manifest, and the jobs that took."""
    workspace = new_workspace(tmp_path_factory.mktemp("grab") / "clone", config(questions=8))
    return workspace, workspace.build("results/small/manifest.json")


def test_a_small_set_is_generated_drawn_and_validated(
    drawn: tuple[Workspace, Counter[str]],
) -> None:
    workspace, jobs = drawn
    results = workspace.folder / "results/small"
    # The rules that draw have a size in their names, which `jobs_of` does not read.
    assert jobs == {"generate": 2, "floor": 1, "validate": 1, "manifest": 1}
    validation = pd.read_csv(results / "validation.csv")
    assert len(validation) == 8 and validation["agrees"].all()
    assert validation["steps_from_boundary"].min() >= 0.1
    sizes = {Image.open(path).size for path in results.glob("images/transform_*/*.png")}
    assert sizes == {(600, 579)}
    # Eight in proportion to 30 and 50 questions.
    assert len(list(results.glob("images/properties_*/*.png"))) == 3


def test_blind_constants_are_one_text_per_property_and_precision(
    drawn: tuple[Workspace, Counter[str]],
) -> None:
    floor = json.loads((drawn[0].folder / "results/small/floor.json").read_text())
    folds = [fold for shard in SHARDS for fold in floor["shards"][shard]["folds"]]
    assert len(folds) == 4
    assert sum(len(fold["items"]) for fold in folds) == 8
    assert all(isinstance(fold["constants"]["answer"], str) for fold in folds)


def test_more_questions_keep_those_there_are(drawn: tuple[Workspace, Counter[str]]) -> None:
    workspace, _ = drawn
    before = item_lines(workspace.folder)
    workspace.edit_config(**config(questions=16))
    workspace.build("results/small/items/properties_area_bounded.jsonl",
                    "results/small/items/transform_intercepts_and_gradients.jsonl")  # fmt: skip
    after = item_lines(workspace.folder)
    for name, lines in before.items():
        assert len(after[name]) == 2 * len(lines) and after[name][: len(lines)] == lines


def item_lines(folder: Path) -> dict[str, list[str]]:
    paths = sorted((folder / "results/small/items").glob("*.jsonl"))
    return {path.stem: path.read_text().splitlines() for path in paths}
