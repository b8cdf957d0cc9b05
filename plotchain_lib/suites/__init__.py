"""The suites: each a folder of items, drawing, reading, judging and leading metrics."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol, cast

from plotchain_lib.item import Item, Relation


class Suite(Protocol):
    """What a suite's module `suite` supplies.

    Some have more, which the functions below ask for: `ids` in place of `sizes` and `item_id`,
    `shard_data`, ``SEEDED``, ``REPEATS``, ``PLAYER``, ``PLAYER_TURNS``
    and ``PLAYER_OPTIONS``.

    Attributes:
        SETTINGS: the keys of a dataset's entry that only some suites take.
    """

    SETTINGS: tuple[str, ...]

    def shards(self) -> list[str]:
        """The shards, sorted."""

    def shard_modules(self, shard: str) -> list[str]:
        """The library modules, beside the suite's engine, that a shard's items come from."""

    def item_id(self, shard: str, index: int) -> str:
        """The id of one item."""

    def sizes(self, entry: Mapping[str, Any]) -> Mapping[str, int]:
        """Shard to number of items, as a dataset's entry of the configuration asks."""

    def options(self, entry: Mapping[str, Any]) -> Mapping[str, Any]:
        """What of a dataset's entry enters its items, besides seed and sizes."""

    def items(self, shard: str, seed: int, count: int, chosen: Mapping[str, Any]) -> list[Item]:
        """The first `count` items of a shard; `chosen` is what `options` gave."""

    def draw(self, item: Item) -> tuple[bytes, Mapping[str, Any], Mapping[str, Any]]:
        """One item's PNG bytes, geometry, and fields as measured from what was drawn."""

    def calibrate(self, shard: str, seed: int, shard_items: Sequence[Item]) -> dict[str, Any]:
        """One shard of `floor.json` for these generated items."""

    def calibrate_release(self, shard_items: Sequence[Item]) -> dict[str, Any]:
        """One shard of `floor.json` for released items, two-fold."""

    def relations(self) -> list[Relation]:
        """Every declared relation."""

    def field_axes(self, items: Sequence[Item]) -> dict[tuple[str, str], str]:
        """(group, field) to the scale of the axis it is read on, where that is known."""

    def validate(
        self,
        all_items: Sequence[Item],
        measured: Mapping[str, Mapping[str, Any]],
        floors: Mapping[str, Any],
    ) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
        """The rows of `validation.csv` and of `validation_summary.csv`."""


class Judging(Protocol):
    """What a suite's module `judging` supplies."""

    # What a reader gives is a `parse.Reading`. It is not imported: every stage's fingerprint, and
    # every start of the workflow, follows the imports of this file.
    def reader(self, parsing: str, *drawn: Sequence[Path]) -> Callable[[str, Item], Any] | None:
        """Reads one reply to one item; None where all suites' object of numbers is asked for.

        A suite of episodes is also given the files of what their scripts draw.
        """

    def match(self, rule: str) -> Callable[[str, str], bool] | None:
        """The suite's own match rule of this name; None where it has none."""

    def extraction_prompt(self, item: Item, reply: str) -> str:
        """What a model is sent that shall copy the answer out of a reply.

        Raises PlotChainError where the suite has no use for that.
        """


class ReleaseFormat(Protocol):
    """What reads a suite's published release.

    Attributes:
        ITEMS_FILE: the file in a release's folder that holds its items.
    """

    ITEMS_FILE: str

    def release_ids(self, folder: Path) -> dict[str, str]:
        """Item id to shard, in the release's order."""

    def read_release(self, folder: Path) -> list[Item]:
        """All items; their pictures are named and not opened."""

    def picture(self, shard: str, item: str) -> str:
        """An item's picture, relative to the release's folder."""


# The layout of plotchain is read and written, for which no suite is needed.
_RELEASES = {"plotchain": "plotchain_lib.releases", "grab": f"{__name__}.grab.published"}


def judging(name: str) -> Judging:
    """How replies to this suite's items are read and judged."""
    return cast(Judging, import_module(f"{__name__}.{name}.judging"))


def has_releases(name: str) -> bool:
    """Whether this suite's items can come from a published release."""
    return name in _RELEASES


def release_module(name: str) -> str:
    """The module that reads this suite's releases."""
    return _RELEASES[name]


def release_format(name: str) -> ReleaseFormat:
    """What reads this suite's releases."""
    return cast(ReleaseFormat, import_module(_RELEASES[name]))


def maker(suite: str, variant: str = "") -> str:
    """The name under which `load` finds a suite or one of its variants, a folder inside it."""
    return f"{suite}.{variant}" if variant else suite


def ids(suite: Suite, entry: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
    """Shard to the ids of its items, of a generated dataset's entry; empty shards are left out.

    Raises PlotChainError as the suite does.
    """
    if named := getattr(suite, "ids", None):
        return dict(named(entry))
    sizes = suite.sizes(entry)
    return {
        shard: tuple(suite.item_id(shard, index) for index in range(sizes[shard]))
        for shard in suite.shards()
        if sizes.get(shard)
    }


def is_seeded(name: str) -> bool:
    """Whether a suite's items are drawn from a master seed."""
    return bool(getattr(load(name), "SEEDED", True))


def shard_data(name: str, shard: str, chosen: Mapping[str, Any]) -> str:
    """A fingerprint of the files a shard's items are made of; empty where code alone makes them."""
    of_shard = getattr(load(name), "shard_data", None)
    return str(of_shard(shard, chosen)) if of_shard else ""


def repeats(name: str) -> int:
    """How often each item is asked where the configuration does not say."""
    return int(getattr(load(name), "REPEATS", 1))


def player(name: str) -> str:
    """What plays the items of a suite whose items are episodes; empty where they are questions."""
    return str(getattr(load(name), "PLAYER", ""))


def player_turns(name: str) -> int:
    """How many turns an episode of this suite has at most; 1 where items are questions."""
    return int(getattr(load(name), "PLAYER_TURNS", 1))


def player_options(name: str, entry: Mapping[str, Any]) -> dict[str, Any]:
    """What of a suite's entry of the configuration its episodes are played under."""
    return {key: entry[key] for key in getattr(load(name), "PLAYER_OPTIONS", ()) if key in entry}


def load(name: str) -> Suite:
    """The suite of this name."""
    return cast(Suite, import_module(f"{__name__}.{name}.suite"))
