"""What the reader saw of every picture, as drawings for the report."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from plotchain_lib.files import read_json_lines

OVERLAY_COLUMNS = ("item", "drawing", "reasons")
_THINNED_TO = 0.5  # pixels a thinned curve may lie beside the one that was seen

Draw = Callable[[Mapping[str, Any], str, tuple[int, int]], str]


def overlay_table(responses: Iterable[Path], draw: Draw) -> pd.DataFrame:
    """One row per item with the columns OVERLAY_COLUMNS, all text, in the order given.

    Args:
        responses: the reader's response files; the first of several repeats counts.
        draw: what was seen, the picture's address (empty: the page puts it in) and its size in
            pixels to an ``<svg>`` element.

    ``drawing`` is empty where nothing was seen; ``reasons`` is a JSON object, field to why it has
    no value. Raises PlotChainError for a file that is no JSON.
    """
    rows = []
    for path in responses:
        (record,) = read_json_lines(path)
        if record["repeat"] != 1:
            continue
        received = record.get("received") or {}
        reasons = json.dumps(received.get("reasons") or {}, sort_keys=True, ensure_ascii=False)
        rows.append((record["item"], _drawing(received.get("seen") or {}, draw), reasons))
    frame = pd.DataFrame(rows, columns=list(OVERLAY_COLUMNS))
    return frame.astype(dict.fromkeys(OVERLAY_COLUMNS, "str"))


def _drawing(seen: Mapping[str, Any], draw: Draw) -> str:
    if "size" not in seen:
        return ""
    width, height = seen["size"]
    curve = thinned(seen.get("curve") or [])
    return draw({**seen, "curve": curve}, "", (int(width), int(height)))


def thinned(points: Sequence[Sequence[float]], within: float = _THINNED_TO) -> list[list[float]]:
    """The points a polyline needs to stay within a distance (pixels) of the given one.

    Ramer-Douglas-Peucker: between two kept points the farthest other one is kept if it lies too
    far from their chord. Rounded to tenths, as many characters as a drawing needs.
    """
    place = np.asarray(points, dtype=float).reshape(-1, 2)
    kept = np.zeros(len(place), dtype=bool)
    kept[[0, -1] if len(place) else []] = True
    spans = [(0, len(place) - 1)]
    while spans:
        first, last = spans.pop()
        if last - first < 2:
            continue
        away = _from_chord(place[first : last + 1])
        farthest = int(np.argmax(away))
        if away[farthest] > within:
            kept[first + farthest] = True
            spans += [(first, first + farthest), (first + farthest, last)]
    return [[float(value) for value in pair] for pair in np.round(place[kept], 1)]


def _from_chord(place: Any) -> Any:
    """Distance of every point from the straight line between the first and the last, in pixels."""
    start, chord = place[0], place[-1] - place[0]
    length = float(np.hypot(*chord))
    offset = place - start
    if length == 0:
        return np.hypot(offset[:, 0], offset[:, 1])
    return np.abs(offset[:, 0] * chord[1] - offset[:, 1] * chord[0]) / length
