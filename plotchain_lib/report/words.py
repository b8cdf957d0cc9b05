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


READING_ENDS = (
    "Floor and ceiling",
    "The floor answers without seeing the picture, with the constant that passes most often. The "
    "ceiling reads the numbers from the pixels alone. A score means what it adds to the floor and "
    "what it lacks to the ceiling.",
)


@dataclass(frozen=True, slots=True)
class Words:
    """A suite's metrics and nouns.

    Attributes:
        ranked_by: the metric of the ranking.
        leading: the metrics of the leaderboard, in order.
        compared: the metrics each policy is shown by.
        metrics: every metric worth showing, to its title and kind, in order.
        passed: what is counted, as a plural: ``fields passed``.
        measure: the ranking's metric, as a sentence about a chart begins with it.
        contract: how a reply keeps the form it was asked for; empty where none was asked for.
        leading_note: under the leaderboard.
        rest: heading of the other metrics' section, title of its table, and its note.
        pair_note: under the paired tests.
        items, fields, repeats: how these are called, as plurals.
        group: what items are grouped by.
        shard: what ``limit`` counts the items of.
        whole: what a model does that gets all of an item right, as a plural.
        repeated: what repeats mean, in a sentence or two.
        floor, ceiling: what the chart's ends are.
        ends: a term and its definition, of floor and ceiling together.
        texts: answers are texts; without a number they need not be missing.
    """

    ranked_by: str
    leading: tuple[str, ...]
    compared: tuple[str, ...]
    metrics: Mapping[str, tuple[str, Kind]]
    passed: str
    measure: str
    contract: str
    leading_note: str = (
        "Share passed in percent, with its interval in small type. A missing answer fails."
    )
    rest: tuple[str, str, str] = (
        "Errors and speed", "Answered only, errors, latency",
        "Errors leave missing answers out and mix units; compare models, not suites, by them.",
    )  # fmt: skip
    pair_note: str = "Paired on the same items; Holm over the pairs within one metric."
    items: str = "items"
    fields: str = "fields"
    repeats: str = "repeats"
    group: str = "family"
    shard: str = "shard"
    whole: str = "pass every field"
    repeated: str = (
        "The same picture and question, asked again. What differs here is chance of the model or "
        "its provider, not of the items."
    )
    floor: str = "the floor never sees the picture"
    ceiling: str = "the ceiling reads the pixels alone"
    ends: tuple[str, str] = READING_ENDS
    texts: bool = False

    @property
    def item(self) -> str:
        """One of the items."""
        return self.items.removesuffix("s")


FIELDS = Words(
    ranked_by="field_pass_rate",
    leading=tuple(METRICS)[:6],
    compared=("field_pass_rate", "final_all_pass"),
    metrics=METRICS,
    passed="fields passed",
    measure="share of fields passed",
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
    measure="share of questions right",
    contract="a reply that has exactly the form of a right answer and nothing else",
    rest=("Speed", "Seconds per question", ""),
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
    measure="mean task score",
    contract="",
    leading_note=(
        "In percent, with intervals in small type. Task score: the weighed decisions, mean over "
        "tasks and attempts. Solved: every attempt reaches the policy's bound. Decisions as the "
        "reference: the share that reaches it one by one. A missing episode scores 0."
    ),
    rest=("Speed", "Seconds of the model", ""),
    pair_note=(
        "Paired on the same tasks; Holm over the pairs within one metric. Of task scores, the four "
        "counts are of tasks whose first attempt has all points."
    ),
    items="tasks",
    fields="decisions",
    repeats="attempts",
    group="discipline",
    shard="discipline",
    whole="solve it",
    repeated=(
        "The same task, attempted again from the start. What differs here is chance of the model "
        "or its provider, not of the tasks."
    ),
    floor="the floor is the best of the lazy figures, which decide nothing",
    ceiling="the ceiling is the reference itself",
    ends=(
        "Floor and ceiling of figures",
        "The floors are lazy figures that decide nothing: every column drawn, nothing drawn, the "
        "raw table; the chart's floor is the highest of them. The ceiling is the reference itself, "
        "drawn and judged as any other script.",
    ),
)
_OF_SUITE = {"grab": ANSWERS, "matplotgym": EPISODES}


def words_of(suite: str) -> Words:
    """The words of a suite; those of fields where it has none of its own."""
    return _OF_SUITE.get(suite, FIELDS)
