"""What the configuration says of each dataset: what is made, or which release is taken."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from plotchain_lib import suites
from plotchain_lib.item import PlotChainError
from plotchain_lib.model_entries import known

# Keys of a dataset's entry that belong to one suite; a release has none of them.
SETTINGS = ("items_per_family", "lite", "questions", "width_px", "variant", "tasks")


@dataclass(frozen=True)
class Dataset:
    """A named entry of the configuration.

    Attributes:
        name: its label.
        suite: the suite's name.
        shards: the units of generate and render, with the ids of their items in order.
        seed: the master seed; None for a release, and for a suite that draws nothing at random.
        count: items a shard; None for a release, or where shards differ in size.
        release: the folder of a published release; None for a generated dataset.
        options: what else enters its items; nothing for a release.
        variant: which of the suite's variants; empty for the suite itself.
    """

    name: str
    suite: str
    shards: Mapping[str, tuple[str, ...]]
    seed: int | None = None
    count: int | None = None
    release: str | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    variant: str = ""

    @property
    def maker(self) -> str:
        """The suite, or its variant, whose folder makes the items and pictures."""
        return suites.maker(self.suite, self.variant)

    @cached_property
    def shard_of(self) -> Mapping[str, str]:
        """Item id to shard."""
        return {item: shard for shard, items in self.shards.items() for item in items}


def read_dataset(name: str, entry: Mapping[str, Any], place: str) -> Dataset:
    """One entry under ``datasets``. Raises PlotChainError naming its `place`."""
    if release := entry.get("release"):
        if not suites.has_releases(entry["suite"]):
            raise PlotChainError(f"{place}.release: suite {entry['suite']} has none; remove it")
        _check_settings(entry, (), place, "a release")
        return Dataset(name, entry["suite"], _released(entry, place), release=release)
    variant = str(entry.get("variant", ""))
    _check_settings(entry, suites.load(entry["suite"]).SETTINGS, place, f"suite {entry['suite']}")
    suite = suites.load(suites.maker(entry["suite"], variant))
    _check_settings(entry, suite.SETTINGS, place, f"variant {variant}")
    _check_families(entry, suite.shards(), place)
    if "seed" in entry and not suites.is_seeded(entry["suite"]):
        raise PlotChainError(f"{place}.seed: suite {entry['suite']} draws no lots; remove it")
    try:
        generated = suites.ids(suite, entry)
    except PlotChainError as error:
        raise PlotChainError(f"{place}: {error}") from error
    chosen = _chosen(generated, entry)
    if not chosen:
        raise PlotChainError(f"{place}.families: no item is of these; name others")
    count = int(entry.get("items_per_family", 30)) if entry["suite"] == "plotchain" else None
    seed = int(entry["seed"]) if "seed" in entry else None
    return Dataset(
        name, entry["suite"], chosen, seed, count,
        options=suite.options(entry), variant=variant,
    )  # fmt: skip


def _check_settings(
    entry: Mapping[str, Any], allowed: tuple[str, ...], place: str, what: str
) -> None:
    if wrong := [key for key in SETTINGS if key in entry and key not in allowed]:
        raise PlotChainError(f"{place}.{wrong[0]}: {what} has no such setting; remove it")


def _released(entry: Mapping[str, Any], place: str) -> dict[str, tuple[str, ...]]:
    shards: dict[str, list[str]] = {}
    ids = suites.release_format(entry["suite"]).release_ids(Path(entry["release"]))
    for item, shard in ids.items():
        shards.setdefault(shard, []).append(item)
    _check_families(entry, shards, place)
    return _chosen({s: tuple(names) for s, names in sorted(shards.items())}, entry)


def _check_families(entry: Mapping[str, Any], shards: Iterable[str], place: str) -> None:
    for family in entry.get("families", ()):
        known(family, list(shards), "family", f"{place}.families")


def _chosen(
    shards: Mapping[str, tuple[str, ...]], entry: Mapping[str, Any]
) -> dict[str, tuple[str, ...]]:
    return {s: ids for s, ids in shards.items() if s in entry.get("families", shards)}
