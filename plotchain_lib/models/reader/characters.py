"""The characters beside an axis: connected pieces of ink, in the line or column of its labels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from PIL import Image
from scipy import ndimage

from plotchain_lib.models.reader.picture import contrast_to
from plotchain_lib.models.reader.seen import Array, Box, Picture, Pixels
from plotchain_lib.models.reader.ticks import Direction

_MOST = 400  # parts of a strip of labels
_INK = 0.33  # of the strongest contrast: a pixel of a character
_FLAT = 0.4  # height to width: a minus sign is flatter
_SPACE = 0.8  # of a digit's height: a wider gap parts labels from what stands left of them
_SMALL = 22  # pixels: strips with lower digits are enlarged
_DEEP = 0.13  # of the picture's width: how far below the axes labels are looked for
_BEYOND = 0.04  # of the picture's width: how far past either end of an upright axis


@dataclass(frozen=True, slots=True)
class Part:
    """A connected piece of ink; its bounding box, ends included, in pixels of its strip."""

    left: int
    top: int
    right: int
    bottom: int

    @property
    def height(self) -> int:
        """Rows."""
        return self.bottom - self.top + 1

    @property
    def flat(self) -> bool:
        """Whether it may be a minus sign."""
        return self.height <= _FLAT * (self.right - self.left + 1)

    @property
    def middle(self) -> tuple[float, float]:
        """Its centre, x and y."""
        return (self.left + self.right) / 2, (self.top + self.bottom) / 2


@dataclass(frozen=True, slots=True)
class Strip:
    """The pixels beside an axis, and their parts; enlarged where the digits are small.

    Attributes:
        contrast: 0 to 255.
        left, top: picture coordinates of its first column and row.
        scale: its pixels for one of the picture's.
        parts: the labels' pieces of ink.
        tall: height of a digit, in the strip's pixels.
    """

    contrast: Pixels
    left: int
    top: int
    scale: int
    parts: list[Part]
    tall: float

    def along(self, places: Array, direction: Direction) -> Array:
        """Places along the axis, from the picture's pixels to the strip's."""
        origin = self.left if direction == "x" else self.top
        return np.asarray((places - origin + 0.5) * self.scale - 0.5)

    def back(self, place: float, direction: Direction) -> float:
        """The inverse of `along`."""
        origin = self.left if direction == "x" else self.top
        return (place + 0.5) / self.scale - 0.5 + origin


def find_strip(
    picture: Picture, box: Box, direction: Direction, reach: float, tall: float = 0.0
) -> Strip:
    """The line of labels below the axes, or the column of them at the left.

    Stubs stick out of the axes by `reach`, which tells where no line does. `tall` is a digit's
    height in the picture's pixels if it is known, else 0.
    """
    width = picture.rgb.shape[1]
    if box.line:
        # Labels of minor ticks stand nearer to the axes than major stubs reach.
        reach = box.line / 2 + 0.5
    if direction == "x":
        left, top = 0, int(box.bottom + reach + 1)
        # One row more, to see what comes from above.
        pixels = contrast_to(picture.rgb[top - 1 : round(top + _DEEP * width)], picture.ground)
        parts = find_parts(pixels[1:])
        chosen = _first_line(_without_neighbour(parts, pixels, box.left))
        pixels = pixels[1:]
    else:
        left, top = 0, max(0, round(box.top - _BEYOND * width))
        rows = picture.rgb[top : round(box.bottom + _BEYOND * width)]
        pixels = contrast_to(rows[:, : max(0, int(box.left - reach))], picture.ground)
        parts = [p for p in find_parts(pixels) if p.right < pixels.shape[1] - 1]
        chosen = _nearest_column(parts, box.top - top, box.bottom - top, tall or _height(parts))
    tall = _height(chosen)
    strip = Strip(pixels, left, top, 1, _without_specks(chosen, tall), tall)
    return _enlarged(strip) if 0 < tall < _SMALL else strip


def find_parts(pixels: Pixels) -> list[Part]:
    """The connected pieces of ink in an array of contrasts, dots within a zero left out."""
    if not pixels.size:
        return []
    numbered, _ = ndimage.label(pixels > _INK * pixels.max(), structure=np.ones((3, 3)))
    parts = [
        Part(c.start, r.start, c.stop - 1, r.stop - 1) for r, c in ndimage.find_objects(numbered)
    ]
    if len(parts) > _MOST:  # no labels
        return parts
    edges = np.array([(p.left, p.top, -p.right, -p.bottom) for p in parts]).reshape(-1, 4)
    inside = np.any(np.all(edges[:, None] > edges[None], axis=2), axis=1).tolist()
    return [part for part, within in zip(parts, inside, strict=True) if not within]


def clusters(parts: Sequence[Part], axis: int, space: float) -> list[list[Part]]:
    """The parts in runs that gaps wider than `space` part, along x (0) or y (1), last first."""
    found: list[list[Part]] = []
    edge = np.inf
    for part in sorted(parts, key=lambda p: -(p.right, p.bottom)[axis]):
        if edge - (part.right, part.bottom)[axis] > space:
            found.append([])
        found[-1].append(part)
        edge = min(edge, (part.left, part.top)[axis])
    return found


def _enlarged(strip: Strip) -> Strip:
    """The strip with its digits large enough to be told apart where they nearly touch."""
    scale = int(np.ceil(_SMALL / strip.tall))
    left = max(0, min(p.left for p in strip.parts) - 4)
    top = max(0, min(p.top for p in strip.parts) - 4)
    right, bottom = (max(getattr(p, e) for p in strip.parts) + 5 for e in ("right", "bottom"))
    image = Image.fromarray(strip.contrast[top:bottom, left:right].astype(np.uint8))
    size = (image.width * scale, image.height * scale)
    pixels = np.asarray(image.resize(size, Image.Resampling.BICUBIC), dtype=np.float32)
    known = np.zeros((image.height, image.width), dtype=bool)
    for p in strip.parts:
        known[p.top - top : p.bottom + 1 - top, p.left - left : p.right + 1 - left] = True
    parts = [
        p for p in find_parts(pixels) if known[int(p.middle[1]) // scale, int(p.middle[0]) // scale]
    ]
    tall = _height(parts)
    parts = _without_specks(parts, tall)
    return Strip(pixels, strip.left + left, strip.top + top, scale, parts, tall)


def _without_specks(parts: list[Part], tall: float) -> list[Part]:
    """The parts without what is smaller than a decimal point."""
    least = 0.1 * tall
    return [p for p in parts if p.height > least or p.right - p.left + 1 > least]


def _without_neighbour(parts: list[Part], pixels: Pixels, left: float) -> list[Part]:
    """The parts below the axes without those of the other axis' lowest label.

    Without stubs and the ends of rules that stick out of the axes too. `pixels` begin one row
    above the parts' strip.
    """
    ink = _INK * pixels[1:].max(initial=0)
    cut = [p for p in parts if p.top == 0 and pixels[0, p.left : p.right + 1].max() > ink]
    lowest = max((p.bottom for p in cut if p.right < left), default=-1)
    return [p for p in parts if (p not in cut if p.right >= left else p.top > lowest)]


def _first_line(parts: list[Part]) -> list[Part]:
    """The parts of the uppermost line of text."""
    tall = _height(parts)
    line: list[Part] = []
    bottom = -np.inf
    for part in sorted(_without_specks(parts, tall), key=lambda p: p.top):
        if line and part.top - bottom > 0.25 * tall:
            break
        line.append(part)
        bottom = max(bottom, part.bottom)
    return line


def _nearest_column(parts: list[Part], top: float, bottom: float, tall: float) -> list[Part]:
    """The parts of the labels beside the axis, without the axis' own label left of them."""
    parts = [p for p in parts if top - tall < p.middle[1] < bottom + tall]
    found: list[Part] = []
    edge = np.inf
    for column in clusters(parts, 0, 0.12 * tall):
        near = not found or edge - max(p.right for p in column) < _SPACE * tall
        if not near or (found and (_turned(column, tall) or _lying(column, tall))):
            break
        found += column
        edge = min(p.left for p in column)
    return found


def _turned(parts: list[Part], tall: float) -> bool:
    """Whether the parts are characters that follow each other upwards."""
    runs = clusters(parts, 1, 0.45 * tall + 1)
    return any(max(p.bottom for p in r) - min(p.top for p in r) > 1.6 * tall for r in runs)


def _lying(parts: list[Part], tall: float) -> bool:
    """Whether the parts are one character on its side: wider than high, and no sign."""
    wide = max(p.right for p in parts) - min(p.left for p in parts) + 1
    return len(parts) == 1 and 0.4 * tall < parts[0].height < 0.87 * wide


def _height(parts: list[Part]) -> float:
    tall = [p.height for p in parts if not p.flat]
    if not tall:
        return 0.0
    # Points are low, and so are exponents.
    return float(np.median([h for h in tall if h > 0.6 * np.percentile(tall, 80)]))
