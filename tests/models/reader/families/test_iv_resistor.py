"""Tests for reading a resistor's voltage against its current."""

import numpy as np
import pytest

from plotchain_lib.models.reader.families.iv_resistor import read
from plotchain_lib.models.reader.seen import Text, UnreadableError

CURRENT = np.array([-8.0, 8.0])  # milliamperes, or volts where the axes are exchanged
LABELS = {"x": "Current (mA)", "y": "Voltage (V)"}
ASKED = "The known resistance R_series is printed in the picture."


def text(words):
    return (Text(120.0, 60.0, 240.0, 80.0, words, 0.9),)


@pytest.fixture
def scene(make_scene):
    def make(words="", labels=LABELS):
        return make_scene(
            (-10.0, 10.0), (-15.0, 15.0), (CURRENT, 1.5 * CURRENT), labels, texts=text(words)
        )

    return make


def test_the_slope_in_volts_per_ampere(scene):
    values = read(scene(), "estimate the resistance").values
    assert values == {"resistance_ohm": pytest.approx(1500.0), "cp_slope_ohm": pytest.approx(1500)}


def test_the_printed_resistance_is_taken_off(scene):
    values = read(scene("R_series = 390 Ω"), ASKED).values
    assert values["resistance_ohm"] == pytest.approx(1110.0)
    assert values["cp_slope_ohm"] == pytest.approx(1500.0)


@pytest.mark.parametrize("words", ["", "R_series = 3900", "R_series = 2.2 kΩ"])
def test_an_unreadable_or_impossible_series_resistance_leaves_only_the_slope(scene, words):
    reading = read(scene(words), ASKED)
    assert reading.values["resistance_ohm"] is None
    assert "series resistance" in reading.reasons["resistance_ohm"]
    assert reading.values["cp_slope_ohm"] == pytest.approx(1500.0)


def test_current_against_voltage_is_turned_round(scene):
    labels = {"x": "Voltage (V)", "y": "Current (mA)"}
    assert read(scene(labels=labels), "").values["cp_slope_ohm"] == pytest.approx(1000.0 / 1.5)


def test_without_a_unit_of_current_nothing_is_told(scene):
    with pytest.raises(UnreadableError, match="unit"):
        read(scene(labels={"x": "Current", "y": "Voltage (V)"}), "")
