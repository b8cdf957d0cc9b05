"""A run of the figure suite with everything an episode may hold, played and judged for real."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from plotchain_lib.files import write_items
from plotchain_lib.item import Item
from plotchain_lib.parse import parse_responses
from plotchain_lib.pictures import picture_table
from plotchain_lib.query.episode import response_of
from plotchain_lib.releases import write_raw_outputs
from plotchain_lib.report import ReportInputs
from plotchain_lib.statistics import significance
from plotchain_lib.suites.matplotgym import judging, suite
from plotchain_lib.suites.matplotgym.episodes import episode_table
from plotchain_lib.suites.matplotgym.floor import scripts
from plotchain_lib.suites.matplotgym.player import play_item
from plotchain_lib.suites.matplotgym.sandbox import sealing_problem
from plotchain_lib.suites.matplotgym.submissions import submission_table
from plotchain_lib.suites.verdicts import verdicts

POLICY = Path(__file__).parents[2] / "config" / "policies" / "matplotgym" / "decisions.yaml"
KINDS = {"agent": "openai", "other": "openai", "reference": "reference", "lazy": "lazy"}
HOSTILE = "</script><img src=x onerror=\"document.title='owned'\"> https://example.org"
DONE = "```done\n```"
LONG = "for n in range(2000): print('line', n)"


NOSY = "import sys\nknown = set(sys.modules)\n"  # what a script has no need to know


def written(script: str) -> str:
    return f"Here it is.\n\n```write make_figure.py\n{script}\n```"


def replies_of(own: Mapping[str, str]) -> dict[str, list[list[str]]]:
    """Model to its replies in each of two attempts."""
    draws = "import matplotlib.pyplot as plt\nplt.plot([1, 2])\nplt.savefig('a.png')"
    return {
        "agent": [
            [HOSTILE, f"```python\n{LONG}\n```", "```bash\ncat /etc/passwd; ls ../../root\n```",
             written(f"{NOSY}{own['degraded-encoding']}"), DONE],
            ["Let me think.", f"```python\n{draws}\n```", DONE, DONE],
        ],
        "other": [
            ["```bash\nhead -3 data/*\n```", written(f"raise ValueError({HOSTILE!r})"), DONE],
            [written(own["lazy-columns"]), *["no block"] * 13],
        ],
        "reference": [[written(own["reference"]), DONE]] * 2,
        "lazy": [[written(own["lazy-nothing"]), DONE]] * 2,
    }  # fmt: skip


def asking(replies: Sequence[str]) -> Any:
    """Who answers with these replies, one after the other."""
    left: Iterator[str] = iter(replies)
    return lambda _messages: {"text": next(left), "outcome": "answered", "reason": "",
                              "input_tokens": 900, "output_tokens": 80, "cost_usd": 0.01,
                              "latency_s": 2.0}  # fmt: skip


def play_run(folder: Path) -> ReportInputs:
    """Play, redraw, read, judge and export two attempts of four models at one item.

    The second attempt of ``other`` is made to look as if it had run without a sandbox. Skips where
    there is no bubblewrap.
    """
    if problem := sealing_problem():
        pytest.skip(f"bubblewrap {problem}")
    (item,) = suite.items("medicine", None, 1, {"tasks": ""})
    results = folder / "results" / "matplotgym"
    write_items(results / "items" / "medicine.jsonl", [item])
    png, geometry, _ = suite.draw(item)
    picture = results / "images" / "medicine" / f"{item.id}.png"
    picture.parent.mkdir(parents=True)
    picture.write_bytes(png)
    shapes = results / "images" / "medicine.geometry.json"
    shapes.write_text(json.dumps({item.id: geometry}))
    (results / "pictures").mkdir()
    picture_table([picture], reduced=False).to_parquet(results / "pictures" / "medicine.parquet")
    for model, attempts in replies_of(scripts(item)).items():
        files = [
            _respond(folder, results, item, model, number, replies)
            for number, replies in enumerate(attempts, start=1)
        ]
        _tables(results, item, model, files, shapes)
    return _judged(results)


def _respond(
    folder: Path, results: Path, item: Item, model: str, number: int, replies: Sequence[str]
) -> Path:
    record = play_item(item, folder / "episodes" / f"{model}{number}", asking(replies), {})
    if (model, number) == ("other", 2):
        record = copy.deepcopy(record) | {"sealed": False}
    answer = response_of(record)
    path = results / "responses" / model / f"{item.id}.{number}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({
        "dataset": "matplotgym", "model": model, "item": item.id, "repeat": number, "sent": {},
        "outcome": answer.outcome, "text": answer.text, "reason": answer.reason,
        "latency_s": answer.latency_s, "input_tokens": answer.input_tokens,
        "output_tokens": answer.output_tokens, "cost_usd": answer.cost_usd,
        "served_model": model, "received": dict(answer.received),
    }))  # fmt: skip
    return path


def _tables(results: Path, item: Item, model: str, files: list[Path], shapes: Path) -> None:
    responses = [json.loads(path.read_text()) for path in files]
    for name, frame in (
        ("submissions", submission_table(responses, [item], unsealed=False)),
        ("episodes", episode_table(responses, [item])),
    ):
        (results / name).mkdir(exist_ok=True)
        frame.to_parquet(results / name / f"{model}.parquet")
    drawn = [results / "submissions" / f"{model}.parquet", shapes]
    answers = parse_responses(files, [item], "figure", judging.reader("figure", drawn))
    (results / "answers").mkdir(exist_ok=True)
    answers.to_parquet(results / "answers" / f"{model}.parquet")
    (results / "raw").mkdir(exist_ok=True)
    write_raw_outputs(results / "raw" / f"{model}.jsonl", files)


def _judged(results: Path) -> ReportInputs:
    (item,) = suite.items("medicine", None, 1, {"tasks": ""})
    answers = pd.concat(
        [pd.read_parquet(results / "answers" / f"{m}.parquet") for m in KINDS], ignore_index=True
    )
    judged = verdicts("matplotgym", [item], answers, POLICY)
    judged.to_parquet(results / "scores.parquet")
    found = significance(judged, 0.05, 50, 0, {"reference", "lazy"})
    (results / "significance.json").write_text(json.dumps(found))
    (results / "run.json").write_text(json.dumps({"responses": 8, "models": {}}))
    by_model = {
        name: {model: str(results / name / f"{model}.{end}") for model in KINDS}
        for name, end in (("answers", "parquet"), ("episodes", "parquet"), ("raw", "jsonl"),
                          ("submissions", "parquet"))
    }  # fmt: skip
    played = {name: by_model[name] for name in ("episodes", "submissions")}
    return ReportInputs.from_mapping({"models": KINDS, "datasets": {"matplotgym": {
        "suite": "matplotgym", "headline": "decisions", "parsing": {"decisions": "figure"},
        "scores": {"decisions": str(results / "scores.parquet")},
        "significance": {"decisions": str(results / "significance.json")},
        "answers": {"figure": by_model["answers"]}, "run": str(results / "run.json"),
        **played,
        "browser": {
            "items": [str(results / "items" / "medicine.jsonl")], "replies": by_model["raw"],
            "pictures": {"medicine": str(results / "pictures" / "medicine.parquet")},
            "overlays": None, "reduced": False, **played,
        },
    }}})  # fmt: skip
