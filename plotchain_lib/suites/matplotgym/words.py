"""The words of the figure suite that the workflow needs before anything is drawn or compared."""

from __future__ import annotations

from collections.abc import Mapping

WEIGHTS: Mapping[str, float] = {
    "data_selection": 0.37,
    "encoding": 0.20,
    "overlays": 0.15,
    "panel_layout": 0.12,
    "axis_scales": 0.08,
    "series_completeness": 0.08,
}
DECISIONS = tuple(WEIGHTS)
DEFINITIONS: Mapping[str, str] = {
    "data_selection": "rows, subset, aggregation and values that are drawn",
    "encoding": "the kind of mark of each series, and what colour and size stand for",
    "overlays": "error bars, bands, fitted lines and reference lines",
    "panel_layout": "which comparisons share axes, and how panels are arranged",
    "axis_scales": "linear or logarithmic axes, and whether panels share their limits",
    "series_completeness": "every series the claim needs, and none beside",
}
DISCIPLINES = (
    "ml-systems",
    "biology",
    "medicine",
    "physics",
    "astronomy",
    "earth-climate",
    "materials-chemistry",
    "economics-social",
    "neuroscience-psychology",
)
REPEATS = 3  # attempts, where the configuration names no number
