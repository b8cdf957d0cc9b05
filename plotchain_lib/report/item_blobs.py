"""The item browser's data as it stands in the page: packed, and unpacked only when it is looked at.

A blob is the text of a data element of the page: JSON, deflated, in base64. Pictures are packed
already, so theirs is plain JSON of base64 texts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from plotchain_lib.report.browser_inputs import BrowserInputs
from plotchain_lib.report.inputs import Dataset
from plotchain_lib.report.item_data import (
    Verdicts,
    index_record,
    read_overlays,
    read_replies,
    read_verdicts,
    shard_record,
)
from plotchain_lib.report.item_episodes import episode_blobs, read_episodes
from plotchain_lib.report.packing import in_base64, pack, script_json
from plotchain_lib.report.reading import read_parquet

PICTURE_COLUMNS = ("item", "width", "height", "webp")


@dataclass(frozen=True, slots=True)
class ItemBrowser:
    """The browser's part of the page.

    Attributes:
        items: how many.
        blobs: the id of a data element to its text.
    """

    items: int
    blobs: Mapping[str, str]


def item_browser(shown: Sequence[tuple[Dataset, BrowserInputs]]) -> ItemBrowser | None:
    """Read and pack what the item browser shows of some datasets; None where there are none.

    The ids are ``items-index``, ``items-shard-{dataset}-{shard}`` and
    ``items-pictures-{dataset}-{shard}``, with the places of dataset and shard in the index, and
    those of `episode_blobs` where items are episodes.
    """
    if not shown:
        return None
    blobs, index, count = {}, [], 0
    played = []
    for place, (dataset, inputs) in enumerate(shown):
        verdicts = read_verdicts(dataset, inputs.items)
        count += len(verdicts.items)
        index.append(index_record(dataset, verdicts, inputs))
        if inputs.episodes:
            played.append((place, dataset, verdicts, read_episodes(inputs)))
        replies = {} if inputs.episodes else read_replies(inputs.replies)
        overlays = read_overlays(inputs.overlays)
        for number, shard in enumerate(verdicts.shards):
            record = shard_record(verdicts, shard, replies, overlays)
            blobs[f"items-shard-{place}-{number}"] = pack(record)
            pictures = dict(_pictures(inputs.pictures.get(shard), verdicts, shard))
            blobs[f"items-pictures-{place}-{number}"] = script_json(pictures)
    blobs |= episode_blobs(played)
    return ItemBrowser(count, {"items-index": pack({"datasets": index}), **blobs})


def _pictures(
    path: Path | None, verdicts: Verdicts, shard: str
) -> Iterator[tuple[str, tuple[int, int, str]]]:
    """Item to width and height as rendered (pixels) and WebP in base64; the missing left out."""
    if path is None:
        return
    frame = read_parquet(path, PICTURE_COLUMNS)
    places = verdicts.shards[shard]
    shown = {item.id for item in verdicts.items[places.start : places.stop]}
    for row in zip(*(frame[name].tolist() for name in PICTURE_COLUMNS), strict=True):
        item, width, height, data = row
        if item in shown:
            yield str(item), (int(width), int(height), in_base64(data))
