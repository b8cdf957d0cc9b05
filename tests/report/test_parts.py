"""Inputs that cannot be read, rankings, sentences and figures."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import matplotlib as mpl
import pandas as pd
import pytest
from matplotlib.colors import to_hex

from plotchain_lib.item import PlotChainError
from plotchain_lib.report import ReportInputs, compose, load_datasets
from plotchain_lib.report.build import tables_of
from plotchain_lib.report.charts import Level, standing_chart
from plotchain_lib.report.figures import ACCENT, WIDE_INCHES, Drawings
from plotchain_lib.report.inputs import Dataset
from plotchain_lib.report.scatter import Point, Scales, scatter_chart
from plotchain_lib.report.sections import first_screen
from plotchain_lib.report.summary import comparisons, ranked_models

MakeInputs = Callable[..., ReportInputs]


def load(inputs: ReportInputs) -> Dataset:
    return load_datasets(inputs)[0]


def test_a_missing_file_is_one_line(fake_report: MakeInputs) -> None:
    inputs = fake_report(1, items_per_family=1)
    path = inputs.datasets[0].scores["strict"]
    path.unlink()
    with pytest.raises(PlotChainError) as caught:
        load(inputs)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_missing_column_is_one_line(fake_report: MakeInputs) -> None:
    inputs = fake_report(1, items_per_family=1)
    path = inputs.datasets[0].scores["plotread"]
    pd.read_parquet(path).drop(columns=["passed"]).to_parquet(path)
    with pytest.raises(PlotChainError, match="missing column passed; delete the file"):
        load(inputs)


@pytest.mark.parametrize("content", ["{", "[]", "{}"])
def test_a_broken_record_is_one_line(fake_report: MakeInputs, content: str) -> None:
    inputs = fake_report(1, items_per_family=1)
    path = inputs.datasets[0].significance["plotread"]
    path.write_text(content)
    with pytest.raises(PlotChainError, match="delete it and run again"):
        load(inputs)


def test_inputs_that_lack_a_part_are_named() -> None:
    with pytest.raises(PlotChainError, match="dataset d: 'suite' is missing"):
        ReportInputs.from_mapping({"models": {}, "datasets": {"d": {}}})


def test_neighbours_are_told_apart_whichever_way_a_pair_is_stored(
    fake_report: MakeInputs,
) -> None:
    inputs = fake_report(3, items_per_family=4, pending=False)
    path = inputs.datasets[0].significance["plotread"]
    record: dict[str, Any] = json.loads(path.read_text())
    straight = comparisons(load(inputs))
    for pair in record["pairs"]:
        pair["first"], pair["second"] = pair["second"], pair["first"]
        pair["difference"] = -pair["difference"]
    path.write_text(json.dumps(record))
    assert comparisons(load(inputs)) == straight
    assert [sentence.first for sentence in straight] == ranked_models(load(inputs))[:-1]
    assert all("points, Holm p\N{NO-BREAK SPACE}" in sentence.verdict for sentence in straight)


def test_metrics_may_be_absent(fake_report: MakeInputs) -> None:
    inputs = fake_report(2, items_per_family=2)
    for path in inputs.datasets[0].significance.values():
        record = json.loads(path.read_text())
        path.write_text(json.dumps(record | {"metrics": [], "pairs": [], "groups": []}))
    screen = first_screen(load(inputs))
    assert [sentence.verdict for sentence in screen.comparisons] == [
        "were not tested against each other"
    ]


def test_means_count_an_item_without_numbers_as_zero(fake_report: MakeInputs) -> None:
    dataset = load(fake_report(2, items_per_family=3))
    model = "claude-sonnet-4-5-20250929"
    scores = dataset.verdicts[dataset.verdicts["model"] == model]
    by_item = scores.groupby("item")[["passed", "value"]].agg({"passed": "sum", "value": "count"})
    expected = (by_item["passed"] / by_item["value"]).fillna(0).mean()
    found = dataset.means["plotread"]["read_item_field_pass_rate"][model]
    assert found["value"] == pytest.approx(expected)
    assert found["n"] == scores["item"].nunique()
    assert "blind" not in dataset.means["plotread"]["latency_item_mean"]


def a_chart(count: int = 3) -> Any:
    levels = [Level(f"model-{i}", 0.9 - i / 30, 0.85 - i / 30, 0.95 - i / 30) for i in range(count)]
    return standing_chart(("n", "t", "c"), levels, Level("blind", 0.3), Level("reader", 0.98))


def test_a_users_settings_change_no_figure() -> None:
    before = Drawings()
    plain = (before.png(a_chart()), before.svg(a_chart(), WIDE_INCHES, "x"))
    with mpl.rc_context({"font.size": 31, "axes.facecolor": "red", "savefig.dpi": 17}):
        after = Drawings()
        assert (after.png(a_chart()), after.svg(a_chart(), WIDE_INCHES, "x")) == plain
        assert mpl.rcParams["font.size"] == 31


def test_figures_carry_no_date_and_no_version() -> None:
    drawings = Drawings()
    assert b"CreationDate" not in drawings.pdf(a_chart())
    assert b"Matplotlib" not in drawings.pdf(a_chart()) + drawings.png(a_chart())
    assert "dc:date" not in drawings.svg(a_chart(), WIDE_INCHES, "x")


def test_page_figures_take_the_pages_colours_and_letters() -> None:
    svg = Drawings().svg(a_chart(), WIDE_INCHES, "set-n")
    assert "var(--accent)" in svg
    assert "DejaVu" not in svg
    assert not [part for part in svg.split(' id="')[1:] if not part.startswith("set-n-")]


@pytest.mark.parametrize("count", [1, 8, 9, 22])
def test_scatter_names_every_point(count: int) -> None:
    points = [Point(f"m<{i}>", 1 + i, 50 + i) for i in range(count)]
    svg = Drawings().svg(
        scatter_chart(("s", "t", "c"), points, Scales("x", "y", log_x=True)), WIDE_INCHES, "p"
    )
    assert all(f"m&lt;{i}&gt;" in svg for i in range(count))


def test_models_without_any_value_are_ranked_last(fake_report: MakeInputs) -> None:
    inputs = fake_report(2, items_per_family=2)
    path = inputs.datasets[0].significance["plotread"]
    record = json.loads(path.read_text())
    record["metrics"] = [entry for entry in record["metrics"] if entry["model"] != "gpt-4.1"]
    path.write_text(json.dumps(record))
    assert ranked_models(load(inputs))[-1] == "gpt-4.1"
    assert b"%PDF" in Drawings().pdf(first_screen(load(inputs)).standing)  # type: ignore[arg-type]


def test_every_chart_names_tables_that_exist(fake_report: MakeInputs) -> None:
    (page,) = compose(load_datasets(fake_report(2, items_per_family=2)))
    written = {table.name for table in tables_of(page)}
    assert page.first.standing is not None
    named = [page.first.standing.data]
    for section in page.sections:
        named += [section.numbers_of(chart) for chart in (*section.charts, *section.figures)]
    assert len(named) > 8
    assert all(names and set(names) <= written for names in named)


def test_a_model_that_waits_for_every_answer_has_no_bar(fake_report: MakeInputs) -> None:
    dataset = load(fake_report(2, items_per_family=1, pending=False))
    answers = dataset.answers.copy()
    answers.loc[answers["model"] == "gpt-4.1", "outcome"] = "pending"
    chart = first_screen(replace(dataset, answers=answers)).standing
    assert chart is not None
    svg = Drawings().svg(chart, WIDE_INCHES, "p")
    assert svg.count("no value yet") == 1


def test_below_the_floor_nothing_is_reached() -> None:
    def shades(value: float) -> set[str]:
        chart = standing_chart(("n", "t", "c"), [Level("m", value)], Level("blind", 0.3), None)
        figure = chart.draw(WIDE_INCHES)
        return {to_hex(patch.get_facecolor()) for patch in figure.axes[0].patches}

    assert ACCENT in shades(0.4)
    assert ACCENT not in shades(0.2)
