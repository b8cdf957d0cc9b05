"""Read and write the formats others publish: the layout of the PlotChain release.

A release is a folder with ``plotchain.jsonl`` (one item a line) and ``images/{family}/{id}.png``;
raw outputs are JSON Lines with ``id, type, raw_text, latency_s, error, model, provider``.
"""

from __future__ import annotations

import json
import math
import re
import shutil
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from plotchain_lib.files import read_json_lines, write_atomically
from plotchain_lib.item import Field, Item, PlotChainError, Scope

ITEMS_FILE = "plotchain.jsonl"
_LABEL = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,199}")
_KEYS = ("id", "type", "image_path", "question", "ground_truth", "plot_params", "generation")
_GENERATION_KEYS = ("difficulty", "final_fields", "checkpoint_fields")

# The last parts of a field's name to its unit; the longest that fits counts.
UNIT_OF_SUFFIX: Mapping[str, str] = {
    "hz": "Hz", "db": "dB", "s": "s", "v": "V", "a": "A", "ohm": "ohm", "mpa": "MPa",
    "rpm": "rpm", "nm": "N·m", "m": "m", "m3h": "m³/h", "deg": "deg", "percent": "%",
    "db_per_decade": "dB/decade",
}  # fmt: skip


def release_ids(folder: Path) -> dict[str, str]:
    """Item id to family, in the release's order. Raises PlotChainError as `read_release` does."""
    return {record["id"]: record["type"] for _, record in _records(folder)}


def read_release(folder: Path) -> list[Item]:
    """All items of a published release.

    The prompt is the release's question and one line that names the keys in order: finals, then
    checkpoints. An item that this project exported brings its whole prompt and fields instead. The
    picture is its path inside `folder`, as `folder` was given; it is not opened.

    Raises PlotChainError of one line (file, line, remedy) for a bad line, a missing key, an id
    given twice, a path that leaves the folder, or a truth that is no number.
    """
    items = []
    for place, record in _records(folder):
        try:
            items.append(_item(record, folder))
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise PlotChainError(
                f"{place}: not a PlotChain item ({type(error).__name__}: {error}); "
                "take the file from its source again"
            ) from error
    return items


def _records(folder: Path) -> list[tuple[str, dict[str, Any]]]:
    """(place, record) of every item, ids unique and all keys there."""
    path = folder / ITEMS_FILE
    lines: dict[str, str] = {}
    records = []
    for number, record in enumerate(read_json_lines(path), start=1):
        place = f"{path}:{number}"
        missing = [key for key in _KEYS if key not in record]
        if missing:
            raise PlotChainError(
                f"{place}: {missing[0]} is missing; take the file from its source again"
            )
        for name in ("id", "type"):
            if not isinstance(record[name], str) or not _LABEL.fullmatch(record[name]):
                raise PlotChainError(
                    f"{place}: {name} {record[name]!r} is no label (letters, digits, '.', '_', "
                    "'-'); mend the line"
                )
        if record["id"] in lines:
            raise PlotChainError(
                f"{place}: id {record['id']!r} is already on {lines[record['id']]}; "
                "remove one of the two lines"
            )
        lines[record["id"]] = f"line {number}"
        records.append((place, record))
    if not records:
        raise PlotChainError(f"{path}: holds no items; take the file from its source again")
    return records


def _item(record: Mapping[str, Any], folder: Path) -> Item:
    generation = record["generation"]
    truth = {name: float(value) for name, value in record["ground_truth"].items()}
    fields = _fields(record)
    for field in fields:
        if not math.isfinite(truth[field.name]):
            raise ValueError(f"{field.name} is {truth[field.name]}")
    picture = Path(record["image_path"])
    if picture.is_absolute() or ".." in picture.parts:
        raise ValueError(f"image_path {record['image_path']!r} leaves the folder")
    return Item(
        id=record["id"],
        suite="plotchain",
        shard=record["type"],
        group=record["type"],
        prompt=record.get("prompt") or prompt_for(record["question"], fields),
        picture=(folder / picture).as_posix(),
        fields=fields,
        truth={field.name: truth[field.name] for field in fields},
        params=dict(record["plot_params"]),
        seed=None,
        difficulty=str(generation["difficulty"]),
    )


def _fields(record: Mapping[str, Any]) -> tuple[Field, ...]:
    if "fields" in record:
        return tuple(Field(**entry) for entry in record["fields"])
    generation = record["generation"]
    scopes: tuple[tuple[str, Scope], ...] = (
        ("final_fields", "final"),
        ("checkpoint_fields", "checkpoint"),
    )
    return tuple(
        Field(name, unit_of(name), "", scope) for key, scope in scopes for name in generation[key]
    )


