"""The suites: each a folder of items, drawing, reading, judging and leading metrics."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any, Protocol, cast

from plotchain_lib.item import Item, Relation


class Suite(Protocol):
    """What a suite's module `suite` supplies."""

    def shards(self) -> list[str]:
        """The shards, sorted."""

    def shard_modules(self, shard: str) -> list[str]:
        """The library modules, beside the suite's engine, that a shard's items come from."""

    def item_id(self, shard: str, index: int) -> str:
        """The id of one item."""

    def items(self, shard: str, seed: int, count: int) -> list[Item]:
        """The first `count` items of a shard."""

    def draw(self, item: Item) -> tuple[bytes, Mapping[str, Any], Mapping[str, float]]:
        """One item's PNG bytes, geometry, and fields as measured from what was drawn."""

    def calibrate(self, shard: str, seed: int) -> dict[str, Any]:
        """One shard of `floor.json` for generated items."""

    def calibrate_release(self, shard_items: Sequence[Item]) -> dict[str, Any]:
        """One shard of `floor.json` for released items, two-fold."""

    def relations(self) -> list[Relation]:
        """Every declared relation."""

    def field_axes(self, items: Sequence[Item]) -> dict[tuple[str, str], str]:
        """(group, field) to the scale of the axis it is read on, where that is known."""

    def validate(
        self,
        all_items: Sequence[Item],
        measured: Mapping[str, Mapping[str, float]],
        floors: Mapping[str, Any],
    ) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
        """The rows of `validation.csv` and of `validation_summary.csv`."""


def load(name: str) -> Suite:
    """The suite of this name."""
    return cast(Suite, import_module(f"{__name__}.{name}.suite"))
