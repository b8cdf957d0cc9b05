"""A generated set of graphs, read and guessed, on the real DAG up to its certificate."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pytest
from clone import new_workspace

SHARDS = ("properties_intercepts_and_gradients", "function_extrema", "transform_range")


@pytest.mark.long
def test_the_certificate_covers_what_the_reader_answers(tmp_path: Path) -> None:
    entry = {"suite": "grab", "seed": 0, "questions": 24, "families": list(SHARDS)}
    workspace = new_workspace(tmp_path / "clone", {
        "datasets": {"graphs": entry | {"width_px": 1126}},
        "models": {"reader": {"kind": "reader"}, "blind": {"kind": "blind"}},
        "suites": {"grab": {"policies": ["exact"], "repeats": 1}},
        "significance": {"alpha": 0.05, "resamples": 200, "seed": 0},
    })  # fmt: skip
    workspace.build()
    results = workspace.folder / "results"
    table = pd.read_csv(results / "graphs/certificate.csv")
    # 150, 100 and 100 questions of the shards' in proportion: 8 each.
    assert table.groupby(table["family"].str.split("/").str[0])["items"].sum().to_dict() == {
        "function": 8, "properties": 8, "transform": 8,
    }  # fmt: skip
    assert (table["pictures"] == table["items"]).all()
    assert set(table["field"]) == {"answer"}
    parts = table[["ceiling", "null_share", "wrong_share"]]
    assert parts.sum(axis=1).tolist() == pytest.approx([1.0] * len(table))
    # A wrong answer is worse than none: of these there is none, and most are read.
    assert (table["wrong_share"] == 0.0).all()
    assert (table["ceiling"] * table["items"]).sum() >= 20
    scores = pd.read_parquet(results / "graphs/scores/exact.parquet")
    own = scores[scores["model"] == "reader"]
    assert own["passed"].sum() == pytest.approx((table["ceiling"] * table["items"]).sum())
    assert (own["outcome"] == "answered").all()  # a null is an answer, not a failed call
    assert 'id="graphs-certificate"' in (results / "report.html").read_text(encoding="utf-8")
    numbers = json.loads((results / "numbers.json").read_text(encoding="utf-8"))
    assert set(numbers["graphs"]["certificate"]) == set(table["family"])
