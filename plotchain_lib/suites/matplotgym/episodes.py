"""What is worth knowing of each episode beside its score, as a table: the report reads only tables.

How it ended, what it took, whether it was kept in, and what its transcript shows of reaching beyond
its workspace or of answers in sight.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from pathlib import PurePosixPath
from typing import Any

import pandas as pd

from plotchain_lib.item import Item
from plotchain_lib.suites.matplotgym.audit import answer_tokens
from plotchain_lib.suites.matplotgym.catalogue import task_of
from plotchain_lib.suites.matplotgym.protocol import parse
from plotchain_lib.suites.matplotgym.submissions import record_of, script_digest

COLUMNS = (
    "model", "item", "repeat", "review", "end", "turns", "malformed", "reminded", "sealed",
    "script_sha256", "command_s", "latency_s", "input_tokens", "output_tokens", "cost_usd",
    "outside", "answer_tokens", "tampering", "drew_unsubmitted",
)  # fmt: skip
_DRAWS = re.compile(r"\bsavefig\b|\bplt\.\w")
_NUMBERS = ("command_s", "latency_s", "input_tokens", "output_tokens", "cost_usd")


def episode_table(responses: Iterable[Mapping[str, Any]], items: Iterable[Item]) -> pd.DataFrame:
    """One row per answered episode, columns COLUMNS, in the order of the responses.

    ``review`` is the task's: ``curated`` or ``imported``. ``end`` is ``done``, ``budget``, or the
    outcome that ended it; ``malformed`` counts turns without an action; ``script_sha256`` is empty
    where nothing was submitted. ``command_s`` and ``latency_s`` are seconds of the agent's commands
    and of its model, ``cost_usd`` US dollars.
    ``outside``, ``answer_tokens`` and ``tampering`` are JSON lists: of attempts to reach beyond the
    workspace (`audit.Attempt`), of answer tokens that were shown to the agent (`audit.Sighting`),
    and of lines on what in the script may be meant for its reader. ``drew_unsubmitted`` is whether
    nothing was submitted though a command drew (see `drew`).

    Raises PlotChainError for a response that is no episode's record.
    """
    known = {item.id: item for item in items}
    rows = [
        _row(response, record_of(response["text"]), known[response["item"]])
        for response in responses
        if response["outcome"] == "answered"
    ]
    frame = pd.DataFrame(rows, columns=list(COLUMNS))
    kinds = {
        **dict.fromkeys(("repeat", "turns", "malformed"), "int64"),
        **dict.fromkeys(("reminded", "sealed", "drew_unsubmitted"), "bool"),
        **dict.fromkeys(_NUMBERS, "float64"),
    }
    return frame.astype({name: kinds.get(name, "str") for name in COLUMNS})


def _row(response: Mapping[str, Any], record: Mapping[str, Any], item: Item) -> tuple[Any, ...]:
    turns, script = record["turns"], record["submission"]
    seen = answer_tokens(turns, task_of(item).answer_tokens, item.prompt)
    shown = [asdict(sighting) for sighting in seen if sighting.place != "reply"]
    return (
        response["model"], response["item"], response["repeat"], str(item.params["review"]),
        record["end"], len(turns), sum(turn["kind"] == "malformed" for turn in turns),
        record["reminded"], record["sealed"],
        "" if script is None else script_digest(script),
        sum(turn.get("seconds", 0.0) for turn in turns),
        *(response.get(name) for name in _NUMBERS[1:]),
        *(json.dumps(found) for found in (record["outside"], shown, record["tampering"])),
        script is None and drew(turns),
    )  # fmt: skip


def drew(turns: Iterable[Mapping[str, Any]]) -> bool:
    """Whether a command that ended well drew or saved a figure, as far as its words tell.

    The words are those of the command, and of files the agent wrote that a command names. A file
    that is only written by a command (``cat > plot.py``) counts as well.
    """
    written: dict[str, str] = {}
    for turn in turns:
        text = parse(turn["reply"]["text"]).text
        if turn["kind"] == "write":
            written[PurePosixPath(turn["path"]).name] = text
        elif turn["kind"] in ("bash", "python") and turn.get("code") == 0:
            named = [content for name, content in written.items() if name in text]
            if any(_DRAWS.search(words) for words in (text, *named)):
                return True
    return False
