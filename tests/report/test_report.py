"""The whole report, from files to files."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from plotchain_lib.report import (
    ReportInputs,
    build_report,
    collect_numbers,
    compose,
    load_datasets,
)
from plotchain_lib.report.build import charts_of
from plotchain_lib.report.figures import NARROW_INCHES, WIDE_INCHES, Drawings
from plotchain_lib.report.page import render_page
from plotchain_lib.report.summary import comparisons, leaderboard

MakeInputs = Callable[..., ReportInputs]


class Outline(HTMLParser):
    """Collects what a test asks about a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        named = dict(attrs)
        self.ids += [named["id"] or ""] if "id" in named else []
        self.links += [v or "" for k, v in attrs if k in {"src", "href", "xlink:href"}]


def page_of(inputs: ReportInputs) -> str:
    """The page alone: what most tests ask about, without the minutes all files would take."""
    return render_page(compose(load_datasets(inputs)), (), Drawings())


@pytest.mark.parametrize("models", [0, 1, 4, pytest.param(20, marks=pytest.mark.long)])
def test_is_complete_for_any_number_of_models(fake_report: MakeInputs, models: int) -> None:
    page = page_of(fake_report(models, items_per_family=2))
    outline = Outline(page)
    assert len(outline.ids) == len(set(outline.ids))
    anchors = [link[1:] for link in outline.links if link.startswith("#")]
    assert set(anchors) <= set(outline.ids)
    assert [link for link in outline.links if not link.startswith(("#", "data:"))] == []
    assert "http" not in re.sub(r'xmlns(:\w+)?="[^"]*"|http-equiv', "", page)
    assert "No model has been asked yet" in page if models == 0 else "Between floor" in page
    assert not re.findall(r">(nan|None|NaN)<", page)
    sentences = page.count('<li class="differs">') + page.count('<li class="same">')
    assert sentences == max(0, models - 1)


@pytest.mark.long
def test_two_runs_are_equal_byte_for_byte(fake_report: MakeInputs, tmp_path: Path) -> None:
    inputs = fake_report(1, items_per_family=1)
    for name in ("one", "two"):
        build_report(inputs, tmp_path / name)
    files = sorted(path for path in (tmp_path / "one").rglob("*") if path.is_file())
    assert {"report.html", "numbers.json"} <= {path.name for path in files}
    assert {path.suffix for path in files} == {
        ".html", ".json", ".csv", ".tex", ".pdf", ".png", ".svg",
    }  # fmt: skip
    for path in files:
        twin = tmp_path / "two" / path.relative_to(tmp_path / "one")
        assert path.read_bytes() == twin.read_bytes(), path.name


def test_text_from_outside_is_escaped(fake_report: MakeInputs) -> None:
    page = page_of(fake_report(2, items_per_family=2))
    assert page.count("<script") == 2  # ours: the colours before, the rest after the page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page


def _rename(inputs: ReportInputs, old: str, new: str) -> None:
    """Give a model another label in all files of the first dataset."""
    for files in (inputs.datasets[0].scores, inputs.datasets[0].answers["strict-json"]):
        for path in files.values():
            pd.read_parquet(path).replace({"model": {old: new}}).to_parquet(path)
    for path in inputs.datasets[0].significance.values():
        path.write_text(path.read_text().replace(json.dumps(old), json.dumps(new)))


def test_a_hostile_label_does_no_harm(fake_report: MakeInputs) -> None:
    inputs = fake_report(1, items_per_family=2)
    hostile = "<b onmouseover=alert(1)>$x_1$ & \\ \"'"
    _rename(inputs, "gpt-4.1", hostile)
    models = {hostile if label == "gpt-4.1" else label: k for label, k in inputs.models.items()}
    page = page_of(ReportInputs(inputs.datasets, models))
    assert "<b onmouseover" not in page
    assert "&lt;b onmouseover" in page


def test_a_model_that_gave_no_answer_yet_has_no_value_anywhere(fake_report: MakeInputs) -> None:
    inputs = fake_report(3, items_per_family=2)
    for path in inputs.datasets[0].answers["strict-json"].values():
        frame = pd.read_parquet(path)
        frame.loc[frame["model"] == "gpt-4.1", "outcome"] = "pending"
        frame.to_parquet(path)
    (dataset,) = load_datasets(inputs)
    rows = {row["model"]: row for row in leaderboard(dataset).records}
    assert rows["gpt-4.1"]["rank"] is None and rows["gpt-4.1"]["field_pass_rate"] is None
    assert sum(row["rank"] is not None for row in rows.values()) == 2
    said = [
        sentence for sentence in comparisons(dataset) if "gave no answer yet" in sentence.verdict
    ]
    assert said and all("gpt-4.1" in sentence.verdict for sentence in said)


