"""Response files to the table of answers, and to the facts of a run."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from operator import itemgetter
from pathlib import Path
from typing import Any

import pandas as pd

from plotchain_lib.item import ANSWER_COLUMNS, OUTCOMES, Item, PlotChainError
from plotchain_lib.parse.objects import Reading, parse_object
from plotchain_lib.parse.scan import without_thinking

_CALL = ("dataset", "model", "item", "repeat", "outcome", "text")
_USAGE = ("latency_s", "input_tokens", "output_tokens", "cost_usd")
_FACTS = ("asked_at", "outcome", "reason", "served_model", *_USAGE)
_LONGEST_SETTING = 120  # characters; longer strings that were sent are no settings
_NUMBER_OR_NONE = (int, float, type(None))
_MOST_SETTINGS = 10  # distinct values of one setting worth listing

Reader = Callable[[str, Item], Reading]


def parse_responses(
    response_files: Iterable[Path],
    items: Iterable[Item],
    mode: str,
    read: Reader | None = None,
    extractions: Iterable[Path] = (),
) -> pd.DataFrame:
    """The answers in some response files.

    Args:
        response_files: files as the query stage writes them, in any order.
        items: the items that were asked, in the order the table shall have.
        mode: ``paper`` or ``tolerant``.
        read: reads one reply to one item; by default `parse_object` in `mode`.
        extractions: what a model has copied out of the replies, in files of the same names: read
            in place of them. How the extraction ended is then the outcome of an answered call.

    Returns a frame with exactly ANSWER_COLUMNS: one row per model, item, repeat and requested
    field, in this order. A call that brought no answer has its rows too, their value NaN. A reply
    that ends inside a thinking block has the outcome ``truncated``. Latency (s), tokens and cost
    (US dollars) are those of the whole call, repeated in each of its rows, as floats.

    Raises PlotChainError for a file that is empty, cut off or of another dataset.
    """
    position = {item.id: (place, item) for place, item in enumerate(items)}
    read = read or (lambda text, item: parse_object(text, _units(item), mode))
    copies = {}
    for path in extractions:
        copy = _read_response(path)
        copies[path.name] = (copy["text"], copy["outcome"])
    calls = []
    # A reply is read at once and let go: thousands of responses would fill the memory.
    for path in response_files:
        record = _read_response(path)
        if copies and record["outcome"] == "answered":
            copied, outcome = copies[path.name]
            text = (without_thinking(copied) or "").strip()
            record = {**record, "text": text, "outcome": outcome}
        if record["item"] not in position:
            raise PlotChainError(
                f"{path}: item {record['item']!r} is not in this dataset; delete the file (its "
                "answer stays in the cache) and run again"
            )
        place, item = position[record["item"]]
        call = (record["dataset"], record["model"], place, record["repeat"])
        calls.append((call, list(_rows(record, item, read))))
    calls.sort(key=itemgetter(0))
    rows = [row for _, own in calls for row in own]
    frame = pd.DataFrame(rows, columns=list(ANSWER_COLUMNS))
    numbers = dict.fromkeys(("value", *_USAGE), "float64")
    strings = dict.fromkeys(("dataset", "model", "item", "field", "text", "form", "outcome"), "str")
    return frame.astype({**numbers, **strings, "repeat": "int64"})


def extraction_items(
    response_files: Iterable[Path], items: Iterable[Item], prompt: Callable[[Item, str], str]
) -> list[Item]:
    """What an extractor is asked about each answered response, in the order of the files.

    Items without picture or truth, their ids ``{item}.{repeat}``; `prompt` makes the text sent.
    Raises PlotChainError as `parse_responses` does.
    """
    known = {item.id: item for item in items}
    asked = []
    for path in response_files:
        record = _read_response(path)
        if record["outcome"] == "answered":
            item = known[record["item"]]
            text = prompt(item, record["text"])
            name = f"{item.id}.{record['repeat']}"
            asked.append(replace(item, id=name, prompt=text, picture=None, truth={}, params={}))
    return asked


def read_responses(response_files: Iterable[Path]) -> Iterator[dict[str, Any]]:
    """The records of response files. Raises PlotChainError as `parse_responses` does."""
    for path in response_files:
        yield _read_response(path)


def _units(item: Item) -> dict[str, str]:
    return {field.name: field.unit for field in item.fields}


def _rows(record: Mapping[str, Any], item: Item, read: Reader) -> Iterable[tuple[Any, ...]]:
    outcome = record["outcome"]
    reading = Reading({})
    if outcome == "answered":
        reading = read(record["text"], item)
        outcome = "truncated" if reading.truncated else outcome
    call = (record["dataset"], record["model"], record["item"], record["repeat"])
    end = (str(reading.form), outcome, *(record.get(name) for name in _USAGE))
    for field in item.fields:
        value = reading.values.get(field.name)
        yield (*call, field.name, value, reading.texts.get(field.name, ""), *end)


def _read_response(path: Path) -> dict[str, Any]:
    """One response file. Raises PlotChainError of one line with the remedy."""
    return _record(path, _content(path))


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise PlotChainError(f"{path}: cannot be read ({error.strerror}); run again") from error


def _record(path: Path, content: bytes) -> dict[str, Any]:
    remedy = "delete it and run again: the answer is in the cache"
    if not content:
        raise PlotChainError(f"{path}: the response file is empty; {remedy}")
    try:
        record = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise PlotChainError(f"{path}: the response file is cut off; {remedy}") from error
    if not isinstance(record, dict) or any(name not in record for name in _CALL):
        raise PlotChainError(f"{path}: not a response file; {remedy}")
    wrong = [
        name for name in _CALL if not isinstance(record[name], int if name == "repeat" else str)
    ]
    if wrong or record["outcome"] not in OUTCOMES:
        name = wrong[0] if wrong else "outcome"
        raise PlotChainError(f"{path}: {name} is {record[name]!r}, which cannot be; {remedy}")
    # A lone half of a surrogate pair is legal in JSON and in no table or page.
    for name, value in record.items():
        if isinstance(value, str) and not value.isascii():
            record[name] = value.encode("utf-8", "replace").decode("utf-8")
    return record


def run_facts(response_files: Iterable[Path]) -> dict[str, Any]:
    """What is worth knowing about a run, for ``run.json``.

    Returns ``{"first_asked_at", "last_asked_at", "responses", "models": {model: {"responses",
    "first_asked_at", "last_asked_at", "served_models", "sent", "outcomes", "pending_reasons",
    "input_tokens", "output_tokens", "cost_usd", "sha256"}}}``. ``sent`` lists the distinct values
    of every short setting that was sent, nested keys joined by dots. ``sha256`` is over the lines
    ``{sha256 of the file}  {file name}`` in the order of the names: what
    ``LC_ALL=C sha256sum *.json | sha256sum`` says in the model's folder.

    Raises PlotChainError as `parse_responses` does.
    """
    models: dict[str, _Gathered] = {}
    for path in sorted(response_files, key=lambda path: path.name):
        content = _content(path)
        record = _record(path, content)
        if "@" in path.parent.name and not path.parent.name.startswith(f"{record['model']}@"):
            continue  # no reply to extract from: a copy of the model's own response
        models.setdefault(record["model"], _Gathered()).add(path.name, content, record)
    facts = {model: _model_facts(gathered) for model, gathered in sorted(models.items())}
    return {
        "responses": sum(entry["responses"] for entry in facts.values()),
        **_asked_at([record for gathered in models.values() for record in gathered.records]),
        "models": facts,
    }


class _Gathered:
    """What the facts of one model need of its responses, which would fill the memory."""

    def __init__(self) -> None:
        self.records: list[dict[str, Any]] = []
        self.sent: dict[str, set[str]] = {}
        self.checksums = hashlib.sha256()

    def add(self, name: str, content: bytes, record: Mapping[str, Any]) -> None:
        """One more response file, in the order of the names."""
        self.records.append({fact: record[fact] for fact in _FACTS if fact in record})
        for key, value in _settings(record.get("sent") or {}):
            values = self.sent.setdefault(key, set())
            if len(values) <= _MOST_SETTINGS:
                values.add(json.dumps(value))
        self.checksums.update(f"{hashlib.sha256(content).hexdigest()}  {name}\n".encode())


def _model_facts(gathered: _Gathered) -> dict[str, Any]:
    records = gathered.records
    pending = [record.get("reason", "") for record in records if record["outcome"] == "pending"]
    served = {str(record["served_model"]) for record in records if record.get("served_model")}
    return {
        "responses": len(records),
        **_asked_at(records),
        "served_models": sorted(served),
        "sent": {
            key: [json.loads(value) for value in sorted(values)]
            for key, values in sorted(gathered.sent.items())
            if len(values) <= _MOST_SETTINGS
        },
        "outcomes": dict(sorted(Counter(record["outcome"] for record in records).items())),
        "pending_reasons": dict(sorted(Counter(pending).items())),
        **{name: _total(record.get(name) for record in records) for name in _USAGE[1:]},
        "sha256": gathered.checksums.hexdigest(),
    }


def _settings(sent: Mapping[str, Any], prefix: str = "") -> Iterable[tuple[str, Any]]:
    for key, value in sent.items():
        if isinstance(value, dict):
            yield from _settings(value, f"{prefix}{key}.")
        elif isinstance(value, _NUMBER_OR_NONE) or (
            isinstance(value, str) and len(value) <= _LONGEST_SETTING
        ):
            yield prefix + key, value


def _asked_at(records: list[dict[str, Any]]) -> dict[str, Any]:
    times = sorted(str(record["asked_at"]) for record in records if record.get("asked_at"))
    return {
        "first_asked_at": times[0] if times else None,
        "last_asked_at": times[-1] if times else None,
    }


def _total(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) if known else None
