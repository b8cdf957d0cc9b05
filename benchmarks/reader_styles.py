"""The suite's items as other people draw and pass on pictures, for `benchmarks.reader_accuracy`.

A style either redraws an item on Matplotlib's own axes, with its own ticks and labels, so that a
style sheet's or a user's settings act, or it damages the suite's own picture. A name before the
colon selects all of its variants: ``colours`` is ``colours:red``, ``colours:orange`` and so on.

Some redrawn pictures clash as they would for a user: with ``colours:red`` and ``ggplot`` the curve
is about as red as the diode's target line and the steel's offset line, with ``colours:orange`` as
orange as the dots; on a grey face the white box of a text stands out; seaborn's markers have no
edge, so the cross at a fracture is not to be seen. A user's picture has all of that too.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import matplotlib as mpl
import numpy as np
from cycler import cycler
from matplotlib import style as sheets
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import Normalize, to_hex
from matplotlib.figure import Figure
from PIL import Image

from plotchain_lib.item import Item, PlotChainError
from plotchain_lib.suites.plotchain import families
from plotchain_lib.suites.plotchain.families import spectrogram
from plotchain_lib.suites.plotchain.family import Frame, Parameters
from plotchain_lib.suites.plotchain.furniture import AIDS, DPI, PICTURE_PIXELS
from plotchain_lib.suites.plotchain.render import render

Damage = Callable[[Image.Image], Image.Image | bytes]


@dataclass(frozen=True, slots=True)
class Drawn:
    """A picture and where its axes truly are.

    Attributes:
        data: the file's bytes.
        box: left, top, width and height of the axes in pixels, origin at the picture's corner.
        frame: the axes' limits and scales.
    """

    data: bytes
    box: tuple[float, float, float, float]
    frame: Frame


@dataclass(frozen=True, slots=True)
class Style:
    """One way of drawing.

    Attributes:
        redrawn: on Matplotlib's own axes; else the suite's own picture is taken.
        sheet: a style sheet of Matplotlib's.
        settings: rcParams on top of it.
        dpi: of the redrawn picture; its size in inches stays.
        grid: whether the item's own grid is drawn; a sheet's grid is the sheet's matter.
        damage: what is done to the pixels afterwards; bytes are a file of their own format.
        scale: the factor by which `damage` changes width and height.
    """

    redrawn: bool = True
    sheet: str = ""
    settings: Any = field(default_factory=dict)
    dpi: float = DPI
    grid: bool = True
    damage: Damage | None = None
    scale: float = 1.0


def _cycle(*colours: str) -> Style:
    return Style(settings={"axes.prop_cycle": cycler(color=colours)})


def _grid(colour: str, pattern: str = "-", width: float = 0.8) -> Style:
    return Style(settings={
        "grid.color": colour, "grid.linestyle": pattern, "grid.linewidth": width, "grid.alpha": 1.0,
    })  # fmt: skip


def _jpeg(image: Image.Image) -> bytes:
    stream = io.BytesIO()
    image.save(stream, "JPEG", quality=60, subsampling="4:2:0")
    return stream.getvalue()


def _decoded_jpeg(image: Image.Image) -> Image.Image:
    return Image.open(io.BytesIO(_jpeg(image))).convert("RGB")


def _smaller(image: Image.Image) -> Image.Image:
    size = (round(image.width * _SMALLER), round(image.height * _SMALLER))
    return image.resize(size, Image.Resampling.LANCZOS)


_SMALLER = 0.7

STYLES: Mapping[str, Style] = {
    "suite": Style(redrawn=False),
    "jpeg60": Style(redrawn=False, damage=_decoded_jpeg),
    "jpeg60:file": Style(redrawn=False, damage=_jpeg),
    "scale0.7": Style(redrawn=False, damage=_smaller, scale=_SMALLER),
    "matplotlib": Style(),
    "colours:red": _cycle("#d62728", "#1f77b4", "#2ca02c"),
    "colours:orange": _cycle("#ff7f0e", "#9467bd", "#17becf"),
    "colours:grey": _cycle("#333333", "#888888", "#bbbbbb"),
    "colours:black": _cycle("black", "tab:blue"),
    "colours:green": _cycle("#2ca02c", "#d62728"),
    "colours:purple": _cycle("#7b3294", "#c2a5cf", "#008837"),
    "colours:pale": _cycle("#56b4e9", "#e69f00", "#009e73"),
    "serif:dejavu": Style(settings={
        "font.family": ["DejaVu Serif"], "mathtext.fontset": "dejavuserif",
    }),
    "serif:times": Style(settings={"font.family": ["STIXGeneral"], "mathtext.fontset": "stix"}),
    "large_text": Style(settings={
        "xtick.labelsize": 12.5, "ytick.labelsize": 12.5, "axes.labelsize": 13.0,
        "axes.titlesize": 13.0,
    }),
    "dpi100": Style(dpi=100.0),
    "dpi200": Style(dpi=200.0),
    "dpi300": Style(dpi=300.0),
    "grey_grids:light": _grid("#e6e6e6"),
    "grey_grids:dark": _grid("#8c8c8c", width=0.6),
    "grey_grids:dotted": _grid("#666666", ":"),
    "grey_grids:dashed": _grid("#aaaaaa", "--"),
    "no_top_right": Style(settings={"axes.spines.top": False, "axes.spines.right": False}),
    "inward_ticks": Style(settings={
        f"{axis}tick.{key}": value
        for axis, side in (("x", "top"), ("y", "right"))
        for key, value in (("direction", "in"), (side, True), ("minor.visible", True))
    }),
    **{name: Style(sheet=name, grid=False) for name in ("ggplot", "bmh", "seaborn-v0_8")},
    "dark_background": Style(sheet="dark_background"),
}  # fmt: skip


def selected(names: Sequence[str]) -> list[str]:
    """The styles of these names or groups; ``all`` is every one. Raises PlotChainError."""
    if "all" in names:
        return list(STYLES)
    chosen: list[str] = []
    for name in names:
        found = [style for style in STYLES if style == name or style.split(":")[0] == name]
        if not found:
            known = ", ".join(dict.fromkeys(style.split(":")[0] for style in STYLES))
            raise PlotChainError(f"unknown style {name!r}; known are: {known}")
        chosen += found
    return list(dict.fromkeys(chosen))


def draw(item: Item, style: Style) -> Drawn:
    """One item in one style."""
    family = families.load(item.shard)
    frame = family.frame(item.params)
    if style.redrawn:
        pixels, box = _redrawn(item, frame, style)
    else:
        picture = render(family, item.params, item.difficulty)
        if style.damage is None:
            return Drawn(picture.png, picture.geometry["axes_box_px"], frame)
        pixels, box = Image.open(io.BytesIO(picture.png)), picture.geometry["axes_box_px"]
    return Drawn(damaged(pixels, style), tuple(edge * style.scale for edge in box), frame)  # type: ignore[arg-type]


def damaged(image: Image.Image, style: Style) -> bytes:
    """The file of a picture, after the style's damage if it has one."""
    result = style.damage(image.convert("RGB")) if style.damage else image
    if isinstance(result, bytes):
        return result
    stream = io.BytesIO()
    result.save(stream, "PNG", compress_level=3)
    return stream.getvalue()


