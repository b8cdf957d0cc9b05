"""Verdicts and metrics, on numbers worked out by hand."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd
import pytest

from plotchain_lib.derivation import Derivation
from plotchain_lib.item import ANSWER_COLUMNS, SCORE_COLUMNS, Field, Item, PlotChainError, Relation
from plotchain_lib.metrics import item_table, metrics
from plotchain_lib.policy import Default, Policy
from plotchain_lib.score import score, truth_table

POLICY = Policy(
    "test", "plotchain", "", "tolerant", "tolerance",
    {("one", "a"): (0.0, 0.1), ("one", "cp_b"): (0.5, 0.0), ("two", "c"): (1.0, 0.01)},
    Default(0.05, 0.08, 1.0, 0.10),
)  # fmt: skip


def item(name: str, group: str, difficulty: str = "clean", **truth: Any) -> Item:
    fields = tuple(
        Field(field, "", "", "checkpoint" if field.startswith("cp_") else "final")
        for field in truth
    )
    return Item(name, "plotchain", group, group, "", None, fields, truth, {}, 0, difficulty)


ITEMS = [
    item("one_0", "one", a=100.0, cp_b=2.0),
    item("one_1", "one", "edge", a=0.0, cp_b=-2.0),
    item("two_0", "two", c=10.0),
]


def answers(
    given: dict[tuple[str, str], float | None],
    model: str = "m",
    repeat: int = 1,
    outcomes: dict[str, str] | None = None,
    latency: dict[str, float] | None = None,
) -> pd.DataFrame:
    rows = [
        ("d", model, i.id, repeat, f.name, given.get((i.id, f.name)), "", "direct",
         (outcomes or {}).get(i.id, "answered"), (latency or {}).get(i.id, 1.0), 1.0, 1.0, 0.0)
        for i in ITEMS
        for f in i.fields
    ]  # fmt: skip
    return pd.DataFrame(rows, columns=list(ANSWER_COLUMNS)).astype({"value": float})


def judged(given: dict[tuple[str, str], float | None], **more: Any) -> pd.DataFrame:
    return score(answers(given, **more), truth_table(ITEMS), POLICY)


def verdict(value: float | None, truth: float, group: str = "one", field: str = "a") -> bool:
    items = [item("x", group, **{field: truth})]
    frame = pd.DataFrame(
        [("d", "m", "x", 1, field, value, "", "direct", "answered", 1.0, 1.0, 1.0, 0.0)],
        columns=list(ANSWER_COLUMNS),
    ).astype({"value": float})
    return bool(score(frame, truth_table(items), POLICY)["passed"].iloc[0])


@pytest.mark.parametrize(
    ("value", "truth", "group", "field", "passes"),
    [
        (109.0, 100.0, "one", "a", True),  # 9 % of 10 %
        (111.0, 100.0, "one", "a", False),
        (-110.0, -100.0, "one", "a", True),  # exactly at the limit
        (100.0, -100.0, "one", "a", False),
        (2.5, 2.0, "one", "cp_b", True),  # exactly at the absolute limit
        (2.6, 2.0, "one", "cp_b", False),
        (11.0, 10.0, "two", "c", True),  # absolute holds, relative does not
        (1009.0, 1000.0, "two", "c", True),  # relative holds, absolute does not
        (0.08, 0.0, "else", "x", True),  # default: 0.08 for small truths
        (0.09, 0.0, "else", "x", False),
        (108.0, 100.0, "else", "x", True),
        (111.0, 100.0, "else", "x", False),
        # Case 4: truth 0 has a relative error of its own, and a predicted 0 is an answer.
        (0.0, 0.0, "one", "a", True),
        (1e-14, 0.0, "one", "a", True),  # 1e-14 / 1e-12 = 1 %
        (1e-12, 0.0, "one", "a", False),
        (0.0, 0.3, "one", "cp_b", True),
        (None, 0.0, "one", "a", False),
        (math.inf, 0.0, "one", "a", False),
    ],
)
def test_passing_rule(
    value: float | None, truth: float, group: str, field: str, passes: bool
) -> None:
    assert verdict(value, truth, group, field) is passes


def test_columns_errors_and_order() -> None:
    frame = judged({("one_0", "a"): 90.0, ("one_0", "cp_b"): 3.0, ("two_0", "c"): 10.0})
    assert tuple(frame.columns) == SCORE_COLUMNS
    assert frame["item"].tolist() == ["one_0", "one_0", "one_1", "one_1", "two_0"]
    assert frame["scope"].tolist() == ["final", "checkpoint", "final", "checkpoint", "final"]
    assert frame["abs_err"].tolist()[:2] == [10.0, 1.0]
    assert frame["rel_err"].tolist()[:2] == [0.1, 0.5]
    assert frame["abs_err"].isna().tolist() == [False, False, True, True, False]
    assert frame["passed"].tolist() == [True, False, False, False, True]
    assert frame["score"].tolist() == [1.0, 0.0, 0.0, 0.0, 1.0]
    assert set(frame["policy"]) == {"test"}
    assert frame["difficulty"].tolist()[2] == "edge"


def test_an_unanswered_call_has_no_value_whatever_its_row_says() -> None:
    outcomes = {"one_0": "pending", "two_0": "refused"}
    frame = judged({("one_0", "a"): 100.0, ("two_0", "c"): 10.0}, outcomes=outcomes)
    assert len(frame) == 5
    assert not frame["passed"].any()
    assert frame["value"].isna().all()
    assert frame["outcome"].tolist()[:2] == ["pending", "pending"]


def test_derived_from_the_same_answer() -> None:
    relations = [
        Relation("one", "cp_b", ("a",), "a / 50 - 2", lambda a: np.where(a == 0, -2, a / 50)),
        Relation("one", "a", ("cp_b", "gone"), "", lambda b, g: b + g),
        Relation("two", "c", ("c",), "1 / (c - 10)", lambda c: 1 / (c - 10)),
    ]
    frame = score(
        pd.concat([answers({("one_0", "a"): 200.0, ("two_0", "c"): 10.0}),
                   answers({("one_0", "a"): 50.0}, model="n")]),
        truth_table(ITEMS), POLICY, Derivation.of(ITEMS, relations),
    )  # fmt: skip
    derived = frame["derived"].to_numpy()
    assert derived[[1, 6]].tolist() == [4.0, 1.0]  # each model's own answer
    assert np.isnan(np.delete(derived, [1, 6])).all()  # missing inputs and 1 / 0 give none


def test_faults_say_what_to_do() -> None:
    truth = truth_table(ITEMS)
    good = answers({})
    with pytest.raises(PlotChainError, match="column 'outcome' is missing; delete"):
        score(good.drop(columns="outcome"), truth, POLICY)
    with pytest.raises(PlotChainError, match="m answers a of one_0 twice in repeat 1"):
        score(pd.concat([good, good]), truth, POLICY)
    with pytest.raises(PlotChainError, match="two_0 has no field 'c' in this dataset"):
        score(good, truth[truth["item"] != "two_0"], POLICY)
    with pytest.raises(PlotChainError, match="item x: the truth of a is 'big'"):
        truth_table([item("x", "one", a="big")])
    with pytest.raises(PlotChainError, match="no column 'colour'"):
        metrics(judged({}), by=("colour",))
    assert score(good.iloc[:0], truth, POLICY).empty


def test_metrics_by_hand() -> None:
    given = {
        ("one_0", "a"): 100.0, ("one_0", "cp_b"): 3.0,  # final passes, checkpoint fails by 1
        ("one_1", "a"): None, ("one_1", "cp_b"): -2.0,  # final missing, checkpoint passes
        ("two_0", "c"): 10.5,  # passes, off by 0.5
    }  # fmt: skip
    latency = {"one_0": 1.0, "one_1": 2.0, "two_0": 6.0}
    calls = answers(given, latency=latency)
    row = metrics(score(calls, truth_table(ITEMS), POLICY), answers=calls).iloc[0]
    expected = {
        "n": 5, "passes": 3, "field_pass_rate": 3 / 5, "n_final": 3, "final_passes": 2,
        "final_field_pass_rate": 2 / 3, "n_checkpoint": 2, "checkpoint_passes": 1,
        "checkpoint_field_pass_rate": 1 / 2, "n_items": 3, "n_checkpoint_items": 2,
        "final_all_passes": 2, "final_all_pass": 2 / 3, "checkpoint_all_passes": 1,
        "checkpoint_all_pass": 1 / 2, "all_passes": 1, "all_pass": 1 / 3,
        "item_final_field_rate": 2 / 3, "nulls": 1, "read_field_pass_rate": 3 / 4,
        "read_item_field_pass_rate": (1 / 2 + 1 + 1) / 3, "pending_items": 0,
        "mean_abs_err": 1.5 / 4, "median_abs_err": 0.25, "mean_rel_err": (0.5 + 0.05) / 4,
        "median_rel_err": 0.025, "latency_item_mean": 3.0, "latency_item_median": 2.0,
        "latency_field_mean": (1 + 1 + 2 + 2 + 6) / 5,
    }  # fmt: skip
    for name, value in expected.items():
        assert row[name] == pytest.approx(value), name


# Case 16: neither dropping nor counting failed calls alone: both stand side by side.
def test_both_denominators_of_pending_calls() -> None:
    given: dict[tuple[str, str], float | None] = {("one_0", "a"): 100.0, ("one_0", "cp_b"): 2.0}
    outcomes = {"one_1": "pending", "two_0": "rejected"}
    row = metrics(judged(given, outcomes=outcomes)).iloc[0]
    assert row["field_pass_rate"] == pytest.approx(2 / 5)  # every item
    assert row["settled_field_pass_rate"] == pytest.approx(2 / 3)  # without the pending one
    assert row["read_field_pass_rate"] == pytest.approx(1.0)  # only fields with a number
    assert row["final_all_pass"] == pytest.approx(1 / 3)
    assert row["settled_final_all_pass"] == pytest.approx(1 / 2)
    assert row["pending_items"] == 1
    assert row["nulls"] == 3
    everything = dict.fromkeys(("one_0", "one_1", "two_0"), "pending")
    row = metrics(judged({}, outcomes=everything)).iloc[0]
    assert row["field_pass_rate"] == 0
    assert math.isnan(row["settled_field_pass_rate"])
    assert math.isnan(row["mean_abs_err"])


def test_breakdowns() -> None:
    frame = judged({("one_0", "a"): 100.0, ("two_0", "c"): 99.0})
    groups = metrics(frame, by=("model", "group")).set_index("group")
    assert groups["final_all_pass"].to_dict() == {"one": 0.5, "two": 0.0}
    assert groups["n_checkpoint_items"].to_dict() == {"one": 2, "two": 0}
    assert math.isnan(groups.loc["two", "checkpoint_all_pass"])
    hard = metrics(frame, by=("model", "difficulty")).set_index("difficulty")
    assert hard["n_items"].to_dict() == {"clean": 2, "edge": 1}
    fields = metrics(frame, by=("model", "group", "field")).set_index("field")
    assert fields["passes"].to_dict() == {"a": 1, "c": 0, "cp_b": 0}
    assert fields["latency_item_mean"].isna().all()


def test_item_table_with_repeats() -> None:
    one, two = judged({("one_0", "a"): 100.0}), judged({}, repeat=2)
    table = item_table(pd.concat([one, two]))
    assert table[["item", "repeat"]].to_numpy().tolist()[:2] == [["one_0", 1], ["one_0", 2]]
    assert table["final_all_pass"].tolist()[:2] == [1.0, 0.0]
    assert table["checkpoint_all_pass"].isna().tolist() == [False] * 4 + [True] * 2
