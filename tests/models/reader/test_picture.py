"""Tests for decoding."""

import io
import struct
import time
import zlib

import numpy as np
import pytest
from PIL import Image

from plotchain_lib.models.reader.picture import contrast_to, decode
from plotchain_lib.models.reader.seen import UnreadableError


def saved(image: Image.Image, kind: str = "PNG", **settings: object) -> bytes:
    stream = io.BytesIO()
    image.save(stream, kind, **settings)
    return stream.getvalue()


def marked(mode: str, ground: object, ink: object) -> Image.Image:
    image = Image.new(mode, (90, 80), ground)
    image.paste(ink, (30, 20, 50, 60))
    return image


def test_light_ground_stays() -> None:
    picture = decode(saved(marked("RGB", (250, 251, 252), (10, 20, 30))))
    assert picture.rgb.shape == (80, 90, 3)
    assert picture.rgb.dtype == np.float32
    assert (picture.inverted, picture.ground) == (False, (250.0, 251.0, 252.0))
    assert picture.rgb[40, 40].tolist() == [10, 20, 30]


def test_dark_ground_is_inverted() -> None:
    picture = decode(saved(marked("RGB", (5, 0, 0), (255, 255, 255))))
    assert (picture.inverted, picture.ground) == (True, (250.0, 255.0, 255.0))
    assert picture.rgb[40, 40].tolist() == [0, 0, 0]


def test_jpeg_of_any_kind() -> None:
    for mode in ("RGB", "L", "CMYK"):
        image = marked("RGB", "white", "black").convert(mode)
        picture = decode(saved(image, "JPEG", quality=90))
        assert picture.rgb[40, 40].max() < 20


@pytest.mark.parametrize(
    "image",
    [
        marked("RGBA", (0, 0, 0, 0), (9, 9, 9, 255)),
        marked("LA", (0, 0), (9, 255)),
        marked("L", 255, 9),
        marked("1", 1, 0),
        marked("I;16", 65535, 9 * 257),
        marked("RGB", "white", (9, 9, 9)).quantize(4),
    ],
    ids=["alpha", "grey-alpha", "grey", "two-colours", "16-bit", "palette"],
)
def test_kinds_of_png(image: Image.Image) -> None:
    picture = decode(saved(image))
    assert picture.ground == (255.0, 255.0, 255.0)
    assert picture.rgb[40, 40].max() <= 10


def test_transparent_colour_of_a_palette_is_white() -> None:
    image = marked("P", 0, 1)
    image.putpalette([0, 0, 0, 9, 9, 9])
    picture = decode(saved(image, transparency=0))
    assert picture.ground == (255.0, 255.0, 255.0)


def png(width: int, height: int, packed: bytes) -> bytes:
    """A PNG of two colours that claims a size, whatever its pixels are."""
    header = struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)
    data = b"\x89PNG\r\n\x1a\n"
    for name, body in ((b"IHDR", header), (b"IDAT", packed), (b"IEND", b"")):
        data += struct.pack(">I", len(body)) + name + body
        data += struct.pack(">I", zlib.crc32(name + body))
    return data


WHOLE = saved(marked("RGB", "white", "black"))


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "empty"),
        (b"no picture at all", "no whole PNG or JPEG"),
        (WHOLE[: len(WHOLE) // 2], "no whole PNG or JPEG"),
        (saved(marked("RGB", "white", "black"), "JPEG")[:400], "no whole PNG or JPEG"),
        (WHOLE[:60] + b"\xff" * 30 + WHOLE[90:], "no whole PNG or JPEG"),
        (saved(Image.new("RGB", (90, 80)), "GIF"), "no whole PNG or JPEG"),
        (saved(Image.new("RGB", (1, 1))), r"too small \(1 x 1"),
        (png(60000, 50000, b"none"), "too large|no whole"),
        (png(300, 200, b"none"), "no whole PNG or JPEG"),
    ],
)
def test_what_is_no_picture_is_one_reason(data: bytes, reason: str) -> None:
    with pytest.raises(UnreadableError, match=reason):
        decode(data)


def test_huge_picture_is_refused_before_its_pixels() -> None:
    data = png(10_000, 10_000, zlib.compress(bytes(10_000 * 1251), 1))
    start = time.process_time()
    with pytest.raises(UnreadableError, match=r"too large \(10000 x 10000"):
        decode(data)
    assert time.process_time() - start < 0.1


def test_contrast_is_the_largest_channel() -> None:
    pixels = np.array([[[255, 200, 10], [0, 0, 0]]], dtype=np.float32)
    assert contrast_to(pixels, (255.0, 255.0, 0.0)).tolist() == [[55.0, 255.0]]
