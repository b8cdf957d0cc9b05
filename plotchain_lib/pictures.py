"""Pictures as the report carries them: WebP, whole and lossless or, in a large report, reduced."""

from __future__ import annotations

import io
from collections.abc import Iterable
from pathlib import Path

import pandas as pd
from PIL import Image, UnidentifiedImageError

from plotchain_lib.item import PlotChainError

PICTURE_COLUMNS = ("item", "width", "height", "webp")
REDUCED_WIDTH = 480  # pixels
_REDUCED_QUALITY = 30
# Method 4 at effort 75: a twentieth smaller than the fastest, twice its time.
_LOSSLESS = {"lossless": True, "quality": 75, "method": 4, "exact": True}


def picture_table(paths: Iterable[Path], reduced: bool) -> pd.DataFrame:
    """One row per picture with the columns PICTURE_COLUMNS, in the order given.

    Args:
        paths: pictures named by their item, ``{item}.png``; each must be there.
        reduced: make them at most REDUCED_WIDTH wide, with losses; else keep every pixel.

    ``width`` and ``height`` are those of the picture as it was rendered, in pixels; ``webp`` holds
    the bytes. Raises PlotChainError for a file that is no picture.
    """
    rows = [(path.stem, *_encoded(path, reduced)) for path in paths]
    frame = pd.DataFrame(rows, columns=list(PICTURE_COLUMNS))
    return frame.astype({"item": "str", "width": "int64", "height": "int64", "webp": "object"})


def _encoded(path: Path, reduced: bool) -> tuple[int, int, bytes]:
    try:
        with Image.open(path) as opened:
            picture = _on_white(opened)
    except (OSError, UnidentifiedImageError, Image.DecompressionBombError) as error:
        raise PlotChainError(
            f"{path}: not a picture that can be read; delete it and run again"
        ) from error
    width, height = picture.size
    stream = io.BytesIO()
    if reduced and width > REDUCED_WIDTH:
        size = (REDUCED_WIDTH, max(1, round(height * REDUCED_WIDTH / width)))
        small = picture.resize(size, Image.Resampling.LANCZOS)
        small.save(stream, "WEBP", quality=_REDUCED_QUALITY, method=4)
    else:
        picture.save(stream, "WEBP", **_LOSSLESS)
    return width, height, stream.getvalue()


def _on_white(picture: Image.Image) -> Image.Image:
    """Three channels; what was transparent is white, as the page's ground under pictures is."""
    if not picture.has_transparency_data:
        return picture.convert("RGB")
    layer = picture.convert("RGBA")
    return Image.alpha_composite(Image.new("RGBA", layer.size, "white"), layer).convert("RGB")
