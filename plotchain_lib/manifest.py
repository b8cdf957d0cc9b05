"""What a dataset is made of, to the bit: checksums of items, files and pixels, and their check."""

from __future__ import annotations

import hashlib
import io
import json
import platform
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any, Literal

from plotchain_lib.item import Item, PlotChainError

State = Literal["byte-equal", "pixel-equal", "different", "missing"]
_PACKAGES = ("matplotlib", "numpy", "pillow", "plotchain")


@dataclass(frozen=True, slots=True)
class Verdict:
    """How one file of a dataset compares with its manifest."""

    path: str
    state: State


def sha256(data: bytes) -> str:
    """Hex SHA-256."""
    return hashlib.sha256(data).hexdigest()


def pixels_sha256(png: bytes) -> str:
    """Hex SHA-256 over size and RGB values of a picture, whatever its compression.

    Raises PlotChainError where the bytes are no picture.
    """
    from PIL import Image, UnidentifiedImageError

    try:
        with Image.open(io.BytesIO(png)) as picture:
            rgb = picture.convert("RGB")
    except (UnidentifiedImageError, OSError, ValueError) as error:
        raise PlotChainError(f"not a picture ({error})") from error
    return sha256(f"{rgb.width}x{rgb.height}:".encode() + rgb.tobytes())


def versions() -> dict[str, str]:
    """Of Python and of every package that a picture depends on."""
    return {"python": platform.python_version(), **{name: version(name) for name in _PACKAGES}}


def _file_entry(folder: Path, path: str, known: Mapping[str, str]) -> dict[str, str]:
    """Checksums of one file; `known` gives byte to pixel checksum where drawing recorded it."""
    data = (folder / path).read_bytes()
    entry = {"sha256": sha256(data)}
    if path.endswith(".png"):
        entry["pixels_sha256"] = known.get(entry["sha256"]) or pixels_sha256(data)
    return entry


def build(
    folder: Path,
    facts: Mapping[str, Any],
    items: Iterable[Item],
    files: Iterable[str],
    drawn: Mapping[str, str],
) -> dict[str, Any]:
    """The record of `manifest.json`.

    `files` are relative to `folder`; `drawn` maps the byte checksum of each picture to that of its
    pixels, as drawing recorded them.
    """
    return {
        **facts,
        "versions": versions(),
        "items": {item.id: sha256(item.to_json().encode("utf-8")) for item in items},
        "files": {path: _file_entry(folder, path, drawn) for path in sorted(files)},
    }


def _state(path: Path, entry: Mapping[str, str]) -> State:
    if not path.is_file():
        return "missing"
    data = path.read_bytes()
    if sha256(data) == entry["sha256"]:
        return "byte-equal"
    if "pixels_sha256" not in entry:
        return "different"
    try:
        same = pixels_sha256(data) == entry["pixels_sha256"]
    except PlotChainError:
        return "different"
    return "pixel-equal" if same else "different"


def verify(folder: Path) -> list[Verdict]:
    """Compare every file the manifest of `folder` lists. Raises PlotChainError without one."""
    path = folder / "manifest.json"
    try:
        record = json.loads(path.read_text(encoding="utf-8"))
        files = record["files"].items()
    except FileNotFoundError as error:
        raise PlotChainError(f"{path}: missing; build it with: snakemake {path}") from error
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise PlotChainError(f"{path}: not a manifest; delete it and run again") from error
    return [Verdict(name, _state(folder / name, entry)) for name, entry in files]