def _redrawn(
    item: Item, frame: Frame, style: Style
) -> tuple[Image.Image, tuple[float, float, float, float]]:
    """The picture on Matplotlib's own axes, and their box."""
    width, height = PICTURE_PIXELS[frame.shape]
    with mpl.rc_context():
        mpl.rcdefaults()
        if style.sheet:
            sheets.use(style.sheet)
        mpl.rcParams.update(style.settings)
        figure = Figure(figsize=(width / DPI, height / DPI), dpi=style.dpi, layout="constrained")
        canvas = FigureCanvasAgg(figure)
        axes = figure.add_subplot()
        axes.set(
            xscale=frame.x.scale, yscale=frame.y.scale, xlabel=frame.x.label, ylabel=frame.y.label,
            title=frame.title, xlim=(frame.x.low, frame.x.high), ylim=(frame.y.low, frame.y.high),
        )  # fmt: skip
        aids = AIDS[item.difficulty]
        if style.grid and aids.grid and item.shard != spectrogram.NAME:
            axes.grid(True)
            if aids.minor_grid:
                axes.grid(True, which="minor", linewidth=0.4, alpha=0.4)
        _plot(axes, item.shard, item.params, item.difficulty)
        if to_hex(figure.get_facecolor()) == "#000000":
            _turn_black_and_white(axes)
        drawn: Any = canvas  # Matplotlib leaves the canvas untyped
        drawn.draw()
        pixels = np.asarray(drawn.buffer_rgba())[..., :3].copy()
        edges = axes.bbox
        box = (edges.x0, pixels.shape[0] - edges.y1, edges.width, edges.height)
    return Image.fromarray(pixels), box


def _plot(axes: Axes, shard: str, params: Parameters, difficulty: str) -> None:
    """The family's own drawing; the spectrogram's is made for the suite's layout alone."""
    if shard != spectrogram.NAME:
        families.load(shard).plot(axes, params, difficulty)
        return
    axes.pcolormesh(
        np.linspace(0.0, params["end_s"], spectrogram.COLUMNS + 1),
        params["bin_hz"] * (np.arange(spectrogram.ROWS + 1) - 0.5),
        spectrogram.levels_db(params),
        cmap="viridis", norm=Normalize(-48.0, 0.0),
    )  # fmt: skip


def _turn_black_and_white(axes: Axes) -> None:
    """Artists drawn in black become white, white fills black, as who uses a dark ground does."""

    def turned(colour: Any) -> Any:
        if isinstance(colour, str) and colour == "none":
            return colour
        return {"#000000": "white", "#ffffff": "black"}.get(to_hex(colour), colour)

    for line in axes.lines:
        # All three first: a marker without colours of its own has its line's.
        colours = line.get_color(), line.get_markerfacecolor(), line.get_markeredgecolor()
        line.set_color(turned(colours[0]))
        line.set_markerfacecolor(turned(colours[1]))
        line.set_markeredgecolor(turned(colours[2]))
    for text in axes.texts:
        patch = text.get_bbox_patch()
        if patch is not None:
            patch.set_facecolor(turned(patch.get_facecolor()))
