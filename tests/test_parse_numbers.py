"""One number with its unit: separators, signs, powers, fractions, units (cases 1 to 3)."""

from __future__ import annotations

import json
import math
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import plotchain_lib
from plotchain_lib.parse import numbers, parse_object, read_number

LIBRARY = Path(plotchain_lib.__file__).parent


# Case 1: numbers cut at a separator or a point.
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("8,000", 8000.0), ("1,234,567.5", 1234567.5), ("12 500", 12500.0), ("8'000", 8000.0),
        ("8\u202f000", 8000.0), ("3.99", 3.99), ("1.2e-3", 0.0012), ("1.2E+3", 1200.0),
        (".5", 0.5), ("-0.25", -0.25), ("+7", 7.0), ("0,5", 0.5), ("0,125", 0.125),
        # refused, because any reading of them would be a guess
        ("1.2.3", None), ("12,34,567", None), ("8,0000", None), ("5-6", None), ("5 to 6", None),
        ("10:30", None), ("1/2/3", None), ("five", None), ("", None), ("-", None), (".", None),
    ],
)  # fmt: skip
def test_numbers_are_never_cut(text: str, expected: float | None) -> None:
    assert read_number(text) == expected
    reading = parse_object(json.dumps({"gain": text}), {"gain": ""}, "tolerant")
    assert reading.values == {"gain": expected}


# Case 2: minus signs, powers of ten, fractions.
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("−3", -3.0), ("\u2212 3", -3.0), ("–45.5", -45.5), ("2.5 × 10^3", 2500.0),
        ("2.5e3", 2500.0), ("2.5x10^-3", 0.0025), ("2.5*10**3", 2500.0), ("2.5·10³", 2500.0),
        ("2.5 × 10⁻³", 0.0025), ("10^3", 1000.0), ("−1.5 × 10^{−2}", -0.015), ("1/2", 0.5),
        ("-3/4", -0.75), ("1e−3", 0.001), ("1/0", None), ("2.5e3 × 10^3", None), ("10^", None),
        (r"2.5 \times 10^{3}", 2500.0), (r"\frac{1}{2}", 0.5),
    ],
)  # fmt: skip
def test_signs_powers_and_fractions(text: str, expected: float | None) -> None:
    assert read_number(text) == expected


# Case 3: units of the same kind convert, of another kind are refused.
@pytest.mark.parametrize(
    ("text", "unit", "expected"),
    [
        ("5.0 V", "V", 5.0), ("5.0V", "V", 5.0), ("1.2 kHz", "Hz", 1200.0),
        ("2.3 kHz", "Hz", 2300.0), ("1.2 khz", "Hz", 1200.0), ("3 MHz", "Hz", 3e6),
        ("3 mhz", "Hz", None), ("1200 Hz", "kHz", 1.2), ("20 ms", "s", 0.02),
        ("20 µs", "s", 2e-5), ("20 μs", "s", 2e-5), ("1.5 min", "s", 90.0),
        ("250 mA", "A", 0.25), ("4.7 kΩ", "ohm", 4700.0), ("4.7 kohm", "Ω", 4700.0),
        ("4.7k", "ohm", 4700.0), ("0.25 GPa", "MPa", 250.0), ("250 N/mm²", "MPa", 250.0),
        ("10 l/s", "m³/h", 36.0), ("36 m^3/h", "m³/h", 36.0), ("36 m3/h", "m3/h", 36.0),
        ("12 N·m", "N·m", 12.0), ("12 Nm", "N·m", 12.0), ("12 N m", "N m", 12.0),
        ("500 mN·m", "Nm", 0.5), ("-20 dB/decade", "dB/decade", -20.0),
        ("-20 dB per decade", "dB/decade", -20.0), ("-45°", "deg", -45.0),
        ("-45 degrees", "deg", -45.0), ("12 %", "%", 12.0), ("12%", "", 0.12),
        ("0.5", "%", 0.5), ("3000 rpm", "rpm", 3000.0), ("120 cm", "m", 1.2),
        ("5 V", "Hz", None), ("5 dB", "dB/decade", None), ("5 s", "Hz", None),
        ("5 apples", "Hz", None), ("5 Hz", "", None), ("40 rad/s", "Hz", None),
    ],
)  # fmt: skip
def test_units(text: str, unit: str, expected: float | None) -> None:
    assert read_number(text, unit) == (None if expected is None else pytest.approx(expected))
    reading = parse_object(json.dumps({"x": text}), {"x": unit}, "tolerant")
    assert reading.values["x"] == read_number(text, unit)


def test_octave_and_radian_slopes() -> None:
    # -6.0206 dB an octave are -20 dB a decade; pi rad are 180 degrees.
    slope = read_number(f"{-20 * math.log10(2)} dB/octave", "dB/decade")
    assert slope == pytest.approx(-20)
    assert read_number("3.14159265358979 rad", "deg") == pytest.approx(180)
    assert read_number("104.719755 rad/s", "rpm") == pytest.approx(1000)


@settings(max_examples=80, deadline=None)
@given(st.floats(allow_nan=False, allow_infinity=False), st.sampled_from(["", " Hz", " Hz."]))
def test_every_float_is_read_back(value: float, ending: str) -> None:
    assert read_number(repr(value) + ending, "Hz") == value


def test_no_pattern_has_a_possessive_group() -> None:
    """Python 3.11.0 to 3.11.4 lets a part of such a group match: "234 E" became a number, too."""
    for path in LIBRARY.rglob("*.py"):
        written = path.read_text()
        if "re.compile" in written:
            assert not re.findall(r"[)](?:[?*+]|[{]\d+,?\d*[}])[+][^+\"]", written), path


def test_what_follows_a_number_is_no_part_of_it() -> None:
    assert [m.group().strip() for m in numbers._PLAIN.finditer("234E 12'234 x 9/123. 1/1.5")] == [
        "234", "12'234", "9/123", "1/1.5",
    ]  # fmt: skip
