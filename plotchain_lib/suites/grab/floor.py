"""The blind floor: what a guesser knows who has read the question and never sees the picture.

It knows task, category, property and precision, and says the answer that was right most often in
another sample of the same size, drawn from a key of its own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from plotchain_lib.item import Item
from plotchain_lib.suites.grab.generate import questions
from plotchain_lib.suites.grab.groups import shard_totals

CALIBRATION_SAMPLE = "grab calibration"


def commonest(answers: Iterable[str]) -> str:
    """The answer that occurs most often; of several such the first in the alphabet."""
    counts = Counter(answers)
    return min(counts, key=lambda answer: (-counts[answer], answer))


def calibration_constants(shard: str, seed: int) -> dict[tuple[str, str], str]:
    """(property, precision) to the constant, from the calibration sample of a shard."""
    found: dict[tuple[str, str], list[str]] = {}
    for question in questions(shard, seed, shard_totals()[shard], CALIBRATION_SAMPLE):
        key = question.group.name, question.group.precision
        found.setdefault(key, []).append(question.scene.answer)
    return {key: commonest(answers) for key, answers in found.items()}


def calibration_floor(shard: str, seed: int, items: Sequence[Item]) -> dict[str, Any]:
    """One shard of `floor.json`: the items of each property and precision, and their constant."""
    members: dict[tuple[str, str], list[str]] = {}
    for item in items:
        key = str(item.params["property"]), str(item.params["precision"])
        members.setdefault(key, []).append(item.id)
    constants = calibration_constants(shard, seed)
    return {
        "folds": [
            {"items": names, "constants": {"answer": constants[key]}}
            for key, names in members.items()
        ]
    }
