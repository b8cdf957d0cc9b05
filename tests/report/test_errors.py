"""Errors in units of the tolerance, bias and scaled tolerances, worked out by hand."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binom

from plotchain_lib.report import ReportInputs, load_datasets
from plotchain_lib.report.axes import axis_sections
from plotchain_lib.report.bias import bias_of, bias_section, rank_of_limit
from plotchain_lib.report.errors import (
    EDGES,
    STEPS,
    Errors,
    error_section,
    errors_of,
    quantiles,
    shares_below,
)
from plotchain_lib.report.figures import NARROW_INCHES, WIDE_INCHES
from plotchain_lib.report.forest import Span, forest_chart
from plotchain_lib.report.lines import spread
from plotchain_lib.report.summary import all_models
from plotchain_lib.report.tolerance import SCALES, rank_changes, ranks_at, tolerance_section

MakeInputs = Callable[..., ReportInputs]
NAN = math.nan


def judged(rows: list[tuple[object, ...]]) -> pd.DataFrame:
    """Rows of model, item, field, value, truth, abs_tol, rel_tol, passed."""
    columns = ["model", "item", "field", "value", "truth", "abs_tol", "rel_tol", "passed"]
    frame = pd.DataFrame(rows, columns=columns).assign(group="f", outcome="answered")
    return frame.astype({"value": float, "truth": float})


ROWS = [
    ("a", "i", "x", 103.0, 100.0, 2.0, 0.1, True),  # 3 of the wider 10: 0.3
    ("a", "j", "x", 85.0, 100.0, 20.0, 0.1, True),  # -15 of 20: -0.75
    ("a", "i", "y", 0.5, 0.0, 0.1, 0.1, False),  # 0.5 of 0.1: 5, truth 0 has no relative room
    ("a", "j", "y", NAN, 1.0, 0.1, 0.1, False),
    ("b", "i", "x", 110.0, 100.0, 0.0, 0.1, True),  # on the edge: 1
    ("b", "j", "x", 0.3, 0.1, 0.0, 0.0, False),  # no room at all
    ("b", "i", "y", 0.1, 0.1, 0.0, 0.0, True),
    ("b", "j", "y", -7.0, 1.0, 4.0, 0.1, False),  # -2
]


def by_hand() -> Errors:
    return errors_of(judged(ROWS), ["b", "a"])


def test_the_unit_is_the_tolerance_that_was_easier_to_meet() -> None:
    errors = by_hand()
    assert errors.fields == (("f", "x"), ("f", "y"))
    assert errors.model.tolist() == [1, 1, 1, 1, 0, 0, 0, 0]
    expected = [0.3, -0.75, 5.0, NAN, 1.0, math.inf, 0.0, -2.0]
    assert errors.signed == pytest.approx(expected, nan_ok=True)
    assert errors.size == pytest.approx(np.abs(expected), nan_ok=True)


def test_rounding_never_contradicts_the_verdict() -> None:
    # 0.3 - 0.2 is a hair under 0.1 and 0.1 * 3 a hair over 0.3: the verdict decides.
    rows = [
        ("a", "i", "x", 0.3 + 1e-17, 0.2, 0.0, 0.5, False),
        ("a", "j", "x", 1.1, 1.0, 0.1, 0.0, True),
    ]
    errors = errors_of(judged(rows), ["a"])
    assert (errors.size <= 1).tolist() == [False, True]


def test_shares_count_what_has_no_value() -> None:
    errors = by_hand()
    found = shares_below(errors, np.array([0.5, 1.0, 4.0, np.inf]))
    assert found[0].tolist() == [0.25, 0.5, 0.75, 1.0]  # b: 0, 1, 2, inf
    assert found[1].tolist() == [0.25, 0.5, 0.5, 0.75]  # a: 0.3, 0.75, 5, none
    assert np.isnan(
        shares_below(errors_of(judged(ROWS), ["a", "b", "c"]), np.array([1.0]))[2]
    ).all()
    assert quantiles(errors, 0.5).tolist() == [1.5, 0.75]


def test_shares_at_the_tolerance_are_the_pass_rates(fake_report: MakeInputs) -> None:
    dataset = load_datasets(fake_report(3, items_per_family=4))[0]
    models = all_models(dataset)
    rates = shares_below(errors_of(dataset.verdicts, models), np.array([1.0]))[:, 0]
    expected = dataset.verdicts.groupby("model")["passed"].mean()
    assert rates.tolist() == pytest.approx([expected[model] for model in models])


def test_bins_of_chart_and_table_hold_everything_once(fake_report: MakeInputs) -> None:
    dataset = load_datasets(fake_report(3, items_per_family=4))[0]
    section = error_section(dataset, errors_of(dataset.verdicts, all_models(dataset)))
    (table,) = section.tables
    for row in table.rows:
        shares = [row[c.name] for c in table.columns if c.heat]
        assert len(shares) == len(EDGES) + 2
        assert sum(shares) == pytest.approx(1)
        assert sum(shares[:3]) == pytest.approx(
            dataset.verdicts[dataset.verdicts["model"] == row["model"]]["passed"].mean()
        )
    (histogram,) = section.files
    assert len(histogram.records) == (len(STEPS) + 2) * 5
    assert sum(r["share"] for r in histogram.records) == pytest.approx(5)


@pytest.mark.parametrize("n", [1, 5, 6, 17, 30, 300, 3000])
@pytest.mark.parametrize("alpha", [0.05, 0.01])
def test_the_limits_rank_is_the_binomials(n: int, alpha: float) -> None:
    rank = rank_of_limit(n, alpha)
    assert binom.cdf(rank - 1, n, 0.5) <= alpha / 2 < binom.cdf(rank, n, 0.5)
    assert (rank == 0) == (n <= (5 if alpha == 0.05 else 7))


def test_the_median_lies_between_order_statistics() -> None:
    # Eight errors of 1..8 tolerances: P(B < 1) = 1/256; the whole range is the interval.
    rows = [("a", f"i{n}", "x", 100.0 + n, 100.0, 1.0, 0.0, False) for n in range(1, 9)]
    rows += [("a", f"i{n}", "y", 99.0, 100.0, 1.0, 0.0, True) for n in range(5)]
    frame = judged(rows)
    table = bias_of(errors_of(frame, ["a"]), frame["item"], 0.05)
    assert dict(table.loc[(0, 0)]) == {
        "n": 8,
        "mean": 4.5,
        "median": 4.5,
        "lower": 1.0,
        "upper": 8.0,
    }
    row = table.loc[(0, 1)]
    assert (row["n"], row["mean"], row["median"]) == (5, -1.0, -1.0)
    assert math.isnan(row["lower"]) and math.isnan(row["upper"])  # five are too few


def test_repeats_of_an_item_count_once() -> None:
    rows = [
        ("a", "i", "x", 101.0, 100.0, 1.0, 0.0, True),
        ("a", "i", "x", 105.0, 100.0, 1.0, 0.0, False),
        ("a", "j", "x", 99.0, 100.0, 1.0, 0.0, True),
        ("a", "j", "x", NAN, 100.0, 1.0, 0.0, False),
    ]
    frame = judged(rows)
    table = bias_of(errors_of(frame, ["a"]), frame["item"], 0.05)
    assert (table.loc[(0, 0), "n"], table.loc[(0, 0), "mean"]) == (2, 1.0)  # (3 - 1) / 2


def test_no_value_at_all_has_no_bias() -> None:
    frame = judged([("a", "i", "x", NAN, 100.0, 1.0, 0.0, False)])
    assert bias_of(errors_of(frame, ["a"]), frame["item"], 0.05).empty


def test_a_model_that_reads_high_is_shown(fake_report: MakeInputs) -> None:
    dataset = load_datasets(fake_report(2, items_per_family=8, pending=False))[0]
    high = dataset.verdicts["field"].eq("cp_left") & dataset.verdicts["model"].eq("gpt-4.1")
    frame = dataset.verdicts.copy()
    frame.loc[high, "value"] = frame.loc[high, "truth"] * 1.06
    dataset = replace(dataset, scores=dict(dataset.scores) | {dataset.headline: frame})
    section = bias_section(dataset, errors_of(frame, all_models(dataset)))
    (table,) = section.tables
    row = next(r for r in table.records if (r["group"], r["field"]) == ("pump_curve", "cp_left"))
    assert row["bias_gpt-4.1"] == pytest.approx(0.5)  # 6 % of 12 %
    assert row["bias_gpt-4.1_lower"] > 0
    assert [chart.name for chart in section.charts] == ["bias"]
    assert "112 pairs of model and field" in section.lead


def test_axes_split_the_fields_by_the_certificate(fake_report: MakeInputs) -> None:
    dataset = load_datasets(fake_report(2, items_per_family=3))[0]
    errors = errors_of(dataset.verdicts, all_models(dataset))
    (section,) = axis_sections(dataset, errors)
    (table,) = section.tables
    assert dataset.certificate is not None
    log = dataset.certificate[dataset.certificate["axis"] == "log"]
    own = dataset.verdicts[dataset.verdicts["model"] == "gpt-4.1"]
    own = own.merge(
        log[["family", "field"]], left_on=["group", "field"], right_on=["family", "field"]
    )
    row = next(r for r in table.rows if r["model"] == "gpt-4.1")
    assert (row["log"], row["log_n"]) == (own["passed"].mean(), len(own))
    assert row["gap"] == pytest.approx(row["log"] - row["linear"])
    unknown = replace(dataset, certificate=dataset.certificate.assign(axis=None))
    assert axis_sections(unknown, errors) == []
    assert axis_sections(replace(dataset, certificate=None), errors) == []


def test_ranks_change_where_the_order_does() -> None:
    rates = np.full((3, len(SCALES)), 0.5)
    rates[0] = np.linspace(0.2, 0.9, len(SCALES))
    rates[1] = np.linspace(0.3, 0.8, len(SCALES))  # equal at the middle, which is no change yet
    rates[2] = 0.05
    (change,) = rank_changes(["x", "y", "z"], ["x", "y", "z"], rates)
    assert (change["first"], change["second"]) == ("x", "y")
    assert (change["lower"], change["upper"]) == (SCALES[7], SCALES[9])
    assert SCALES[8] == 1.0
    assert change["first_rate"] > change["second_rate"]
    ranks = ranks_at(["x", "y", "z"], ["x", "y", "z"], rates)
    assert ranks[:, 0].tolist() == [2, 1, 3]
    assert ranks[:, 8].tolist() == [1, 1, 3]
    assert ranks[:, 16].tolist() == [1, 2, 3]


def test_scales_are_seventeen_steps_from_a_quarter_to_four() -> None:
    assert (len(SCALES), SCALES[0], SCALES[8], SCALES[-1]) == (17, 0.25, 1.0, 4.0)


@pytest.mark.parametrize(("models", "drawn"), [(1, True), (8, True), (9, False)])
def test_many_models_are_a_table_not_lines(
    fake_report: MakeInputs, models: int, drawn: bool
) -> None:
    dataset = load_datasets(fake_report(models, items_per_family=2))[0]
    section = tolerance_section(dataset, errors_of(dataset.verdicts, all_models(dataset)))
    assert (bool(section.charts), bool(section.figures)) == (drawn, not drawn)
    row = section.tables[0].records[0]
    assert row["pass_0.25"] <= row["pass_1"] <= row["pass_4"]


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([10.0, 50.0], [10.0, 50.0]),
        ([50.0, 50.0], [45.0, 55.0]),
        ([0.0, 1.0], [0.0, 10.0]),  # pushed up by the floor
        ([99.0, 100.0], [90.0, 100.0]),  # pushed down by the ceiling
        ([40.0, 44.0, 53.0], [35.666667, 45.666667, 55.666667]),  # the pair reaches the third
        ([], []),
    ],
)
def test_names_are_moved_apart(values: list[float], expected: list[float]) -> None:
    assert spread(values, 10.0, (0.0, 100.0)) == pytest.approx(expected)


@pytest.mark.parametrize("width", [WIDE_INCHES, NARROW_INCHES])
def test_rows_with_infinite_ends_are_drawn(width: float) -> None:
    spans = [Span("one", "m", 2.0, 1.0, math.inf), Span("two", "m", -math.inf, -math.inf, -9.0)]
    figure = forest_chart(("n", "t", "c"), spans, "axis", band=1.0).draw(width)
    (points,) = [line for line in figure.axes[0].lines if line.get_marker() == "o"]
    assert points.get_xdata().tolist() == [2.0, -18.0]  # twice as far as the farthest finite end
    low, high = figure.axes[0].get_xlim()
    assert low < -18 and high > 18
