"""A wrong configuration: one line that names file, place and remedy, before any job starts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from plotchain_lib.configuration import check
from plotchain_lib.item import PlotChainError
from plotchain_lib.plan import Plan
from plotchain_lib.report_plan import report_inputs

ROOT = Path(__file__).resolve().parents[1]
SCHEMA = yaml.safe_load((ROOT / "workflow/schemas/config.schema.yaml").read_text())


def config() -> Any:
    return yaml.safe_load((ROOT / "config/config.yaml").read_text())


def complaint(changed: Any) -> str:
    with pytest.raises(PlotChainError) as error:
        check(changed, SCHEMA, "config/config.yaml")
        Plan(changed, "config/config.yaml", ROOT / "config/policies")
    text = str(error.value)
    assert "\n" not in text
    return text


def changed(path: str, value: Any) -> Any:
    whole = config()
    *parents, last = path.split("/")
    place = whole
    for key in parents:
        place = place[key]
    place[last] = value
    return whole


def test_shipped_configuration_is_right() -> None:
    check(config(), SCHEMA, "config/config.yaml")
    plan = Plan(config(), "config/config.yaml", ROOT / "config/policies")
    assert len(plan.responses("plotchain", "blind")) == 450
    assert plan.baselines == ["reader", "blind"]


@pytest.mark.parametrize(
    ("path", "value", "says"),
    [
        ("modles", {}, "unknown key 'modles'; did you mean 'models'?"),
        ("datasets/plotchain/itmes_per_family", 3, "did you mean 'items_per_family'?"),
        ("datasets/plotchain/items_per_family", -3, "datasets.plotchain.items_per_family: -3 is too small; give 1 or more"),
        ("datasets/plotchain/items_per_family", "30", "give a whole number"),
        ("datasets/plotchain/families", ["step_respons"], "unknown family 'step_respons'; did you mean 'step_response'?"),
        ("datasets/plotchain/suite", "plotchian", "'plotchian' is not known; choose one of ['plotchain', 'grab', 'matplotgym']"),
        ("datasets/plotchain/release", "x", "either a seed"),
        ("datasets/a b", {"suite": "plotchain", "seed": 0}, "'a b' is no label"),
        ("models/blind/kind", "blnd", "models.blind: unknown kind 'blnd'; did you mean 'blind'?"),
        ("models/m", {"kind": "recorded", "file": "gone.jsonl"}, "models.m.file: no such file 'gone.jsonl'"),
        ("models/m", {"kind": "recorded"}, "models.m.file"),
        ("models/m", {"kind": "blind", "temperature": 0}, "models.m: a model of kind 'blind' has no setting 'temperature'"),
        ("models/m", {"kind": "blind", "datasets": ["plot"]}, "unknown dataset 'plot'; did you mean 'plotchain'?"),
        ("suites/plotchain/policies", ["plotreed"], "no file"),
        ("suites/plotchain/repeats", 0, "suites.plotchain.repeats: 0 is too small"),
        ("suites", {}, "suites.plotchain is missing"),
        ("significance/alpha", 1.5, "significance.alpha: 1.5 is too large; give less than 1"),
        ("limit", 0, "limit: 0 is too small"),
        ("significance/alpha", float("nan"), "nan is not between 0 and 1"),
        ("datasets/figures", {"suite": "plotchain", "seed": 0}, "datasets.figures: the name is taken"),
        ("models/a\n", {"kind": "blind"}, "is no label"),
        ("models/" + "x" * 101, {"kind": "blind"}, "is no label"),
        ("models/Long" + "ab" * 20, {"kind": "blind"}, "nothing twenty times over"),
        ("models", None, "models: None is of the wrong type; give a mapping"),
    ],
)  # fmt: skip
def test_every_fault_is_one_line_with_place_and_remedy(path: str, value: Any, says: str) -> None:
    text = complaint(changed(path, value))
    assert text.startswith("config/config.yaml: ")
    assert says in text


def test_missing_section() -> None:
    whole = config()
    del whole["models"]
    assert "'models' is missing; add it" in complaint(whole)


def test_release_that_is_not_there() -> None:
    whole = changed("datasets/published", {"suite": "plotchain", "release": "nowhere"})
    with pytest.raises(PlotChainError, match=r"nowhere/plotchain\.jsonl"):
        Plan(whole, "config/config.yaml", ROOT / "config/policies")


def test_whole_floats_count_as_whole_numbers() -> None:
    whole = changed("limit", 1.0)
    check(whole, SCHEMA, "c")
    assert len(Plan(whole, "c", ROOT / "config/policies").responses("plotchain", "blind")) == 15


def test_policy_with_an_unknown_family(tmp_path: Path) -> None:
    text = (ROOT / "config/policies/plotchain/plotread.yaml").read_text()
    (tmp_path / "plotchain").mkdir()
    (tmp_path / "plotchain/mine.yaml").write_text(
        text.replace("[bandpass_response", "[bandpas_response", 1)
    )
    with pytest.raises(PlotChainError, match=r"mine\.yaml.*did you mean 'bandpass_response'"):
        Plan(changed("suites/plotchain/policies", ["mine"]), "c", tmp_path)


def test_report_shows_what_a_reader_saw_only_where_one_is_asked() -> None:
    whole = changed("datasets/other", {"suite": "plotchain", "seed": 1})
    whole["models"] = {"r": {"kind": "reader", "datasets": ["other"]}, "b": {"kind": "blind"}}
    plan = Plan(whole, "c", ROOT / "config/policies")
    datasets = report_inputs(plan)["datasets"]
    assert {name: entry["browser"]["overlays"] for name, entry in datasets.items()} == {
        "plotchain": None, "other": "results/other/overlays.parquet",
    }  # fmt: skip
    assert plan.label_of("other", "reader") == "r"
    assert plan.label_of("plotchain", "reader") == ""
    assert datasets["other"]["certificate"] == "results/other/certificate.csv"


@pytest.mark.parametrize(("per_family", "limit", "reduced"), [(40, None, False), (41, None, True),
                                                            (200, 40, False)])  # fmt: skip
def test_pictures_are_reduced_past_600_items_in_the_report(
    per_family: int, limit: int | None, reduced: bool
) -> None:
    whole = changed("datasets/plotchain/items_per_family", per_family) | {"limit": limit}
    plan = Plan(whole, "c", ROOT / "config/policies")
    assert plan.reduced_pictures is reduced
    assert report_inputs(plan)["datasets"]["plotchain"]["browser"]["reduced"] is reduced


def test_limit_and_repeats_and_model_datasets() -> None:
    whole = changed("limit", 2)
    whole["suites"]["plotchain"]["repeats"] = 3
    whole["datasets"]["other"] = {"suite": "plotchain", "seed": 1, "families": ["iv_diode"]}
    whole["models"]["second"] = {"kind": "blind", "datasets": ["other"]}
    plan = Plan(whole, "c", ROOT / "config/policies")
    assert plan.responses("other", "second") == [
        f"results/other/responses/second/iv_diode_00{index}.{repeat}.json"
        for index in (0, 1)
        for repeat in (1, 2, 3)
    ]
    assert [m.label for m in plan.models_of("plotchain")] == ["reader", "blind"]
    assert len(plan.pictures("other", "iv_diode")) == 30
