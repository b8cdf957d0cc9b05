"""The table of groups: sums by hand, and every count against the released set."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path

import pytest

from plotchain_lib.suites.grab import published
from plotchain_lib.suites.grab.groups import GROUPS, SHARDS, TASKS, shard_totals, sizes


def test_the_default_set_has_the_published_totals() -> None:
    tasks, precisions, levels = Counter[str](), Counter[str](), Counter[tuple[str, int]]()
    for group in GROUPS:
        tasks[group.task] += group.total
        precisions[group.precision] += group.total
        for level, count in group.counts.items():
            levels[group.task, level] += count
    assert tasks == {"properties": 660, "function": 710, "series": 490, "transform": 310}
    # The paper counts pairs and equations as integers: 1,575 in all.
    assert precisions == {
        "integer": 1515, "pair": 30, "equation": 30, "one_decimal": 565, "nearest_ten": 30,
    }  # fmt: skip
    for task, each in (("function", 71), ("series", 49), ("transform", 31)):
        assert [levels[task, level] for level in range(10)] == [each] * 10
    assert sum(shard_totals().values()) == 2170 and len(SHARDS) == 25


def test_counts_are_the_releases_in_every_group_and_complexity() -> None:
    reference = os.environ.get("PLOTCHAIN_REFERENCE")
    if not reference:
        pytest.skip("PLOTCHAIN_REFERENCE is not set: the released set is not here")
    released = Counter(
        (*item.group.split("/"), item.params["precision"], item.params["complexity"])
        for item in published.read_release(Path(reference) / "grab")
    )
    ours = Counter({
        (group.task, group.category, group.name, group.precision, level): count
        for group in GROUPS for level, count in group.counts.items()
    })  # fmt: skip
    assert ours == released


def test_lite_has_500_questions_the_same_number_of_each_task() -> None:
    lite, tasks = sizes(500, balanced=True), Counter[str]()
    for shard, size in lite.items():
        tasks[SHARDS[shard][0].task] += size
    assert tasks == dict.fromkeys(TASKS, 125)
    assert all(0 < lite[shard] <= total for shard, total in shard_totals().items())


def test_other_sizes_keep_the_proportions() -> None:
    assert sizes(None) == shard_totals()
    assert sizes(4340) == {shard: 2 * total for shard, total in shard_totals().items()}
    part = sizes(30, ("series_range", "series_measures_of_spread"))
    assert part == {"series_range": 10, "series_measures_of_spread": 20}
    assert sizes(7, ("no_such_shard",)) == {}
    for questions in (1, 24, 100, 999, 3001):
        assert sum(sizes(questions).values()) == questions
