"""Items from a seed: a long list per property, then the selection with the most even answers.

The set comes in blocks, each with the counts of `groups`; a set larger than the default takes
further blocks, a smaller one the first questions of every shard, so that a question stays what it
is whatever the size of the set.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from plotchain_lib.item import Field, Item, PlotChainError
from plotchain_lib.sampling import significant, unit
from plotchain_lib.suites.grab.dice import Dice
from plotchain_lib.suites.grab.groups import SHARDS, Group, shard_totals
from plotchain_lib.suites.grab.recipes import scene
from plotchain_lib.suites.grab.scene import Scene
from plotchain_lib.suites.grab.style import FULL_WIDTH, fixed_style, varied_style
from plotchain_lib.suites.grab.wording import question

SUITE = "grab"
LONG_LIST = 250  # candidates per property, shared among its precisions and complexities
MAX_ATTEMPTS = 400
VALUE_DIGITS = 9  # significant digits of an item's exact value: the same on every machine
_GOLDEN = (math.sqrt(5.0) - 1.0) / 2.0
FIELD = Field("answer", "", "the answer, one short text", "final")

Key = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Candidate:
    """One question of the long list.

    Attributes:
        group: its group.
        complexity: how many further functions, series or operations.
        key: what it was drawn from.
        scene: its content and answer.
    """

    group: Group
    complexity: int
    key: Key
    scene: Scene

    @property
    def rank(self) -> float:
        """A place in a random order that depends on the key alone."""
        return unit((*self.key, "rank"))


def _candidate(group: Group, complexity: int, key: Key, place: float) -> Candidate:
    """The candidate of this key. Raises PlotChainError where no attempt succeeds."""
    for attempt in range(MAX_ATTEMPTS):
        dice = Dice(*key, attempt)
        aim = place if attempt == 0 else dice.unit()
        found = scene(group.task, group.name, dice, aim, complexity, group.precision)
        if found is not None:
            return Candidate(group, complexity, (*key, attempt), found)
    raise PlotChainError(
        f"{group.shard}/{group.name}, complexity {complexity}: no question in {MAX_ATTEMPTS} "
        "attempts; widen the property's range"
    )


def long_list(group: Group, complexity: int, size: int, key: Key) -> list[Candidate]:
    """`size` candidates of one group and complexity, their answers spread evenly."""
    own = (*key, group.task, group.name, group.precision, complexity)
    start = unit((*own, "start"))
    return [
        _candidate(group, complexity, (*own, index), (start + index * _GOLDEN) % 1.0)
        for index in range(size)
    ]


def _content(candidate: Candidate) -> str:
    """What makes a question: its group's words and its picture's content."""
    return json.dumps([candidate.group.name, candidate.group.precision,
                       candidate.scene.to_params()], sort_keys=True)  # fmt: skip


def _selected(
    group: Group, lists: Mapping[int, list[Candidate]], taken: set[str]
) -> list[Candidate]:
    """As many of each complexity as the group has, the answers as even as the lists allow.

    Each turn takes the candidate whose answer, then whose stretch of the answers' range, was
    taken least so far. `taken` holds the contents that may not come again; the chosen are added.
    """
    answers, stretches = Counter[str](), Counter[int]()
    left = {level: sorted(found, key=lambda c: c.rank) for level, found in lists.items()}
    turns = [level for level, count in group.counts.items() for _ in range(count)]
    turns.sort(key=lambda level: left[level][0].rank)
    chosen = []
    for level in turns:
        free = [c for c in left[level] if _content(c) not in taken]
        best = min(free, key=lambda c: (answers[c.scene.answer], stretches[_stretch(group, c)]))
        left[level].remove(best)
        taken.add(_content(best))
        answers[best.scene.answer] += 1
        stretches[_stretch(group, best)] += 1
        chosen.append(best)
    return chosen


def _stretch(group: Group, candidate: Candidate) -> int:
    last = group.total - 1
    return min(int(candidate.scene.place * group.total), last)


def _mixed(groups: Sequence[list[Candidate]]) -> list[Candidate]:
    """All questions of a shard, every beginning of which holds the groups in proportion."""
    places = [
        ((number + 0.5) / len(members), candidate.rank, candidate)
        for members in groups
        for number, candidate in enumerate(sorted(members, key=lambda c: c.rank))
    ]
    return [candidate for _, _, candidate in sorted(places, key=lambda place: place[:2])]


def _block(shard: str, key: Key, taken: set[str]) -> list[Candidate]:
    """The questions of one block of a shard."""
    groups = SHARDS[shard]
    totals = Counter[str]()
    for group in groups:
        totals[group.name] += group.total
    chosen = []
    for group in groups:
        lists = {
            level: long_list(group, level, max(2 * n, -(-LONG_LIST * n // totals[group.name])), key)
            for level, n in group.counts.items()
        }
        chosen.append(_selected(group, lists, taken))
    return _mixed(chosen)


def questions(shard: str, seed: int, count: int, sample: str = SUITE) -> list[Candidate]:
    """The first `count` questions of a shard; `sample` names an independent sample."""
    taken: set[str] = set()
    found: list[Candidate] = []
    for block in range(-(-count // shard_totals()[shard])):
        found += _block(shard, (seed, sample, block), taken)
    return found[:count]


def item_id(shard: str, index: int) -> str:
    """The id of one item."""
    return f"{shard}_{index:03d}"


def _params(candidate: Candidate, width: int) -> dict[str, Any]:
    group, value = candidate.group, candidate.scene.value
    style = (
        varied_style(Dice(*candidate.key, "style"), group.name)
        if group.task == "properties"
        else fixed_style(width)
    )
    return {
        "task": group.task,
        "category": group.category,
        "property": group.name,
        "precision": group.precision,
        "complexity": candidate.complexity,
        "value": value if value is None else significant(value, VALUE_DIGITS),
        "style": style,
        **candidate.scene.to_params(),
    }


def items(shard: str, seed: int, count: int, width: int = FULL_WIDTH) -> Iterator[Item]:
    """The first `count` items of a shard; `width` of the pictures of one schema, in pixels."""
    for index, candidate in enumerate(questions(shard, seed, count)):
        group, content = candidate.group, candidate.scene
        name = item_id(shard, index)
        yield Item(
            id=name,
            suite=SUITE,
            shard=shard,
            group=f"{group.task}/{group.category}/{group.name}",
            prompt=question(group.task, group.name, group.precision, content.operations),
            picture=f"images/{shard}/{name}.png",
            fields=(FIELD,),
            truth={"answer": content.answer},
            params=_params(candidate, width),
            seed=seed,
            difficulty=str(candidate.complexity),
        )
