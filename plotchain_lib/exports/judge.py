"""One reply judged as the pipeline judges it, for tasks that run inside other tools."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

import pandas as pd

from plotchain_lib import suites
from plotchain_lib.item import Item, PlotChainError
from plotchain_lib.metrics import item_table
from plotchain_lib.parse import parse_responses
from plotchain_lib.policy import load_policy
from plotchain_lib.suites.verdicts import verdicts

# How other tools say that a reply did not end by itself, in our words.
OUTCOME_OF_STOP = {
    "max_tokens": "truncated",
    "model_length": "truncated",
    "content_filter": "blocked",
}


def outcome_of(reply: str, stop_reason: str = "") -> str:
    """How a call ended: ``answered``, ``empty``, or what its reason to stop means."""
    if stop_reason in OUTCOME_OF_STOP:
        return OUTCOME_OF_STOP[stop_reason]
    return "answered" if reply.strip() else "empty"


def judge(item: Item, reply: str, policy_file: Path, outcome: str = "answered") -> pd.DataFrame:
    """The verdicts on one reply to one item: a row per field, as `verdicts` gives.

    The reply goes through a response file, because that is what the stage that reads replies
    takes: one code for both, so one score. Raises PlotChainError as the stages do, and for a policy
    by which a model would have to be asked.
    """
    policy = load_policy(policy_file)
    if policy.extractor:
        raise PlotChainError(
            f"{policy_file}: a model reads the replies under this policy; choose another one here"
        )
    record = {
        "dataset": "export", "model": "reply", "item": item.id, "repeat": 1, "outcome": outcome,
        "text": reply,
    }  # fmt: skip
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "reply.json")
        path.write_text(json.dumps(record), encoding="utf-8")
        read = suites.judging(item.suite).reader(policy.parsing)
        answers = parse_responses([path], [item], policy.parsing, read)
    return verdicts(item.suite, [item], answers, policy_file)


def scores_of(
    item: Item, reply: str, policy_files: Sequence[Path], stop_reason: str = ""
) -> Mapping[str, float]:
    """What one reply is worth under each policy.

    Returns for every policy ``{policy}``: 1.0 where all final fields pass, else 0.0; and
    ``{policy}_fields``: the share of all fields that pass.
    """
    outcome = outcome_of(reply, stop_reason)
    scores: dict[str, float] = {}
    for file in policy_files:
        table = item_table(judge(item, reply, file, outcome))
        scores[file.stem] = float(table["final_all_pass"].iloc[0])
        scores[f"{file.stem}_fields"] = float(table["passed"].iloc[0] / table["n"].iloc[0])
    return scores
