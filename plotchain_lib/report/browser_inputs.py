"""The files of one dataset that the report's item browser shows something of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class BrowserInputs:
    """What an item's page is put together from.

    Attributes:
        items: the shards' files.
        replies: model to ``raw/{model}.jsonl``.
        pictures: shard to ``pictures/{shard}.parquet``.
        overlays: ``overlays.parquet``, what the ceiling saw; None where it was not asked.
        reduced: whether the pictures are smaller than they were rendered.
    """

    items: tuple[Path, ...]
    replies: Mapping[str, Path]
    pictures: Mapping[str, Path]
    overlays: Path | None
    reduced: bool = False

    @staticmethod
    def from_mapping(entry: Mapping[str, Any] | None) -> BrowserInputs | None:
        """Build from plain strings, as a workflow hands them over; None stays None."""
        if entry is None:
            return None
        overlays = entry.get("overlays")
        return BrowserInputs(
            items=tuple(Path(path) for path in entry["items"]),
            replies={label: Path(path) for label, path in entry["replies"].items()},
            pictures={shard: Path(path) for shard, path in entry["pictures"].items()},
            overlays=None if overlays is None else Path(overlays),
            reduced=bool(entry.get("reduced")),
        )