def unit_of(name: str) -> str:
    """A field's unit from its name; empty where the name has none.

    The longest suffix counts, first of the whole name, then of what stands before ``_at_``:
    ``cp_slope_db_per_decade`` is in dB/decade, ``stress_at_1e5_mpa`` in MPa, ``phase_deg_at_fq`` in
    deg. ``percent_`` may also come first.
    """
    for part in (name.lower(), name.lower().split("_at_")[0]):
        words = part.split("_")
        for start in range(1, len(words)):
            unit = UNIT_OF_SUFFIX.get("_".join(words[start:]))
            if unit:
                return unit
    return "%" if name.lower().startswith("percent_") else ""


def picture(shard: str, item: str) -> str:
    """Where an item's picture lies in a release's folder."""
    return f"images/{shard}/{item}.png"


def prompt_for(question: str, fields: Iterable[Field]) -> str:
    """A release's question and one line that names the JSON keys in order."""
    keys = ", ".join(f'"{field.name}"' for field in fields)
    return (
        f"{question.rstrip()}\n"
        f"Reply with a single JSON object that has exactly these keys, in this order: {keys}. "
        "Give every value as a number, or null where the picture does not show it."
    )


def write_release(folder: Path, items: Iterable[Item], picture_source: Path) -> None:
    """Export a generated dataset in the release's layout.

    Pictures are copied from `picture_source` (the dataset's folder) to ``images/{family}/``. Two
    keys beyond the published ones, ``prompt`` and ``fields``, keep what the layout has no place
    for. Raises PlotChainError for an item without picture or one whose picture is not there.
    """
    lines = []
    for item in items:
        target = Path("images") / item.shard / f"{item.id}.png"
        source = picture_source / item.picture if item.picture else None
        if source is None or not source.is_file():
            raise PlotChainError(
                f"item {item.id}: its picture {source or ''} is not there; run the render stage"
            )
        (folder / target).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, folder / target)
        lines.append(json.dumps(_record(item, target), ensure_ascii=False, allow_nan=False) + "\n")
    write_atomically(folder / ITEMS_FILE, "".join(lines))


def _record(item: Item, picture: Path) -> dict[str, Any]:
    by_scope = {
        scope: [field.name for field in item.fields if field.scope == scope]
        for scope in ("final", "checkpoint")
    }
    return {
        "id": item.id,
        "type": item.shard,
        "image_path": picture.as_posix(),
        "question": item.prompt,
        "ground_truth": dict(item.truth),
        "plot_params": dict(item.params),
        "generation": {
            "seed": item.seed,
            "difficulty": item.difficulty,
            "final_fields": by_scope["final"],
            "checkpoint_fields": by_scope["checkpoint"],
        },
        "prompt": item.prompt,
        "fields": [asdict(field) for field in item.fields],
    }


def write_raw_outputs(
    path: Path,
    response_files: Iterable[Path],
    families: Mapping[str, str] | None = None,
    provider: str = "",
) -> None:
    """Export response files in the release's raw layout, one line per call.

    Args:
        path: the JSON Lines file to write.
        response_files: as the query stage wrote them; pending calls are left out, because nothing
            was answered or refused.
        families: item id to family (`release_ids`); by default the id without its number.
        provider: who served the model; by default what the response says was sent.

    ``error`` is None for an answer, else ``{outcome}: {reason}``. Raises PlotChainError for a file
    that is no response.
    """
    lines = []
    for file in response_files:
        response = _response(file)
        if response["outcome"] == "pending":
            continue
        answered = response["outcome"] == "answered"
        item = response["item"]
        record = {
            "provider": provider or str((response.get("sent") or {}).get("provider") or ""),
            "model": response.get("served_model") or response["model"],
            "id": item,
            "type": (families or {}).get(item) or re.sub(r"_\d+$", "", item),
            "raw_text": response["text"],
            "latency_s": response.get("latency_s"),
            "error": None if answered else f"{response['outcome']}: {response.get('reason', '')}",
        }
        if response["repeat"] != 1:  # the release knows no repeats
            record["repeat"] = response["repeat"]
        # ASCII, because a text may hold half a surrogate pair, which UTF-8 does not know.
        lines.append(json.dumps(record, allow_nan=False) + "\n")
    write_atomically(path, "".join(lines))


def _response(path: Path) -> dict[str, Any]:
    remedy = "delete it and run again: the answer is in the cache"
    try:
        response = json.loads(path.read_bytes())
    except OSError as error:
        raise PlotChainError(f"{path}: cannot be read ({error.strerror}); run again") from error
    except ValueError as error:
        raise PlotChainError(f"{path}: the response file is empty or cut off; {remedy}") from error
    if not isinstance(response, dict) or any(
        key not in response for key in ("model", "item", "outcome", "text")
    ):
        raise PlotChainError(f"{path}: not a response file; {remedy}")
    return response
