"""Reading a reply: the published rules, the tolerant ones, and what must never happen."""

from __future__ import annotations

import json
import math
import time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plotchain_lib.item import PlotChainError
from plotchain_lib.parse import Form, parse_object, read_number

FIELDS = {"f_hz": "Hz", "gain": "", "cp_v": "V"}
DRAFT = '{"f_hz": 1, "gain": 2, "cp_v": 3}'
FINAL = '{"f_hz": 10, "gain": 20, "cp_v": 30}'


def tolerant(text: str, **fields: str) -> dict[str, float | None]:
    return dict(parse_object(text, fields or FIELDS, "tolerant").values)


def form(text: str, mode: str = "tolerant") -> Form:
    return parse_object(text, FIELDS, mode).form


def values(text: str, mode: str) -> tuple[float | None, ...]:
    reading = parse_object(text, FIELDS, mode)
    return tuple(reading.values[name] for name in FIELDS)


@pytest.mark.parametrize(
    ("text", "expected", "where"),
    [
        (FINAL, (10.0, 20.0, 30.0), Form.DIRECT),
        (f"  \n{FINAL}\n", (10.0, 20.0, 30.0), Form.DIRECT),
        ("\ufeff" + FINAL, (10.0, 20.0, 30.0), Form.DIRECT),
        (f"Here:\n```json\n{FINAL}\n```\nDone.", (10.0, 20.0, 30.0), Form.FENCED),
        (f"```\n{FINAL}\n```", (10.0, 20.0, 30.0), Form.FENCED),
        (f"The answer is {FINAL} as asked", (10.0, 20.0, 30.0), Form.BRACED),
        ('{"f_hz": 1/2, "gain": -3/4, "cp_v": 1.5/0.5,}', (0.5, -0.75, 3.0), Form.REPAIRED),
        ('So ```json\n{"f_hz": 10, "gain": 20, "cp_v": 30,}\n```', (10, 20, 30), Form.REPAIRED),
        ('{"f_hz": 0, "gain": null}', (0.0, None, None), Form.DIRECT),
        ('{"f_hz": true, "gain": [1], "cp_v": {"x": 1}}', (None, None, None), Form.DIRECT),
        ('{"f_hz": "12.5", "gain": "1e3"}', (12.5, 1000.0, None), Form.DIRECT),
        ("no idea", (None, None, None), Form.NONE),
        ("", (None, None, None), Form.NONE),
    ],
)
@pytest.mark.parametrize("mode", ["paper", "tolerant"])
def test_published_rules(
    text: str, expected: tuple[float | None, ...], where: Form, mode: str
) -> None:
    assert values(text, mode) == expected
    assert form(text, mode) is where


def test_paper_takes_the_first_object_and_nothing_else() -> None:
    assert values(f"{DRAFT} then {FINAL}", "paper") == (1, 2, 3)
    assert values('{"f_hz": "8,000"}', "paper") == (None, None, None)
    assert values('{"f_hz": 1/0}', "paper") == (None, None, None)
    assert values("{'f_hz': 5}", "paper") == (None, None, None)


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
    assert tolerant(json.dumps({"gain": text}), gain="") == {"gain": expected}


def test_thousands_outside_a_string() -> None:
    assert tolerant('{"f_hz": 8,000, "gain": 1,234.5}', f_hz="Hz", gain="") == {
        "f_hz": 8000.0,
        "gain": 1234.5,
    }


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
    assert tolerant(json.dumps({"x": text}), x=unit)["x"] == read_number(text, unit)


def test_octave_and_radian_slopes() -> None:
    # -6.0206 dB an octave are -20 dB a decade; pi rad are 180 degrees.
    slope = read_number(f"{-20 * math.log10(2)} dB/octave", "dB/decade")
    assert slope == pytest.approx(-20)
    assert read_number("3.14159265358979 rad", "deg") == pytest.approx(180)
    assert read_number("104.719755 rad/s", "rpm") == pytest.approx(1000)


# Case 4: zero is an answer.
@pytest.mark.parametrize("text", ["0", "0.0", "-0", '"0"', '"0 Hz"', "0/5", "0e5"])
def test_zero_is_an_answer(text: str) -> None:
    assert tolerant(f'{{"f_hz": {text}}}', f_hz="Hz") == {"f_hz": 0.0}


