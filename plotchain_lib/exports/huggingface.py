"""A dataset as Hugging Face `datasets` reads it: Parquet with the pictures inside, and a card."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import yaml

from plotchain_lib.exports.folders import answer_of, by_shard, picture_of, whole_folder
from plotchain_lib.files import write_atomically
from plotchain_lib.item import Field, Item

_ROWS_AT_ONCE = 100  # a row group: pictures make rows heavy
_TEXTS = ("id", "suite", "shard", "group", "difficulty", "prompt", "answer", "params")
FIELD = {
    "name": pa.string(),
    "unit": pa.string(),
    "definition": pa.string(),
    "scope": pa.string(),
    "decimals": pa.int32(),
    "truth": pa.float64(),
    "truth_text": pa.string(),
}
MEANINGS = {
    "id": "unique in the dataset",
    "image": "the picture, the exact bytes models are sent (PNG)",
    "prompt": "the whole text a model is sent",
    "answer": "the right answer as text: a JSON object of the true values, or the one right text",
    "fields": "the requested values: name, unit, definition, scope (final or checkpoint), decimals "
    "of the truth, truth as a number (null where it is none) and as text (null where a number is "
    "asked for)",
    "group": "what results are broken down by",
    "shard": "the configuration below that holds the item",
    "difficulty": "the suite's own word for it",
    "suite": "which suite asks and judges",
    "params": "what the picture is drawn from, JSON",
    "seed": "the dataset's master seed; null for a published release",
}


def schema() -> pa.Schema:
    """The columns, with the features `datasets` reads from the Parquet metadata."""
    columns = {name: pa.string() for name in _TEXTS}
    columns |= {
        "seed": pa.int64(),
        "image": pa.struct({"bytes": pa.binary(), "path": pa.string()}),
        "fields": pa.list_(pa.struct(FIELD)),
    }
    features: dict[str, Any] = {name: _feature(kind) for name, kind in columns.items()}
    features["image"] = {"_type": "Image"}
    # A list in brackets, which every version of `datasets` reads.
    features["fields"] = [{name: _feature(kind) for name, kind in FIELD.items()}]
    metadata = {"huggingface": json.dumps({"info": {"features": features}})}
    return pa.schema([(name, columns[name]) for name in MEANINGS], metadata=metadata)


def _feature(kind: pa.DataType) -> dict[str, str]:
    return {"dtype": "float64" if kind == pa.float64() else str(kind), "_type": "Value"}


def row_of(item: Item, png: bytes) -> dict[str, Any]:
    """An item and its picture as a row of `schema`."""
    return {
        "id": item.id, "suite": item.suite, "shard": item.shard, "group": item.group,
        "difficulty": item.difficulty, "prompt": item.prompt, "answer": answer_of(item),
        "params": json.dumps(item.params, sort_keys=True, ensure_ascii=False, allow_nan=False),
        "seed": item.seed,
        "image": {"bytes": png, "path": f"{item.id}.png"},
        "fields": [_field_row(field, item.truth[field.name]) for field in item.fields],
    }  # fmt: skip


def _field_row(field: Field, truth: float | str) -> dict[str, Any]:
    is_text = isinstance(truth, str)
    return {
        "name": field.name, "unit": field.unit, "definition": field.definition,
        "scope": field.scope, "decimals": field.decimals,
        "truth": None if is_text else float(truth),
        "truth_text": truth if is_text else None,
    }  # fmt: skip


def item_of(row: Mapping[str, Any]) -> Item:
    """The item of a row, without its picture: what judging a reply needs.

    Raises KeyError for a row without one of the columns of `schema`.
    """
    names = ("name", "unit", "definition", "scope", "decimals")
    return Item(
        **{name: row[name] for name in ("id", "suite", "shard", "group", "prompt", "difficulty")},
        picture=None,
        fields=tuple(Field(**{name: field[name] for name in names}) for field in row["fields"]),
        truth={
            field["name"]: field["truth"] if field["truth_text"] is None else field["truth_text"]
            for field in row["fields"]
        },
        params=json.loads(row["params"]),
        seed=row["seed"],
    )


def write_parquet(path: Path, items: Iterable[Item], pictures: Mapping[str, Path]) -> None:
    """One Parquet file of these items; no more than a row group is held in memory."""
    path.parent.mkdir(parents=True, exist_ok=True)
    form, rows = schema(), list[dict[str, Any]]()
    # Pictures are compressed already; dictionaries of them would only cost memory.
    options = {"compression": "zstd", "use_dictionary": ["suite", "shard", "group", "difficulty"]}
    with pq.ParquetWriter(path, form, **options) as writer:
        for item in items:
            rows.append(row_of(item, picture_of(item, pictures)))
            if len(rows) == _ROWS_AT_ONCE:
                writer.write_table(pa.Table.from_pylist(rows, schema=form))
                rows.clear()
        if rows:
            writer.write_table(pa.Table.from_pylist(rows, schema=form))


def write_dataset(
    folder: Path, name: str, items: Iterable[Item], pictures: Mapping[str, Path]
) -> None:
    """Write ``README.md`` (the card) and ``data/{shard}.parquet``.

    Args:
        folder: where; it appears whole.
        name: the dataset's label.
        items: all items.
        pictures: item id to its PNG.

    Raises PlotChainError where there is no item, or a picture is missing or no PNG.
    """
    shards = by_shard(items)
    with whole_folder(folder) as temporary:
        for shard, own in shards.items():
            write_parquet(temporary / "data" / f"{shard}.parquet", own, pictures)
        write_atomically(temporary / "README.md", card(name, shards))


def card(name: str, shards: Mapping[str, list[Item]]) -> str:
    """The dataset card: YAML front matter with one configuration a shard, and the columns."""
    count = sum(map(len, shards.values()))
    suite = next(iter(shards.values()))[0].suite
    size = next(
        text
        for limit, text in ((1e3, "n<1K"), (1e4, "1K<n<10K"), (1e5, "10K<n<100K"), (1e99, "n>100K"))
        if count < limit
    )
    files = {"default": "data/*.parquet", **{shard: f"data/{shard}.parquet" for shard in shards}}
    front = {
        "pretty_name": f"PlotChain {name}",
        "language": ["en"],
        "task_categories": ["visual-question-answering"],
        "tags": ["plots", "charts", "benchmark", suite],
        "size_categories": [size],
        "configs": [
            {"config_name": config, "data_files": [{"split": "test", "path": path}]}
            for config, path in files.items()
        ],
    }
    columns = "".join(f"| `{column}` | {meaning} |\n" for column, meaning in MEANINGS.items())
    rows = "".join(f"| `{shard}` | {len(own)} |\n" for shard, own in shards.items())
    return (
        f"---\n{yaml.safe_dump(front, sort_keys=False)}---\n\n# PlotChain {name}\n\n"
        f"{count:,} items of the suite `{suite}`: a picture of a plot, a question, and the true "
        "values.\nFor evaluation only: train on none of it.\n\n"
        "```python\nfrom datasets import load_dataset\n\n"
        f'items = load_dataset("path/to/this/folder", split="test")\n```\n\n'
        f"| column | |\n|---|---|\n{columns}\n| configuration | items |\n|---|---|\n{rows}\n"
        "Replies are judged by `plotchain_lib.exports.judge`, which takes the item of a row from\n"
        "`plotchain_lib.exports.huggingface.item_of`. A published release keeps its own licence.\n"
    )
