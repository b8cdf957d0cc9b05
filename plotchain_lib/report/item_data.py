"""What the item browser shows, as plain lists: columns of verdicts, and the parts of each shard.

Verdicts are columns, not an object per row: of every model and repeat one text in which character
k belongs to item or field k. The page unpacks them in the browser.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from plotchain_lib.files import read_items, read_json_lines
from plotchain_lib.item import Item, PlotChainError
from plotchain_lib.report.browser_inputs import BrowserInputs
from plotchain_lib.report.inputs import Dataset
from plotchain_lib.report.reading import read_parquet
from plotchain_lib.report.summary import all_models, baselines

MOST_BYTES = 4096  # of a raw answer in the page; the whole text is in the bundle
SMALLEST_TRUTH = 1e-12  # the published rule takes relative errors of at least this
OVERLAY_COLUMNS = ("item", "drawing", "reasons")
FAILED, PASSED, NO_VERDICT = 0, 1, 2

Codes = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Verdicts:
    """The headline verdicts of one dataset, a row a model and repeat.

    Attributes:
        models: labels in the order of the ranking, then the baselines.
        repeats: how many repeats; rows are model by model, repeat by repeat.
        items: those that have verdicts, in the order of their files.
        starts: where each item's fields start; one more than items.
        values: shape (rows, fields of all items); NaN where there is none.
        passed: same shape; FAILED, PASSED or NO_VERDICT.
        outcomes: names, and per row and item the place of its name in them.
        truth, allowed: per field of all items; `allowed` is the largest error that passes.
        expected, written: where answers are texts, `truth` and `values` as texts; else empty.
    """

    models: Sequence[str]
    repeats: int
    items: Sequence[Item]
    starts: npt.NDArray[np.int64]
    values: Floats
    passed: Codes
    outcomes: tuple[Sequence[str], Codes]
    truth: Floats
    allowed: Floats
    expected: Sequence[str | None] = ()
    written: Sequence[Sequence[str | None]] = ()

    @cached_property
    def shards(self) -> dict[str, range]:
        """Shard to the places of its items, which stand together."""
        places: dict[str, list[int]] = {}
        for place, item in enumerate(self.items):
            places.setdefault(item.shard, []).append(place)
        return {shard: range(found[0], found[-1] + 1) for shard, found in places.items()}


def read_verdicts(dataset: Dataset, item_files: Iterable[Path]) -> Verdicts:
    """Bring the headline verdicts into the order of the items.

    Raises PlotChainError where a verdict's item or field is in no item file.
    """
    models = all_models(dataset)
    frame = dataset.verdicts[dataset.verdicts["model"].isin(models)]
    judged = set(frame["item"].unique())
    found = [item for path in item_files for item in read_items(path) if item.id in judged]
    order = {shard: n for n, shard in enumerate(dict.fromkeys(item.shard for item in found))}
    items = sorted(found, key=lambda item: order[item.shard])  # stable: the files' order
    starts = np.cumsum([0, *(len(item.fields) for item in items)])
    keys = [(item.id, field.name) for item in items for field in item.fields]
    places = _places(frame, keys, dataset.name)
    repeats = sorted(frame["repeat"].unique())
    rows = pd.Index(models).get_indexer(pd.Index(frame["model"])) * len(repeats)
    rows = rows + np.searchsorted(repeats, frame["repeat"].to_numpy())
    shape = (len(models) * len(repeats), len(keys))
    values, passed = np.full(shape, np.nan), np.full(shape, NO_VERDICT, dtype=np.uint8)
    values[rows, places] = frame["value"].to_numpy(float)
    passed[rows, places] = frame["passed"].to_numpy(bool)
    truth, allowed = np.full(len(keys), np.nan), np.full(len(keys), np.nan)
    truth[places] = frame["truth"].to_numpy(float)
    relative = frame["rel_tol"] * frame["truth"].abs().clip(lower=SMALLEST_TRUTH)
    allowed[places] = np.fmax(frame["abs_tol"].to_numpy(float), relative.to_numpy(float))
    outcomes = _outcomes(frame, rows, np.searchsorted(starts, places, "right") - 1, shape[0], items)
    found_texts = _texts(frame, rows, places, shape) if "expected" in frame else ((), ())
    return Verdicts(models, len(repeats), items, starts, values, passed, outcomes, truth, allowed,
                    *found_texts)  # fmt: skip


def _texts(
    frame: pd.DataFrame, rows: Any, places: Any, shape: tuple[int, int]
) -> tuple[list[str | None], list[list[str | None]]]:
    """The right texts per field, and what was written per row and field; None for nothing."""
    expected: list[str | None] = [None] * shape[1]
    written: list[list[str | None]] = [[None] * shape[1] for _ in range(shape[0])]
    columns = (frame["expected"].tolist(), frame["written"].tolist())
    for row, place, right, text in zip(rows, places, *columns, strict=True):
        expected[place], written[row][place] = right, text or None
    return expected, written


def _places(frame: pd.DataFrame, keys: list[tuple[str, str]], name: str) -> npt.NDArray[np.int64]:
    """For every verdict the place of its item and field."""
    place = {key: n for n, key in enumerate(keys)}
    wanted = zip(frame["item"].tolist(), frame["field"].tolist(), strict=True)
    places = np.array([place.get(key, -1) for key in wanted], dtype=np.int64)
    if (places < 0).any():
        row = frame.iloc[int(np.argmin(places))]
        raise PlotChainError(
            f"results/{name}/items: no field {row['field']!r} of {row['item']!r}, which has been "
            "judged; the items are of another version, run again"
        )
    return places


def _outcomes(
    frame: pd.DataFrame, rows: Any, items: Any, count: int, all_items: Sequence[Item]
) -> tuple[list[str], Codes]:
    codes, names = pd.factorize(frame["outcome"])
    outcomes = np.full((count, len(all_items)), len(names), dtype=np.uint8)
    outcomes[rows, items] = codes
    return [*(str(name) for name in names), ""], outcomes


def index_record(dataset: Dataset, verdicts: Verdicts, inputs: BrowserInputs) -> dict[str, Any]:
    """What filters and the list of matches need of one dataset, for JSON."""
    asked = [tuple((f.name, f.unit, f.scope) for f in item.fields) for item in verdicts.items]
    kinds = {kind: place for place, kind in enumerate(dict.fromkeys(asked))}
    roles = {label: role for role, label in baselines(dataset)}
    names, outcomes = verdicts.outcomes
    return {
        "name": dataset.name,
        "policy": dataset.headline,
        "models": list(verdicts.models),
        "roles": roles,
        "repeats": verdicts.repeats,
        "items": [item.id for item in verdicts.items],
        "shards": list(verdicts.shards),
        "shard": _coded([item.shard for item in verdicts.items], list(verdicts.shards)),
        "group": [item.group for item in verdicts.items],
        "difficulty": [item.difficulty for item in verdicts.items],
        "fields": [list(kind) for kind in kinds],
        "kind": [kinds[kind] for kind in asked],
        "passed": [_digits(row) for row in verdicts.passed],
        "outcomes": names,
        "outcome": [_digits(row) for row in outcomes],
        "reduced": inputs.reduced,
        "episodes": bool(inputs.episodes),
    }


def shard_record(
    verdicts: Verdicts,
    shard: str,
    replies: Mapping[tuple[str, str, int], tuple[str, int, str]],
    overlays: Mapping[str, tuple[str, str]],
) -> dict[str, Any]:
    """What one shard's items show, for JSON: questions, truth, values, texts, overlays."""
    places = verdicts.shards[shard]
    items = verdicts.items[places.start : places.stop]
    fields = slice(int(verdicts.starts[places.start]), int(verdicts.starts[places.stop]))
    runs = [(m, r) for m in verdicts.models for r in range(1, verdicts.repeats + 1)]
    return {
        "prompts": [item.prompt for item in items],
        "truth": verdicts.expected[fields] or _numbers(verdicts.truth[fields]),
        "allowed": _numbers(verdicts.allowed[fields]),
        "values": [row[fields] for row in verdicts.written]
        or [_numbers(row[fields]) for row in verdicts.values],
        # The answers to one item stand together: they are alike, so they pack well.
        "texts": [[replies.get((model, item.id, r)) for model, r in runs] for item in items],
        "overlays": [overlays.get(item.id, ("", ""))[0] for item in items],
        "reasons": [overlays.get(item.id, ("", ""))[1] for item in items],
    }


