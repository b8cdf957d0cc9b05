"""Episodes in the item browser: what of a played run stands in the page, and how it is cut."""

from __future__ import annotations

import importlib.util
import io
import json
import re
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pandas as pd
import pytest
from PIL import Image

from plotchain_lib.item import PlotChainError
from plotchain_lib.report import ReportInputs, compose, item_episodes, load_datasets
from plotchain_lib.report.browser_inputs import BrowserInputs
from plotchain_lib.report.figures import Drawings
from plotchain_lib.report.item_blobs import ItemBrowser, item_browser
from plotchain_lib.report.item_episodes import (
    EPISODE_COLUMNS,
    LENGTHS,
    SUBMISSION_COLUMNS,
    _cut,
    read_episodes,
)
from plotchain_lib.report.item_figures import fitted, size_of
from plotchain_lib.report.packing import unpack
from plotchain_lib.report.page import render_page
from plotchain_lib.suites.matplotgym import episodes, submissions


def _played() -> ModuleType:
    file = Path(__file__).with_name("played.py")
    spec = importlib.util.spec_from_file_location("report_played", file)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def browser_of(inputs: ReportInputs) -> ItemBrowser:
    (dataset,) = load_datasets(inputs)
    assert inputs.datasets[0].browser is not None
    found = item_browser([(dataset, inputs.datasets[0].browser)])
    assert found is not None
    return found


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> ReportInputs:
    """A run played for real, once."""
    inputs: ReportInputs = _played().play_run(tmp_path_factory.mktemp("played"))
    return inputs


def attempts(run: ReportInputs) -> dict[str, dict[str, Any]]:
    """Model and attempt to what the page holds of it."""
    blobs = browser_of(run).blobs
    (index,) = unpack(blobs["items-index"])["datasets"]
    (runs,) = unpack(blobs["items-episodes-0-0"])["runs"]
    names = [f"{m}/{n + 1}" for m in index["models"] for n in range(index["repeats"])]
    return dict(zip(names, runs, strict=True))


def test_the_report_reads_what_the_stages_write() -> None:
    assert set(EPISODE_COLUMNS) <= set(episodes.COLUMNS)
    assert set(SUBMISSION_COLUMNS) <= set(submissions.COLUMNS)


def test_an_attempt_has_its_score_its_losses_its_figure_and_its_turns(run: ReportInputs) -> None:
    found = attempts(run)
    one = found["agent/1"]
    assert one["lost"] == {"encoding": "another kind of mark"}
    assert one["score"] == pytest.approx(0.9)
    episode = one["episode"]
    assert [turn["kind"] for turn in episode["turns"]] == [
        "malformed", "python", "bash", "write", "done",
    ]  # fmt: skip
    assert (episode["end"], episode["failure"], episode["sealed"]) == ("done", "", True)
    printed, more, tail = episode["turns"][1]["output"]
    assert printed.startswith("line 0\n") and more > 0 and tail.endswith("line 1999\n")
    flags = episode["turns"][2]["flags"]
    assert "outside the workspace (path, command): /etc/passwd" in flags
    assert any("sys.modules" in line for line in episode["tampering"])
    assert found["reference/1"]["lost"] == {} and found["reference/1"]["score"] == 1.0


def test_why_nothing_was_drawn_is_told(run: ReportInputs) -> None:
    found = attempts(run)
    nothing = found["agent/2"]["episode"]
    assert (nothing["failure"], nothing["drew"], nothing["script"]) == (
        "nothing submitted", True, None,
    )  # fmt: skip
    assert nothing["reminded"] and [t["reminder"] for t in nothing["turns"]].count(True) == 1
    crashed = found["other/1"]["episode"]
    assert crashed["failure"] == "crashed" and "ValueError" in crashed["why"]
    assert crashed["figure"] is None
    assert found["lazy/1"]["episode"]["failure"] == "drew nothing"
    used_up = found["other/2"]["episode"]
    assert (used_up["end"], len(used_up["turns"]), used_up["sealed"]) == ("budget", 14, False)


