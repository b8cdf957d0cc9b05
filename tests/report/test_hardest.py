"""The hardest items, worked out by hand from three models."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from plotchain_lib.report import ReportInputs, load_datasets
from plotchain_lib.report.hardest import MOST_SHOWN, hardest_section

MakeInputs = Callable[..., ReportInputs]


def test_the_fewest_fields_passed_come_first(fake_report: MakeInputs) -> None:
    (dataset,) = load_datasets(fake_report(3, items_per_family=2))
    frame = dataset.verdicts.assign(passed=True)
    never = frame["item"] == "pump_curve_001"
    half = (frame["item"] == "iv_diode_000") & (frame["model"] == "gpt-4.1")
    frame.loc[never | half, "passed"] = False
    changed = replace(dataset, scores={**dataset.scores, "plotread": frame}, browsable=True)
    (section,) = hardest_section(changed)
    (table,) = section.tables
    first, second, third = table.records[:3]
    assert (first["item"], first["passed"], first["models"]) == ("pump_curve_001", 0.0, 0)
    assert first["ceiling"] == 0.0
    assert (second["item"], round(second["passed"], 4), second["models"]) == (
        "iv_diode_000", 0.6667, 2,
    )  # fmt: skip
    assert (third["passed"], third["models"], third["ceiling"]) == (1.0, 3, 1.0)
    assert first["address"] == "#item=plotchain/pump_curve_001"
    assert len(table.records) == MOST_SHOWN


def test_without_a_model_there_is_nothing_to_show(fake_report: MakeInputs) -> None:
    (dataset,) = load_datasets(fake_report(0, items_per_family=1))
    assert hardest_section(dataset) == []
    (shown,) = load_datasets(fake_report(1, "one", items_per_family=1))
    (section,) = hardest_section(shown)
    assert all(not column.link for column in section.tables[0].columns)
