"""Croissant metadata of a dataset exported for Hugging Face, made by `mlcroissant`.

One JSON-LD file beside the exported folder: every Parquet file with its size and SHA-256, and one
record set, ``items``, whose records are the rows of all of them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from plotchain_lib import __version__
from plotchain_lib.exports.huggingface import FIELD, MEANINGS, schema
from plotchain_lib.files import write_json
from plotchain_lib.item import PlotChainError

_FILES, _RECORDS = "parquet-files", "items"
_TYPES = {pa.string(): "TEXT", pa.int32(): "INT32", pa.int64(): "INT64", pa.float64(): "FLOAT64"}
_FIELD_MEANINGS = {
    "name": "the JSON key asked for",
    "unit": "the unit it is asked in; empty for a ratio or a count",
    "definition": "what it is, as the prompt says it",
    "scope": "final, or checkpoint for a step on the way",
    "decimals": "digits after the point of the true value; null where it is not rounded",
    "truth": "the true value; null where it is no number",
    "truth_text": "the right text; null where a number is asked for",
}


def write_metadata(path: Path, name: str, folder: Path) -> None:
    """Write what describes an exported dataset.

    Args:
        path: the file, in the folder that holds `folder`: the metadata names files relative to it.
        name: the dataset's label.
        folder: what `plotchain_lib.exports.huggingface.write_dataset` wrote.

    Raises PlotChainError where `mlcroissant` is not installed or the folder holds no Parquet file.
    """
    try:
        import mlcroissant
    except ImportError as error:
        raise PlotChainError(
            "mlcroissant is not installed; add it with: pip install 'plotchain[croissant]'"
        ) from error
    files = sorted(folder.glob("data/*.parquet"))
    if not files:
        raise PlotChainError(f"{folder}: holds no data/*.parquet; export it again")
    root = path.parent
    metadata = mlcroissant.Metadata(
        name=f"PlotChain {name}",
        description=_description(files),
        version=__version__,
        distribution=[*(_file(mlcroissant, file, root) for file in files),
                      _file_set(mlcroissant, folder.relative_to(root))],
        record_sets=[_record_set(mlcroissant)],
    )  # fmt: skip
    write_json(path, metadata.to_json())


def _description(files: Sequence[Path]) -> str:
    count = sum(pq.read_metadata(file).num_rows for file in files)
    return (
        f"{count:,} pictures of plots, each with a question and the true values. "
        "For evaluation only: train on none of it."
    )


def _file(library: ModuleType, path: Path, root: Path) -> Any:
    with path.open("rb") as stream:
        digest = hashlib.file_digest(stream, "sha256").hexdigest()
    return library.FileObject(
        id=path.name,
        name=path.name,
        content_url=path.relative_to(root).as_posix(),
        content_size=f"{path.stat().st_size} B",
        encoding_formats=[library.EncodingFormat.PARQUET],
        sha256=digest,
    )


def _file_set(library: ModuleType, folder: Path) -> Any:
    """All files as one set: records can be read from files together only through such a set."""
    return library.FileSet(
        id=_FILES,
        name=_FILES,
        description="the files above, one a shard",
        includes=[(folder / "data" / "*.parquet").as_posix()],
        encoding_formats=[library.EncodingFormat.PARQUET],
    )


def _record_set(library: ModuleType) -> Any:
    fields = [_field(library, name, MEANINGS[name], schema().field(name).type) for name in MEANINGS]
    return library.RecordSet(
        id=_RECORDS,
        name=_RECORDS,
        description="one question about one picture, with its truth",
        key=[f"{_RECORDS}/id"],
        fields=fields,
    )


def _field(library: ModuleType, name: str, meaning: str, kind: pa.DataType) -> Any:
    """A column; the parts of a list of structs as its sub-fields, the bytes of a picture."""
    identifier = f"{_RECORDS}/{name}"
    about = {"id": identifier, "name": name, "description": meaning}
    if name == "fields":
        parts = [
            library.Field(
                id=f"{identifier}/{part}",
                name=part,
                description=_FIELD_MEANINGS[part],
                data_types=[getattr(library.DataType, _TYPES[part_kind])],
                source=_source(library, name, part),
            )
            for part, part_kind in FIELD.items()
        ]
        return library.Field(**about, repeated=True, sub_fields=parts)
    if name == "image":
        picture = [library.DataType.IMAGE_OBJECT]
        return library.Field(**about, data_types=picture, source=_source(library, name, "bytes"))
    types = [getattr(library.DataType, _TYPES[kind])]
    return library.Field(**about, data_types=types, source=_source(library, name))


def _source(library: ModuleType, column: str, part: str = "") -> Any:
    return library.Source(
        file_set=_FILES,
        extract=library.Extract(column=column),
        transforms=[library.Transform(json_path=part)] if part else [],
    )
