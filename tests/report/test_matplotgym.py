"""The sections of the figure suite, on tables small enough to work out by hand.

Twelve tasks, two attempts each: ten of physics and one of biology exercise two decisions that weigh
0.6 and 0.4, the other of biology all six. `good` loses half of the encoding of task b0 each time;
`sloppy` crashes once, in the second attempt at p0; `waiting` has no episode yet.
"""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from plotchain_lib.item import ANSWER_COLUMNS, SCORE_COLUMNS, PlotChainError
from plotchain_lib.report import ReportInputs, collect_numbers, compose, load_datasets
from plotchain_lib.report.cautions import cautions
from plotchain_lib.report.episodes import with_endings
from plotchain_lib.report.figures import NARROW_INCHES, WIDE_INCHES, Drawings
from plotchain_lib.report.inputs import EPISODE_COLUMNS, SUBMISSION_COLUMNS, Dataset
from plotchain_lib.report.matplotgym import sections
from plotchain_lib.report.matplotgym_decisions import attempts_of, points_lost
from plotchain_lib.report.matplotgym_failures import UNTOLD, losses_of
from plotchain_lib.report.missing import bounds_of
from plotchain_lib.report.page import DatasetPage, render_page
from plotchain_lib.report.summary import baselines, ends_of, ranked_models
from plotchain_lib.report.tables import Table, table_csv, table_latex, view_table
from plotchain_lib.statistics import significance
from plotchain_lib.weighing import WEIGHED_COLUMNS

KINDS = {
    "good": "openai", "sloppy": "openai", "waiting": "openai",
    "columns": "lazy", "nothing": "lazy", "reference": "reference",
}  # fmt: skip
TWO = {"data_selection": 0.6, "encoding": 0.4}
SIX = {"data_selection": 0.37, "encoding": 0.20, "overlays": 0.15, "panel_layout": 0.12,
       "axis_scales": 0.08, "series_completeness": 0.08}  # fmt: skip
TASKS = {**{f"p{n}": ("physics", TWO) for n in range(10)},
         "b0": ("biology", TWO), "b1": ("biology", SIX)}  # fmt: skip
LOST = "another kind of mark; colour mapping dropped"
CRASH, PENDING = "crashed", "pending"


def judged(model: str, item: str, repeat: int, field: str) -> tuple[float, str, str]:
    """Score, what was lost, and how the call ended."""
    if model == "waiting":
        return 0.0, "", PENDING
    if model == "nothing":
        return 0.0, "drew nothing", "answered"
    if (model, item, repeat) == ("sloppy", "p0", 2):
        return 0.0, CRASH, "answered"
    if model == "columns" and field == "data_selection":
        return 0.0, "", "answered"
    if (model, item, field) == ("good", "b0", "encoding"):
        return 0.5, LOST, "answered"
    return 1.0, "", "answered"


def verdicts() -> pd.DataFrame:
    rows = []
    for model in KINDS:
        for item, (group, weights) in TASKS.items():
            for repeat in (1, 2):
                for field, weight in weights.items():
                    score, lost, outcome = judged(model, item, repeat, field)
                    rows.append((model, item, repeat, group, field, weight, score, lost, outcome))
    frame = pd.DataFrame(rows, columns=["model", "item", "repeat", "group", "field", "weight",
                                        "score", "lost", "outcome"])  # fmt: skip
    frame = frame.assign(dataset="figures", policy="decisions", shard=frame["group"], difficulty="",
                         scope="final", value=frame["score"], truth=1.0)  # fmt: skip
    frame.loc[frame["outcome"] == PENDING, "value"] = np.nan
    frame[["derived", "abs_err", "rel_err", "abs_tol", "rel_tol"]] = np.nan
    frame["passed"] = frame["score"] >= 0.95
    calls = [frame[name] for name in ("model", "item", "repeat")]
    weighed = (frame["weight"] * frame["score"]).groupby(calls)
    frame["item_score"] = weighed.transform("sum").round(12)
    frame["reached"] = (frame["item_score"] >= 0.95).astype(float)
    frame["solved"] = frame["reached"].groupby(calls[:2]).transform("min")
    return frame[[*SCORE_COLUMNS, *WEIGHED_COLUMNS]]


