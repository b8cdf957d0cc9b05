"""The sections of the suite grab, on tables small enough to work out by hand."""

from __future__ import annotations

import json
import math
import re
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from plotchain_lib.files import write_items
from plotchain_lib.item import ANSWER_COLUMNS, SCORE_COLUMNS, Field, Item, PlotChainError
from plotchain_lib.report import ReportInputs, collect_numbers, compose, load_datasets
from plotchain_lib.report.figures import WIDE_INCHES, Drawings
from plotchain_lib.report.inputs import Dataset
from plotchain_lib.report.item_data import read_verdicts, shard_record
from plotchain_lib.report.page import DatasetPage, render_page
from plotchain_lib.statistics import significance

KINDS = {"good": "recorded", "wordy": "recorded", "blind": "blind"}
# Item, group, complexity, precision, truth.
OPEN = (
    ("p0", "properties/counting/points", 0, "integer", "4"),
    ("p1", "properties/functions/linear_equation", 0, "equation", "y = 1x + 2"),
    ("f0", "function/range/range", 0, "integer", "5"),
    ("f1", "function/range/range", 1, "one_decimal", "0.5"),
    ("f2", "function/extrema/maximum", 1, "integer", "7"),
    ("s0", "series/range/range", 3, "integer", "8"),
)
# By model what is right under exact and under lenient, in the order of OPEN.
RIGHT = {
    "good": ((1, 1, 1, 1, 0, 0), (1, 1, 1, 1, 0, 0)),
    "wordy": ((1, 0, 0, 0, 0, 0), (1, 1, 0, 1, 0, 0)),
    "blind": ((0, 0, 0, 0, 0, 1), (0, 0, 0, 0, 0, 1)),
}
CHOICE = tuple((item, group, level, "choice", "AB"[n]) for n, (item, group, level, *_) in
               enumerate(OPEN[:2]))  # fmt: skip
CHOSEN = {"good": ("A", "A"), "wordy": ("A", "B"), "blind": ("A", "A")}


def frames(name: str, asked: Any, right: Any, written: Any) -> dict[str, pd.DataFrame]:
    found = {}
    for policy, place in (("exact", 0), ("lenient", 1)):
        rows = [
            {"dataset": name, "policy": policy, "model": model, "item": item, "repeat": 1,
             "shard": group.replace("/", "_"), "group": group, "difficulty": str(level),
             "scope": "final", "field": "answer", "score": float(right[model][place][n]),
             "passed": bool(right[model][place][n]), "outcome": "answered",
             "written": written[model][n], "expected": truth, "precision": precision}
            for model in KINDS
            for n, (item, group, level, precision, truth) in enumerate(asked)
        ]  # fmt: skip
        frame = pd.DataFrame(rows)
        numbers = ["value", "truth", "derived", "abs_err", "rel_err", "abs_tol", "rel_tol"]
        frame[numbers] = np.nan
        found[policy] = frame[[*SCORE_COLUMNS, "written", "expected", "precision"]]
    return found


def entry(folder: Path, name: str, tables: dict[str, pd.DataFrame], **more: Any) -> dict[str, Any]:
    folder.mkdir()
    scores, tested = {}, {}
    for policy, frame in tables.items():
        scores[policy], tested[policy] = folder / f"{policy}.parquet", folder / f"{policy}.json"
        frame.to_parquet(scores[policy], index=False)
        tested[policy].write_text(json.dumps(significance(frame, 0.05, 100, 0, {"blind"})))
    answers = tables["exact"].assign(text="x <b>", form="direct", latency_s=1.0, input_tokens=1.0,
                                     output_tokens=1.0, cost_usd=np.nan)  # fmt: skip
    answers[list(ANSWER_COLUMNS)].to_parquet(folder / "answers.parquet", index=False)
    (folder / "run.json").write_text(json.dumps({"models": {}}))
    return {
        "suite": "grab", "headline": "exact", "scores": scores, "significance": tested,
        "answers": {"text": {"all": folder / "answers.parquet"}}, "run": folder / "run.json",
        "facts": {"seed": 0}, **more,
    }  # fmt: skip


@pytest.fixture
def inputs(tmp_path: Path) -> ReportInputs:
    text = {model: ["-"] * len(OPEN) for model in KINDS}
    right = {
        m: [tuple(int(c == t) for c, (*_, t) in zip(letters, CHOICE, strict=True))] * 2
        for m, letters in CHOSEN.items()
    }
    return ReportInputs.from_mapping({
        "models": KINDS,
        "datasets": {
            "open": entry(tmp_path / "open", "open", frames("open", OPEN, RIGHT, text),
                          published=True),
            "choice": entry(tmp_path / "choice", "choice",
                            frames("choice", CHOICE, right, CHOSEN)),
        },
    })  # fmt: skip


@pytest.fixture
def pages(inputs: ReportInputs) -> tuple[tuple[Dataset, ...], list[DatasetPage]]:
    datasets = load_datasets(inputs)
    return datasets, compose(datasets)


def numbers_of(pages: tuple[tuple[Dataset, ...], list[DatasetPage]]) -> dict[str, Any]:
    return collect_numbers(pages[1], pages[0])


def wilson(right: int, n: int) -> tuple[float, float]:
    """The closed form of Wilson (1927)."""
    z, p = 1.959963984540054, right / n
    middle, half = p + z * z / 2 / n, z * math.sqrt(p * (1 - p) / n + z * z / 4 / n / n)
    return (middle - half) / (1 + z * z / n), (middle + half) / (1 + z * z / n)


