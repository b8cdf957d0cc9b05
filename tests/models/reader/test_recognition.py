"""Tests for the recogniser."""

import importlib.util
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt
import pytest
from matplotlib import rc_context
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from plotchain_lib.item import PlotChainError
from plotchain_lib.models.reader import recognition
from plotchain_lib.models.reader.recognition import Crop, check, recognise


def written(text: str, family: str = "sans-serif", size: float = 16) -> Crop:
    with rc_context({"font.family": family}):
        figure = Figure(figsize=(0.16 * len(text) + 0.5, 0.4), dpi=100)
        figure.text(0.5, 0.5, text, fontsize=size, ha="center", va="center")
        canvas = FigureCanvasAgg(figure)
        canvas.draw()
    pixels: npt.NDArray[np.uint8] = np.asarray(canvas.buffer_rgba())[..., :3].copy()
    return pixels


NUMBERS = ["0", "7", "1.5", "250", "0.0025", "86420", "1e6", "3.1"]


@pytest.mark.parametrize("family", ["sans-serif", "serif"])
def test_numbers(family: str) -> None:
    found = recognise([written(text, family) for text in NUMBERS], "0123456789.e-")
    assert [text for text, _ in found] == NUMBERS
    assert min(sure for _, sure in found) > 0.5


def test_alphabet_leaves_other_characters_out() -> None:
    crop = written("10 k")
    assert recognise([crop])[0][0].replace(" ", "") == "10k"
    assert "k" not in recognise([crop], "0123456789")[0][0]


def test_grey_and_colour_read_alike() -> None:
    crop = written("Speed (rpm)")
    grey = np.ascontiguousarray(crop[..., 0])
    assert recognise([crop]) == recognise([grey])
    assert recognise([crop])[0][0].replace(" ", "") == "Speed(rpm)"


def test_readings_are_in_the_crops_order_and_do_not_depend_on_their_company() -> None:
    crops = [written(text) for text in NUMBERS]
    recognition._known.clear()
    together = recognise([*crops, crops[0]], "0123456789.e-")
    recognition._known.clear()
    alone = [recognise([crop], "0123456789.e-")[0] for crop in crops]
    assert [text for text, _ in together] == [*(text for text, _ in alone), NUMBERS[0]]


def test_nothing_is_read_where_nothing_is() -> None:
    assert recognise([]) == []
    blank: Crop = np.full((30, 60), 255, dtype=np.uint8)
    assert recognise([blank, blank[:1, :1]], "0123456789") == [("", 0.0)] * 2


@pytest.fixture
def unloaded() -> Iterator[None]:
    for cached in (recognition._session, recognition._outputs):
        cached.cache_clear()
    yield
    for cached in (recognition._session, recognition._outputs):
        cached.cache_clear()


def test_missing_model_is_one_line(unloaded: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda _name: None)
    with pytest.raises(PlotChainError, match=r"'rapidocr'; install it again") as caught:
        check()
    assert "\n" not in str(caught.value)
