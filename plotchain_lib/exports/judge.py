"""One reply judged as the pipeline judges it, for tasks that run inside other tools."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

import pandas as pd

from plotchain_lib import suites
from plotchain_lib.item import Item, PlotChainError
from plotchain_lib.parse import parse_responses
from plotchain_lib.policy import load_policy
from plotchain_lib.suites.verdicts import verdicts

# How other tools say that a reply did not end by itself, in our words.
OUTCOME_OF_STOP = {
    "max_tokens": "truncated",
    "model_length": "truncated",
    "content_filter": "blocked",
}


def outcome_of(reply: str, stop_reason: str = "", failed: bool = False) -> str:
    """How a call ended: ``answered``, ``empty``, ``rejected``, or what its reason to stop means."""
    if failed:
        return "rejected"
    if stop_reason in OUTCOME_OF_STOP:
        return OUTCOME_OF_STOP[stop_reason]
    return "answered" if reply.strip() else "empty"


def judge(
    item: Item, reply: str, policy_files: Sequence[Path], outcome: str = "answered"
) -> dict[str, pd.DataFrame]:
    """The verdicts on one reply to one item: per policy a row per field, as `verdicts` gives.

    The reply goes through a response file, because that is what the stage that reads replies
    takes: one code for both, so one score. Raises PlotChainError as the stages do, and for a policy
    by which a model would have to be asked.
    """
    read: dict[str, pd.DataFrame] = {}
    judged: dict[str, pd.DataFrame] = {}
    for file in policy_files:
        parsing = _parsing(file, file.stat().st_mtime_ns)
        if parsing not in read:
            read[parsing] = _answers(item, reply, parsing, outcome)
        judged[file.stem] = verdicts(item.suite, [item], read[parsing], file)
    return judged


@lru_cache(maxsize=64)
def _parsing(file: Path, _mtime_ns: int) -> str:
    policy = load_policy(file)
    if policy.extractor:
        raise PlotChainError(
            f"{file}: a model reads the replies under this policy; choose another one here"
        )
    return policy.parsing


def _answers(item: Item, reply: str, parsing: str, outcome: str) -> pd.DataFrame:
    record = {
        "dataset": "export", "model": "reply", "item": item.id, "repeat": 1, "outcome": outcome,
        "text": reply,
    }  # fmt: skip
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "reply.json")
        path.write_text(json.dumps(record), encoding="utf-8")
        read = suites.judging(item.suite).reader(parsing)
        return parse_responses([path], [item], parsing, read)


def scores_of(
    item: Item,
    reply: str,
    policy_files: Sequence[Path],
    stop_reason: str = "",
    failed: bool = False,
) -> dict[str, float]:
    """What one reply is worth under each policy.

    Args:
        item: what was asked.
        reply: the whole text that came back.
        policy_files: the policies.
        stop_reason: why the reply ended, in the words of OUTCOME_OF_STOP.
        failed: whether the call ended in an error: whatever text came is no answer.

    Returns for every policy ``{policy}``: 1.0 where all final fields pass, else 0.0; and
    ``{policy}_fields``: the share of all fields that pass.
    """
    scores: dict[str, float] = {}
    outcome = outcome_of(reply, stop_reason, failed)
    for policy, table in judge(item, reply, policy_files, outcome).items():
        passed = table["passed"].to_numpy(bool)
        final = (table["scope"] == "final").to_numpy(bool)
        scores[policy] = float(passed[final].all())
        scores[f"{policy}_fields"] = float(passed.mean())
    return scores
