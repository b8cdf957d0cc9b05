"""Drawing without a drawer's habits: fixed style, fixed bytes, three formats.

Figures use Matplotlib's object-oriented interface inside a context of fixed settings, so that a
user's matplotlibrc changes nothing, and carry no date or version, so that two runs are equal.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import matplotlib as mpl
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine
from matplotlib.text import Text

LONGEST_NAME = 28  # letters of a model's name in a chart; tables have it whole
WIDE_INCHES = 7.4
NARROW_INCHES = 3.9
PNG_DPI = 300

INK, MUTED, LINE, FAINT = "#1c2126", "#5b646e", "#c9cfd6", "#e9ecf0"
# Letters on cells that keep their colour in dark mode, so theirs must stay as well.
ON_LIGHT, ON_DEEP = "#0a0d10", "#fdfdfd"
ACCENT, SECOND, PAPER = "#0b63a5", "#b4510d", "#ffffff"
# Lines that must be told apart. All are dark enough to be read as letters, so hue alone differs;
# whoever cannot tell them by hue has the markers and the names at the lines' ends.
SERIES = (
    ACCENT, SECOND, "#12805c", "#8f4a9c", "#846500", "#bb3a69", "#23748c", "#7a5c48",
)  # fmt: skip
# On the page each of these becomes a variable of the style sheet, so that dark mode can change it.
PAGE_COLOURS = {
    INK: "var(--ink)", MUTED: "var(--muted)", LINE: "var(--line)", FAINT: "var(--faint)",
    ACCENT: "var(--accent)", SECOND: "var(--second)", PAPER: "var(--paper)",
    **{colour: f"var(--series-{n})" for n, colour in enumerate(SERIES) if n > 1},
}  # fmt: skip

SETTINGS: Any = {
    "font.family": "DejaVu Sans", "font.size": 9.0, "text.color": INK, "text.parse_math": False,
    "axes.edgecolor": LINE, "axes.labelcolor": MUTED, "axes.labelsize": 9.0, "axes.linewidth": 0.8,
    "axes.spines.top": False, "axes.spines.right": False, "axes.grid": True,
    "axes.axisbelow": True, "axes.titlesize": 9.0, "axes.titlelocation": "left",
    "axes.unicode_minus": True, "grid.color": FAINT, "grid.linewidth": 0.8,
    "xtick.color": LINE, "ytick.color": LINE, "xtick.labelcolor": MUTED, "ytick.labelcolor": INK,
    "xtick.labelsize": 8.5, "ytick.labelsize": 9.0, "legend.fontsize": 8.5,
    "pdf.fonttype": 42, "svg.fonttype": "none", "svg.hashsalt": "plotchain",
}  # fmt: skip

Draw = Callable[[float], Figure]


@dataclass(frozen=True, slots=True)
class Chart:
    """One figure, not yet drawn.

    Attributes:
        name: part of the file names.
        title: the heading on the page.
        caption: what is seen, in a sentence; also the picture's text alternative.
        draw: draws it, settled, for a width in inches; the page needs a wide and a narrow one.
        note: what was left out, and why.
        data: names of the tables that hold its numbers; empty for all tables of its section.
    """

    name: str
    title: str
    caption: str
    draw: Draw
    note: str = ""
    data: tuple[str, ...] = ()


@contextmanager
def fixed_style() -> Iterator[None]:
    """Matplotlib's own defaults, then ours; what was set before comes back afterwards."""
    with mpl.rc_context():
        mpl.rcdefaults()
        mpl.rcParams.update(SETTINGS)
        yield


