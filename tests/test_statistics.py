"""Intervals and paired tests, against hand work, closed forms and other libraries."""

from __future__ import annotations

import json
import math
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.stats import bootstrap, ttest_rel
from statsmodels.stats.contingency_tables import mcnemar as statsmodels_mcnemar
from statsmodels.stats.multitest import multipletests

from plotchain_lib.item import SCORE_COLUMNS, PlotChainError
from plotchain_lib.resampling import bootstrap_ratio, holm, mcnemar, sign_flip, wilson
from plotchain_lib.statistics import significance

Passes = dict[str, list[list[int]]]  # model: per item, per field: 1 passed, 0 not


def table(
    passes: Passes, checkpoints: int = 0, repeat: int = 1, outcome: str = "answered"
) -> pd.DataFrame:
    """A score table; the last `checkpoints` fields of each item are checkpoints."""
    rows: list[dict[str, Any]] = []
    for model, items in passes.items():
        for number, fields in enumerate(items):
            for place, passed in enumerate(fields):
                final = place < len(fields) - checkpoints
                rows.append({
                    "dataset": "d", "policy": "p", "model": model, "item": f"i{number:04d}",
                    "repeat": repeat, "shard": "g", "group": f"g{number % 2}",
                    "difficulty": "clean", "scope": "final" if final else "checkpoint",
                    "field": f"f{place}", "value": 1.0, "truth": 1.0, "derived": math.nan,
                    "abs_err": 0.0, "rel_err": 0.0, "abs_tol": 0.0, "rel_tol": 0.0,
                    "score": float(passed), "passed": bool(passed), "outcome": outcome,
                })  # fmt: skip
    return pd.DataFrame(rows, columns=list(SCORE_COLUMNS))


def analysed(scores: pd.DataFrame, baselines: set[str] | None = None) -> dict[str, Any]:
    return significance(scores, 0.05, 500, 0, baselines or set())


def find(records: list[dict[str, Any]], **keys: str) -> dict[str, Any]:
    (record,) = [r for r in records if all(r[key] == value for key, value in keys.items())]
    return record


def test_holm_on_six_p_values_by_hand() -> None:
    # Sorted: .001 x6 = .006, .008 x5 = .04, .012 x4 = .048, .013 x3 = .039 -> .048 (never below
    # the one before), .2 x2 = .4, .9 x1 = .9.
    given = [0.2, 0.001, 0.013, 0.9, 0.012, 0.008]
    assert holm(given) == pytest.approx([0.4, 0.006, 0.048, 0.9, 0.048, 0.04])
    assert holm(given) == pytest.approx(multipletests(given, method="holm")[1])
    assert holm([0.5, 0.6, 0.7]) == [1.0, 1.0, 1.0]
    assert holm([]) == []


def test_wilson_by_hand() -> None:
    # z = 1.959964; centre (8 + z^2/2) / (10 + z^2), half z/(10 + z^2) sqrt(8 * 2 / 10 + z^2/4).
    z = 1.959963984540054
    centre, half = (8 + z**2 / 2) / (10 + z**2), z / (10 + z**2) * math.sqrt(1.6 + z**2 / 4)
    assert wilson(8, 10, 0.05) == pytest.approx((centre - half, centre + half))
    assert wilson(0, 2, 0.05)[0] == 0
    assert wilson(2, 2, 0.05)[1] == 1


@pytest.mark.parametrize(("first", "second"), [(36, 68), (25, 7), (1, 0), (3, 3), (0, 12)])
def test_mcnemar_against_closed_forms(first: int, second: int) -> None:
    n, low = first + second, min(first, second)
    tail = sum(math.comb(n, k) for k in range(low + 1)) / 2**n
    found = mcnemar(first, second)
    assert found["p_exact"] == pytest.approx(min(1.0, 2 * tail), rel=1e-12)
    assert found["p_mid"] == pytest.approx(min(1.0, 2 * tail - math.comb(n, low) / 2**n))
    other = statsmodels_mcnemar([[0, first], [second, 0]], exact=False, correction=True)
    if first != second:  # at equal counts the correction overshoots there
        assert found["chi2_cc"] == pytest.approx(other.statistic)
        assert found["p_chi2_cc"] == pytest.approx(other.pvalue)


