"""Answers recorded elsewhere, replayed: a JSON Lines file of raw outputs.

A record is ``{"id", "raw_text", "latency_s", "error"}`` and may have ``repeat`` (1 where absent),
``model``, ``provider``, ``usage`` (``input_tokens`` and ``output_tokens``) and ``cost_usd``.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from plotchain_lib.files import read_json_lines
from plotchain_lib.item import Item, PlotChainError, Request, Response
from plotchain_lib.models import check_names

sees_picture = False
runs_in_pool = False

_KEPT = ("raw_text", "latency_s", "error", "model", "provider", "usage", "cost_usd")
_LONGEST_REASON = 500

Records = dict[str, dict[int, dict[str, Any]]]


def check(settings: Mapping[str, Any]) -> None:
    """It has no settings that enter a request; ``file`` says where its source is."""
    check_names(settings, required=set(), optional={"file"})


def material(source: Path, item: Item) -> Mapping[str, Any] | None:
    """The item's records by repeat, without what is not replayed; None where there is none."""
    try:
        status = source.stat()
    except OSError as error:
        raise PlotChainError(
            f"{source}: the recorded answers cannot be read ({error.strerror}); check the model's "
            "'file' in the config"
        ) from error
    records = _records(source, status.st_mtime_ns, status.st_size).get(item.id)
    return None if records is None else {"records": {str(key): records[key] for key in records}}


def check_source(source: Path) -> None:
    """Read the whole file once. Raises PlotChainError for its first fault."""
    status = source.stat()
    _records(source, status.st_mtime_ns, status.st_size)


def answer(request: Request) -> Response:
    """The record of the request's repeat, as it was recorded."""
    record = request.material["records"].get(str(request.repeat))
    if record is None:
        return Response("pending", reason=f"no record of repeat {request.repeat}")
    usage = record.get("usage") or {}
    replayed = {
        "latency_s": record.get("latency_s"),
        "input_tokens": usage.get("input_tokens"),
        "output_tokens": usage.get("output_tokens"),
        "cost_usd": record.get("cost_usd"),
        "served_model": record.get("model") or "",
        "received": {name: record[name] for name in ("provider", "usage") if record.get(name)},
    }
    text = record.get("raw_text") or ""
    if error := _one_line(record.get("error")):
        return Response("rejected", text=text, reason=error, **replayed)
    if not text.strip():
        return Response("empty", text=text, reason="the recorded text is blank", **replayed)
    return Response("answered", text=text, **replayed)


@lru_cache(maxsize=8)
def _records(source: Path, _mtime_ns: int, _size: int) -> Records:
    """All records by id and repeat, read once per version of the file."""
    records: Records = {}
    places: dict[tuple[str, int], int] = {}
    for index, record in enumerate(read_json_lines(source)):
        if problem := _problem(record):
            raise PlotChainError(
                f"{source}:{_line_number(source, index)}: {problem}; mend or remove the line"
            )
        identity = (record["id"], _repeat(record))
        if identity in places:
            first, second = (_line_number(source, place) for place in (places[identity], index))
            raise PlotChainError(
                f"{source}: lines {first} and {second} both record repeat {identity[1]} of "
                f"'{identity[0]}'; keep one, or number them with \"repeat\""
            )
        places[identity] = index
        kept = {name: record[name] for name in _KEPT if record.get(name) is not None}
        records.setdefault(identity[0], {})[identity[1]] = kept
    return records


def _repeat(record: Mapping[str, Any]) -> Any:
    return 1 if record.get("repeat") is None else record["repeat"]


def _problem(record: Mapping[str, Any]) -> str:
    """What is wrong with a record, or nothing."""
    identifier, repeat, usage = record.get("id"), _repeat(record), record.get("usage") or {}
    if not isinstance(identifier, str) or not identifier:
        return 'no "id" that names an item'
    if isinstance(repeat, bool) or not isinstance(repeat, int) or repeat < 1:
        return '"repeat" is no count from 1'
    if not isinstance(record.get("raw_text"), str | None):
        return '"raw_text" is no text'
    for name, place in (
        ("latency_s", record),
        ("cost_usd", record),
        ("input_tokens", usage),
        ("output_tokens", usage),
    ):
        if not isinstance(place, Mapping):
            return '"usage" is no object'
        if not _is_number_or_absent(place.get(name)):
            return f'"{name}" is no number from 0 to 1e15'
    return "" if isinstance(record.get("model"), str | None) else '"model" is no text'


def _is_number_or_absent(value: Any) -> bool:
    if value is None:
        return True
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1e15


def _one_line(error: Any) -> str:
    if not error:
        return ""
    text = error if isinstance(error, str) else json.dumps(error, sort_keys=True)
    return " ".join(text.split())[:_LONGEST_REASON]


def _line_number(source: Path, index: int) -> int:
    """The line of the record at `index`: blank lines are no records."""
    numbers = [
        number
        for number, line in enumerate(source.read_text(encoding="utf-8").split("\n"), start=1)
        if line.strip()
    ]
    return numbers[index]
