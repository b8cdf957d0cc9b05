"""The suite's parts as the plan takes them: sizes, settings, floors, validation."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from plotchain_lib import suites
from plotchain_lib.configuration import check
from plotchain_lib.item import PlotChainError
from plotchain_lib.plan import Plan
from plotchain_lib.suites.grab import suite

ROOT = Path(__file__).resolve().parents[3]
SCHEMA = yaml.safe_load((ROOT / "workflow/schemas/config.schema.yaml").read_text())
FEW = "transform_intercepts_and_gradients"


def plan(**entry: Any) -> Plan:
    config = {
        "datasets": {"g": {"suite": "grab", "seed": 0, **entry}},
        "models": {"blind": {"kind": "blind"}},
        "suites": {"grab": {"policies": ["exact"]}},
    }
    check(config, SCHEMA, "config.yaml")
    return Plan(config, "config.yaml", ROOT / "config/policies")


def test_the_default_set_and_lite() -> None:
    dataset = plan().datasets["g"]
    assert len(dataset.shards) == 25 and len(dataset.shard_of) == 2170
    assert dataset.options == {"width_px": 2251}
    lite = plan(lite=True).datasets["g"]
    assert len(lite.shard_of) == 500
    # A question of the small set is the same question of the large one.
    assert all(dataset.shards[shard][: len(ids)] == ids for shard, ids in lite.shards.items())


@pytest.mark.parametrize(
    ("entry", "told"),
    [
        ({"items_per_family": 3}, "datasets.g.items_per_family: suite grab has no such"),
        ({"lite": True, "questions": 10}, "datasets.g: lite has 500 questions; leave out"),
        ({"questions": 0}, "datasets.g.questions: 0 is too small"),
        ({"width_px": 20}, "datasets.g.width_px: 20 is too small"),
        ({"families": ["function_rnage"]}, "did you mean 'function_range'"),
    ],
)  # fmt: skip
def test_bad_entries_are_told_in_one_line(entry: dict[str, Any], told: str) -> None:
    with pytest.raises(PlotChainError) as error:
        plan(**entry)
    assert told in str(error.value) and "\n" not in str(error.value)


def test_floor_validation_and_drawing_of_a_few_items() -> None:
    loaded = suites.load("grab")
    items = loaded.items(FEW, 0, 6, {"width_px": 600})
    drawn = {item.id: loaded.draw(item) for item in items}
    measured = {name: found[2] for name, found in drawn.items()}
    floors = {"shards": {FEW: loaded.calibrate(FEW, 0, items)}}
    for item in items:
        folds = [f for f in floors["shards"][FEW]["folds"] if item.id in f["items"]]
        assert len(folds) == 1
    rows, (summary,) = loaded.validate(items, measured, floors)
    assert [row["agrees"] for row in rows] == [True] * 6
    assert summary["agreeing"] == summary["items"] == 6
    wrong = {**measured, items[2].id: {"answer": "x"}}
    rows, (summary,) = loaded.validate(items, wrong, floors)
    assert [row["item"] for row in rows if not row["agrees"]] == [items[2].id]
    assert summary["agreeing"] == 5
    assert 0.0 <= summary["floor"] <= 1.0


def test_shards_are_tasks_with_categories() -> None:
    assert len(suite.shards()) == 25 and suite.shards() == sorted(suite.shards())
    assert {"properties_functions", "series_correlation"} <= set(suite.shards())
    assert suite.relations() == []