def test_bootstrap_against_scipy() -> None:
    random = np.random.default_rng(3)
    whole = random.integers(2, 8, 60).astype(float)
    part = random.binomial(whole.astype(int), 0.7).astype(float)
    ((lower, upper),) = bootstrap_ratio(part[:, None], whole[:, None], 0.05, 20_000, 0)
    other = bootstrap(
        (part, whole), lambda a, b, axis: a.sum(axis) / b.sum(axis), paired=True, n_resamples=20_000,
        method="percentile", rng=np.random.default_rng(1), vectorized=True,
    ).confidence_interval  # fmt: skip
    assert lower == pytest.approx(other.low, abs=0.004)
    assert upper == pytest.approx(other.high, abs=0.004)


def test_sign_flip_against_every_assignment() -> None:
    difference = np.array([2.0, 1.0, -1.0, 3.0, 0.0, 1.0, 1.0, -2.0])
    sums = [abs(np.dot(signs, difference)) for signs in product((-1, 1), repeat=8)]
    exact = np.mean([s >= abs(difference.sum()) - 1e-9 for s in sums])
    (found,) = sign_flip(difference[:, None], 20_000, 0)
    assert found == pytest.approx(exact, abs=0.012)
    assert sign_flip(np.zeros((5, 1)), 100, 0) == [1.0]
    assert sign_flip(np.ones((40, 1)), 99, 0) == [0.01]  # never zero


# Case 19: fields of one item hang together; resampling fields would pretend they do not.
def test_intervals_resample_items_not_fields() -> None:
    random = np.random.default_rng(0)
    items = [[int(p)] * 5 for p in random.random(200) < 0.5]  # all five fields pass or none does
    record = find(analysed(table({"m": items}))["metrics"], metric="field_pass_rate")
    share = np.mean([item[0] for item in items])
    by_item = 2 * 1.96 * math.sqrt(share * (1 - share) / 200)
    assert record["upper"] - record["lower"] == pytest.approx(by_item, rel=0.15)
    assert (record["n"], record["method"]) == (1000, "bootstrap over items")


# Case 18: paired answers need a paired test.
def test_pairs_by_hand() -> None:
    # 40 items: both pass 20, only a 9, only b 1, neither 10. Exact: 2 (1 + 10) / 1024.
    a = [[1]] * 20 + [[1]] * 9 + [[0]] * 1 + [[0]] * 10
    b = [[1]] * 20 + [[0]] * 9 + [[1]] * 1 + [[0]] * 10
    pair = find(analysed(table({"a": a, "b": b}))["pairs"], metric="final_all_pass")
    assert (pair["first"], pair["second"], pair["test"]) == ("a", "b", "McNemar exact")
    cells = [pair[cell] for cell in ("both", "only_first", "only_second", "neither")]
    assert cells == [20, 9, 1, 10]
    assert pair["p"] == pytest.approx(22 / 1024)
    assert pair["difference"] == pytest.approx(0.2)
    assert pair["lower"] < 0.2 < pair["upper"]
    assert (pair["p_holm"], pair["significant"]) == (pair["p"], True)
    assert (pair["items"], pair["discordance"]) == (40, 0.25)
    fields = find(analysed(table({"a": a, "b": b}))["pairs"], metric="field_pass_rate")
    assert fields["test"] == "sign-flip permutation over items"
    assert fields["p"] == pytest.approx(22 / 1024, abs=0.02)


@pytest.mark.filterwarnings("ignore:Precision loss")
def test_zero_variance_is_no_proof() -> None:
    # A paired t on two items with one constant difference gives p = 0; two items prove nothing.
    assert ttest_rel([1.0, 1.0], [0.0, 0.0]).pvalue == 0
    result = analysed(table({"a": [[1], [1]], "b": [[0], [0]]}))
    assert find(result["pairs"], metric="final_all_pass")["p"] == 0.5
    assert find(result["pairs"], metric="field_pass_rate")["p"] > 0.4
    assert not any(pair["significant"] for pair in result["pairs"])


def test_holm_runs_within_a_metric_and_without_baselines() -> None:
    random = np.random.default_rng(5)
    passes = {
        name: [[int(x < rate)] for x in random.random(80)]
        for name, rate in (("a", 0.9), ("b", 0.7), ("c", 0.5), ("blind", 0.2))
    }
    pairs = [p for p in analysed(table(passes), {"blind"})["pairs"] if p["metric"] == "all_pass"]
    assert len(pairs) == 6
    against = [p for p in pairs if "blind" in (p["first"], p["second"])]
    assert len(against) == 3
    assert all(p["p_holm"] is None and p["significant"] is None and p["p"] < 0.05 for p in against)
    rest = [p for p in pairs if p not in against]
    expected = multipletests([p["p"] for p in rest], method="holm")[1]
    assert [p["p_holm"] for p in rest] == pytest.approx(expected)