def episodes(model: str, unsealed: bool = False, **more: Any) -> pd.DataFrame:
    """One row an attempt; 3 turns, of the last task 14, one of them malformed."""
    rows = []
    for item in TASKS if model != "waiting" else ():
        for repeat in (1, 2):
            last = item == "b1"
            rows.append({
                "item": item, "repeat": repeat, "review": "curated", "end": "done",
                "turns": 14 if last else 3, "malformed": int(last), "reminded": last,
                "sealed": not (unsealed and item == "p0"), "script_sha256": f"{model}-{item}",
                "command_s": 2.0, "latency_s": 1.0, "input_tokens": 100.0, "output_tokens": 10.0,
                "cost_usd": 0.5 if model == "good" else np.nan,
                "outside": "[]", "answer_tokens": "[]", "tampering": "[]", **more,
            })  # fmt: skip
    frame = pd.DataFrame(rows, columns=[*EPISODE_COLUMNS, *more])
    return frame.astype({"sealed": "bool", "reminded": "bool"})


def write(folder: Path, frame: pd.DataFrame, own: dict[str, pd.DataFrame]) -> ReportInputs:
    folder.mkdir(exist_ok=True)
    frame.to_parquet(folder / "scores.parquet", index=False)
    tested = significance(frame, 0.05, 100, 0, {"columns", "nothing", "reference"})
    (folder / "significance.json").write_text(json.dumps(tested))
    undrawn = frame["lost"].isin([CRASH, "drew nothing"]) | (frame["outcome"] == PENDING)
    answers = frame.assign(text=frame["lost"], form=np.where(undrawn, "none", "direct"),
                           latency_s=1.0, input_tokens=1.0, output_tokens=1.0,
                           cost_usd=np.nan)  # fmt: skip
    answers[list(ANSWER_COLUMNS)].to_parquet(folder / "answers.parquet", index=False)
    (folder / "run.json").write_text(json.dumps({"models": {}}))
    for label, table in own.items():
        table.to_parquet(folder / f"episodes-{label}.parquet", index=False)
        scripts = table.drop_duplicates("item").assign(failure="", reason="", spec="{}", webp=b"x")
        scripts[[*SUBMISSION_COLUMNS, "webp"]].to_parquet(folder / f"scripts-{label}.parquet")
    entry = {
        "suite": "matplotgym", "headline": "decisions",
        "scores": {"decisions": folder / "scores.parquet"},
        "significance": {"decisions": folder / "significance.json"},
        "answers": {"figure": {"all": folder / "answers.parquet"}}, "run": folder / "run.json",
        "facts": {"limit": 2},
        "episodes": {label: folder / f"episodes-{label}.parquet" for label in own},
        "submissions": {label: folder / f"scripts-{label}.parquet" for label in own},
    }  # fmt: skip
    return ReportInputs.from_mapping({"models": KINDS, "datasets": {"figures": entry}})


@pytest.fixture(scope="module")
def inputs(tmp_path_factory: pytest.TempPathFactory) -> ReportInputs:
    own = {label: episodes(label, unsealed=label == "sloppy") for label in KINDS}
    return write(tmp_path_factory.mktemp("figures"), verdicts(), own)


@pytest.fixture(scope="module")
def dataset(inputs: ReportInputs) -> Dataset:
    return load_datasets(inputs)[0]


@pytest.fixture(scope="module")
def page(dataset: Dataset) -> DatasetPage:
    return compose([dataset])[0]


def table_of(page: DatasetPage, name: str) -> Table:
    tables = [page.first.leaderboard, *(t for s in page.sections for t in (*s.tables, *s.files))]
    return next(table for table in tables if table.name == name)


