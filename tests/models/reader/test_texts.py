from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from plotchain_lib.models.reader.inks import find_inks
from plotchain_lib.models.reader.texts import find_texts, read_label

pytest.importorskip("onnxruntime")
pytest.importorskip("rapidocr")


def texts(seen: Any) -> list[str]:
    picture, box = seen.see()
    return [text.text for text in find_texts(picture, box, find_inks(picture, box))]


def test_texts_are_read_where_they_stand(plot: Callable[..., Any]) -> None:
    seen = plot()
    x = np.linspace(0, 10, 300)
    seen.axes.plot(x, 5 + 3 * np.sin(x), "--", lw=1)
    seen.axes.plot(x, 1 + 0.1 * x, lw=2)
    box = {"facecolor": "white", "edgecolor": "#808080", "pad": 4}
    seen.axes.text(0.5, 8.8, "R_load = 4.7 kΩ", bbox=box)
    seen.axes.text(6, 4, "v = 123 m/s", color="#c0392b")
    seen.axes.text(5, 2.5, "f_q", fontsize=9)
    picture, where = seen.see()
    found = find_texts(picture, where, find_inks(picture, where))
    assert {text.text for text in found} == {"R_load = 4.7 kΩ", "v = 123 m/s", "f_q"}
    (load,) = (text for text in found if "R_" in text.text)
    (x0,), (y0,) = seen.place(0.5, 8.8)
    assert load.left == pytest.approx(x0, abs=4)
    assert load.top < y0 < load.bottom + 2


def test_text_written_upwards_is_read(plot: Callable[..., Any]) -> None:
    seen = plot()
    seen.axes.text(4, 3, "cutoff 20 Hz", rotation=90)
    assert "cutoff 20 Hz" in texts(seen)


def test_curves_and_marks_are_no_texts(plot: Callable[..., Any]) -> None:
    seen = plot()
    x = np.linspace(0.5, 9.5, 12)
    seen.axes.plot(x, x)
    seen.axes.plot(x, x, "o", mfc="none", color="red")
    assert texts(seen) == []


@pytest.mark.parametrize("style", [None, "ggplot"])
def test_the_axes_own_labels_are_read(plot: Callable[..., Any], style: str | None) -> None:
    seen = plot(style)
    seen.axes.set_xlabel("Current (mA)")
    seen.axes.set_ylabel("Flow rate (m³/h)")
    picture, box = seen.see()
    assert read_label(picture, box, "x") == "Current (mA)"
    assert read_label(picture, box, "y") == "Flow rate (m³/h)"


def test_tick_labels_are_no_label(plot: Callable[..., Any]) -> None:
    picture, box = plot().see()
    assert read_label(picture, box, "x") == ""
    assert read_label(picture, box, "y") == ""
