"""What `mlcroissant` itself makes of the metadata: valid, and the same items from local files."""

from __future__ import annotations

import hashlib
import json
import socket
import sys
from pathlib import Path
from typing import Any

import pytest
from small_sets import Small

from plotchain_lib.exports.croissant import write_metadata
from plotchain_lib.exports.huggingface import write_dataset
from plotchain_lib.item import Item, PlotChainError

FIELD = "items/fields"


@pytest.fixture
def library(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The library, which may open no connection."""

    def refused(*_: Any) -> None:
        raise AssertionError("a connection was opened")

    monkeypatch.setattr(socket.socket, "connect", refused)
    monkeypatch.setattr(socket, "getaddrinfo", refused)
    reason = "the optional extra croissant is not installed"
    return pytest.importorskip("mlcroissant", reason=reason)


def exported(small: Small, folder: Path) -> Path:
    write_dataset(folder / "huggingface", "small", small.items, small.pictures)
    write_metadata(folder / "croissant.json", "small", folder / "huggingface")
    return folder / "croissant.json"


def text(value: bytes | None) -> str | None:
    """Texts come as bytes."""
    return None if value is None else value.decode("utf-8")


def fields_of(item: Item) -> list[dict[str, Any]]:
    return [
        {
            "name": field.name, "unit": field.unit, "definition": field.definition,
            "scope": field.scope, "decimals": field.decimals,
            "truth": None if isinstance(truth, str) else truth,
            "truth_text": truth if isinstance(truth, str) else None,
        }
        for field in item.fields for truth in [item.truth[field.name]]
    ]  # fmt: skip


def test_the_library_finds_no_error_and_loads_the_same_items(
    library: Any, small: Small, tmp_path: Path
) -> None:
    dataset = library.Dataset(exported(small, tmp_path))
    assert not dataset.metadata.ctx.issues.errors
    records = {text(record["items/id"]): record for record in dataset.records("items")}
    assert sorted(records) == sorted(item.id for item in small.items)
    for item in small.items:
        record = records[item.id]
        assert text(record["items/prompt"]) == item.prompt
        for name in ("suite", "shard", "group", "difficulty"):
            assert text(record[f"items/{name}"]) == getattr(item, name)
        assert json.loads(record["items/params"]) == json.loads(json.dumps(item.params))
        assert record["items/seed"] == item.seed
        found = [
            {part.removeprefix(f"{FIELD}/"): text(value) if isinstance(value, bytes) else value
             for part, value in entry.items()}
            for entry in record[FIELD]
        ]  # fmt: skip
        assert found == fields_of(item)
        with record["items/image"] as picture:
            picture.fp.seek(0)
            assert picture.fp.read() == small.pictures[item.id].read_bytes()


def test_every_file_has_its_size_and_checksum(
    library: Any, plotchain: Small, tmp_path: Path
) -> None:
    path = exported(plotchain, tmp_path)
    metadata = json.loads(path.read_text())
    files = {entry["@id"]: entry for entry in metadata["distribution"]}
    assert list(files) == ["bandpass_response.parquet", "pump_curve.parquet", "parquet-files"]
    for name in list(files)[:2]:
        content = (tmp_path / files[name]["contentUrl"]).read_bytes()
        assert files[name]["contentUrl"] == f"huggingface/data/{name}"
        assert files[name]["sha256"] == hashlib.sha256(content).hexdigest()
        assert files[name]["contentSize"] == f"{len(content)} B"
    assert metadata["description"].startswith("6 pictures of plots")
    assert metadata["name"] == "PlotChain small"
    before = path.read_bytes()
    write_metadata(path, "small", tmp_path / "huggingface")
    assert path.read_bytes() == before
    assert str(tmp_path) not in before.decode()


def test_without_an_export_there_is_nothing_to_describe(library: Any, tmp_path: Path) -> None:
    with pytest.raises(PlotChainError, match=r"huggingface: holds no data/\*\.parquet; export it"):
        write_metadata(tmp_path / "croissant.json", "small", tmp_path / "huggingface")
    assert not list(tmp_path.iterdir())


def test_without_the_library_one_line_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "mlcroissant", None)
    with pytest.raises(PlotChainError, match=r"pip install 'plotchain\[croissant\]'"):
        write_metadata(tmp_path / "croissant.json", "small", tmp_path / "huggingface")
