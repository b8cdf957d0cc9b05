"""The files of one dataset that the report's item browser shows something of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
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
        episodes: model to ``episodes/{model}.parquet``; empty where items are no episodes.
        submissions: model to ``submissions/{model}.parquet``, likewise.
    """

    items: tuple[Path, ...]
    replies: Mapping[str, Path]
    pictures: Mapping[str, Path]
    overlays: Path | None
    reduced: bool = False
    episodes: Mapping[str, Path] = field(default_factory=dict)
    submissions: Mapping[str, Path] = field(default_factory=dict)

    @staticmethod
    def from_mapping(entry: Mapping[str, Any] | None) -> BrowserInputs | None:
        """Build from plain strings, as a workflow hands them over; None stays None."""
        if entry is None:
            return None
        overlays = entry.get("overlays")
        return BrowserInputs(
            items=tuple(Path(path) for path in entry["items"]),
            replies=_paths(entry["replies"]),
            pictures=_paths(entry["pictures"]),
            overlays=None if overlays is None else Path(overlays),
            reduced=bool(entry.get("reduced")),
            episodes=_paths(entry.get("episodes", {})),
            submissions=_paths(entry.get("submissions", {})),
        )


def _paths(entries: Mapping[str, Any]) -> dict[str, Path]:
    return {key: Path(path) for key, path in entries.items()}