class Drawings:
    """Charts as bytes. A figure is laid out once and written in each format it is asked for."""

    def __init__(self) -> None:
        """Start with nothing drawn."""
        self._figures: dict[tuple[Chart, float], Figure] = {}

    def pdf(self, chart: Chart) -> bytes:
        """The wide figure with embedded fonts."""
        metadata = {"CreationDate": None, "Creator": None, "Producer": None}
        return self._save(chart, WIDE_INCHES, format="pdf", metadata=metadata)

    def png(self, chart: Chart) -> bytes:
        """The wide figure at 300 dots per inch."""
        options: dict[str, Any] = {
            "metadata": {"Software": None}, "pil_kwargs": {"compress_level": 3},
        }  # fmt: skip
        return self._save(chart, WIDE_INCHES, format="png", dpi=PNG_DPI, **options)

    def svg(self, chart: Chart, width: float, prefix: str) -> str:
        """An SVG element to stand inside a page.

        Its colours are variables of the page, its letters the page's, its ids begin with
        `prefix`, because all figures of a page share one space of ids.
        """
        return fit_into_page(self.svg_file(chart, width), prefix)

    def svg_file(self, chart: Chart, width: float) -> str:
        """The figure as a document of its own, in the colours of the light page."""
        metadata = {"Date": None, "Creator": None, "Format": None, "Type": None}
        data = self._save(chart, width, format="svg", facecolor="none", metadata=metadata)
        return data.decode("utf-8")

    def _save(self, chart: Chart, width: float, **options: Any) -> bytes:
        stream = io.BytesIO()
        with fixed_style():
            figure = self._figures.get((chart, width))
            if figure is None:
                figure = self._figures[chart, width] = chart.draw(width)
            figure.savefig(stream, **options)
        return stream.getvalue()


class DrawnFigures:
    """Charts for the page from the files that `write_figures` made of them."""

    def __init__(self, folder: Path) -> None:
        """Take the figures' folder; nothing is read yet."""
        self._folder = folder
        self._drawings = Drawings()

    def svg(self, chart: Chart, width: float, prefix: str) -> str:
        """As `Drawings.svg`. A chart that has no file is drawn now."""
        path = self._folder / svg_name(prefix[: -len("-w")], width)
        if not path.is_file():
            return self._drawings.svg(chart, width, prefix)
        return fit_into_page(path.read_text(encoding="utf-8"), prefix)


def svg_name(stem: str, width: float) -> str:
    """The file name of a chart's drawing in one of its two widths."""
    return f"{stem}.svg" if width == WIDE_INCHES else f"{stem}-narrow.svg"


def new_figure(width: float, height: float) -> Figure:
    """An empty figure with a canvas of its own; pyplot's global state stays out of it."""
    figure = Figure(figsize=(width, height))
    FigureCanvasAgg(figure)
    return figure


def inside(text: Text) -> Text:
    """A text that is always inside its axes: asking hundreds of them for room takes seconds."""
    text.set_in_layout(False)
    return text


def short(name: str) -> str:
    """A name that fits beside a chart: of a long one its beginning and its end."""
    if len(name) <= LONGEST_NAME or " " in name:
        return name
    end = LONGEST_NAME // 3
    return f"{name[: LONGEST_NAME - end - 1]}…{name[-end:]}"


def settle(figure: Figure) -> Figure:
    """Lay out once. An engine left in the figure would do so again for every format."""
    _without_ligatures(figure)
    ConstrainedLayoutEngine().execute(figure)
    return figure


def _without_ligatures(figure: Figure) -> None:
    """A joined "fi" would put a second font into every PDF, which doubles the time it takes."""
    if hasattr(Text, "set_fontfeatures"):  # Matplotlib 3.11
        for text in figure.findobj(Text):
            text.set_fontfeatures(("-liga",))


def fit_into_page(svg: str, prefix: str) -> str:
    """An SVG document as an element of the page; see `Drawings.svg`."""
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.DOTALL)
    svg = re.sub(r'\bid="', f'id="{prefix}-', svg)
    svg = re.sub(r'href="#', f'href="#{prefix}-', svg)
    svg = svg.replace("url(#", f"url(#{prefix}-")
    for colour, variable in PAGE_COLOURS.items():
        svg = svg.replace(colour, variable)
    svg = re.sub(r"'DejaVu Sans'(, [^;\"]*)?", "var(--sans)", svg)
    return svg.replace("<svg ", '<svg aria-hidden="true" focusable="false" ', 1)
