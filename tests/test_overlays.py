"""What the reader saw, thinned and drawn."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from plotchain_lib.models.reader.overlay import overlay
from plotchain_lib.overlays import overlay_table, thinned


def response(folder: Path, item: str, repeat: int = 1, **received: Any) -> Path:
    path = folder / f"{item}.{repeat}.json"
    path.write_text(json.dumps({"item": item, "repeat": repeat, "received": received}))
    return path


def test_a_straight_line_needs_its_ends_and_a_corner_stays() -> None:
    assert thinned([[0, 0], [1, 1], [2, 2.1], [3, 3]]) == [[0.0, 0.0], [3.0, 3.0]]
    assert thinned([[0, 0], [5, 0], [10, 0], [10, 5], [10, 10]]) == [
        [0.0, 0.0], [10.0, 0.0], [10.0, 10.0],
    ]  # fmt: skip
    assert thinned([]) == []
    assert thinned([[1.26, 2.0]]) == [[1.3, 2.0]]


def test_a_closed_line_is_measured_from_its_start() -> None:
    assert thinned([[0, 0], [4, 3], [0, 0]]) == [[0.0, 0.0], [4.0, 3.0], [0.0, 0.0]]


def test_no_point_lies_farther_from_the_thinned_curve_than_allowed() -> None:
    x = np.linspace(0, 600, 240)
    curve = np.column_stack([x, 200 + 150 * np.sin(x / 40)])
    kept = np.array(thinned(curve.tolist()))
    assert len(kept) < 120
    below = np.interp(curve[:, 0], kept[:, 0], kept[:, 1])
    slope = 150 / 40  # a vertical distance is at most this much longer than the true one
    assert np.abs(below - curve[:, 1]).max() <= (0.5 + 0.1) * np.hypot(1, slope)


def test_one_row_an_item_of_the_first_repeat(tmp_path: Path) -> None:
    seen = {
        "size": [100, 80], "box": [10, 10, 90, 70], "x": {"marks": [[20, "1", 1.0, True]]},
        "y": {"marks": []}, "curve": [[10, 10], [50, 40], [90, 70]], "points": {"f<x": [50, None]},
    }  # fmt: skip
    paths = [
        response(tmp_path, "a", seen=seen, reasons={}),
        response(tmp_path, "a", 2, seen=seen, reasons={}),
        response(tmp_path, "b", seen={}, reasons={"f": "no axes"}),
    ]
    frame = overlay_table(paths, overlay)
    assert frame["item"].tolist() == ["a", "b"]
    drawing = frame["drawing"][0]
    assert 'viewBox="0 0 100 80"' in drawing
    assert 'points="10.0,10.0 90.0,70.0"' in drawing  # three points of one line
    assert "f&lt;x" in drawing
    assert (frame["drawing"][1], json.loads(frame["reasons"][1])) == ("", {"f": "no axes"})


@pytest.mark.parametrize("received", [{}, {"seen": None, "reasons": None}])
def test_a_reader_that_saw_nothing_draws_nothing(tmp_path: Path, received: Any) -> None:
    frame = overlay_table([response(tmp_path, "a", **received)], overlay)
    assert frame.iloc[0].tolist() == ["a", "", "{}"]