def read_replies(files: Mapping[str, Path]) -> dict[tuple[str, str, int], tuple[str, int, str]]:
    """Model, item and repeat to ``(text, bytes cut off, error)``, from files of raw answers."""
    found = {}
    for model, path in files.items():
        for record in read_json_lines(path):
            try:
                item, repeat = record["id"], int(record.get("repeat", 1))
                text, error = str(record["raw_text"]), record["error"]
            except (KeyError, TypeError, ValueError) as problem:
                raise PlotChainError(
                    f"{path}: not a file of raw answers ({problem}); delete it and run again"
                ) from problem
            found[model, item, repeat] = (*cut(text), "" if error is None else str(error))
    return found


def cut(text: str, most: int = MOST_BYTES) -> tuple[str, int]:
    """The first `most` bytes of a text in UTF-8, whole characters, and how many bytes follow."""
    if len(text) * 4 <= most:
        return text, 0
    data = text.encode("utf-8", "replace")
    kept = data[:most].decode("utf-8", "ignore")
    return kept, len(data) - len(kept.encode("utf-8"))


def read_overlays(path: Path | None) -> dict[str, tuple[str, str]]:
    """Item to ``(drawing, reasons)``; empty where the reader was not asked."""
    if path is None:
        return {}
    frame = read_parquet(path, OVERLAY_COLUMNS)
    rows = zip(*(frame[name].tolist() for name in OVERLAY_COLUMNS), strict=True)
    return {item: (drawing, reasons) for item, drawing, reasons in rows}


def _coded(values: Sequence[str], names: Sequence[str]) -> list[int]:
    place = {name: n for n, name in enumerate(names)}
    return [place[value] for value in values]


def _digits(codes: Codes) -> str:
    """One character a code, 0 to 9."""
    return (codes + ord("0")).tobytes().decode("ascii")


def _numbers(values: Floats) -> list[float | None]:
    return [None if value != value else value for value in values.tolist()]  # NaN is not itself
