"""The table of episodes: one row each, with what drew though nothing was submitted."""

from __future__ import annotations

import json
from typing import Any

import pytest

from plotchain_lib.item import Item, PlotChainError
from plotchain_lib.suites.matplotgym import suite
from plotchain_lib.suites.matplotgym.episodes import COLUMNS, drew, episode_table
from plotchain_lib.suites.matplotgym.submissions import script_digest


def item() -> Item:
    """One of the shipped ones."""
    (found,) = suite.items("medicine", None, 1, {"tasks": ""})
    return found


def turn(number: int, kind: str, text: str, **more: Any) -> dict[str, Any]:
    return {"turn": number, "kind": kind, "path": "", "note": "", "told": "", "ends": False,
            "reply": {"text": text, "outcome": "answered"}, **more}  # fmt: skip


def record(turns: list[dict[str, Any]], submission: str | None = None) -> dict[str, Any]:
    return {"protocol": 1, "sealed": True, "end": "done", "reason": "", "submission": submission,
            "tampering": [], "reminded": False, "turns": turns, "outside": []}  # fmt: skip


def response(found: Any, **more: Any) -> dict[str, Any]:
    return {"model": "m", "item": item().id, "repeat": 1, "outcome": "answered",
            "text": json.dumps(found), "latency_s": 2.0, "input_tokens": 7, "output_tokens": 5,
            "cost_usd": None, **more}  # fmt: skip


BASH = "```bash\n{}\n```"
PYTHON = "```python\n{}\n```"


@pytest.mark.parametrize(
    ("turns", "expected"),
    [
        ([], False),
        ([turn(1, "python", PYTHON.format("plt.plot([1, 2])"), code=0)], True),
        ([turn(1, "bash", BASH.format("python -c 'f.savefig(1)'"), code=0)], True),
        ([turn(1, "python", PYTHON.format("plt.plot([1, 2])"), code=1)], False),  # it failed
        ([turn(1, "bash", BASH.format("ls data"), code=0)], False),
        ([turn(1, "malformed", "plt.plot([1, 2])")], False),  # said, not done
        ([turn(1, "write", "```write plot.py\nplt.show()\n```", path="plot.py")], False),
        ([turn(1, "write", "```write plot.py\nplt.show()\n```", path="plot.py"),
          turn(2, "bash", BASH.format("python plot.py"), code=0)], True),
        ([turn(1, "write", "```write plot.py\nplt.show()\n```", path="plot.py"),
          turn(2, "bash", BASH.format("python other.py"), code=0)], False),
    ],
)  # fmt: skip
def test_what_drew_is_told_by_words_of_commands_that_ended_well(
    turns: list[dict[str, Any]], expected: bool
) -> None:
    assert drew(turns) is expected


def test_a_row_says_how_an_episode_went() -> None:
    turns = [
        turn(1, "malformed", "hm"),
        turn(2, "python", PYTHON.format("plt.plot([1])"), code=0, seconds=1.5),
    ]
    frame = episode_table([response(record(turns))], [item()])
    assert tuple(frame.columns) == COLUMNS
    row = frame.iloc[0].to_dict()
    assert (row["turns"], row["malformed"], row["command_s"]) == (2, 1, 1.5)
    assert row["drew_unsubmitted"] and row["script_sha256"] == ""
    assert row["review"] == item().params["review"] != ""


def test_what_was_submitted_is_not_unsubmitted() -> None:
    turns = [turn(1, "python", PYTHON.format("plt.plot([1])"), code=0)]
    frame = episode_table([response(record(turns, "plt.plot([1])"))], [item()])
    assert not frame["drew_unsubmitted"].any()
    assert frame["script_sha256"].tolist() == [script_digest("plt.plot([1])")]


def test_episodes_that_never_began_have_no_row_and_a_plain_reply_is_told() -> None:
    pending = response("", outcome="pending")
    frame = episode_table([pending], [item()])
    assert len(frame) == 0 and frame["drew_unsubmitted"].dtype == bool
    with pytest.raises(PlotChainError, match="no episode's record"):
        episode_table([response("a plain reply")], [item()])