def test_a_figure_stands_once_for_all_attempts_that_drew_it(run: ReportInputs) -> None:
    blobs, found = browser_of(run).blobs, attempts(run)
    figures = json.loads(blobs["items-figures-0-0"])
    assert found["reference/1"]["episode"]["figure"] == found["reference/2"]["episode"]["figure"]
    width, height, data = figures[found["reference/1"]["episode"]["figure"]]
    assert width > 100 and height > 100 and len(data) > 1000


def test_no_record_stands_raw_and_the_page_names_no_address(run: ReportInputs) -> None:
    browser = browser_of(run)
    page = render_page(compose(load_datasets(run)), (), Drawings(), browser)
    assert "onerror=" not in page
    # What an agent asked for is shown as words; nothing is loaded from anywhere.
    assert not re.search(r"""(?:src|href|action)\s*=\s*["']?https?:|url\(\s*["']?https?:""", page)
    assert page.count("<script") == page.count("</script>")
    shard = unpack(browser.blobs["items-shard-0-0"])
    assert all(text is None for texts in shard["texts"] for text in texts)
    assert unpack(browser.blobs["items-index"])["datasets"][0]["episodes"] is True


def test_texts_are_cut_further_until_they_fit(
    run: ReportInputs, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = len(browser_of(run).blobs["items-episodes-0-0"])
    monkeypatch.setattr(item_episodes, "MOST_TEXT", whole - 1)
    shorter = browser_of(run).blobs["items-episodes-0-0"]
    assert len(shorter) < whole
    (runs,) = unpack(shorter)["runs"]
    (script,) = {e["episode"]["script"][1] for e in runs if (e["score"] or 0) == pytest.approx(0.9)}
    assert script > 27_047 - LENGTHS[0].script


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("abcdefgh", ("abcdefgh", 0, "")),
        ("abcdefghi", ("abcd", 1, "fghi")),
        ("ééééé", ("éé", 2, "éé")),
        ("aéééé", ("aé", 2, "éé")),  # no letter is halved
        ("half \ud83d", ("half ?", 0, "")),
        ("", ("", 0, "")),
    ],
)
def test_start_and_end_of_a_long_text_are_kept(text: str, expected: tuple[str, int, str]) -> None:
    assert _cut(text, 8) == expected


def picture(seed: int) -> bytes:
    pixels = np.random.default_rng(seed).integers(0, 255, (500, 1000, 3), dtype=np.uint8)
    stream = io.BytesIO()
    Image.fromarray(pixels).save(stream, "WEBP", quality=80, method=0)
    return stream.getvalue()


def test_figures_are_reduced_only_until_they_fit() -> None:
    figures = [picture(0), picture(1)]
    whole = sum(map(len, figures))
    assert fitted(figures, whole) == figures
    assert fitted([], 0) == []
    small = fitted(figures, whole // 3)
    assert sum(map(len, small)) <= whole // 3
    assert [size_of(figure) for figure in small] == [(640, 320)] * 2
    assert [size_of(figure)[0] for figure in fitted(figures, 1)] == [360, 360]  # the least there is


@pytest.mark.parametrize("text", ["a plain reply", '{"turns": [{}], "submission": null}', "[]"])
def test_a_raw_answer_that_is_no_record_is_named(tmp_path: Path, text: str) -> None:
    raw = tmp_path / "m.jsonl"
    raw.write_text(json.dumps({"id": "a", "raw_text": text, "error": None}) + "\n")
    inputs = BrowserInputs((), {"m": raw}, {}, None, episodes={"m": tmp_path / "none"})
    with pytest.raises(PlotChainError, match=r"m\.jsonl: a raw answer is no episode's record"):
        read_episodes(inputs)


def test_a_call_without_a_record_keeps_its_reason(tmp_path: Path) -> None:
    raw, table = tmp_path / "m.jsonl", tmp_path / "m.parquet"
    raw.write_text(json.dumps({"id": "a", "raw_text": "", "error": "refused: no"}) + "\n")
    pd.DataFrame(columns=list(EPISODE_COLUMNS)).to_parquet(table)
    found = read_episodes(BrowserInputs((), {"m": raw}, {}, None, episodes={"m": table}))
    assert found.errors == {("m", "a", 1): "refused: no"} and not found.records
