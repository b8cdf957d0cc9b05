"""A dataset as VLMEvalKit reads it: a table of tab-separated values, pictures in base64."""

from __future__ import annotations

import base64
import csv
import io
from collections.abc import Iterable, Mapping
from pathlib import Path

from plotchain_lib.exports.folders import answer_of, by_shard, picture_of
from plotchain_lib.files import atomic_stream
from plotchain_lib.item import Item

# `index`, `image`, `question` and `answer` are VLMEvalKit's; it keeps the others for its results.
COLUMNS = ("index", "id", "category", "difficulty", "question", "answer", "image")


def row_of(index: int, item: Item, png: bytes) -> tuple[str, ...]:
    """One item's values under COLUMNS."""
    picture = base64.b64encode(png).decode("ascii")
    place = (str(index), item.id, item.group, item.difficulty)
    return (*place, item.prompt, answer_of(item), picture)


def write_tsv(path: Path, items: Iterable[Item], pictures: Mapping[str, Path]) -> None:
    """Write the table under a temporary name, fsync, rename; one row is held in memory.

    `pictures` maps item ids to their PNG. Raises PlotChainError where there is no item, or a
    picture is missing or no PNG.
    """
    ordered = [item for own in by_shard(items).values() for item in own]
    with atomic_stream(path) as stream:
        stream.write(_line(COLUMNS))
        for index, item in enumerate(ordered):
            stream.write(_line(row_of(index, item, picture_of(item, pictures))))


def _line(values: Iterable[str]) -> bytes:
    stream = io.StringIO()
    csv.writer(stream, delimiter="\t", lineterminator="\n").writerow(values)
    return stream.getvalue().encode("utf-8")
