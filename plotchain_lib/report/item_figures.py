"""Submitted figures as the page carries them: as they are, or reduced until all of them fit."""

from __future__ import annotations

import io
from collections.abc import Sequence

from PIL import Image

WIDTHS = (900, 640, 480, 360)  # pixels, tried one after the other
_QUALITY = 55
_SAMPLE = 24  # figures by which a width is chosen before all are encoded


def fitted(figures: Sequence[bytes], most: int) -> list[bytes]:
    """The figures, WebP, in at most `most` bytes together, or as small as the last of WIDTHS."""
    if sum(map(len, figures)) <= most:
        return list(figures)
    small: list[bytes] = []
    sample = figures[:: max(1, len(figures) // _SAMPLE)]
    for width in WIDTHS:
        last = width == WIDTHS[-1]
        expected = sum(len(_reduced(f, width)) for f in sample) * len(figures) / len(sample)
        if expected > most and not last:
            continue
        small = [_reduced(figure, width) for figure in figures]
        if sum(map(len, small)) <= most:
            break
    return small


def size_of(figure: bytes) -> tuple[int, int]:
    """Width and height in pixels."""
    with Image.open(io.BytesIO(figure), formats=["WEBP"]) as opened:
        return opened.size


def _reduced(figure: bytes, width: int) -> bytes:
    with Image.open(io.BytesIO(figure), formats=["WEBP"]) as opened:
        picture = opened.convert("RGB")
    if picture.width > width:
        size = (width, max(1, round(picture.height * width / picture.width)))
        picture = picture.resize(size, Image.Resampling.LANCZOS)
    stream = io.BytesIO()
    picture.save(stream, "WEBP", quality=_QUALITY, method=4)
    return min((stream.getvalue(), figure), key=len)
