"""The suite's parts, under the names every suite has them under.

A shard is a discipline and an item a task; a field is a decision the task exercises, and its truth
is 1, the score of the reference. The picture is the reference figure: it is for the report, and no
model is shown it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from plotchain_lib.item import Field, Item, Relation
from plotchain_lib.suites.matplotgym import catalogue
from plotchain_lib.suites.matplotgym.prompt import TURNS, prompt_text
from plotchain_lib.suites.matplotgym.task import Task
from plotchain_lib.suites.matplotgym.words import DECISIONS, DEFINITIONS, DISCIPLINES
from plotchain_lib.suites.matplotgym.words import REPEATS as REPEATS
from plotchain_lib.suites.matplotgym.workspace import digest, files_of

SETTINGS = ("tasks",)
SEEDED = False
# The suite's part of an episode, as the broker loads it; each item is one.
PLAYER = "plotchain_lib.suites.matplotgym.player:play_item"
PLAYER_TURNS = TURNS
# Of a suite's entry of the configuration, what an episode is played under.
PLAYER_OPTIONS = ("unsealed",)


def shards() -> list[str]:
    """The disciplines, sorted."""
    return sorted(DISCIPLINES)


def shard_modules(_shard: str) -> list[str]:
    """No module belongs to one discipline alone."""
    return []


def ids(entry: Mapping[str, Any]) -> Mapping[str, tuple[str, ...]]:
    """Discipline to the ids of its tasks. Raises PlotChainError for a folder without tasks."""
    return catalogue.ids(str(entry.get("tasks", "")))


def shard_data(shard: str, chosen: Mapping[str, Any]) -> str:
    """A fingerprint of the files that a shard's items are made of."""
    named = str(chosen["tasks"])
    return catalogue.digest(named, catalogue.ids(named).get(shard, ()))


def options(entry: Mapping[str, Any]) -> dict[str, Any]:
    """What of a configuration's entry enters the items."""
    return catalogue.options(entry)


def items(shard: str, seed: int | None, count: int, chosen: Mapping[str, Any]) -> list[Item]:
    """The first `count` items of a shard; `chosen` is what `options` gave. No seed is drawn from.

    Raises PlotChainError for a task with a defect.
    """
    named = str(chosen["tasks"])
    names = catalogue.ids(named)[shard][:count]
    return [_item(catalogue.task(named, name), named) for name in names]


def _item(task: Task, named: str) -> Item:
    files = files_of(task.workspace)
    fields = tuple(
        Field(name, "", DEFINITIONS[name], "final") for name in DECISIONS if name in task.decisions
    )
    return Item(
        id=task.id, suite="matplotgym", shard=task.discipline, group=task.discipline,
        prompt=prompt_text(task.claim, files),
        picture=f"images/{task.discipline}/{task.id}.png",
        fields=fields, truth={field.name: 1.0 for field in fields},
        params={"task": task.id, "tasks": named, "workspace_sha256": digest(files),
                "claim": task.claim, "title": task.title, "review": task.review},
        seed=None, difficulty="",
    )  # fmt: skip


def draw(item: Item) -> tuple[bytes, Mapping[str, Any], Mapping[str, Any]]:
    """The reference figure: PNG bytes, its spec, and the decisions of what was drawn just now."""
    from plotchain_lib.suites.matplotgym.render import render  # Matplotlib takes a second

    return render(item)


def calibrate(shard: str, seed: int | None, shard_items: Sequence[Item]) -> dict[str, Any]:
    """One shard of `floor.json`: what local agents submit."""
    from plotchain_lib.suites.matplotgym.floor import scripts

    return {"folds": [], "scripts": {item.id: scripts(item) for item in shard_items}}


def calibrate_release(shard_items: Sequence[Item]) -> dict[str, Any]:
    """There are no releases of this suite."""
    raise NotImplementedError


def relations() -> list[Relation]:
    """None: decisions are judged one by one."""
    return []


def field_axes(_items: Sequence[Item]) -> dict[tuple[str, str], str]:
    """None: nothing is read off an axis."""
    return {}


def validate(
    all_items: Sequence[Item],
    measured: Mapping[str, Mapping[str, Any]],
    floors: Mapping[str, Any],
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """The rows of `validation.csv` and of `validation_summary.csv`."""
    from plotchain_lib.suites.matplotgym.validation import summary, validation_rows

    rows = validation_rows(all_items, measured)
    return rows, summary(rows)
