"""Answers that are scores already, to verdicts: each weighed, and the weighted mean of its item.

An item asks for some of the fields a policy weighs; the weights of the others leave the
denominator. An item is solved by a model if every one of its attempts reaches the policy's bound.
"""

from __future__ import annotations

from difflib import get_close_matches

import numpy as np
import pandas as pd

from plotchain_lib.item import PlotChainError
from plotchain_lib.policy import Policy
from plotchain_lib.score import judged_rows

# What weighed verdicts have beside SCORE_COLUMNS: the field's share of its item's score; the score
# of the call's item; whether it reaches the policy's bound; whether all of the model's attempts at
# the item do; why a field has no points.
WEIGHED_COLUMNS = ("weight", "item_score", "reached", "solved", "lost")
_CALL = ["model", "item", "repeat"]


def score_weighed(answers: pd.DataFrame, truth: pd.DataFrame, policy: Policy) -> pd.DataFrame:
    """Judge answers whose values are scores from 0 to 1.

    As `plotchain_lib.score.score`, but a verdict's score is the value itself, 0 where a call
    brought none; it passes from the policy's ``solved_at`` on; there are no tolerances; and the
    frame has WEIGHED_COLUMNS after SCORE_COLUMNS.

    Raises PlotChainError as `score` does, for a value outside 0 to 1, for a field without a weight,
    and for an item none of whose fields weighs anything.
    """
    frame = judged_rows(answers, truth, policy)
    value = frame["value"].to_numpy(float)
    points = np.where(np.isnan(value), 0.0, value)
    if ((points < 0) | (points > 1)).any():
        raise PlotChainError("answers: a score is outside 0 to 1; delete the answers and run again")
    frame["score"] = points
    frame["passed"] = points >= policy.solved_at
    frame["weight"] = _shares(frame, policy)
    weighed = (frame["weight"] * frame["score"]).groupby([frame[name] for name in _CALL])
    # Rounded: a sum of shares that make one is one.
    frame["item_score"] = weighed.transform("sum").round(12)
    frame["reached"] = (frame["item_score"] >= policy.solved_at).astype(float)
    frame["solved"] = frame["reached"].groupby([frame[name] for name in _CALL[:2]]).transform("min")
    frame["lost"] = answers["text"].fillna("").to_numpy(object)
    return frame.astype({"lost": "str"})


def _shares(frame: pd.DataFrame, policy: Policy) -> pd.Series:
    """Each row's weight as a share of those of its call."""
    for name in frame["field"].unique():
        if name not in policy.weights:
            close = get_close_matches(name, list(policy.weights), n=1)
            hint = f"; is {close[0]!r} meant for it?" if close else ""
            raise PlotChainError(f"policy {policy.name}: weights has none for {name}{hint}")
    weights = frame["field"].map(policy.weights).astype(float)
    whole = weights.groupby([frame[name] for name in _CALL]).transform("sum")
    if (whole <= 0).any():
        item = frame["item"][whole <= 0].iloc[0]
        raise PlotChainError(
            f"policy {policy.name}: no decision of item {item} has a weight; give one a weight"
        )
    return weights / whole