def test_accuracy_by_task_category_and_precision(pages: Any) -> None:
    found = numbers_of(pages)["open"]
    good = found["tasks"]["good"]
    assert (good["properties"], good["series"]) == (1.0, 0.0)
    assert good["function"] == pytest.approx(2 / 3)
    assert good["overall"] == pytest.approx(4 / 6)
    assert (good["overall_lower"], good["overall_upper"]) == pytest.approx(wilson(4, 6))
    assert good["function_n"] == 3
    assert found["categories"]["good"]["range"] == pytest.approx(2 / 3)
    assert found["categories"]["blind"]["range"] == pytest.approx(1 / 3)
    assert found["precision"]["wordy"]["integer"] == pytest.approx(1 / 4)
    assert found["precision"]["good"]["equation"] == 1.0
    assert "random choice" not in found["tasks"]


def test_the_set_is_counted(pages: Any) -> None:
    found = numbers_of(pages)["open"]
    statistics = {key: entry["number"] for key, entry in found["set"].items()}
    assert statistics["Questions"] == 6
    assert statistics["Task function"] == 3
    assert statistics["Precision integer"] == 4
    assert statistics["Properties"] == 4
    ranges = found["category_counts"]["range"]
    assert (ranges["function"], ranges["series"], ranges["all"]) == (2, 1, 3)


def test_complexity(pages: Any) -> None:
    table = numbers_of(pages)["open"]["complexity"]
    good = table["good"]
    assert good["function"]["complexity_0"] == 1.0
    assert good["function"]["complexity_1"] == 0.5
    assert good["all"]["complexity_3"] == 0.0
    assert good["function"]["complexity_3"] is None


def test_right_numbers_in_a_wrong_format(pages: Any) -> None:
    found = numbers_of(pages)["open"]
    # Wordy has two answers right under lenient alone, of six.
    assert found["format"]["wordy"]["format_failures"] == pytest.approx(2 / 6)
    assert found["format"]["good"]["format_failures"] == 0.0
    assert found["protocols"]["wordy"]["lenient_more"] == pytest.approx(2 / 6)
    assert found["leaderboard"]["good"]["all_pass"] == pytest.approx(4 / 6)
    assert set(found["leaderboard"]["good"]) & {"field_pass_rate", "final_all_pass"} == set()
    assert [c.first for c in pages[1][0].first.comparisons] == ["good"]


def test_choice_against_open_answers(pages: Any) -> None:
    found = numbers_of(pages)["choice"]
    table = found["choice"]
    # Good: both right openly, one of two with options; wordy: one of two, then both.
    assert (table["good"]["open"], table["good"]["choice"], table["good"]["more"]) == (1, 0.5, -0.5)
    assert (table["wordy"]["open"], table["wordy"]["choice"]) == (0.5, 1.0)
    assert table["random choice"]["choice"] == 0.2
    assert found["tasks"]["random choice"]["overall"] == 0.2
    assert (found["letters"]["good"]["A"], found["letters"]["good"]["B"]) == (1.0, 0.0)
    assert found["letters"]["right answers"]["B"] == 0.5
    assert "precision" not in found
    assert "choice" not in numbers_of(pages)["open"]


def test_published_rows_where_wanted(pages: Any) -> None:
    found = numbers_of(pages)
    assert found["open"]["published_tasks"]["Claude 3.5 Sonnet"]["overall"] == pytest.approx(0.217)
    assert len(found["open"]["published_tasks"]) == 20
    assert found["open"]["published_categories"]["GPT-4o"]["counting"] == pytest.approx(0.3)
    assert "published_tasks" not in found["choice"]


def test_page_and_charts(pages: Any) -> None:
    datasets, composed = pages
    page = render_page(composed, None, Drawings())
    assert "http" not in re.sub(r'xmlns(:\w+)?="[^"]*"|http-equiv', "", page)
    assert "questions right (%)" in page
    assert "fields passed" not in page
    charts = {chart.name for p in composed for s in p.sections for chart in s.charts}
    assert {"categories", "complexity", "protocols", "choice"} <= charts
    assert page == render_page(compose(datasets), None, Drawings())
    for part in composed[0].sections:
        for chart in part.charts:
            assert chart.draw(WIDE_INCHES) is not None


def test_items_show_texts(inputs: ReportInputs, tmp_path: Path) -> None:
    field = Field("answer", "", "", "final")
    items = [
        Item(item, "grab", group.replace("/", "_"), group, "?", None, (field,),
             {"answer": truth}, {}, 0, "0")
        for item, group, _, _, truth in OPEN
    ]  # fmt: skip
    write_items(tmp_path / "items.jsonl", items)
    verdicts = read_verdicts(load_datasets(inputs)[0], [tmp_path / "items.jsonl"])
    shown = shard_record(verdicts, "properties_functions_linear_equation", {}, {})
    assert shown["truth"] == ["y = 1x + 2"]
    assert shown["values"] == [["-"], ["-"], ["-"]]
    assert shown["allowed"] == [None]


def test_a_table_of_another_kind_is_refused(inputs: ReportInputs) -> None:
    path = Path(inputs.datasets[0].scores["exact"])
    frame = pd.read_parquet(path)
    frame.assign(group="iv_diode").to_parquet(path, index=False)
    with pytest.raises(PlotChainError, match="a group is no task/category/property"):
        compose(load_datasets(inputs))
    frame.drop(columns="precision").to_parquet(path, index=False)
    with pytest.raises(PlotChainError, match="column 'precision' is missing"):
        compose(load_datasets(inputs))
