"""Positions → the labels they stand for: categories, and the dates behind period ordinals."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.category import StrCategoryFormatter, StrCategoryLocator
from matplotlib.dates import date2num
from matplotlib.ticker import FixedLocator

from plotchain_lib.suites.matplotgym.figure.spec import Floats, Mark, Overlay


def ticks(axis: Axis) -> tuple[Floats, list[str]] | None:
    """Positions and texts of an axis that shows categories rather than numbers, or None."""
    locator, formatter = axis.get_major_locator(), axis.get_major_formatter()
    at: Floats
    if isinstance(locator, StrCategoryLocator) or isinstance(formatter, StrCategoryFormatter):
        mapping = getattr(axis.units, "_mapping", {})
        at = np.asarray(list(mapping.values()), dtype=np.float64)
        return at, [str(key) for key in mapping]
    if not isinstance(locator, FixedLocator):
        return None
    at = np.asarray(locator(), dtype=float)
    texts = [str(text) for text in formatter.format_ticks(at.tolist())]
    if not len(at) or not any(texts) or all(_says(t, v) for t, v in zip(texts, at, strict=True)):
        return None
    return at, texts


def _says(text: str, value: float) -> bool:
    """Whether a tick's text is just its number."""
    try:
        shown = float(text.replace("−", "-").replace(",", ""))
    except ValueError:
        return text == ""
    return bool(np.isclose(shown, value, rtol=1e-2, atol=1e-9))


def categories(axis: Axis, positions: Floats, *, loose: bool) -> tuple[Floats, list[str]] | None:
    """The ticks, if every position stands on one; `loose` allows half a step beside it."""
    found = ticks(axis)
    if found is None:
        return None
    at = found[0]
    if isinstance(axis.get_major_locator(), StrCategoryLocator) or not len(positions):
        return found
    step = float(np.diff(np.sort(at)).min()) if len(at) > 1 else 1.0
    gaps = np.abs(np.subtract.outer(positions, at)).min(axis=1)
    if step <= 0 or gaps.max() >= (0.5 * step if loose else 1e-6 * step):
        return None
    return found


def labelled(positions: Any, found: tuple[Floats, list[str]]) -> list[str]:
    """The label of the nearest tick for each position."""
    at, texts = found
    gaps = np.abs(np.subtract.outer(np.asarray(positions, dtype=float), at))
    return [texts[index] for index in gaps.argmin(axis=1)]


def undo_periods(axes: Axes, marks: list[Mark], overlays: list[Overlay]) -> None:
    """pandas draws regular time series over period ordinals: turn them into date numbers."""
    frequency = getattr(axes, "freq", None)
    if frequency is None:
        return
    for mark in marks:
        if mark.orientation != "horizontal":
            mark.x = _dates(mark.x, frequency)
    for overlay in overlays:
        if overlay.orientation != "horizontal" and overlay.x is not None:
            overlay.x = _dates(overlay.x, frequency)
        if overlay.orientation == "vertical" and overlay.value is not None:
            overlay.value = float(_dates([overlay.value], frequency)[0])


def _dates(ordinals: Any, frequency: Any) -> Floats:
    import pandas as pd  # pandas is there: it made the ordinals

    dates = []
    for ordinal in np.asarray(ordinals, dtype=float):
        whole = int(np.floor(ordinal))
        start, after = (
            float(date2num(pd.Period(ordinal=n, freq=frequency).start_time.to_pydatetime()))  # type: ignore[no-untyped-call]
            for n in (whole, whole + 1)
        )
        dates.append(start + (ordinal - whole) * (after - start))
    return np.asarray(dates, dtype=float)
