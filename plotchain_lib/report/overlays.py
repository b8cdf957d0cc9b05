"""Pages that show, item by item, what the reader saw and what it answered.

One page a family beside the report, which links to it; the pictures stay where they are.
"""

from __future__ import annotations

import json
import os
import struct
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

import pandas as pd
from jinja2 import Environment, StrictUndefined
from markupsafe import Markup

from plotchain_lib.item import Item, PlotChainError, read_json_lines, write_atomically

Draw = Callable[[Mapping[str, Any], str, tuple[int, int]], str]


@dataclass(frozen=True, slots=True)
class Line:
    """One field of one item: what is true, what the reader answered, and what that is worth."""

    field: str
    truth: Any
    value: Any
    passed: bool
    reason: str


@dataclass(frozen=True, slots=True)
class View:
    """One item as the page shows it; `drawing` is empty where there is no picture."""

    item: str
    difficulty: str
    drawing: Markup
    reason: str
    lines: Sequence[Line]

    @property
    def passed(self) -> bool:
        """Whether every field is within its tolerance."""
        return all(line.passed for line in self.lines)


def write_overlays(
    items: Iterable[Item],
    responses: Iterable[Path],
    verdicts: pd.DataFrame,
    picture_of: Callable[[Item], str],
    folder: Path,
    draw: Draw,
) -> None:
    """Write ``{shard}.html`` for every shard.

    Args:
        items: of the dataset.
        responses: the reader's response files; the first of several repeats is shown.
        verdicts: the reader's verdicts, with the columns of the score table.
        picture_of: where an item's picture lies, relative to the working folder.
        folder: where the pages go.
        draw: what was seen, the picture's address and its size to an ``<svg>`` element.
    """
    records = _first_responses(responses)
    judged = {str(name): frame for name, frame in verdicts.groupby("item")}
    shards: dict[str, list[View]] = {}
    for item in (item for item in items if item.id in records):  # a limit asks about fewer
        view = _view(item, records[item.id], judged.get(item.id), picture_of(item), folder, draw)
        shards.setdefault(item.shard, []).append(view)
    template = _template()
    for shard, views in shards.items():
        page = template.render(shard=shard, views=views, dataset=folder.parent.name)
        write_atomically(folder / f"{shard}.html", page)


def _first_responses(responses: Iterable[Path]) -> dict[str, Mapping[str, Any]]:
    records: dict[str, Mapping[str, Any]] = {}
    for path in responses:
        (record,) = read_json_lines(path)
        if record["repeat"] == 1:
            records[record["item"]] = record
    return records


def _view(
    item: Item,
    record: Mapping[str, Any],
    verdicts: pd.DataFrame | None,
    picture: str,
    folder: Path,
    draw: Draw,
) -> View:
    received = record["received"]
    reasons = received.get("reasons", {})
    drawing = ""
    if Path(picture).is_file():
        drawing = draw(received.get("seen", {}), os.path.relpath(picture, folder), _size(picture))
    rows = {} if verdicts is None else {row["field"]: row for row in verdicts.to_dict("records")}
    answers = _answers(record)
    lines = [
        Line(field.name, item.truth[field.name], answers.get(field.name),
             bool(rows.get(field.name, {}).get("passed", False)), reasons.get(field.name, ""))
        for field in item.fields
    ]  # fmt: skip
    return View(item.id, item.difficulty, Markup(drawing), record["reason"], lines)  # noqa: S704


def _answers(record: Mapping[str, Any]) -> Mapping[str, Any]:
    try:
        answers = json.loads(record["text"])
    except ValueError:
        return {}
    return answers if isinstance(answers, dict) else {}


def _size(picture: str) -> tuple[int, int]:
    """Width and height from a PNG's header."""
    with Path(picture).open("rb") as stream:
        head = stream.read(24)
    if len(head) < 24 or head[12:16] != b"IHDR":
        raise PlotChainError(f"{picture}: not a PNG; delete it and run again")
    width, height = struct.unpack(">II", head[16:24])
    return width, height


def _template() -> Any:
    environment = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    folder = files("plotchain_lib.report") / "templates"
    environment.globals["style"] = Markup((folder / "report.css").read_text(encoding="utf-8"))  # noqa: S704
    return environment.from_string((folder / "overlays.html.j2").read_text(encoding="utf-8"))