def row_of(table: Table, **key: str) -> dict[str, Any]:
    return dict(next(r for r in table.rows if all(r[name] == v for name, v in key.items())))


def lead_of(page: DatasetPage, name: str) -> str:
    return next(section.lead for section in page.sections if section.name == name)


def test_what_is_asked_counts_tasks_and_decisions_and_says_whose_they_are(
    page: DatasetPage,
) -> None:
    table = table_of(page, "tasks")
    assert [row["discipline"] for row in table.records] == ["Physics", "Biology", "All"]
    biology = row_of(table, discipline="Biology")
    assert (biology["tasks"], biology["encoding"], biology["overlays"]) == (2, 2, 1)
    assert (biology["all_six"], biology["curated"]) == (1, 2)
    assert row_of(table, discipline="All")["tasks"] == 12
    assert "curated: the reference figure is ours, not a paper author's" in lead_of(page, "set")
    assert page.first.facts["References"] == "curated"
    assert page.first.facts["Tasks"] == "12"


def test_a_discipline_of_few_tasks_is_marked_as_too_few_to_rank(page: DatasetPage) -> None:
    table = table_of(page, "disciplines")
    heads = {column.name: column.group for column in table.columns}
    assert heads["score_physics"] == "10 tasks or more"
    assert heads["score_biology"] == "Fewer than 10 tasks: too few to rank"
    assert "1 of 2 have fewer than 10 tasks" in lead_of(page, "disciplines")
    good = row_of(table, model="good")
    assert good["score_biology"] == pytest.approx((0.8 + 1.0) / 2)
    assert (good["score_physics"], good["score_biology_n"]) == (1.0, 2)
    assert row_of(table, model="columns")["score_physics"] == pytest.approx(0.4)


def test_lost_points_and_the_task_score_make_a_hundred(dataset: Dataset) -> None:
    lost = points_lost(with_endings(dataset))
    means = dataset.verdicts.drop_duplicates(["model", "item", "repeat"])
    scores = 100 * means.groupby("model")["item_score"].mean()
    assert lost.sum(axis=1).to_dict() == pytest.approx((100 - scores).to_dict())
    # b0 alone lost, 0.4 × 0.5 of its hundred points, one of twelve tasks.
    assert lost.loc["good", "encoding"] == pytest.approx(20 / 12)
    # One of two attempts at one of twelve tasks: a crash is no wrong decision.
    assert lost.loc["sloppy", "no_figure"] == pytest.approx(50 / 12)
    assert lost.loc["sloppy", "data_selection"] == 0
    assert lost.loc["columns", "data_selection"] == pytest.approx((11 * 60 + 37) / 12)
    assert lost.loc["nothing", "no_figure"] == 100


def test_score_by_decision_is_over_the_tasks_that_exercise_it(page: DatasetPage) -> None:
    good = row_of(table_of(page, "decisions"), model="good")
    assert good["encoding"] == pytest.approx(11.5 / 12)
    assert (good["encoding_n"], good["overlays"], good["overlays_n"]) == (12, 1.0, 1)
    assert row_of(table_of(page, "decisions"), model="waiting")["encoding"] is None
    assert row_of(table_of(page, "points_lost"), model="good")["all"] == pytest.approx(0.2 / 12)
    assert "drawing no figure at all costs most" in lead_of(page, "decisions")


def test_one_lucky_attempt_is_no_solve(page: DatasetPage, dataset: Dataset) -> None:
    sloppy = row_of(table_of(page, "solved"), model="sloppy")
    assert (sloppy["solved"], sloppy["any"]) == (pytest.approx(11 / 12), 1.0)
    assert (sloppy["best"], sloppy["worst"]) == (1.0, pytest.approx(11 / 12))
    # Wilson (1927) of 12 in 12: 1 / (1 + z² / 12).
    assert sloppy["any_lower"] == pytest.approx(1 / (1 + 1.959964**2 / 12), abs=1e-6)
    assert attempts_of(dataset.verdicts).to_dict("index")["sloppy", "p0"] == {
        "best": 1.0, "worst": 0.0, "any": 1.0, "all": 0.0,
    }  # fmt: skip
    assert "a single lucky attempt is not a solve" in lead_of(page, "solved")


