"""Weighed scores: shares, item scores and what counts as solved, worked out by hand."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from plotchain_lib.item import ANSWER_COLUMNS, PlotChainError
from plotchain_lib.metrics import item_table, metrics
from plotchain_lib.policy import Policy, load_policy
from plotchain_lib.score import TRUTH_COLUMNS
from plotchain_lib.statistics import significance
from plotchain_lib.weighing import score_weighed

ROOT = Path(__file__).resolve().parents[1]


def policy(**weights: float) -> Policy:
    shipped = load_policy(ROOT / "config/policies/matplotgym/decisions.yaml")
    return replace(shipped, weights=weights or shipped.weights)


def truth() -> pd.DataFrame:
    """Task one makes two decisions, task two makes one."""
    rows = [("one", "data_selection"), ("one", "encoding"), ("two", "encoding")]
    return pd.DataFrame(
        [(item, "physics", "physics", "", "final", field, 1.0) for item, field in rows],
        columns=list(TRUTH_COLUMNS),
    )


def answers(*rows: tuple[str, str, int, str, float, str]) -> pd.DataFrame:
    """Model, item, repeat, field, value, outcome."""
    return pd.DataFrame(
        [("d", model, item, repeat, field, value, "why", "direct", outcome, 1.0, 1.0, 1.0, None)
         for model, item, repeat, field, value, outcome in rows],
        columns=list(ANSWER_COLUMNS),
    )  # fmt: skip


ANSWERS = answers(
    ("m", "one", 1, "data_selection", 0.5, "answered"),
    ("m", "one", 1, "encoding", 1.0, "answered"),
    ("m", "one", 2, "data_selection", 1.0, "answered"),
    ("m", "one", 2, "encoding", 1.0, "answered"),
    ("m", "two", 1, "encoding", 0.96, "answered"),
    ("m", "two", 2, "encoding", 1.0, "answered"),
    ("n", "one", 1, "data_selection", 1.0, "answered"),
    ("n", "one", 1, "encoding", 1.0, "answered"),
    ("n", "two", 1, "encoding", np.nan, "rejected"),
)


def test_weights_of_decisions_a_task_does_not_make_leave_the_denominator() -> None:
    frame = score_weighed(ANSWERS, truth(), policy())
    shares = frame[(frame["model"] == "m") & (frame["repeat"] == 1)]["weight"].tolist()
    assert shares == pytest.approx([0.37 / 0.57, 0.20 / 0.57, 1.0])
    first = frame.iloc[0]
    assert first["item_score"] == pytest.approx((0.37 * 0.5 + 0.20) / 0.57)
    assert (first["score"], first["passed"], first["lost"]) == (0.5, False, "why")
    assert frame["abs_tol"].isna().all() and frame["derived"].isna().all()


def test_solved_is_every_attempt() -> None:
    frame = score_weighed(ANSWERS, truth(), policy())
    solved = frame.groupby(["model", "item"])["solved"].first().to_dict()
    reached = frame.groupby(["model", "item", "repeat"])["reached"].first()
    assert set(reached) == {0.0, 1.0}
    assert reached.groupby(["model", "item"]).min().to_dict() == solved
    # m solves "one" in its second attempt alone; n was rejected on "two".
    assert solved == {("m", "one"): 0, ("m", "two"): 1, ("n", "one"): 1, ("n", "two"): 0}
    assert frame.iloc[-1]["score"] == 0.0


def test_means_and_tests_are_of_items() -> None:
    frame = score_weighed(ANSWERS, truth(), policy())
    table = metrics(frame).set_index("model")
    one, two = ((0.37 * 0.5 + 0.2) / 0.57 + 1) / 2, 0.98
    assert table.loc["m", "item_score"] == pytest.approx((one + two) / 2)
    assert table.loc["n", "item_score"] == pytest.approx(0.5)
    assert table.loc["m", "solved"] == table.loc["n", "solved"] == 0.5
    assert len(item_table(frame)) == 6
    found = significance(frame, 0.05, 200, 0, set())
    means = {(m["metric"], m["model"]): m for m in found["metrics"]}
    assert means["item_score", "m"]["value"] == pytest.approx((one + two) / 2)
    assert means["item_score", "m"]["n"] == 2
    assert means["item_score", "m"]["method"] == "bootstrap over items"
    assert means["solved", "n"]["method"] == "Wilson"
    pairs = {pair["metric"]: pair for pair in found["pairs"]}
    assert pairs["item_score"]["difference"] == pytest.approx((one + two) / 2 - 0.5)
    assert pairs["solved"]["only_first"] == pairs["solved"]["only_second"] == 1
    # Verdicts that are not weighed have none of it.
    plain = significance(frame[frame.columns[:20]], 0.05, 200, 0, set())
    assert not {"item_score", "solved"} & {m["metric"] for m in plain["metrics"]}


@pytest.mark.parametrize(
    ("weights", "value", "said"),
    [
        ({"encoding": 1.0}, 1.0, "weights has none for data_selection"),
        ({"data_selection": 1.0, "encoding": 0.0}, 1.0, "no decision of item two has a weight"),
        ({"data_selection": 1.0, "encoding": 1.0}, 1.5, "outside 0 to 1"),
    ],
)
def test_faults(weights: dict[str, float], value: float, said: str) -> None:
    wrong = ANSWERS.assign(value=ANSWERS["value"].mask(ANSWERS.index == 0, value))
    with pytest.raises(PlotChainError, match=said) as caught:
        score_weighed(wrong, truth(), policy(**weights))
    assert "\n" not in str(caught.value)
