"""Every published number of two models, from their raw replies, by this project's code.

Needs the released data, which users do not have: the folder named by PLOTCHAIN_REFERENCE.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from plotchain_lib.item import Item
from plotchain_lib.metrics import metrics
from plotchain_lib.parse import parse_responses
from plotchain_lib.policy import load_policy
from plotchain_lib.releases import read_release
from plotchain_lib.resampling import mcnemar
from plotchain_lib.score import score, truth_table
from plotchain_lib.statistics import significance

POLICIES = Path(__file__).parents[1] / "config" / "policies" / "plotchain"
RAW = {
    "GPT-4.1": "raw_openai_gpt-4.1.jsonl",
    "Claude Sonnet 4.5": "raw_anthropic_claude-sonnet-4-5-20250929.jsonl",
}
# The published key to ours. Every published key of a model must be here.
MODEL_KEYS = {
    "n": "n", "n_final": "n_final", "n_cp": "n_checkpoint",
    "overall_field_pass_rate": "field_pass_rate",
    "final_field_pass_rate": "final_field_pass_rate",
    "checkpoint_field_pass_rate": "checkpoint_field_pass_rate",
    "n_pass": "passes", "n_final_pass": "final_passes", "n_cp_pass": "checkpoint_passes",
    "item_final_allpass_rate": "final_all_pass", "n_item_final_allpass": "final_all_passes",
    "item_checkpoint_allpass_rate": "checkpoint_all_pass",
    "n_items_with_cp": "n_checkpoint_items", "n_item_cp_allpass": "checkpoint_all_passes",
    "n_item_everything_pass": "all_passes", "item_final_field_accuracy": "item_final_field_rate",
    "mean_abs_err": "mean_abs_err", "mean_rel_err": "mean_rel_err", "n_null": "nulls",
    "mean_latency_fieldweighted": "latency_field_mean",
    "mean_latency_itemweighted": "latency_item_mean",
    "median_latency_item": "latency_item_median",
}  # fmt: skip
FAMILY_KEYS = {
    "final_field_pass": "final_field_pass_rate", "final_allpass": "final_all_pass",
    "n_final_allpass": "final_all_passes", "cp_field_pass": "checkpoint_field_pass_rate",
    "cp_allpass": "checkpoint_all_pass", "overall_field_pass": "field_pass_rate",
}  # fmt: skip
FIELD_KEYS = {
    "n": "n", "n_pass": "passes", "n_null": "nulls", "mean_abs_err": "mean_abs_err",
    "median_abs_err": "median_abs_err", "mean_rel_err": "mean_rel_err",
}  # fmt: skip
METRIC_OF = {
    "item_final_allpass": "final_all_pass",
    "item_checkpoint_allpass": "checkpoint_all_pass",
}


@pytest.fixture(scope="module")
def reference() -> Path:
    folder = os.environ.get("PLOTCHAIN_REFERENCE")
    if not folder:
        pytest.skip("PLOTCHAIN_REFERENCE is not set: the released data are not at hand")
    return Path(folder) / "plotchain"


@pytest.fixture(scope="module")
def published(reference: Path) -> dict[str, Any]:
    content: dict[str, Any] = json.loads((reference / "published.json").read_text("utf-8"))
    return content


@pytest.fixture(scope="module")
def items(reference: Path) -> list[Item]:
    return read_release(reference)


@pytest.fixture(scope="module")
def responses(reference: Path, tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """The raw replies as response files."""
    folder = tmp_path_factory.mktemp("responses")
    files = []
    for model, name in RAW.items():
        (folder / model).mkdir()
        for line in (reference / name).read_text(encoding="utf-8").splitlines():
            raw = json.loads(line)
            record = {
                "dataset": "published", "model": model, "item": raw["id"], "repeat": 1,
                "outcome": "answered", "text": raw["raw_text"], "latency_s": raw["latency_s"],
            }  # fmt: skip
            files.append(folder / model / f"{raw['id']}.1.json")
            files[-1].write_text(json.dumps(record), encoding="utf-8")
    return files


@pytest.fixture(scope="module", params=["paper", "tolerant"])
def answers(
    request: pytest.FixtureRequest, responses: list[Path], items: list[Item]
) -> pd.DataFrame:
    return parse_responses(responses, items, request.param)


def judged(answers: pd.DataFrame, items: list[Item], policy: str) -> pd.DataFrame:
    return score(answers, truth_table(items), load_policy(POLICIES / f"{policy}.yaml"))


def compare(row: pd.Series[Any], expected: dict[str, Any], keys: dict[str, str]) -> int:
    assert set(expected) <= set(keys), "a published key that nobody compares"
    for key, value in expected.items():
        if value is None:
            assert pd.isna(row[keys[key]]), key
        else:
            assert row[keys[key]] == pytest.approx(value, rel=1e-9, abs=1e-9), key
    return len(expected)


@pytest.mark.parametrize("policy", ["plotread", "strict"])
def test_models(
    answers: pd.DataFrame, items: list[Item], published: dict[str, Any], policy: str
) -> None:
    table = metrics(judged(answers, items, policy), answers=answers).set_index("model")
    compared = sum(
        compare(table.loc[model], entry[policy], MODEL_KEYS)
        for model, entry in published["models"].items()
    )
    assert compared == 44


def test_families(answers: pd.DataFrame, items: list[Item], published: dict[str, Any]) -> None:
    table = metrics(judged(answers, items, "plotread"), by=("model", "group"))
    table = table.set_index(["group", "model"])
    for family, models in published["family"].items():
        for model, entry in models.items():
            compare(table.loc[(family, model)], entry, FAMILY_KEYS)
    assert len(published["family"]) == 15


def test_fields(answers: pd.DataFrame, items: list[Item], published: dict[str, Any]) -> None:
    table = metrics(judged(answers, items, "plotread"), by=("model", "group", "field"))
    table = table.set_index(["group", "field", "model"])
    compared = 0
    for family, fields in published["per_field"].items():
        for name, models in fields.items():
            for model, entry in models.items():
                compared += compare(table.loc[(family, name, model)], entry, FIELD_KEYS)
    assert compared == 58 * 2 * 6


@pytest.mark.parametrize("policy", ["plotread", "strict"])
def test_paired_tests(
    answers: pd.DataFrame, items: list[Item], published: dict[str, Any], policy: str
) -> None:
    pairs = significance(judged(answers, items, policy), 0.05, 10_000, 0, set())["pairs"]
    for name, records in published["mcnemar"].items():
        metric, of_policy = name.split("/")
        for expected in records if of_policy == policy else []:
            (pair,) = [pair for pair in pairs if pair["metric"] == METRIC_OF[metric]]
            assert (pair["first"], pair["second"]) == (expected["model1"], expected["model2"])
            cells = [pair[cell] for cell in ("both", "only_first", "only_second", "neither")]
            assert cells == [expected[c] for c in ("both_pass", "only1", "only2", "both_fail")]
            assert pair["difference"] == pytest.approx(expected["diff"], abs=1e-9)
            assert pair["p"] == pytest.approx(expected["p_exact"], abs=1e-9)
            assert pair["lower"] == pytest.approx(expected["boot_ci"][0], abs=0.005)
            assert pair["upper"] == pytest.approx(expected["boot_ci"][1], abs=0.005)
            other = mcnemar(expected["only1"], expected["only2"])
            for ours, key in (
                ("p_exact", "p_exact"), ("p_mid", "p_mid"),
                ("chi2_cc", "chi2_cc"), ("p_chi2_cc", "p_chi2_cc"),
            ):  # fmt: skip
                assert other[ours] == pytest.approx(expected[key], rel=1e-9)