def test_failures_are_counted_by_decision_and_phrase(page: DatasetPage) -> None:
    table = table_of(page, "failures")
    for phrase in LOST.split("; "):
        row = row_of(table, decision="Encoding", phrase=phrase)
        # Two of 24 episodes; the contestants that answered have 48 between them.
        assert (row["share_good"], row["all"]) == (pytest.approx(2 / 24), pytest.approx(2 / 48))
    untold = row_of(table, decision="Data selection", phrase=UNTOLD)
    assert (untold["kind"], untold["share_columns"], untold["all"]) == ("Wrong data", 1.0, 0)
    kinds = table_of(page, "failure_kinds")
    assert row_of(kinds, kind="Encoding")["share_good"] == pytest.approx(2 / 24)
    assert row_of(kinds, kind="Not completed")["share_sloppy"] == pytest.approx(1 / 24)
    ends = row_of(table_of(page, "not_completed"), model="sloppy")
    assert (ends["episodes"], ends["crashed"], ends["drew_nothing"]) == (24, 1, 0)
    assert row_of(table_of(page, "not_completed"), model="nothing")["drew_nothing"] == 24
    assert "drew_unsubmitted" not in {c.name for c in table_of(page, "not_completed").columns}


def test_a_phrase_counts_once_an_episode() -> None:
    frame = pd.DataFrame(
        {"model": "m", "item": "i", "repeat": 1, "field": "encoding", "ending": "",
         "score": [0.5], "lost": ["a ; a;; b "]}
    )  # fmt: skip
    assert list(losses_of(frame)["phrase"]) == ["a", "b"]


def test_turns_and_cost(page: DatasetPage) -> None:
    good = row_of(table_of(page, "turns"), model="good")
    assert good["turns"] == pytest.approx((11 * 3 + 14) / 12)
    assert (good["turns_most"], good["whole_budget"]) == (14, pytest.approx(1 / 12))
    assert good["malformed"] == pytest.approx(2 / 94)  # of turns: 22 × 3 + 2 × 14
    assert (good["reminded"], good["command_s"]) == (pytest.approx(1 / 12), 2.0)
    # 24 episodes at half a dollar, eleven tasks solved.
    assert (good["cost_usd"], good["cost_solved"]) == (0.5, pytest.approx(12 / 11))
    assert row_of(table_of(page, "turns"), model="sloppy")["cost_solved"] is None
    assert row_of(table_of(page, "turns"), model="waiting") == {"model": "waiting", "episodes": 0}


def test_unsealed_results_are_marked_everywhere(page: DatasetPage, dataset: Dataset) -> None:
    assert dataset.unsealed == {"sloppy"}
    # Two episodes of p0, and its one script.
    caution = next(c for c in cautions(dataset) if c.kind == "unsealed")
    assert (caution.subject, caution.count) == ("sloppy", 3)
    assert "2 of 24 episodes ran unsealed, 1 of 12 scripts scored unsealed" in caution.what
    for name in ("leaderboard", "disciplines", "decisions", "solved", "turns", "integrity"):
        table = table_of(page, name)
        shown = {cells[0].text for cells in view_table(table).rows}
        assert {"sloppy†", "good"} <= shown, name
        assert "†\N{NO-BREAK SPACE}Unsealed" in table.note
    titles = {column.title for column in table_of(page, "failures").columns}
    assert {"sloppy†", "good"} <= titles
    assert r"sloppy\textdagger{}" in table_latex(page.first.leaderboard)
    rows = list(csv.DictReader(io.StringIO(table_csv(page.first.leaderboard))))
    assert {r["model"]: r["model_mark"] for r in rows}["sloppy"] == "†"
    numbers = collect_numbers([page], [dataset])["figures"]["leaderboard"]
    assert (numbers["sloppy"]["model_mark"], numbers["good"]["model_mark"]) == ("†", None)
    named = {name for c in page.first.comparisons for name in (c.first, c.second)}
    assert "sloppy†" in named
    assert page.first.standing is not None
    assert page.first.standing.caption.endswith("† Unsealed.")
    assert "2 of 120 episodes ran unsealed, and 1 scripts" in lead_of(page, "integrity")