# Case 5: a full stop, bold and dollar marks.
@pytest.mark.parametrize(
    "text",
    ["1995.", "**1995**", "**1995.**", "$1995$", "`1995`", r"\(1995\)", r"\boxed{1995}", "*1995*",
     "**1995** Hz", r"$1995\,\text{Hz}$", "~1995", "≈ 1995 Hz", "approximately 1995 Hz.",
     "**1,995 Hz**."],
)  # fmt: skip
def test_marks_around_a_number(text: str) -> None:
    assert read_number(text, "Hz") == 1995.0
    assert tolerant(text, f_hz="Hz") == {"f_hz": 1995.0}  # one field asked, one number given
    assert tolerant(f"**f_hz**: {text}\ngain = 3") == {"f_hz": 1995.0, "gain": 3.0, "cp_v": None}


# Case 6: the object with the expected keys, the last of several.
@pytest.mark.parametrize(
    "text",
    [
        f"First guess {DRAFT}. Better: {FINAL}",
        f"```json\n{DRAFT}\n```\nCorrected:\n```json\n{FINAL}\n```",
        f"{FINAL}\n{FINAL}",
        f'Schema {{"f_hz": "number", "gain": "number", "cp_v": "number"}} so {FINAL}',
        f'{FINAL}\nSchema: {{"f_hz": "<number>", "gain": "<number>", "cp_v": "<number>"}}',
        f'{{"type": "object", "properties": {{"f_hz": {{}}, "gain": {{}}}}}}\n{FINAL}',
        f'{FINAL}\n{{"confidence": 0.9}}',
        f'{FINAL}\n{{"f_hz": 11}}',
        f"{DRAFT}\nfinal: {{'f_hz': 10, 'gain': 20, 'cp_v': 30}}",
        f"{DRAFT}\nfinal: {FINAL[:-1]},}}",
        f"[{FINAL}]",
        '{"answer": ' + FINAL + "}",
        f"{FINAL}\n{DRAFT[:-3]}",  # the last one breaks off
    ],
)
def test_several_objects(text: str) -> None:
    assert values(text, "tolerant") == (10, 20, 30)


# Case 7: fences and braces in strings and in prose.
@pytest.mark.parametrize(
    "text",
    [
        json.dumps({"note": "```json\n" + DRAFT + "\n```", **json.loads(FINAL)}),
        "x " + json.dumps({"note": "a } b { c ``` " + DRAFT, **json.loads(FINAL)}),
        f"The set {{1, 2}} and {{x | x > 0}} give {FINAL}",
        f'A 12" pipe {{12" wide}} gives\n{FINAL}',
        f"An open brace {{ here, then {FINAL}",
        f"A closing one }} here, then {FINAL}",
        rf"$\frac{{1}}{{2}}$ and \text{{gain}} then {FINAL} and {{}}",
        "```python\nd = {'a': 1}\n```\n```json\n" + FINAL + "\n```",
        f"```json\n{FINAL}",
    ],
)
def test_fences_and_braces_elsewhere(text: str) -> None:
    assert values(text, "tolerant") == (10, 20, 30)


# Case 8: a thinking block is not an answer.
@pytest.mark.parametrize("name", ["think", "thinking", "THINK", "reasoning", "thought"])
def test_thinking_blocks(name: str) -> None:
    start, end = f"<{name}>", f"</{name}>"
    assert values(f"{start}maybe {FINAL}{end}{DRAFT}", "tolerant") == (1, 2, 3)
    assert values(f"{DRAFT}{start}or {FINAL}{end}", "tolerant") == (1, 2, 3)
    assert values(f"or {FINAL}{end}{DRAFT}", "tolerant") == (1, 2, 3)  # opened by the template
    assert values(f"{start}a{start}b{end}{FINAL}{end}{DRAFT}", "tolerant") == (1, 2, 3)
    assert values(f"{start}{FINAL}{end} no answer", "tolerant") == (None, None, None)
    for mode in ("paper", "tolerant"):
        for text in (f"{start}{FINAL}", f"{DRAFT}\n{start} let me check {FINAL}"):
            reading = parse_object(text, FIELDS, mode)
            assert reading.truncated
            assert set(reading.values.values()) == {None}


