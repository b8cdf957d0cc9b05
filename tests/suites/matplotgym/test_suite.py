"""Tasks as items: ids, prompts, truths, agents' scripts, and the plan that asks for them."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from plotchain_lib import suites
from plotchain_lib.item import Item, PlotChainError
from plotchain_lib.plan import Plan
from plotchain_lib.suites.matplotgym import catalogue, suite
from plotchain_lib.suites.matplotgym.audit import tampering
from plotchain_lib.suites.matplotgym.floor import scripts
from plotchain_lib.suites.matplotgym.task import tasks_root
from plotchain_lib.suites.matplotgym.words import DECISIONS, DISCIPLINES

ROOT = Path(__file__).resolve().parents[3]
SHIPPED: dict[str, Any] = {"tasks": ""}


def plan(datasets: dict[str, Any], models: dict[str, Any], **settings: Any) -> Plan:
    config = {
        "datasets": datasets,
        "models": models,
        "suites": {
            "matplotgym": {"policies": ["decisions", "equal"], **settings},
            "plotchain": {"policies": ["plotread"]},
        },
    }
    return Plan(config, "config.yaml", ROOT / "config/policies")


def test_every_discipline_has_its_shipped_tasks_as_items() -> None:
    assert suite.shards() == sorted(DISCIPLINES)
    total = 0
    for shard, names in suite.ids({}).items():
        items = suite.items(shard, None, len(names), SHIPPED)
        assert tuple(item.id for item in items) == names
        total += len(items)
        for item in items:
            assert Item.from_json(item.to_json()) == item
            assert set(item.truth.values()) == {1.0}
            assert [field.name for field in item.fields] == [
                d for d in DECISIONS if d in item.truth
            ]
            assert " ".join(item.params["claim"].split()) in item.prompt
            assert item.params["title"] not in item.prompt.partition("data/SCHEMA.md says")[0]
    assert total >= 24


def test_what_generate_makes_depends_on_the_files_of_its_shard_alone(tmp_path: Path) -> None:
    for name in ("smoking-weight-gain", "ultrasonic-attenuation"):
        shutil.copytree(tasks_root() / name, tmp_path / name)
    chosen = suite.options({"tasks": str(tmp_path)})
    before = {shard: suite.shard_data(shard, chosen) for shard in ("medicine", "physics")}
    schema = tmp_path / "smoking-weight-gain/workspace/data/SCHEMA.md"
    schema.write_text(schema.read_text() + "\n")
    after = {shard: suite.shard_data(shard, chosen) for shard in before}
    assert after["physics"] == before["physics"] and after["medicine"] != before["medicine"]


@pytest.mark.parametrize("decision", DECISIONS)
def test_scripts_of_agents_need_nothing_of_the_library(decision: str) -> None:
    item = suite.items("physics", None, 1, SHIPPED)[0]
    text = scripts(item)[f"degraded-{decision}"]
    assert "plotchain" not in text
    assert tampering(text) == []
    compile(text, "make_figure.py", "exec")


def test_models_are_asked_what_their_kind_can_answer() -> None:
    datasets = {
        "d": {"suite": "matplotgym", "families": ["physics"]},
        "p": {"suite": "plotchain", "seed": 0, "items_per_family": 1},
    }
    models = {
        "reader": {"kind": "reader"}, "blind": {"kind": "blind"}, "reference": {"kind": "reference"},
        "lazy": {"kind": "lazy", "figure": "table"},
    }  # fmt: skip
    found = plan(datasets, models)
    assert [m.label for m in found.models_of("d")] == ["reference", "lazy"]
    assert [m.label for m in found.models_of("p")] == ["reader", "blind"]
    assert found.baselines == list(models)
    assert (found.repeats("d"), found.repeats("p")) == (3, 1)
    assert found.player("d") == "plotchain_lib.suites.matplotgym.player:play_item"
    assert found.player("p") == "" and found.player_options("d") == {}
    assert plan(datasets, models, unsealed=True).player_options("d") == {"unsealed": True}
    assert found.source("d", "lazy") == "results/d/floor.json"
    assert not found.shows_picture("d", "reference") and found.shows_picture("p", "reader")


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        ({"seed": 0}, "datasets.d.seed: suite matplotgym draws no lots; remove it"),
        ({"release": "x"}, "datasets.d.release: suite matplotgym has none; remove it"),
        ({"tasks": "nowhere"}, "datasets.d: tasks: no such folder 'nowhere'"),
        ({"families": ["physic"]}, "did you mean 'physics'"),
        ({"items_per_family": 3}, "items_per_family: suite matplotgym has no such setting"),
    ],
)
def test_entries_that_cannot_be(entry: dict[str, Any], said: str) -> None:
    with pytest.raises(PlotChainError, match=said) as caught:
        plan({"d": {"suite": "matplotgym", **entry}}, {"lazy": {"kind": "lazy", "figure": "table"}})
    assert "\n" not in str(caught.value)


def test_a_kind_that_cannot_play_is_refused_where_it_is_named() -> None:
    models = {"reader": {"kind": "reader", "datasets": ["d"]}}
    said = "models.reader.datasets: kind reader cannot answer the episodes of d"
    with pytest.raises(PlotChainError, match=said):
        plan({"d": {"suite": "matplotgym"}}, models)


def test_folders_of_tasks_with_a_fault_are_told_before_any_job(tmp_path: Path) -> None:
    with pytest.raises(PlotChainError, match=r"holds no folder with a task\.yaml"):
        catalogue.ids(str(tmp_path))
    (tmp_path / "a b").mkdir()
    (tmp_path / "a b/task.yaml").write_text("discipline: physics\n")
    with pytest.raises(PlotChainError, match="is no label"):
        catalogue.ids(str(tmp_path))
    (tmp_path / "a b").rename(tmp_path / "ab")
    assert catalogue.ids(str(tmp_path)) == {"physics": ("ab",)}
    with pytest.raises(PlotChainError, match=r"ab: reference\.py is missing|ab: .* missing"):
        suite.items("physics", None, 1, {"tasks": str(tmp_path)})
    (tmp_path / "ab/task.yaml").write_text("discipline: alchemy\n")
    with pytest.raises(PlotChainError, match="unknown discipline 'alchemy'"):
        catalogue.ids(str(tmp_path))
    (tmp_path / "ab/task.yaml").write_text("discipline: [\n")
    with pytest.raises(PlotChainError, match="names no discipline"):
        catalogue.ids(str(tmp_path))


def test_a_task_whose_spec_is_not_written_yet_is_told_how(tmp_path: Path) -> None:
    shutil.copytree(tasks_root() / "ultrasonic-attenuation", tmp_path / "ultrasonic-attenuation")
    (tmp_path / "ultrasonic-attenuation/reference_spec.json").unlink()
    (item,) = suite.items("physics", None, 1, {"tasks": str(tmp_path)})
    for use in (scripts, suite.draw):
        with pytest.raises(PlotChainError, match="is missing; write it with benchmarks/matplotgym"):
            use(item)


def test_only_this_suite_plays() -> None:
    assert suites.player("plotchain") == suites.player("grab") == ""
    assert suites.is_seeded("grab") and not suites.is_seeded("matplotgym")
    assert suites.shard_data("grab", "properties", {}) == ""
