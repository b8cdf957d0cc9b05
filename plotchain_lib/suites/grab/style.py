"""How a picture looks: one schema for most tasks, drawn from lists for the task properties."""

from __future__ import annotations

from typing import Any

from plotchain_lib.suites.grab.dice import Dice

# The published schema's size in pixels.
FULL_WIDTH, FULL_HEIGHT = 2251, 2171

COLOURS = (
    "#1f77b4", "#d62728", "#2ca02c", "#ff7f0e", "#9467bd",
    "#8c564b", "#e377c2", "#17becf", "#7f7f7f", "#000000",
)  # fmt: skip
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "<", ">", "p")

# Widths and heights in inches of the pictures whose style varies, at their dots per inch.
SIZES = ((6.4, 4.8), (8.0, 5.0), (7.0, 7.0), (9.0, 6.0), (6.0, 6.5))
RESOLUTIONS = (110, 140, 170)
FONTS = ("DejaVu Sans", "DejaVu Serif", "STIXGeneral", "DejaVu Sans Mono")
FONT_SIZES = (9.0, 10.0, 11.0, 12.0, 13.0)
LINE_WIDTHS = (1.2, 1.6, 2.0, 2.5)
LINE_STYLES = ("-", "-", "-", "--", "-.")
GRIDS = ("none", "major", "major", "both")
GRID_STYLES = ("-", ":", "--")
BACKGROUNDS = ("#ffffff", "#ffffff", "#f4f4f4", "#fbf7ee", "#eaf1f7")
SPINES = ("box", "box", "left_bottom")
TICKS = ("out", "in", "inout")
TICK_COUNTS = (6, 8, 10, 12)
# In points; 99 points need smaller ones than a data series.
MARKER_SIZE, CROWDED_MARKER_SIZE = 6.5, 5.0
# A dash that ends in a gap would move an end that the answer depends on.
SOLID = frozenset({
    "domain_length", "range", "maximum", "minimum", "net_area", "total_area", "variance",
})  # fmt: skip


def varied_style(dice: Dice, name: str) -> dict[str, Any]:
    """A style drawn from the lists; `name` is the property asked."""
    width, height = dice.choice(SIZES)
    return {
        "schema": "varied",
        "inches": [width, height],
        "dpi": dice.choice(RESOLUTIONS),
        "font": dice.choice(FONTS),
        "font_size": dice.choice(FONT_SIZES),
        "line_width": dice.choice(LINE_WIDTHS),
        "line_style": "-" if name in SOLID else dice.choice(LINE_STYLES),
        "colours": dice.shuffled(COLOURS),
        "markers": dice.shuffled(MARKERS),
        "marker_size": CROWDED_MARKER_SIZE if name == "points" else MARKER_SIZE,
        "grid": dice.choice(GRIDS),
        "grid_style": dice.choice(GRID_STYLES),
        "background": dice.choice(BACKGROUNDS),
        "spines": dice.choice(SPINES),
        "ticks": dice.choice(TICKS),
        "tick_count": dice.choice(TICK_COUNTS),
        "zero_lines": dice.unit() < 0.5,
        "margin": round(dice.uniform(0.04, 0.15), 3),
    }


def fixed_style(width: int) -> dict[str, Any]:
    """The schema of the tasks function, series and transform, `width` pixels wide."""
    height = round(width * FULL_HEIGHT / FULL_WIDTH)
    return {"schema": "fixed", "width_px": width, "height_px": height}