@pytest.mark.parametrize(("start", "end"), [("[THINK]", "[/THINK]"), ("◁think▷", "◁/think▷")])
def test_other_thinking_marks(start: str, end: str) -> None:
    assert values(f"{start}{FINAL}{end}{DRAFT}", "tolerant") == (1, 2, 3)
    assert parse_object(f"{start}{FINAL}", FIELDS, "tolerant").truncated


def test_thinking_mark_inside_a_string_is_text() -> None:
    text = json.dumps({"note": "<think>", **json.loads(FINAL)})
    for mode in ("paper", "tolerant"):
        reading = parse_object(text, FIELDS, mode)
        assert not reading.truncated
        assert tuple(reading.values.values()) == (10, 20, 30)


# Case 9: nothing is evaluated, nothing crashes, time is linear.
@pytest.mark.parametrize("text", ["NaN", "Infinity", "-Infinity", "1e999", '"NaN"', '"inf"', '"∞"'])
@pytest.mark.parametrize("mode", ["paper", "tolerant"])
def test_no_number_is_no_answer(text: str, mode: str) -> None:
    assert parse_object(f'{{"f_hz": {text}}}', {"f_hz": "Hz"}, mode).values == {"f_hz": None}


@pytest.mark.parametrize("text", ["2**10", "__import__('os')", "1+1", "max(1, 2)", "9**9**9"])
def test_nothing_is_evaluated(text: str) -> None:
    assert tolerant(json.dumps({"gain": text}), gain="") == {"gain": None}
    assert tolerant(f'{{"gain": {text}}}', gain="") == {"gain": None}