def test_sealed_results_have_no_mark(inputs: ReportInputs, dataset: Dataset) -> None:
    frame = dataset.episodes
    scripts = dataset.submissions
    assert frame is not None
    assert scripts is not None
    sealed = replace(dataset, episodes=frame.assign(sealed=True),
                     submissions=scripts.assign(sealed=True))  # fmt: skip
    page = compose([sealed])[0]
    assert "†" not in render_page([replace(page, definitions=())], (), Drawings())
    assert lead_of(page, "integrity").startswith("All 120 episodes ran sealed")


def test_signs_of_reaching_out_are_counted_and_shown(tmp_path: Path) -> None:
    outside = [
        {"turn": 2, "kind": "path", "place": "command", "evidence": "/etc/<b>passwd"},
        {"turn": 3, "kind": "network", "place": "command", "evidence": "curl"},
    ]
    shown = [{"turn": 4, "place": "output", "token": "slope"}]
    own = {label: episodes(label) for label in KINDS}
    own["good"].loc[0, "outside"] = json.dumps(outside)
    own["good"].loc[1, "answer_tokens"] = json.dumps(shown)
    own["good"].loc[:4, "tampering"] = json.dumps(["line 3: uses sys.modules"])
    [dataset] = load_datasets(write(tmp_path, verdicts(), own))
    page = compose([dataset])[0]
    good = row_of(table_of(page, "integrity"), model="good")
    assert (good["reached"], good["path"], good["network"], good["store"]) == (1, 1, 1, 0)
    assert (good["shown"], good["tampering"]) == (1, 5)
    signs = table_of(page, "signs")
    assert row_of(signs, evidence="/etc/<b>passwd")["turn"] == 2
    # Five scripts of three tasks: one of each task is shown, the file has all.
    assert sum(row["place"] == "script" for row in signs.records) == 3
    assert len(table_of(page, "signs_all").records) == 8
    kinds = {caution.kind: caution.count for caution in cautions(dataset)}
    assert (kinds["shown"], kinds["tampering"]) == (1, 5)
    assert "/etc/&lt;b&gt;passwd" in render_page([page], (), Drawings()).replace("<wbr>", "")


def test_several_floors_stand_apart_and_the_highest_is_the_chart_s(dataset: Dataset) -> None:
    assert baselines(dataset) == [
        ("ceiling", "reference"), ("floor", "columns"), ("floor", "nothing"),
    ]  # fmt: skip
    assert ends_of(dataset) == {"ceiling": "reference", "floor": "columns"}
    assert ranked_models(dataset) == ["good", "sloppy", "waiting"]
    page = compose([dataset])[0]
    apart = [row["model"] for row in page.first.leaderboard.apart]
    assert apart == ["reference", "columns", "nothing"]
    assert page.first.standing is not None
    assert "lazy figures, which decide nothing" in page.first.standing.caption
    assert "the reference itself" in page.first.standing.caption


def test_pending_episodes_are_open_not_wrong(page: DatasetPage, dataset: Dataset) -> None:
    bounds = bounds_of(dataset.verdicts, ranked_models(dataset))
    assert (bounds["worst"]["waiting"], bounds["best"]["waiting"]) == (0.0, 1.0)
    assert bounds.loc["good", "worst"] == pytest.approx(11.8 / 12)
    assert (bounds["rank"]["good"], bounds["rank_worst"]["good"]) == (1, 2)
    assert "decisions have no answer" in lead_of(page, "missing")
    for name in ("disciplines", "solved", "points_lost"):
        row = row_of(table_of(page, name), model="waiting")
        assert all(value is None for key, value in row.items() if not _is_about(key)), name
    assert row_of(table_of(page, "not_completed"), model="waiting")["episodes"] == 0


