"""The four states of a file, and what a manifest records."""

from __future__ import annotations

import hashlib
import io
from pathlib import Path

import pytest
from PIL import Image

from plotchain_lib.files import write_json
from plotchain_lib.item import Item, PlotChainError
from plotchain_lib.manifest import build, pixels_sha256, verify

ITEM = Item("f_000", "plotchain", "f", "f", "?", "images/f_000.png", (), {"v": 1.0}, {}, 0, "clean")


def png(color: tuple[int, int, int], level: int = 6) -> bytes:
    stream = io.BytesIO()
    Image.new("RGB", (40, 30), color).save(stream, "PNG", compress_level=level)
    return stream.getvalue()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "images").mkdir()
    (tmp_path / "images" / "f_000.png").write_bytes(png((1, 2, 3)))
    (tmp_path / "floor.json").write_text("{}")
    files = ["images/f_000.png", "floor.json"]
    write_json(tmp_path / "manifest.json", build(tmp_path, {"seed": 0}, [ITEM], files, {}))
    return tmp_path


def states(folder: Path) -> dict[str, str]:
    return {verdict.path: verdict.state for verdict in verify(folder)}


def test_untouched_files_are_byte_equal(folder: Path) -> None:
    assert states(folder) == {"images/f_000.png": "byte-equal", "floor.json": "byte-equal"}


def test_recompressed_picture_is_pixel_equal(folder: Path) -> None:
    (folder / "images/f_000.png").write_bytes(png((1, 2, 3), level=0))
    assert states(folder)["images/f_000.png"] == "pixel-equal"


@pytest.mark.parametrize("content", [png((1, 2, 4)), b"", b"no picture", png((1, 2, 3))[:50]])
def test_other_pixels_or_no_picture_are_different(folder: Path, content: bytes) -> None:
    (folder / "images/f_000.png").write_bytes(content)
    assert states(folder)["images/f_000.png"] == "different"


def test_changed_and_missing_files(folder: Path) -> None:
    (folder / "floor.json").write_text("{ }")
    (folder / "images/f_000.png").unlink()
    assert states(folder) == {"images/f_000.png": "missing", "floor.json": "different"}


def test_a_missing_or_broken_manifest_is_one_line(folder: Path) -> None:
    (folder / "manifest.json").write_text("[1]")
    with pytest.raises(PlotChainError, match="not a manifest"):
        verify(folder)
    (folder / "manifest.json").unlink()
    with pytest.raises(PlotChainError, match="missing; build it"):
        verify(folder)


def test_record_holds_items_versions_and_the_pixels_drawing_knew(folder: Path) -> None:
    data = (folder / "images/f_000.png").read_bytes()
    known = {hashlib.sha256(data).hexdigest(): "as drawn"}
    record = build(folder, {"seed": 7}, [ITEM], ["images/f_000.png"], known)
    assert record["seed"] == 7
    assert record["items"] == {"f_000": hashlib.sha256(ITEM.to_json().encode()).hexdigest()}
    assert record["files"]["images/f_000.png"]["pixels_sha256"] == "as drawn"
    assert {"python", "numpy", "matplotlib", "pillow"} <= set(record["versions"])


def test_pixel_checksum_includes_the_size() -> None:
    def solid(size: tuple[int, int]) -> bytes:
        stream = io.BytesIO()
        Image.new("RGB", size).save(stream, "PNG")
        return stream.getvalue()

    assert pixels_sha256(solid((2, 6))) != pixels_sha256(solid((3, 4)))
