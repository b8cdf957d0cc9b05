"""Ranks that change when the same answers are judged by another policy."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from plotchain_lib.report.inputs import Dataset
from plotchain_lib.report.summary import ranked_models

MOST_TOLD = 3


@dataclass(frozen=True, slots=True)
class RankChange:
    """A contestant whose rank under a policy is not its rank under the headline policy.

    Attributes:
        policy, model: which and whose.
        headline_rank, rank: from 1.
        by_parsing: the two policies have the same tolerances, so that only the reading of the
            replies can have moved it.
    """

    policy: str
    model: str
    headline_rank: int
    rank: int
    by_parsing: bool


def rank_changes(dataset: Dataset) -> list[RankChange]:
    """Every change, by policy and then in the headline's order."""
    headline = ranked_models(dataset)
    found = []
    for policy in dataset.policies[1:]:
        same = _same_tolerances(dataset.verdicts, dataset.scores[policy])
        rank = {label: n for n, label in enumerate(ranked_models(dataset, policy), start=1)}
        found += [
            RankChange(policy, label, n, rank[label], same)
            for n, label in enumerate(headline, start=1)
            if rank.get(label, n) != n
        ]
    return found


def told_changes(dataset: Dataset) -> str:
    """What changes, in sentences; empty where there is nothing to compare."""
    contest = ranked_models(dataset)
    if len(contest) < 2 or len(dataset.policies) < 2:
        return ""
    changes = rank_changes(dataset)
    if not changes:
        return "Every policy ranks the models in the same order."
    sentences = []
    for policy in dict.fromkeys(change.policy for change in changes):
        own = [change for change in changes if change.policy == policy]
        why = ", by the reading of the replies alone" if own[0].by_parsing else ""
        moves = ", ".join(
            f"{dataset.named(c.model)} from {c.headline_rank} to {c.rank}" for c in own
        )
        many = f"{len(own)} of {len(contest)} models change their rank"
        told = f"ranks change: {moves}" if len(own) <= MOST_TOLD else many
        sentences.append(f"Under {policy} {told}{why}.")
    return " ".join(sentences)


def _same_tolerances(one: pd.DataFrame, other: pd.DataFrame) -> bool:
    keys = ["item", "field"]
    columns = [*keys, "abs_tol", "rel_tol"]
    first, second = (
        frame[columns].drop_duplicates(keys).sort_values(keys) for frame in (one, other)
    )
    return len(first) == len(second) and all(
        np.array_equal(first[name].to_numpy(), second[name].to_numpy()) for name in columns
    )
