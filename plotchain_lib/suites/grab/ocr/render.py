"""A figure with title, axis labels and legend; the same bytes every time."""

from __future__ import annotations

import io
from collections.abc import Mapping
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine

from plotchain_lib.item import Item
from plotchain_lib.suites.grab.answers import LETTERS

_SETTINGS: Any = {
    **dict(mpl.rcParamsDefault),
    "font.family": ["DejaVu Sans"],
    "text.antialiased": True,
    "text.parse_math": False,
}
_COLOURS = ("#1f77b4", "#d62728", "#2ca02c", "#9467bd")


def draw(item: Item) -> tuple[bytes, Mapping[str, Any], Mapping[str, str]]:
    """PNG bytes, geometry, and the letter of the option that the drawn text holds ("" for none)."""
    params, style = item.params, item.params["style"]
    with mpl.rc_context():
        mpl.rcParams.update({**_SETTINGS, "font.size": style["font_size"]})
        figure = Figure(figsize=style["inches"], dpi=style["dpi"], facecolor="white")
        FigureCanvasAgg(figure)
        axes = figure.subplots()
        _furnish(axes, params, style)
        ConstrainedLayoutEngine().execute(figure)
        stream = io.BytesIO()
        figure.savefig(stream, format="png", dpi=style["dpi"], metadata={"Software": None})
        return stream.getvalue(), _geometry(figure, axes), {"answer": _read(axes, item)}


def _furnish(axes: Axes, params: Mapping[str, Any], style: Mapping[str, Any]) -> None:
    for name, curve, colour in zip(params["series"], params["curves"], _COLOURS, strict=False):
        axes.plot(params["x"], curve, label=name, color=colour, marker=style["marker"] or None,
                  markersize=4, linestyle=style["line"])  # fmt: skip
    axes.set_title(params["title"])
    axes.set_xlabel(params["x_label"])
    axes.set_ylabel(params["y_label"])
    axes.grid(style["grid"])
    axes.legend(loc=style["legend_at"])


def _geometry(figure: Figure, axes: Axes) -> dict[str, Any]:
    box = axes.get_window_extent()
    edges = (box.x0, figure.bbox.height - box.y1, box.width, box.height)
    return {
        "axes_box_px": [round(float(edge), 2) for edge in edges],
        **{
            name: {"low": float(low), "high": float(high), "scale": "linear"}
            for name, (low, high) in (("x", axes.get_xlim()), ("y", axes.get_ylim()))
        },
    }


def _read(axes: Axes, item: Item) -> str:
    """The letter of the option among the figure's own text."""
    legend = axes.get_legend()
    texts = {
        "title": [axes.get_title()], "x_label": [axes.get_xlabel()],
        "y_label": [axes.get_ylabel()],
        "legend_entry": [text.get_text() for text in legend.get_texts()] if legend else [],
    }[item.params["property"]]  # fmt: skip
    found = [place for place, option in enumerate(item.params["options"]) if option in texts]
    return LETTERS[found[0]] if len(found) == 1 else ""
