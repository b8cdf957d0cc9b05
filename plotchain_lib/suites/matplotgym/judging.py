"""How an episode is read: the figure its script draws, against the reference, by decision."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from plotchain_lib.item import Item, PlotChainError
from plotchain_lib.parse import Form, Reading
from plotchain_lib.suites.matplotgym.comparison.matching import match as match_series
from plotchain_lib.suites.matplotgym.decisions import compare
from plotchain_lib.suites.matplotgym.diagnosis import diagnose
from plotchain_lib.suites.matplotgym.submissions import record_of, script_digest

NOTHING = "nothing submitted"


def reader(_parsing: str, drawn: Sequence[Path] = ()) -> Callable[[str, Item], Reading]:
    """Reads one episode of one item.

    `drawn`: the table of what the scripts drew (Parquet), and the shards' geometries, which hold
    the references' specs (JSON).
    """
    tables = [pd.read_parquet(path) for path in drawn if path.suffix == ".parquet"]
    figures: dict[tuple[str, str], dict[str, Any]] = {}
    for table in tables:
        for row in table.drop(columns="webp").to_dict("records"):
            record = {str(name): value for name, value in row.items()}
            figures[record["item"], record["script_sha256"]] = record
    references: dict[str, Any] = {}
    for path in drawn:
        if path.suffix == ".json":
            geometries = json.loads(path.read_text(encoding="utf-8"))
            references |= {name: entry["spec"] for name, entry in geometries.items()}
    return _Reader(figures, references)


class _Reader:
    """Compares each distinct figure with its reference once, and says what it lost for."""

    def __init__(
        self, figures: dict[tuple[str, str], dict[str, Any]], references: dict[str, Any]
    ) -> None:
        self._figures, self._references = figures, references
        self._readings: dict[tuple[str, str], Reading] = {}

    def __call__(self, text: str, item: Item) -> Reading:
        script = record_of(text)["submission"]
        key = item.id, "" if script is None else script_digest(script)
        if key not in self._readings:
            self._readings[key] = self._read(key, item)
        return self._readings[key]

    def _read(self, key: tuple[str, str], item: Item) -> Reading:
        if not key[1]:
            return _failed(item, NOTHING)
        if key not in self._figures:
            raise PlotChainError(
                f"item {item.id}: its script was not run; delete the table of submissions and run "
                "again"
            )
        figure = self._figures[key]
        if figure["failure"]:
            return _failed(item, figure["failure"])
        reference, submitted = self._references[item.id], json.loads(figure["spec"])
        found = match_series(reference, submitted)
        scores = compare(reference, submitted, found)
        lost = diagnose(reference, submitted, scores, found)
        values = {field.name: scores[field.name] for field in item.fields}
        texts = {field.name: lost[field.name] for field in item.fields if field.name in lost}
        return Reading(values, texts, Form.DIRECT)


def _failed(item: Item, why: str) -> Reading:
    """No decision was made; the reason is the text of each."""
    names = [field.name for field in item.fields]
    return Reading(dict.fromkeys(names, 0.0), dict.fromkeys(names, why), Form.NONE)


def match(rule: str) -> Callable[[str, str], bool] | None:
    """None: nothing is compared as a text."""
    return None


def extraction_prompt(item: Item, reply: str) -> str:
    """Not to be asked for: there is nothing to copy out of an episode."""
    raise PlotChainError(
        f"{item.suite}: an episode's script is run, not read; choose a policy without an extractor"
    )
