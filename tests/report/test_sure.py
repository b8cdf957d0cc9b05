"""What could be shown, missing answers, and ranks under other policies, by hand."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace

import pandas as pd
import pytest

from plotchain_lib.power import smallest_difference
from plotchain_lib.report import ReportInputs, load_datasets
from plotchain_lib.report.formatting import write_interval, write_value
from plotchain_lib.report.missing import bounds_of, missing_sections
from plotchain_lib.report.power import power_records, power_sections
from plotchain_lib.report.ranks import rank_changes, told_changes
from plotchain_lib.report.sections import policy_section

MakeInputs = Callable[..., ReportInputs]


def asked(label: str, right: int, wrong: int, missing: int) -> list[dict[str, object]]:
    outcomes = [("answered", True)] * right + [("answered", False)] * wrong
    outcomes += [("pending", False)] * (missing // 2) + [("refused", False)] * (
        missing - missing // 2
    )
    return [{"model": label, "outcome": outcome, "passed": passed} for outcome, passed in outcomes]


def test_missing_answers_all_right_and_all_wrong() -> None:
    rows = asked("a", 8, 2, 0) + asked("b", 6, 1, 3) + asked("c", 5, 5, 0) + asked("d", 5, 4, 1)
    table = bounds_of(pd.DataFrame(rows), ["a", "b", "c", "d"])
    assert table["missing"].tolist() == [0, 3, 0, 1]
    assert table["worst"].tolist() == [0.8, 0.6, 0.5, 0.5]
    assert table["best"].tolist() == [0.8, 0.9, 0.5, 0.6]
    assert table["rank"].tolist() == [1, 2, 3, 3]
    # b may overtake a; d may catch up with b but not pass it; c may fall behind d.
    assert table["rank_best"].tolist() == [1, 1, 3, 2]
    assert table["rank_worst"].tolist() == [2, 2, 4, 3]


def test_a_model_with_every_call_pending_is_anywhere() -> None:
    rows = asked("a", 8, 2, 0) + asked("b", 0, 0, 10)
    table = bounds_of(pd.DataFrame(rows), ["a", "b"])
    assert table[["worst", "best"]].loc["b"].tolist() == [0.0, 1.0]
    assert table[["rank_best", "rank_worst"]].to_numpy().tolist() == [[1, 2], [1, 2]]


def test_the_section_says_when_nothing_is_missing(fake_report: MakeInputs) -> None:
    dataset = load_datasets(fake_report(2, items_per_family=3))[0]
    (section,) = missing_sections(dataset)
    assert section.tables[0].records[0]["model"] in dataset.models
    frame = dataset.verdicts.assign(outcome="answered")
    (section,) = missing_sections(replace(dataset, scores={dataset.headline: frame}))
    assert section.tables == () and "Every call was answered" in section.lead
    assert missing_sections(load_datasets(fake_report(0, "none", items_per_family=1))[0]) == []


def with_power(inputs: ReportInputs) -> ReportInputs:
    """The record of tests as the stage writes it today: with items and discordance."""
    for path in inputs.datasets[0].significance.values():
        record = json.loads(path.read_text())
        for pair in record["pairs"]:
            n = sum(pair[name] for name in ("both", "only_first", "only_second", "neither"))
            pair |= {"items": n, "discordance": (pair["only_first"] + pair["only_second"]) / n}
        path.write_text(json.dumps(record))
    return inputs


def test_power_is_of_one_test_and_of_all(fake_report: MakeInputs) -> None:
    dataset = load_datasets(with_power(fake_report(4, items_per_family=6)))[0]
    records = power_records(dataset)
    assert {row["metric"] for row in records} == {"field_pass_rate", "final_all_pass"}
    for row in records:
        one = smallest_difference(row["discordance"], row["items"], 0.05)
        assert row["detectable"] in (None, one)
        if row["detectable_all"] is not None:  # six pairs a metric
            assert row["detectable_all"] == smallest_difference(
                row["discordance"], row["items"], 0.05 / 6
            )
            assert row["detectable_all"] > row["detectable"]
    (section,) = power_sections(dataset)
    assert len(section.tables[0].records) == 6
    assert len(section.files[0].records) == 12
    assert section.charts[0].name == "power"


def test_a_size_has_no_sign() -> None:
    assert write_value(0.0312, "size") == "3.1"
    assert write_interval(-0.5, 0.25, "number") == "−0.500 to 0.250"
    assert write_interval(0.25, 0.5, "number") == "0.250–0.500"


def test_few_discordant_items_can_show_nothing(fake_report: MakeInputs) -> None:
    inputs = with_power(fake_report(2, items_per_family=2))
    path = inputs.datasets[0].significance["plotread"]
    record = json.loads(path.read_text())
    for pair in record["pairs"]:  # 4 of 450: even all one way McNemar's exact p is 1/8
        pair |= {"items": 450, "discordance": 4 / 450, "test": "McNemar exact"}
    path.write_text(json.dumps(record))
    dataset = load_datasets(inputs)[0]
    assert all(row["detectable"] is None for row in power_records(dataset))
    (section,) = power_sections(dataset)
    assert "too little differs" in section.lead and section.charts == ()


def test_an_older_record_has_no_power(fake_report: MakeInputs) -> None:
    dataset = load_datasets(fake_report(2, items_per_family=2))[0]
    assert all(row["detectable"] is None for row in power_records(dataset))
    assert power_sections(load_datasets(fake_report(1, "one", items_per_family=1))[0]) == []


@pytest.mark.parametrize("same", [False, True])
def test_a_rank_that_changes_is_told(fake_report: MakeInputs, same: bool) -> None:
    inputs = fake_report(3, items_per_family=4, pending=False)
    path = inputs.datasets[0].significance["strict"]
    record = json.loads(path.read_text())
    order = {"gpt-4.1": 0.7, "claude-sonnet-4-5-20250929": 0.8, "gemini-2.5-pro": 0.1}
    for entry in record["metrics"]:
        entry["value"] = order.get(entry["model"], entry["value"])
    path.write_text(json.dumps(record))
    dataset = load_datasets(inputs)[0]
    if same:
        verdicts = dataset.verdicts
        dataset = replace(dataset, scores={"plotread": verdicts, "strict": verdicts.iloc[::-1]})
    changes = rank_changes(dataset)
    told = {(c.model, c.headline_rank, c.rank) for c in changes}
    assert told == {("gpt-4.1", 1, 2), ("claude-sonnet-4-5-20250929", 2, 1)}
    assert all(c.policy == "strict" and c.by_parsing == same for c in changes)
    lead = policy_section(dataset).lead
    assert "Under strict ranks change: gpt-4.1 from 1 to 2, claude-sonnet-4-5-20250929 from" in lead
    assert ("by the reading of the replies alone" in lead) == same


def test_one_order_under_every_policy(fake_report: MakeInputs) -> None:
    dataset = load_datasets(fake_report(3, items_per_family=4, pending=False))[0]
    if not rank_changes(dataset):
        assert told_changes(dataset) == "Every policy ranks the models in the same order."
    lone = load_datasets(fake_report(1, "one", items_per_family=1))[0]
    assert told_changes(lone) == ""
