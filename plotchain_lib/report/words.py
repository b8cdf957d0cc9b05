"""What a suite counts and calls its results: which metrics lead, and the nouns on the page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from plotchain_lib.report.formatting import Kind

METRICS: dict[str, tuple[str, Kind]] = {
    "field_pass_rate": ("All fields", "percent"),
    "final_field_pass_rate": ("Final fields", "percent"),
    "checkpoint_field_pass_rate": ("Checkpoint fields", "percent"),
    "final_all_pass": ("Items, every final", "percent"),
    "checkpoint_all_pass": ("Items, every checkpoint", "percent"),
    "all_pass": ("Items, every field", "percent"),
    "read_field_pass_rate": ("Answered, pooled", "percent"),
    "read_item_field_pass_rate": ("Answered, mean over items", "percent"),
    "mean_abs_err": ("Mean abs. error", "number"),
    "median_abs_err": ("Median abs. error", "number"),
    "mean_rel_err": ("Mean rel. error", "number"),
    "median_rel_err": ("Median rel. error", "number"),
    "latency_item_mean": ("Seconds per item", "seconds"),
    "latency_field_mean": ("Seconds per field row", "seconds"),
}


@dataclass(frozen=True, slots=True)
class Words:
    """A suite's metrics and nouns.

    Attributes:
        ranked_by: the metric of the ranking.
        leading: the metrics of the leaderboard, in order.
        compared: the metrics each policy is shown by.
        metrics: every metric worth showing, to its title and kind, in order.
        passed: what is counted, as a plural: ``fields passed``.
        contract: how a reply keeps the form it was asked for.
        texts: answers are texts; without a number they need not be missing.
    """

    ranked_by: str
    leading: tuple[str, ...]
    compared: tuple[str, ...]
    metrics: Mapping[str, tuple[str, Kind]]
    passed: str
    contract: str
    texts: bool = False


FIELDS = Words(
    ranked_by="field_pass_rate",
    leading=tuple(METRICS)[:6],
    compared=("field_pass_rate", "final_all_pass"),
    metrics=METRICS,
    passed="fields passed",
    contract="a reply that is the JSON object and nothing else",
)
# One answer a question, so all rates over fields or items are the same: one is shown, the one
# whose interval is Wilson's.
ANSWERS = Words(
    ranked_by="all_pass",
    leading=("all_pass",),
    compared=("all_pass",),
    metrics={
        "all_pass": ("Accuracy", "percent"),
        "latency_item_mean": ("Seconds per question", "seconds"),
    },
    passed="questions right",
    contract="a reply that has exactly the form of a right answer and nothing else",
    texts=True,
)
# Decisions scored from 0 to 1, weighed into the score of a task.
EPISODES = Words(
    ranked_by="item_score",
    leading=("item_score", "solved", "field_pass_rate"),
    compared=("item_score", "solved"),
    metrics={
        "item_score": ("Task score", "percent"),
        "solved": ("Tasks solved", "percent"),
        "field_pass_rate": ("Decisions as the reference", "percent"),
        "latency_item_mean": ("Seconds of the model per episode", "seconds"),
    },
    passed="task score",
    contract="an episode whose script draws a figure",
)
_OF_SUITE = {"grab": ANSWERS, "matplotgym": EPISODES}


def words_of(suite: str) -> Words:
    """The words of a suite; those of fields where it has none of its own."""
    return _OF_SUITE.get(suite, FIELDS)