@pytest.mark.filterwarnings("error")
def test_every_chart_has_room_for_the_longest_label(fake_report: MakeInputs) -> None:
    inputs = fake_report(2, items_per_family=2)
    longest = "Begin-" + "Wm" * 44 + "-end"
    _rename(inputs, "gpt-4.1", longest)
    models = {longest if label == "gpt-4.1" else label: k for label, k in inputs.models.items()}
    (page,) = compose(load_datasets(ReportInputs(inputs.datasets, models)))
    for number, (chart, _) in enumerate(charts_of(page)):
        for width in (WIDE_INCHES, NARROW_INCHES):
            svg = Drawings().svg(chart, width, f"c{number}")
            assert longest not in svg.split("</title>")[-1]


def test_numbers_hold_what_the_page_prints(fake_report: MakeInputs) -> None:
    inputs = fake_report(3, items_per_family=2)
    page = page_of(inputs)
    datasets = load_datasets(inputs)
    numbers = collect_numbers(compose(datasets), datasets)["plotchain"]
    record = json.loads(inputs.datasets[0].significance["plotread"].read_text())
    for entry in record["metrics"]:
        if entry["metric"] == "field_pass_rate":
            row = numbers["leaderboard"][entry["model"]]
            assert row["field_pass_rate"] == entry["value"]
            assert f"{100 * entry['value']:.1f}" in page
    assert numbers["pending"] == {"claude-sonnet-4-5-20250929": 7}
    assert set(numbers["families_final"]) == set(numbers["families_all"])


def test_pending_calls_have_a_line_with_count_and_reason(fake_report: MakeInputs) -> None:
    page = page_of(fake_report(2, items_per_family=2))
    line = "<b>claude-sonnet-4-5-20250929</b> 7 of 30 calls pending: no key: set OPENAI_API_KEY"
    assert line in page
    quiet = page_of(fake_report(2, "quiet", items_per_family=2, pending=False))
    assert 'class="banner"' not in quiet


def test_a_release_has_no_validation(fake_report: MakeInputs) -> None:
    page = page_of(fake_report(1, items_per_family=2, validated=False))
    assert "taken as published" in page
    assert "Readable (%)" not in page


@pytest.mark.long
def test_two_datasets_share_the_first_screen(fake_report: MakeInputs, tmp_path: Path) -> None:
    one = fake_report(1, "one", items_per_family=1)
    two = fake_report(1, "two", items_per_family=1, seed=2, dataset="other")
    build_report(ReportInputs(one.datasets + two.datasets, one.models), tmp_path / "results")
    page = (tmp_path / "results" / "report.html").read_text(encoding="utf-8")
    assert page.index('id="_all"') < page.index('id="plotchain"') < page.index('id="other"')
    assert page.index('id="other"') < page.index('id="plotchain-families"')
    numbers = json.loads((tmp_path / "results" / "numbers.json").read_text())
    assert set(numbers) == {"_all", "plotchain", "other"}
    outline = Outline(page)
    assert len(outline.ids) == len(set(outline.ids))


PRINT_DIGEST = """
import hashlib, json, sys
from pathlib import Path
from plotchain_lib.report import ReportInputs, collect_numbers, compose, load_datasets, write_tables
datasets = load_datasets(ReportInputs.from_mapping(json.loads(Path(sys.argv[1]).read_text())))
pages, folder = compose(datasets), Path(sys.argv[2])
write_tables(pages, folder)
digest = hashlib.sha256(json.dumps(collect_numbers(pages, datasets)).encode())
for path in sorted(folder.iterdir()):
    digest.update(path.read_bytes())
print(len(list(folder.iterdir())), digest.hexdigest())
"""


def test_tables_and_numbers_are_equal_in_another_process(
    make_mapping: Callable[..., dict[str, Any]], tmp_path: Path
) -> None:
    """Sets and hashes have another order there."""
    record = tmp_path / "inputs.json"
    record.write_text(json.dumps(make_mapping(3, items_per_family=2)))
    printed = []
    for seed in ("1", "2"):
        command = [sys.executable, "-c", PRINT_DIGEST, str(record), str(tmp_path / seed)]
        environment = os.environ | {"PYTHONHASHSEED": seed}
        done = subprocess.run(
            command, env=environment, capture_output=True, text=True, check=True, timeout=120
        )
        printed.append(done.stdout)
    assert printed[0] == printed[1]
    assert int(printed[0].split()[0]) > 20
