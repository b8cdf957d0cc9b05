"""Where a relation holds, and what it gives, on numbers worked out by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from plotchain_lib.derivation import Derivation, recomputed
from plotchain_lib.item import ANSWER_COLUMNS, Field, Item, Relation
from plotchain_lib.policy import Default, Policy
from plotchain_lib.score import score, truth_table

SERIES = Relation(
    "iv", "ohm", ("cp_slope",), "slope - R_series", lambda slope, r: slope - r, given=("r",)
)
POLICY = Policy("test", "plotchain", "", "tolerant", "tolerance", {}, Default(1.0, 0.0, 1.0, 0.0))


def an_item(number: int, ohm: float, slope: float, **params: Any) -> Item:
    fields = (Field("ohm", "", "", "final"), Field("cp_slope", "", "", "checkpoint"))
    return Item(f"iv_{number}", "plotchain", "iv", "iv", "", None, fields,
                {"ohm": ohm, "cp_slope": slope}, params, 0, "clean")  # fmt: skip


def truth(items: list[Item]) -> pd.DataFrame:
    return truth_table(items).assign(room=1.0)


def test_seven_tenths_of_the_items_must_keep_it() -> None:
    good = [an_item(n, 100.0 + n, 120.0 + n, r=20.0) for n in range(7)]
    off = [an_item(n, 100.0, 120.0, r=18.9) for n in range(7, 10)]  # 101.1: out by 1.1
    items = good + off
    ((relation, given),) = Derivation.of(items, [SERIES]).kept(truth(items))
    assert relation is SERIES
    assert given.index.tolist() == [item.id for item in good]
    assert given["r"].tolist() == [20.0] * 7
    assert Derivation.of(items[1:], [SERIES]).kept(truth(items[1:])) == []  # six of nine


def test_the_room_is_part_of_what_passes() -> None:
    items = [an_item(0, 100.0, 120.0, r=19.0)]  # 101: out by exactly the room
    assert len(Derivation.of(items, [SERIES]).kept(truth(items))) == 1


@pytest.mark.parametrize("params", [{}, {"r": None}, {"r": "20"}, {"r": True}, {"r": np.nan}])
def test_an_item_that_prints_no_such_number_keeps_nothing(params: dict[str, Any]) -> None:
    items = [an_item(0, 100.0, 120.0, **params)]
    assert Derivation.of(items, [SERIES]).kept(truth(items)) == []


def test_a_relation_of_another_family_or_of_fields_not_asked_is_left_alone() -> None:
    items = [an_item(0, 100.0, 120.0, r=20.0)]
    others = [
        Relation("pump", "ohm", ("cp_slope",), "", lambda slope: slope),
        Relation("iv", "ohm", ("cp_gone",), "", lambda gone: gone),
        Relation("iv", "gone", ("cp_slope",), "", lambda slope: slope),
    ]
    assert Derivation.of(items, others).kept(truth(items)) == []


def test_nothing_comes_of_a_missing_or_an_impossible_input() -> None:
    ratio = Relation("f", "a", ("b",), "1 / b", lambda b: 1.0 / b)
    assert recomputed(ratio, [np.array([2.0, 0.0, np.nan])]).tolist()[0] == 0.5
    assert np.isnan(recomputed(ratio, [np.array([2.0, 0.0, np.nan])])[1:]).all()


def test_scores_take_each_items_own_printed_number() -> None:
    items = [an_item(0, 100.0, 120.0, r=20.0), an_item(1, 200.0, 250.0, r=50.0)]
    values = {"iv_0": (90.0, 130.0), "iv_1": (200.0, 240.0)}
    rows = [
        ("d", "m", item.id, 1, name, value, "", "direct", "answered", 1.0, 1.0, 1.0, 0.0)
        for item in items
        for name, value in zip(("ohm", "cp_slope"), values[item.id], strict=True)
    ]
    frame = pd.DataFrame(rows, columns=list(ANSWER_COLUMNS))
    derived = score(frame, truth_table(items), POLICY, Derivation.of(items, [SERIES]))["derived"]
    assert derived.tolist()[0::2] == [110.0, 190.0]  # 130 - 20 and 240 - 50
    assert derived.isna().tolist() == [False, True, False, True]


def test_of_two_relations_for_one_field_the_last_kept_counts() -> None:
    items = [an_item(0, 100.0, 120.0, r=20.0), an_item(1, 200.0, 250.0, r=50.0)]
    slope = Relation("iv", "ohm", ("cp_slope",), "slope", lambda slope: slope)
    rows = [
        ("d", "m", item.id, 1, name, 130.0, "", "direct", "answered", 1.0, 1.0, 1.0, 0.0)
        for item in items
        for name in ("ohm", "cp_slope")
    ]
    frame = pd.DataFrame(rows, columns=list(ANSWER_COLUMNS))
    both = score(frame, truth_table(items), POLICY, Derivation.of(items, [slope, SERIES]))
    assert both["derived"].tolist()[0::2] == [110.0, 80.0]