def _is_about(key: str) -> bool:
    return key.startswith("model") or key.endswith("_n")


def test_hardest_tasks_are_those_of_the_lowest_task_score(page: DatasetPage) -> None:
    table = table_of(page, "hardest_items")
    assert table.title == "Hardest tasks"
    first = table.records[0]
    # p0: good 1 and 1, sloppy 1 and 0, waiting 0 and 0.
    assert (first["item"], first["passed"], first["models"]) == ("p0", 0.5, 1)
    assert first["ceiling"] == 1.0


def test_no_sentence_speaks_of_pictures_read(page: DatasetPage) -> None:
    text = render_page([page], (), Drawings())
    for phrase in ("fields passed", "Fields passed", "the pixels alone", "same picture",
                   "Share of task score", "Contract kept", "Errors and speed"):  # fmt: skip
        assert phrase not in text, phrase


def test_every_chart_draws_wide_and_narrow(page: DatasetPage) -> None:
    drawings = Drawings()
    charts = [chart for section in page.sections[:7] for chart in section.charts]
    assert [chart.name for chart in charts] == [
        "tasks", "disciplines", "points_lost", "solved", "failure_kinds",
    ]  # fmt: skip
    for chart in charts:
        for width in (WIDE_INCHES, NARROW_INCHES):
            assert "<svg" in drawings.svg(chart, width, "x")


@pytest.mark.parametrize("nothing", [True, False])
def test_without_any_ended_episode_the_page_still_stands(tmp_path: Path, nothing: bool) -> None:
    frame = verdicts()
    frame = frame[frame["model"] == "waiting"].reset_index(drop=True)
    own = {} if nothing else {"waiting": episodes("waiting")}
    [dataset] = load_datasets(write(tmp_path, frame, own))
    assert (dataset.episodes is None) is nothing
    assert dataset.unsealed == frozenset()
    page = compose([dataset])[0]
    assert "no episode has ended" in lead_of(page, "turns").lower()
    assert "told once an episode has ended" in lead_of(page, "set")
    assert "waiting" in render_page([page], (), Drawings())


def test_the_scratch_column_is_shown_where_the_table_tells(tmp_path: Path) -> None:
    own = {label: episodes(label, drew_unsubmitted=False) for label in KINDS}
    own["sloppy"].loc[:1, "drew_unsubmitted"] = True
    own["sloppy"].loc[:0, "script_sha256"] = ""
    [dataset] = load_datasets(write(tmp_path, verdicts(), own))
    [section] = [s for s in sections(dataset) if s.name == "failures"]
    table = next(t for t in section.tables if t.name == "not_completed")
    assert row_of(table, model="sloppy")["drew_unsubmitted"] == 1
    assert row_of(table, model="good")["drew_unsubmitted"] == 0


def test_a_table_without_its_columns_is_told_in_one_line(tmp_path: Path) -> None:
    inputs = write(tmp_path, verdicts(), {"good": episodes("good").drop(columns="sealed")
                                          .assign(sealed=True)})  # fmt: skip
    path = tmp_path / "episodes-good.parquet"
    pd.read_parquet(path).drop(columns=["turns", "end"]).to_parquet(path)
    with pytest.raises(PlotChainError, match=r"episodes-good.parquet: missing column end, turns"):
        load_datasets(inputs)
    path.write_text("no table")
    with pytest.raises(PlotChainError, match="not a parquet table; delete it and run again"):
        load_datasets(inputs)
    path.unlink()
    with pytest.raises(PlotChainError, match="cannot be read"):
        load_datasets(inputs)
