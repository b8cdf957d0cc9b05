"""Tests for quantities in print."""

import pytest

from plotchain_lib.models.reader.quantities import axis_factor, find_quantity


@pytest.mark.parametrize(
    ("text", "symbol", "unit", "value"),
    [
        ("R_series = 3.9 kΩ", "R_series", "ohm", 3900.0),
        ("R series = 3.9 kQ.", "R_series", "ohm", 3900.0),
        ("R_series=47Ω[", "R_series", "ohm", 47.0),
        ("R_series = 240 0", "R_series", "ohm", 240.0),
        ("R_series == 300 Ω", "R_series", "ohm", 300.0),
        ("es = 300 Ω", "", "ohm", 300.0),
        ("R_series = 4.7k", "R_series", "ohm", 4700.0),
        ("R_load = 1.2 MOhm", "R_load", "ohm", 1.2e6),
        ("a line shows I_target = 0.020 A.\nEstimate", "I_target", "A", 0.02),
        ("l target=15 mA", "I_target", "A", 0.015),
        ("n = 1550 rpm", "n", "rpm", 1550.0),
        ("n = 12 000 rpm", "n", "rpm", 12000.0),
        ("Q = 66,8 m³/h", "Q", "m3/h", 66.8),
        ("Q = 66.8 m3/h", "Q", "m3/h", 66.8),
        ("Q = 7 m/h", "Q", "m3/h", 7.0),
        ("V_out = −2.5e−1 V", "V_out", "V", -0.25),
    ],
)
def test_a_quantity_is_found(text, symbol, unit, value):
    assert find_quantity(text, symbol, unit) == pytest.approx(value)


@pytest.mark.parametrize(
    ("text", "symbol", "unit"),
    [
        ("R_series", "R_series", "ohm"),
        ("R_series = 2400", "R_series", "ohm"),  # a unit read as a digit?
        ("R_series = 240O", "R_series", "ohm"),
        ("R_series = 24 V", "R_series", "ohm"),
        ("R_shunt = 24 Ω", "R_series", "ohm"),
        ("I_target = 20 pA", "I_target", "A"),  # µ as it is misread
        ("min = 20 rpm", "n", "rpm"),
    ],
)
def test_an_ambiguous_or_other_quantity_is_none(text, symbol, unit):
    assert find_quantity(text, symbol, unit) is None


@pytest.mark.parametrize(
    ("label", "unit", "factor"),
    [
        ("Current (mA)", "A", 1e-3),
        ("Current [µA]", "A", 1e-6),
        ("Current (μA", "A", 1e-6),
        ("Current / A", "A", 1.0),
        ("Frequency, kHz", "Hz", 1e3),
        ("Frequency (Hz)", "Hz", 1.0),
        ("Flow Q (m³/h)", "m3/h", 1.0),
        ("Time(ms)", "s", 1e-3),
        ("Current", "A", None),
        ("Voltage (V)", "A", None),
        ("", "A", None),
    ],
)
def test_the_unit_of_an_axis(label, unit, factor):
    assert axis_factor(label, unit) == (None if factor is None else pytest.approx(factor))