def test_same_input_same_bytes() -> None:
    random = np.random.default_rng(0)
    passes = {m: random.integers(0, 2, (30, 3)).tolist() for m in ("a", "b")}
    scores = table(passes, checkpoints=1)
    first, second = (
        json.dumps(analysed(s)) for s in (scores, scores.sample(frac=1, random_state=1))
    )
    assert first == second
    assert first != json.dumps(significance(scores, 0.05, 500, 1, set()))


DRAWN = ((3.145, 5.6), 40 / 51)


def test_draws_never_change() -> None:
    # These come from PCG64's raw stream; another NumPy must give the same numbers.
    part = np.arange(10.0)[:, None]
    limits = bootstrap_ratio(part, np.ones((10, 1)), 0.1, 50, 7)
    assert limits[0].tolist() == pytest.approx(DRAWN[0])
    assert sign_flip(part - 4, 50, 7)[0] == pytest.approx(DRAWN[1])


def test_one_model_and_missing_checkpoints() -> None:
    result = analysed(table({"m": [[1, 0], [1, 1], [0, 0]]}))
    assert result["pairs"] == []
    assert {r["metric"] for r in result["metrics"]} == {
        "final_all_pass", "all_pass", "field_pass_rate", "final_field_pass_rate",
    }  # fmt: skip
    item = find(result["metrics"], metric="final_all_pass")
    assert (item["n"], item["passed"], item["method"]) == (3, 1, "Wilson")
    assert item["value"] == pytest.approx(1 / 3)
    assert (item["lower"], item["upper"]) == pytest.approx(wilson(1, 3, 0.05))


def test_identical_models_and_a_single_item() -> None:
    result = analysed(table({"a": [[1], [0]], "b": [[1], [0]]}))
    assert all(p["p"] == 1 and p["difference"] == 0 for p in result["pairs"])
    result = analysed(table({"a": [[1, 1]], "b": [[0, 1]]}))
    assert find(result["pairs"], metric="final_all_pass")["p"] == 1
    assert find(result["metrics"], metric="field_pass_rate", model="b")["lower"] == 0.5


def test_pairs_are_over_common_settled_items() -> None:
    scores = table({"a": [[1], [1], [1], [0]], "b": [[0], [1], [1]]})  # b has no fourth item
    pair = find(analysed(scores)["pairs"], metric="final_all_pass")
    assert pair["both"] + pair["only_first"] + pair["only_second"] + pair["neither"] == 3
    assert pair["difference"] == pytest.approx(1 / 3)
    pending = (scores["model"] == "b") & (scores["item"] == "i0000")
    scores.loc[pending, "outcome"] = "pending"
    result = analysed(scores)
    pair = find(result["pairs"], metric="final_all_pass")
    assert (pair["both"], pair["only_first"], pair["difference"]) == (2, 0, 0.0)
    assert find(result["metrics"], metric="final_all_pass", model="b")["n"] == 3  # headline: all


def test_repeats_are_averaged_and_the_first_is_tested() -> None:
    first = table({"a": [[1], [1]], "b": [[0], [1]]}, repeat=1)
    second = table({"a": [[0], [1]], "b": [[0], [1]]}, repeat=2)
    result = analysed(pd.concat([second, first]))
    record = find(result["metrics"], metric="final_all_pass", model="a")
    assert (record["n"], record["passed"], record["value"]) == (2, 1.5, 0.75)
    pair = find(result["pairs"], metric="final_all_pass")
    assert (pair["only_first"], pair["both"]) == (1, 1)
    assert pair["difference"] == pytest.approx(0.25)


def test_groups() -> None:
    groups = analysed(table({"m": [[1], [0], [1], [1]]}))["groups"]
    assert {g["group"] for g in groups} == {"g0", "g1"}
    record = find(groups, group="g1", metric="final_all_pass")
    assert (record["value"], record["n"]) == (0.5, 2)
    assert (record["lower"], record["upper"]) == pytest.approx(wilson(1, 2, 0.05))
    assert set(record) == {"group", "model", "metric", "value", "lower", "upper", "n"}


def test_faults_say_what_to_do() -> None:
    scores = table({"m": [[1]]})
    with pytest.raises(PlotChainError, match="the table is empty; run the score stage"):
        analysed(scores.iloc[:0])
    with pytest.raises(PlotChainError, match="more than one policy in one table"):
        analysed(pd.concat([scores, scores.assign(policy="q")]))
    for alpha, resamples in ((0.0, 10), (1.0, 10), (0.05, 0)):
        with pytest.raises(PlotChainError, match="out of range"):
            significance(scores, alpha, resamples, 0, set())
