"""Pictures for the report: every pixel kept, or small."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from plotchain_lib.item import PlotChainError
from plotchain_lib.pictures import REDUCED_WIDTH, picture_table


def save(path: Path, mode: str = "RGB", size: tuple[int, int] = (700, 350)) -> Image.Image:
    pixels = np.random.default_rng(3).integers(0, 256, (size[1], size[0], len(mode)), np.uint8)
    picture = Image.fromarray(pixels.squeeze(), mode)
    picture.save(path)
    return picture


def test_whole_pictures_keep_every_pixel(tmp_path: Path) -> None:
    picture = save(tmp_path / "a_001.png")
    frame = picture_table([tmp_path / "a_001.png"], reduced=False)
    (row,) = frame.itertuples()
    assert (row.item, row.width, row.height) == ("a_001", 700, 350)
    assert np.array_equal(Image.open(io.BytesIO(row.webp)).convert("RGB"), picture)


def test_reduced_pictures_are_narrow_and_say_how_wide_they_were(tmp_path: Path) -> None:
    save(tmp_path / "wide.png")
    small = save(tmp_path / "small.png", size=(100, 50))
    frame = picture_table([tmp_path / "wide.png", tmp_path / "small.png"], reduced=True)
    assert frame["width"].tolist() == [700, 100]
    wide, kept = (Image.open(io.BytesIO(data)) for data in frame["webp"])
    assert wide.size == (REDUCED_WIDTH, REDUCED_WIDTH // 2)
    assert np.array_equal(kept.convert("RGB"), small)


def test_what_is_transparent_is_white(tmp_path: Path) -> None:
    Image.new("RGBA", (8, 8), (0, 0, 0, 0)).save(tmp_path / "clear.png")
    frame = picture_table([tmp_path / "clear.png"], reduced=False)
    picture = np.asarray(Image.open(io.BytesIO(frame["webp"][0])).convert("RGB"))
    assert (picture == 255).all()


def test_two_runs_give_the_same_bytes_and_no_pictures_an_empty_table(tmp_path: Path) -> None:
    save(tmp_path / "a.png")
    first, second = (picture_table([tmp_path / "a.png"], reduced=True) for _ in range(2))
    assert first["webp"].tolist() == second["webp"].tolist()
    assert picture_table([], reduced=False).empty


def test_a_file_that_is_no_picture_is_named(tmp_path: Path) -> None:
    (tmp_path / "bad.png").write_bytes(b"\x89PNG cut off")
    with pytest.raises(PlotChainError, match=r"bad\.png: not a picture"):
        picture_table([tmp_path / "bad.png"], reduced=False)