BIG = 1_000_000
HOSTILE = {
    "nested braces": "{" * 10_000 + "}" * 10_000,
    "open braces": "{" * BIG,
    "closed braces": "}" * BIG,
    "nested objects": '{"gain":' * 10_000 + "1" + "}" * 10_000,
    "open objects": '{"gain":' * 120_000,
    "objects": '{"gain":"x"}' * 80_000,
    "empty objects": "{}" * (BIG // 2),
    "nested lists": '{"gain":' + "[" * 10_000 + "]" * 10_000 + "}",
    "digits": '{"gain":' + "9" * 10_000 + "}",
    "many digits": '{"gain":' + "9" * BIG + ",}",
    "digits in a string": json.dumps({"gain": "9" * BIG}),
    "fraction of digits": '{"gain":' + "1" * BIG + "/" + "3" * BIG + ",}",
    "groups": json.dumps({"gain": "1" + ",000" * (BIG // 4)}),
    "spaces": " " * BIG,
    "spaces in an object": '{"gain":' + " " * BIG,
    "commas": '{"gain": 1' + "," * BIG + "}",
    "commas and spaces": '{"gain":1' + ", " * (BIG // 2),
    "fence and spaces": "```json" + " " * BIG,
    "fences": "```" * (BIG // 3),
    "backticks": "`" * BIG,
    "backslashes": "{" + "\\" * BIG,
    "quotes": "{" + '"' * BIG,
    "thinking": "<think>" * (BIG // 7),
    "end of thinking": "</think>" * (BIG // 8),
    "labels": "gain: " * (BIG // 6),
    "labels with brackets": "gain (" * (BIG // 6),
    "equal signs": "gain" + " = 1" * (BIG // 4),
    "latex": json.dumps({"gain": "\\text{" * (BIG // 6)}),
    "dollars": json.dumps({"gain": "$**" * (BIG // 3)}),
    "unit": json.dumps({"gain": "5 " + "x" * BIG}),
    "exponent": '{"gain": 1e' + "9" * BIG + "}",
    "prose": "the gain of it " * (BIG // 15),
}


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("mode", ["paper", "tolerant"])
def test_hostile_replies_take_bounded_time(name: str, mode: str) -> None:
    started = time.process_time()
    parse_object(HOSTILE[name], {"gain": "", "f_hz": "Hz"}, mode)
    assert time.process_time() - started < 6.0  # linear ones take about a second, others minutes


def test_long_numbers_keep_their_value() -> None:
    assert tolerant('{"gain": 0.' + "3" * 10_000 + "}", gain="") == {"gain": pytest.approx(1 / 3)}
    assert tolerant('{"gain": 1' + "0" * 200 + "}", gain="") == {"gain": 1e200}
    # Too long to be read beside its label: no answer rather than a cut one.
    assert tolerant("gain: 1" + "0" * 250, gain="", cp_v="V") == {"gain": None, "cp_v": None}


# Running text, where no object is given.
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("f_hz = 400 - 100 = **300 Hz**\ngain: 2", (300, 2, None)),
        ("- **f_hz**: approximately 1.2 kHz, read off\n- `gain` is 3, cp_v is 5 V.", (1200, 3, 5)),
        ("f_hz: 5 V", (None, None, None)),
        ("f_hz: 5-6 Hz", (None, None, None)),
        ("f_hz = 1\nf_hz = 2", (2, None, None)),
        ("f_hz (Hz): 12, gain (ratio): 4", (12, 4, None)),
        ('{"f_hz": 123', (None, None, None)),  # breaks off: maybe 1234
        ("f_hz: null\ngain: 4", (None, 4, None)),
    ],
)
def test_running_text(text: str, expected: tuple[float | None, ...]) -> None:
    assert values(text, "tolerant") == expected
    assert form(text) is (Form.NONE if expected == (None,) * 3 else Form.PROSE)


def test_loose_objects() -> None:
    text = '{f_hz: 1.2 kHz, // about\n "gain": "3"\n \'cp_v\':\n 5.0 V}'
    assert values(text, "tolerant") == (1200, 3, 5)
    assert form(text) is Form.LOOSE


def test_texts_are_what_was_written() -> None:
    reading = parse_object('{"f_hz": "1.2 kHz", "gain": 1.50}', FIELDS, "tolerant")
    assert dict(reading.texts) == {"f_hz": "1.2 kHz", "gain": "1.50"}


def test_unknown_mode() -> None:
    with pytest.raises(PlotChainError, match="use paper or tolerant"):
        parse_object("{}", FIELDS, "lenient")


SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8)
JSON_VALUES = (
    SCALARS | st.lists(SCALARS, max_size=2) | st.dictionaries(st.text(max_size=3), SCALARS)
)
NUMBER = st.none() | st.integers(-(10**9), 10**9) | st.floats(allow_nan=False, allow_infinity=False)


@settings(max_examples=80, deadline=None)
@given(st.fixed_dictionaries({}, optional=dict.fromkeys(FIELDS, JSON_VALUES)))
def test_whole_objects_never_disagree(record: dict[str, Any]) -> None:
    """Where the paper's rules find a number in a whole object, the tolerant ones find the same."""
    text = json.dumps(record)
    paper, other = (parse_object(text, FIELDS, mode) for mode in ("paper", "tolerant"))
    assert paper.form is other.form is Form.DIRECT
    for name, value in paper.values.items():
        if value is not None:
            assert other.values[name] == value


@settings(max_examples=60, deadline=None)
@given(st.fixed_dictionaries(dict.fromkeys(FIELDS, NUMBER)), st.integers(0, 3))
def test_objects_survive_their_wrapping(record: dict[str, float | None], wrapping: int) -> None:
    text = json.dumps(record, indent=wrapping)
    wrapped = [text, f"```json\n{text}\n```", f"So: {text}.", f"<think>{DRAFT}</think>{text}"]
    assert values(wrapped[wrapping], "tolerant") == tuple(record[name] for name in FIELDS)


@settings(max_examples=80, deadline=None)
@given(st.text(alphabet='{}[]"\\\n`,:=/ 0159.e-−×^kHzfgain_<>think', max_size=80))
def test_no_text_crashes(text: str) -> None:
    for mode in ("paper", "tolerant"):
        reading = parse_object(text, FIELDS, mode)
        assert set(reading.values) == set(FIELDS)
        found = [value for value in reading.values.values() if value is not None]
        assert all(math.isfinite(value) for value in found)


@settings(max_examples=80, deadline=None)
@given(st.floats(allow_nan=False, allow_infinity=False), st.sampled_from(["", " Hz", " Hz."]))
def test_every_float_is_read_back(value: float, ending: str) -> None:
    assert read_number(repr(value) + ending, "Hz") == value
