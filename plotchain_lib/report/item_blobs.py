"""The item browser's data as it stands in the page: packed, and unpacked only when it is looked at.

A blob is the text of a data element of the page: JSON, deflated, in base64. Pictures are packed
already, so theirs is plain JSON of base64 texts.
"""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

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
from plotchain_lib.report.reading import read_parquet

PICTURE_COLUMNS = ("item", "width", "height", "webp")
_LEVEL = 9


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
    ``items-pictures-{dataset}-{shard}``, with the places of dataset and shard in the index.
    """
    if not shown:
        return None
    blobs, index, count = {}, [], 0
    for place, (dataset, inputs) in enumerate(shown):
        verdicts = read_verdicts(dataset, inputs.items)
        count += len(verdicts.items)
        index.append(index_record(dataset, verdicts, inputs))
        replies, overlays = read_replies(inputs.replies), read_overlays(inputs.overlays)
        for number, shard in enumerate(verdicts.shards):
            record = shard_record(verdicts, shard, replies, overlays)
            blobs[f"items-shard-{place}-{number}"] = pack(record)
            pictures = dict(_pictures(inputs.pictures.get(shard), verdicts, shard))
            blobs[f"items-pictures-{place}-{number}"] = _json(pictures).replace("<", "\\u003c")
    return ItemBrowser(count, {"items-index": pack({"datasets": index}), **blobs})


def pack(value: Any) -> str:
    """JSON, deflated, in base64; the same text for the same value."""
    data = _json(value).encode("utf-8", "replace")  # half a surrogate pair is no text
    return _base64(zlib.compress(data, _LEVEL))


def unpack(blob: str) -> Any:
    """The value that was packed."""
    return json.loads(zlib.decompress(base64.b64decode(blob)))


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
            yield str(item), (int(width), int(height), _base64(data))


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def _base64(data: bytes) -> str:
    """Base64 with a blank, which a decoder skips, where chance would have spelled "http".

    Who searches the page for network addresses shall find none.
    """
    return base64.b64encode(data).decode("ascii").replace("http", "ht tp")
