"""From a suite's items and answers to verdicts, by whichever rule a policy has."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pandas as pd

from plotchain_lib import suites
from plotchain_lib.derivation import Derivation
from plotchain_lib.item import Item
from plotchain_lib.policy import DECISIONS, MATCH_RULES, load_policy
from plotchain_lib.score import (
    check_fields,
    match_rule,
    score,
    score_texts,
    text_truth_table,
    truth_table,
)
from plotchain_lib.weighing import score_weighed


def verdicts(
    suite: str, items: Sequence[Item], answers: pd.DataFrame, policy_file: Path
) -> pd.DataFrame:
    """What `score`, `score_texts` or `score_weighed`, as the rule asks, makes of the answers.

    Raises PlotChainError as these do, and for a policy that does not fit the items.
    """
    policy = load_policy(policy_file)
    if policy.rule in MATCH_RULES:
        match = suites.judging(suite).match(policy.rule) or match_rule(policy.rule)
        return score_texts(answers, text_truth_table(items), policy, match)
    truth = truth_table(items)
    if policy.rule == DECISIONS:
        return score_weighed(answers, truth, policy)
    check_fields(policy, truth, str(policy_file))
    derivation = Derivation.of(items, suites.load(suite).relations())
    return score(answers, truth, policy, derivation)
