"""Known answers through the whole DAG: a released set, recorded replies, every protocol."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from clone import Workspace, new_workspace

# Question's task and precision, truth, reply; right under exact, prefix, lenient.
KNOWN = (
    ("properties", "Counting", "How many points? As an integer.", "9", "9", (1, 1, 1)),
    ("properties", "Counting", "How many series? As an integer.", "3", "\n 3", (1, 1, 1)),
    ("function", "Range", "The range span, as an integer?", "4",
     "Of the 3 functions the mean is 4.", (0, 0, 1)),
    ("function", "Extrema", "The maximum to 1 decimal?", "2.5", "2.50", (0, 1, 1)),
    ("properties", "Stationary Points", "The two stationary points in the form [a, b]?",
     "[-10, -3]", "[-10,-3]", (0, 0, 1)),
    ("properties", "Functions", "The equation, in the form y = <m>x + <c>?", "y = 6x + 9",
     "y=6x+9", (0, 0, 1)),
    ("series", "Range", "The range span, as an integer?", "1", "10", (0, 1, 0)),
    ("series", "Extrema", "The minimum, as an integer?", "7", "3", (0, 0, 0)),
    ("transform", "Area Bounded", "The net area to the nearest 10?", "-120", "", (0, 0, 0)),
)  # fmt: skip
POLICIES = ("exact", "prefix", "lenient")


def config(policies: tuple[str, ...]) -> dict[str, Any]:
    return {
        "datasets": {"known": {"suite": "grab", "release": "released"}},
        "models": {"blind": {"kind": "blind"}, "m": {"kind": "recorded", "file": "m.jsonl"}},
        "suites": {"grab": {"policies": list(policies)}},
        "significance": {"alpha": 0.05, "resamples": 200, "seed": 0},
    }


def prepared(folder: Path) -> Workspace:
    workspace = new_workspace(folder, config(POLICIES[:2]))
    (folder / "released").mkdir()
    records = {
        str(n): {"pid": n, "question": question, "answer": truth, "category": category,
                 "complexity": n % 10, "task": task, "image": f"images/{n}.png"}
        for n, (task, category, question, truth, *_) in enumerate(KNOWN)
    }  # fmt: skip
    (folder / "released" / "grab.json").write_text(json.dumps(records))
    lines = [
        json.dumps({"id": str(n), "raw_text": reply, "latency_s": 1.0, "error": None}) + "\n"
        for n, (*_, reply, _) in enumerate(KNOWN)
    ]
    (folder / "m.jsonl").write_text("".join(lines))
    return workspace


@pytest.mark.long
def test_known_answers_through_every_protocol(tmp_path: Path) -> None:
    workspace = prepared(tmp_path / "clone")
    ended = workspace.run("--cores", "2")
    assert "known: 9 of 9 pictures are missing" in ended.stderr
    judged_as_worked_out_by_hand(workspace)
    extraction_asks_once_for_every_reply_and_says_so(workspace)


def judged_as_worked_out_by_hand(workspace: Workspace) -> None:
    asked = workspace.asked()
    workspace.edit_config(suites={"grab": {"policies": list(POLICIES)}})
    # A protocol more is judged from the same answers: nobody is asked, nothing is read again.
    planned = workspace.planned()
    assert not {"query", "parse", "extract", "import_known"} & set(planned)
    assert planned["score"] == 1
    workspace.edit_config(suites={"grab": {"policies": list(reversed(POLICIES))}})
    assert "query" not in workspace.planned()
    workspace.edit_config(suites={"grab": {"policies": list(POLICIES)}})
    workspace.build()
    assert workspace.asked() == asked
    results = workspace.folder / "results"
    for place, policy in enumerate(POLICIES):
        scores = pd.read_parquet(results / "known" / "scores" / f"{policy}.parquet")
        own = scores[scores["model"] == "m"].set_index("item")["passed"]
        right = [verdicts[place] for *_, verdicts in KNOWN]
        assert [int(own[str(n)]) for n in range(len(KNOWN))] == right
    numbers = json.loads((results / "numbers.json").read_text())["known"]
    assert numbers["leaderboard"]["m"]["all_pass"] == pytest.approx(2 / 9)
    assert numbers["protocols"]["m"]["prefix"] == pytest.approx(4 / 9)
    assert numbers["protocols"]["m"]["lenient"] == pytest.approx(6 / 9)
    # Lenient and not exact: verbose, one decimal too many, pair and equation without blanks.
    assert numbers["format"]["m"]["format_failures"] == pytest.approx(4 / 9)
    assert numbers["outcomes"]["m"]["empty"] == 1
    assert workspace.planned() == {}


def extraction_asks_once_for_every_reply_and_says_so(workspace: Workspace) -> None:
    copies = ("9", "3", "4", "2.5", "[-10, -3]", "y = 6x + 9", "10\n", "none")
    lines = [json.dumps({"id": f"{n}.1", "raw_text": text}) + "\n" for n, text in enumerate(copies)]
    (workspace.folder / "ex.jsonl").write_text("".join(lines))
    extractor = {"extractor": {"kind": "recorded", "file": "ex.jsonl"}}
    workspace.edit_config(
        models={"m": config(POLICIES)["models"]["m"]} | extractor,
        suites={"grab": {"policies": ["exact", "extracted"]}},
    )
    ended = workspace.run("--cores", "2")
    assert "policy extracted of grab asks the model extractor once for every reply" in ended.stderr
    results = workspace.folder / "results"
    scores = pd.read_parquet(results / "known" / "scores" / "extracted.parquet")
    own = scores.set_index("item")
    # Right: what it copied in the right form; the empty reply was not sent, and stays empty.
    assert [bool(own["passed"][str(n)]) for n in range(9)] == [True] * 6 + [False] * 3
    assert own["outcome"]["8"] == "empty"
    assert set(scores["model"]) == {"m"}  # the extractor is no contestant
    run = json.loads((results / "known" / "run.json").read_text())["models"]
    assert (run["m"]["responses"], run["extractor"]["responses"]) == (9, 8)
    page = (results / "report.html").read_text()
    assert "extraction (extractor for extracted)" in page
    assert "8 calls of extractor" in page
    prompt = (results / "known" / "extraction" / "m.jsonl").read_text()
    assert "How many points" not in prompt  # neither question nor truth is given away
    asked = workspace.asked()
    assert workspace.planned() == {}
    workspace.edit_config(suites={"grab": {"policies": ["lenient", "extracted", "exact"]}})
    workspace.build()
    assert workspace.asked() == asked
