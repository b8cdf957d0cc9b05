"""The figure suite through the real DAG: local agents, and a chat model over HTTP."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from clone import Workspace, new_workspace
from figure_task import DECISIONS, SHOWN, script, write_task
from wire_formats import Question
from wire_servers import WireServer

from plotchain_lib.suites.matplotgym.sandbox import sealing_problem

pytestmark = pytest.mark.skipif(
    bool(sealing_problem()), reason=f"bubblewrap {sealing_problem()}: episodes cannot be sealed"
)
KEY = "key-of-the-chat-model-42"
# What the five decisions of the small task weigh together.
WHOLE = 0.37 + 0.20 + 0.15 + 0.12 + 0.08
DONE = "```done\n```"


def write(text: str) -> str:
    return f"```write make_figure.py\n{text}```"


def bash(command: str) -> str:
    return f"```bash\n{command}\n```"


# Replies of each scripted model, the last one for ever after, and its task's score by hand.
SCRIPTED: dict[str, tuple[tuple[str, ...], float]] = {
    "good": ((bash("head data/*.csv"), write(script()), DONE), 1.0),
    # Points for lines, which earns half of the encoding.
    "wasteful": ((*[bash("seq 20000")] * 5, write(script(call="scatter")), DONE),
                 1 - 0.20 / 2 / WHOLE),
    # Without the line that the claim is read against; the wrong fences only cost turns.
    "malformed": (("I shall look.", "```sh\nls\n```", "```\n?\n```",
                   f"~~~python write make_figure.py\n{script(rest='')}~~~", DONE),
                  1 - 0.15 / WHOLE),
    # One series too many beside two costs half of one of two.
    "never done": ((write(script((*SHOWN, ("off", "a")))), bash("true")),
                   1 - 0.08 * 0.5 / 2 / WHOLE),
    "crash": ((write("raise KeyError('volts')\n"), DONE), 0.0),
    "nothing": ((f"```python\n{script()}```", DONE), 0.0),
}  # fmt: skip


def answers(question: Question) -> str:
    replies, _ = SCRIPTED[question.model]
    return replies[min(len(question.later) // 2, len(replies) - 1)]


def config(models: dict[str, Any], **suite: Any) -> dict[str, Any]:
    return {
        "datasets": {"mine": {"suite": "matplotgym", "tasks": "my_tasks"}},
        "models": models,
        "suites": {
            "matplotgym": {"policies": ["decisions", "equal"], **suite},
            "plotchain": {"policies": ["plotread"]},
        },
        "significance": {"alpha": 0.05, "resamples": 200, "seed": 0},
    }


def item_scores(workspace: Workspace, policy: str = "decisions") -> pd.DataFrame:
    scores = pd.read_parquet(workspace.folder / f"results/mine/scores/{policy}.parquet")
    calls: pd.DataFrame = scores.drop_duplicates(["model", "repeat"]).set_index("model")
    return calls[["item_score", "solved", "lost"]]


@pytest.mark.long
def test_local_agents_stand_where_they_must(tmp_path: Path) -> None:
    models = {
        "reference": {"kind": "reference"},
        "lazy": {"kind": "lazy", "figure": "nothing"},
        "worse": {"kind": "degraded", "decision": "overlays"},
        "blind": {"kind": "blind"},
    }
    workspace = new_workspace(tmp_path / "clone", config(models))
    write_task(workspace.folder / "my_tasks")
    target = "results/mine/significance/decisions.json"
    jobs = workspace.build(target)
    # Three attempts by default; blind answers no episode.
    assert jobs["query"] == 9 and jobs["redraw"] == 3
    found = item_scores(workspace)
    assert found.loc["reference", "item_score"].tolist() == [1.0] * 3
    assert found.loc["worse", "item_score"].to_numpy(float) == pytest.approx(1 - 0.15 / WHOLE)
    assert found.loc["lazy", "item_score"].tolist() == [0.0] * 3
    assert set(found.loc["lazy", "lost"]) == {"drew nothing"}
    record = json.loads((workspace.folder / target).read_text())
    means = {(m["metric"], m["model"]): m["value"] for m in record["metrics"]}
    assert means["item_score", "reference"] == means["solved", "reference"] == 1.0
    assert means["solved", "worse"] == 0.0
    reweighed_without_running_anything(workspace)


def reweighed_without_running_anything(workspace: Workspace) -> None:
    workspace.replace("config/policies/matplotgym/equal.yaml", "overlays: 1", "overlays: 4")
    planned = workspace.planned("results/mine/scores/equal.parquet")
    assert planned == {"score": 1}
    workspace.build("results/mine/scores/equal.parquet")
    found = item_scores(workspace, "equal")
    assert found.loc["worse", "item_score"].to_numpy(float) == pytest.approx(4 / 8)


@pytest.mark.long
def test_a_chat_model_plays_over_http(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPATIBLE_API_KEY", KEY)
    with WireServer({"openai_compatible": KEY}, answers=answers) as server:
        models: dict[str, Any] = {
            name.replace(" ", "-"): {
                "kind": "openai_compatible", "model": name, "base_url": server.address,
                "key": "COMPATIBLE_API_KEY", "datasets": ["mine"],
            }
            for name in SCRIPTED
        }  # fmt: skip
        models["reference"], models["reader"] = {"kind": "reference"}, {"kind": "reader"}
        settings = config(models, repeats=1)
        settings["datasets"]["plots"] = {
            "suite": "plotchain", "seed": 0, "items_per_family": 1, "families": ["pump_curve"],
        }  # fmt: skip
        workspace = new_workspace(tmp_path / "clone", settings)
        write_task(workspace.folder / "my_tasks")
        ended = workspace.run("--cores", "4")
        assert server.complaints == []
        turns = {"good": 3, "wasteful": 7, "malformed": 5, "never done": 14, "crash": 2,
                 "nothing": 3}  # fmt: skip
        asked = [seen.question.model for seen in server.seen]
        assert {name: asked.count(name) for name in SCRIPTED} == turns
        # An episode shows no picture: the reference figure is the answer.
        assert all(seen.question.picture is None for seen in server.seen)
        assert KEY not in ended.stdout + ended.stderr
        scored_as_worked_out_by_hand(workspace)
        told_in_the_report(workspace)
        assert workspace.planned() == {}
        made_again_without_asking(workspace)
        assert len(server.seen) == len(asked)


def scored_as_worked_out_by_hand(workspace: Workspace) -> None:
    found = item_scores(workspace)
    for name, (_, expected) in SCRIPTED.items():
        own = found.loc[name.replace(" ", "-")]
        assert own["item_score"] == pytest.approx(expected, abs=1e-9), name
        assert own["solved"] == float(expected >= 0.95), name
    assert found.loc["crash", "lost"] == "crashed"
    assert found.loc["nothing", "lost"] == "nothing submitted"
    scores = pd.read_parquet(workspace.folder / "results/mine/scores/decisions.parquet")
    assert set(scores["field"]) == set(DECISIONS) and set(scores["shard"]) == {"physics"}
    # Each mistake costs in its own decision and in no other.
    good = scores[scores["model"] == "never-done"].set_index("field")["score"]
    assert good.drop("series_completeness").to_list() == [1.0] * 4
    assert good["series_completeness"] == pytest.approx(0.75)


def told_in_the_report(workspace: Workspace) -> None:
    results = workspace.folder / "results"
    numbers = json.loads((results / "numbers.json").read_text())
    board = numbers["mine"]["leaderboard"]
    assert board["malformed"]["item_score"] == pytest.approx(1 - 0.15 / WHOLE)
    assert "reader" not in board and set(numbers) >= {"mine", "plots"}
    episodes = pd.read_parquet(results / "mine/episodes/never-done.parquet").iloc[0]
    assert (episodes["end"], episodes["turns"], episodes["sealed"]) == ("budget", 14, True)
    # The script holds the token the task would be given away by; nobody showed it to the agent.
    assert json.loads(episodes["answer_tokens"]) == []
    assert not (results / "mine/responses/reader").exists()
    assert not (results / "plots/responses/reference").exists()


def made_again_without_asking(workspace: Workspace) -> None:
    """Another word in the task's title makes the items again, and the answers come from the cache."""
    asked = workspace.asked()
    workspace.replace("my_tasks/doubling/task.yaml", "title: Doubling", "title: Twice")
    target = "results/mine/significance/decisions.json"
    assert workspace.planned(target)["generate"] == 1
    workspace.build(target)
    assert workspace.asked() == asked
    assert workspace.planned(target) == {}
