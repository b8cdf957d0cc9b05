"""Four cells and derivation consistency, worked out by hand."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest

from plotchain_lib.report import ReportInputs, load_datasets
from plotchain_lib.report.bars import broken
from plotchain_lib.report.cells import CELLS, cell_parts, cells_of
from plotchain_lib.report.derivation import derivation_sections, splits_of
from plotchain_lib.report.errors import errors_of
from plotchain_lib.report.summary import all_models

MakeInputs = Callable[..., ReportInputs]
NAN = math.nan


def call(
    item: str, finals: str, steps: str, outcome: str = "answered", **more: Any
) -> list[dict[str, Any]]:
    """One call: a letter a field, ``+`` for passed and ``-`` for failed."""
    fields = [("final", f) for f in finals] + [("checkpoint", s) for s in steps]
    return [
        {"model": "m", "group": "g", "item": item, "repeat": 1, "scope": scope, "field": f"f{n}",
         "passed": mark == "+", "outcome": outcome} | more
        for n, (scope, mark) in enumerate(fields)
    ]  # fmt: skip


def test_each_item_is_in_one_cell() -> None:
    rows = (
        call("a", "++", "+") + call("b", "+", "+++") + call("c", "+-", "++") + call("d", "+", "+-")
        + call("e", "-", "-") + call("f", "-", "-", "truncated") + call("g", "+", "")
        + call("h", "", "+") + call("a", "-", "+", repeat=2) + call("a", "+", "-", model="n")
    )  # fmt: skip
    rows.sort(key=lambda row: str(row["field"]))  # the fields of a call need not stand together
    counts = cells_of(pd.DataFrame(rows))
    assert counts.loc[("m", "g"), list(CELLS)].tolist() == [2, 2, 1, 1, 1]
    assert counts.loc[("m", "g"), "calls"] == 7
    assert counts.loc[("n", "g"), list(CELLS)].tolist() == [0, 0, 1, 0, 0]


def test_without_checkpoints_there_are_no_cells() -> None:
    assert cells_of(pd.DataFrame(call("g", "+", ""))).empty


def test_cells_of_a_report_are_the_all_pass_rates(fake_report: MakeInputs) -> None:
    dataset = load_datasets(fake_report(2, items_per_family=4))[0]
    charts, tables = cell_parts(dataset)
    assert [chart.name for chart in charts] == ["cells", "cells_families"]
    own = dataset.verdicts[dataset.verdicts["model"] == "gpt-4.1"]
    by_scope = own.groupby(["item", "scope"])["passed"].all().unstack().dropna()
    row = next(r for r in tables[0].rows if r["model"] == "gpt-4.1")
    assert row["calls"] == len(by_scope) == 13 * 4  # two families have no checkpoints
    assert row["derived"] == pytest.approx((by_scope["final"] & by_scope["checkpoint"]).mean())
    assert row["lucky"] == pytest.approx((by_scope["final"] & ~by_scope["checkpoint"]).mean())
    assert sum(row[cell] for cell in CELLS) == pytest.approx(1)
    assert len(tables[1].records) == 13 * 4  # families by models


# truth 100, tolerance 10: value, recomputed value, and what it is
SPLITS = [
    (100.0, 101.0, {"decided", "agree"}),  # right, and from its steps
    (100.0, 130.0, {"decided"}),  # right, though its steps lead elsewhere
    (130.0, 131.0, {"decided", "agree", "failed", "reading"}),
    (130.0, 100.0, {"decided", "failed", "arithmetic"}),
    (111.0, 109.0, {"decided", "agree", "failed", "arithmetic"}),  # a hair apart, on either side
    (130.0, 150.0, {"decided", "failed", "both"}),
    (NAN, 100.0, {"failed", "undecided"}),
    (130.0, NAN, {"failed", "undecided"}),
]


def test_a_wrong_result_is_misread_or_miscalculated() -> None:
    frame = pd.DataFrame(
        [
            {"model": "m", "group": "g", "field": "a", "scope": "final", "value": value,
             "truth": 100.0, "derived": derived, "passed": abs(value - 100.0) <= 10.0,
             "item": f"i{n}"}
            for n, (value, derived, _) in enumerate(SPLITS)
        ]
        + [
            {"model": "m", "group": "g", "field": "cp_b", "scope": "checkpoint", "value": 1.0,
             "truth": 1.0, "derived": 1.0, "passed": True, "item": "i0"},
            {"model": "m", "group": "g", "field": "c", "scope": "final", "value": 1.0,
             "truth": 1.0, "derived": NAN, "passed": True, "item": "i0"},
            # Of the last item only the floor's answer let the field be recomputed.
            {"model": "blind", "group": "g", "field": "a", "scope": "final", "value": 100.0,
             "truth": 100.0, "derived": 100.0, "passed": True, "item": "i7"},
        ]
    )  # fmt: skip
    splits = splits_of(frame, np.full(len(frame), 10.0))
    assert splits["model"].tolist() == ["m"] * len(SPLITS) + [
        "blind"
    ]  # checkpoints, and finals that follow from nothing, are out
    names = [name for name in splits.columns if name not in ("model", "group", "field", "finals")]
    for row, (_, _, expected) in zip(splits.to_dict("records"), SPLITS, strict=False):
        assert {name for name in names if row[name]} == expected


def test_the_section_counts_and_names_the_formula(fake_report: MakeInputs) -> None:
    dataset = load_datasets(fake_report(2, items_per_family=4, pending=False))[0]
    assert derivation_sections(dataset, errors_of(dataset.verdicts, all_models(dataset))) == []
    frame = dataset.verdicts.copy()
    follows = frame["field"].eq("value_hz") & frame["group"].eq("pump_curve")
    frame.loc[follows, "derived"] = frame.loc[follows, "truth"]  # the steps are always right
    certificate = dataset.certificate
    assert certificate is not None
    certificate = certificate.assign(
        formula=np.where(certificate["field"] == "value_hz", "a / b", "")
    )
    dataset = replace(
        dataset, scores=dict(dataset.scores) | {dataset.headline: frame}, certificate=certificate
    )
    (section,) = derivation_sections(dataset, errors_of(frame, all_models(dataset)))
    assert section.lead.startswith("1 final field")
    total, fields = section.tables
    assert all(r["finals"] == 4 and r["reading"] == r["both"] == 0 for r in total.rows)
    row = next(r for r in total.rows if r["model"] == "blind")
    assert row["failed"] == row["arithmetic"] + row["undecided"]
    assert {r["formula"] for r in fields.records} == {"a / b"}


def test_long_names_are_broken_where_they_may_be() -> None:
    assert broken("claude-sonnet-4-5-20250929", 15) == "claude-sonnet-\n4-5-20250929"
    assert broken("gpt-4.1", 15) == "gpt-4.1"
    assert broken("abcdefghij", 4) == "abcdefghij"
    assert broken("", 4) == ""
