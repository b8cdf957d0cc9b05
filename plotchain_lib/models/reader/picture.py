"""Decoding: bytes to pixels with dark ink on a light ground."""

from __future__ import annotations

import io
import warnings

import numpy as np
import numpy.typing as npt
from PIL import Image

from plotchain_lib.models.reader.seen import Colour, Picture, Pixels, UnreadableError

_MOST_PIXELS = 12_000_000
_SHORTEST_SIDE = 64  # pixels; below that no label can be read
_DARK = 128  # a ground below this brightness is inverted


def decode(data: bytes) -> Picture:
    """The picture in a PNG or JPEG file.

    Transparent pixels lie on white. A picture on a dark ground is inverted. Raises UnreadableError
    where the bytes are no such file, are damaged, or hold too few or too many pixels.
    """
    rgb = _pixels(data)
    ground = _ground(rgb)
    inverted = bool(np.dot(ground, (0.299, 0.587, 0.114)) < _DARK)
    if inverted:
        rgb, ground = 255 - rgb, 255 - ground
    red, green, blue = (float(channel) for channel in ground)
    return Picture(rgb.astype(np.float32), inverted, (red, green, blue))


def contrast_to(pixels: Pixels, colour: Colour) -> Pixels:
    """How much pixels differ from a colour: their largest channel's difference, 0 to 255.

    Shape (..., 3) to shape (...).
    """
    most = np.abs(pixels[..., 0] - np.float32(colour[0]))
    for channel in (1, 2):
        np.maximum(most, np.abs(pixels[..., channel] - np.float32(colour[channel])), out=most)
    return np.asarray(most, dtype=np.float32)


def _pixels(data: bytes) -> npt.NDArray[np.uint8]:
    if not data:
        raise UnreadableError("the picture is empty")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with Image.open(io.BytesIO(data), formats=("PNG", "JPEG")) as image:
                _check_size(image.size)
                return np.asarray(_opaque(image))
    except UnreadableError:
        raise
    except Exception as error:  # Pillow raises a dozen kinds on damaged files
        raise UnreadableError("the picture is no whole PNG or JPEG file") from error


def _check_size(size: tuple[int, int]) -> None:
    width, height = size
    if width * height > _MOST_PIXELS:
        raise UnreadableError(f"the picture is too large ({width} x {height} pixels)")
    if min(size) < _SHORTEST_SIDE:
        raise UnreadableError(f"the picture is too small ({width} x {height} pixels)")


def _opaque(image: Image.Image) -> Image.Image:
    """RGB, transparent parts on white."""
    if image.mode.startswith("I"):  # 16 bits grey, which Pillow would clip and not scale
        deep = np.asarray(image).astype(np.uint32)
        return Image.fromarray((deep // 257).clip(0, 255).astype(np.uint8)).convert("RGB")
    if image.mode in ("RGBA", "LA", "PA") or "transparency" in image.info:
        clear = image.convert("RGBA")
        white = Image.new("RGBA", clear.size, "white")
        return Image.alpha_composite(white, clear).convert("RGB")
    return image.convert("RGB")


def _ground(rgb: Pixels | npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """The commonest colour of the picture's rim."""
    rim = np.concatenate([rgb[0], rgb[-1], rgb[:, 0], rgb[:, -1]]).astype(np.int64)
    codes = (rim[:, 0] << 16) | (rim[:, 1] << 8) | rim[:, 2]
    found, counts = np.unique(codes, return_counts=True)
    code = int(found[counts.argmax()])
    return np.array([code >> 16, code >> 8 & 255, code & 255], dtype=np.uint8)
