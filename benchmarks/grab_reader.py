"""How well the reader answers the GRAB suite: `python -m benchmarks.grab_reader [--items 4]`.

Generates the suite's items, draws each in memory, asks `plotchain_lib.models.reader.answer` and
compares its text with the right one, character by character. Per task, category and property: how
many were asked, answered, right and wrong, and the CPU-seconds a picture.
"""

from __future__ import annotations

import argparse
import os
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path

import numpy as np

from plotchain_lib.files import one_line_errors, write_json
from plotchain_lib.item import Item, Request
from plotchain_lib.suites.grab import generate, groups
from plotchain_lib.suites.grab.style import FULL_WIDTH

_WARM: list[bool] = []


@dataclass(frozen=True, slots=True)
class Task:
    """One shard's items of a seed: all, or a few of every group; pictures of the shared schema."""

    shard: str
    seed: int
    each: int | None
    width: int


@dataclass(frozen=True, slots=True)
class Outcome:
    """One answer: what was read and what is right, why nothing was read, CPU-seconds."""

    item: str
    group: str
    complexity: int
    precision: str
    text: str
    truth: str
    reason: str
    seconds: float

    @property
    def verdict(self) -> str:
        """``right``, ``null`` or ``wrong``."""
        return "right" if self.text == self.truth else "wrong" if self.text else "null"


def chosen(items: list[Item], each: int | None) -> Iterator[Item]:
    """The first `each` items of every group and precision, spread over the complexities."""
    taken: Counter[tuple[str, str]] = Counter()
    for item in items:
        key = item.group, str(item.params["precision"])
        if each is None or taken[key] < each:
            taken[key] += 1
            yield item


def asked(item: Item) -> Outcome:
    """Draw one item and ask the reader. Whatever it raises ends the run: it may raise nothing."""
    from plotchain_lib.models import reader
    from plotchain_lib.suites.grab.render import render

    request = Request("reader", {}, item.prompt, ("answer",), render(item.params).png, repeat=1)
    if not _WARM:  # the first picture of a process loads the recogniser
        reader.answer(request)
        _WARM.append(True)
    started = time.process_time()
    response = reader.answer(request)
    seconds = time.process_time() - started
    reason = str(response.received["reasons"].get("answer", ""))
    params = item.params
    return Outcome(
        item.id, item.group, int(params["complexity"]), str(params["precision"]),
        response.text, str(item.truth["answer"]), reason, seconds,
    )  # fmt: skip


def work(task: Task) -> list[Outcome]:
    """The outcomes of one shard."""
    total = groups.sizes(None, [task.shard])[task.shard]
    items = list(generate.items(task.shard, task.seed, total, task.width))
    return [asked(item) for item in chosen(items, task.each)]


def line(name: str, some: list[Outcome]) -> str:
    """One row of the table."""
    counts = Counter(one.verdict for one in some)
    seconds = np.array([one.seconds for one in some])
    answered = counts["right"] + counts["wrong"]
    return (
        f"{name:58s} {len(some):6d} {answered:8d} {counts['right']:6d} {counts['wrong']:6d} "
        f"{np.median(seconds):7.2f} {seconds.max():7.2f}"
    )


def report(outcomes: list[Outcome], nulls: int) -> None:
    """Print the table: every group, every task, all; then what was wrong, and why nulls."""
    print(f"{'':58s}  asked answered  right  wrong  CPU-s     max")
    for depth in (3, 1, 0):
        names = dict.fromkeys("/".join(one.group.split("/")[:depth]) for one in outcomes)
        for name in sorted(names):
            own = [
                one for one in outcomes if f"{one.group}/".startswith(f"{name}/" if name else "")
            ]
            print(line(name or "all", own))
    for one in outcomes:
        if one.verdict == "wrong":
            print(f"wrong: {one.item} ({one.group}, {one.complexity}): {one.text}, not {one.truth}")
    reasons = Counter(one.reason for one in outcomes if one.verdict == "null")
    for reason, count in reasons.most_common(nulls):
        print(f"null: {count} times: {reason}")


def main() -> None:
    """Ask, judge and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--items", type=int, help="of every group and precision; default: all")
    parser.add_argument("--shards", nargs="+", help="tasks with categories, as in families")
    parser.add_argument(
        "--width", type=int, default=FULL_WIDTH, help="of the shared schema, pixels"
    )
    parser.add_argument("--nulls", type=int, default=0, help="print the commonest reasons of nulls")
    parser.add_argument("--json", type=Path, help="write every outcome into this file")
    parser.add_argument("--jobs", type=int, default=1)
    arguments = parser.parse_args()
    with one_line_errors():
        names = list(groups.sizes(None, arguments.shards or ()))
        todo = [Task(name, arguments.seed, arguments.items, arguments.width) for name in names]
        os.environ["OMP_NUM_THREADS"] = "1"  # of the processes below: CPU time is one core's
        with ProcessPoolExecutor(arguments.jobs, mp_context=get_context("spawn")) as pool:
            outcomes = [one for some in pool.map(work, todo) for one in some]
        report(outcomes, arguments.nulls)
        if arguments.json:
            rows = [
                {name: getattr(one, name) for name in (*Outcome.__slots__, "verdict")}
                for one in outcomes
            ]
            write_json(arguments.json, rows)


if __name__ == "__main__":
    main()
