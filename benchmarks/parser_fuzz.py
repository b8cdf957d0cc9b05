"""Replies made to hurt the parser: `python benchmarks/parser_fuzz.py [--examples 100000]`.

First hypothesis: so many replies of several makes, in both parsings. None may raise, hang, give a
field that was not asked for or a number that is none; where the object is whole, the number must be
the one that was written. Then sizes: each hostile pattern at a megabyte and a sixteenth of it
(nesting of 10,000 braces and more), with the time of each and how it grows. Prints examples, the
slowest patterns and the worst growth; exit code 1 where something fails.
"""

from __future__ import annotations

import argparse
import itertools
import json
import math
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from plotchain_lib.parse import parse_object, read_number

FIELDS = {"f_hz": "Hz", "gain": "", "cp_v": "V"}
MODES = ("paper", "tolerant")
MEGABYTE = 1_000_000
# Time grows as size to this power at most: caches cost linear code a little, 2 would be square.
_MOST_GROWTH = 1.7
_STEP = 16
_SHORTEST_S = 0.0005

_PIECES = st.sampled_from(
    ['{"f_hz": ', '"gain": ', "cp_v", "{", "}", "[", "]", '"', ",", ":", "```json\n", "```", "\n",
     "<think>", "</think>", "1,234.5", "−3", "2.5 × 10^3", "1/2", "1e999", "kHz", " V", "NaN",
     "null", "\\", "**", "$", "\\frac{1}{2}", "\\text{Hz}", "≈", " = ", "9" * 40, "\ud800",
     "\u2028", "0x1F", "__import__('os')", "9**9**9"]
)  # fmt: skip
_SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8)
_VALUES = (
    _SCALARS
    | st.lists(_SCALARS, max_size=3)
    | st.dictionaries(st.text(max_size=4), st.lists(_SCALARS, max_size=2), max_size=2)
)
_NUMBERS = st.integers(-(10**15), 10**15) | st.floats(allow_nan=False, allow_infinity=False)


def sane(text: str) -> None:
    """Nothing but the fields that were asked for, each a finite number or none."""
    for mode in MODES:
        reading = parse_object(text, FIELDS, mode)
        assert set(reading.values) == set(FIELDS), text
        found = [value for value in reading.values.values() if value is not None]
        assert all(isinstance(value, float) and math.isfinite(value) for value in found), text


def any_text(text: str) -> None:
    """Text of any characters."""
    sane(text)


def pieces(parts: list[str]) -> None:
    """What replies are made of, in any order."""
    sane("".join(parts))


def cut(record: dict[str, Any], place: float) -> None:
    """Valid JSON of any shape, whole and cut anywhere."""
    text = json.dumps(record)
    sane(text)
    sane(text[: int(place * len(text))])


def whole(record: dict[str, float], before: str, after: str) -> None:
    """A whole object among prose without braces, fences or quotes: the numbers as written."""
    text = f"{before}{json.dumps(record)}{after}"
    for mode in MODES:
        assert parse_object(text, FIELDS, mode).values == record, text


def number(text: str, unit: str) -> None:
    """One number with anything around it."""
    value = read_number(text, unit)
    assert value is None or math.isfinite(value), text


_PROSE = st.text(alphabet="abc xyz.,;-()", max_size=30)
FUZZES: dict[Callable[..., None], tuple[Any, ...]] = {
    any_text: (st.text(max_size=200),),
    pieces: (st.lists(_PIECES, max_size=30),),
    cut: (st.dictionaries(st.sampled_from([*FIELDS, "other"]), _VALUES), st.floats(0, 1)),
    whole: (st.fixed_dictionaries(dict.fromkeys(FIELDS, _NUMBERS.map(float))), _PROSE, _PROSE),
    number: (
        st.lists(_PIECES | st.text(max_size=6), max_size=12).map("".join),
        st.sampled_from(["", "Hz", "V", "dB", "rad/s", "m³/h", "MPa", "%"]),
    ),
}


def fuzz(examples: int) -> int:
    """Run all of them; how many examples there were."""
    ran = 0
    for check, strategies in FUZZES.items():
        started = time.perf_counter()
        count = fuzzed(check, st.tuples(*strategies), -(-examples // len(FUZZES)))
        took = time.perf_counter() - started
        print(f"  {check.__name__:9} {count} examples, {took:.0f} s", flush=True)
        ran += count
    return ran


def fuzzed(check: Callable[..., None], strategy: st.SearchStrategy[Any], examples: int) -> int:
    """Run one of them; how many examples there were."""
    ran = itertools.count()

    @settings(
        max_examples=examples, deadline=None, database=None,
        phases=(Phase.generate, Phase.shrink), suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    @given(strategy)
    def run(arguments: tuple[Any, ...]) -> None:
        next(ran)
        check(*arguments)

    run()
    return next(ran)


def _filled(start: str, unit: str, end: str = "") -> Callable[[int], str]:
    return lambda size: start + unit * max(1, (size - len(start) - len(end)) // len(unit)) + end


def _nested(start: str, end: str, inner: str = "1") -> Callable[[int], str]:
    return lambda size: (
        start * (size // len(start + end)) + inner + end * (size // len(start + end))
    )


PATTERNS: dict[str, Callable[[int], str]] = {
    "nested braces": _nested("{", "}", ""),
    "nested objects": _nested('{"gain":', "}"),
    "nested lists": _nested("[", "]"),
    "nested thinking": _nested("<think>", "</think>", ""),
    "open braces": _filled("", "{"),
    "closed braces": _filled("", "}"),
    "open objects": _filled("", '{"gain":'),
    "objects": _filled("", '{"gain":"x"}'),
    "objects with prose": _filled("", 'so {"gain": 1} or '),
    "schemas": _filled("", '{"f_hz": "number", "gain": "number"} '),
    "empty objects": _filled("", "{}"),
    "unclosed strings": _filled("", '{"gain": "a\n'),
    "digits": _filled('{"gain":', "9", "}"),
    "digits and a comma": _filled('{"gain":', "9", ",}"),
    "decimals": _filled('{"gain":0.', "3", "}"),
    "digits in a string": _filled('{"gain":"', "9", '"}'),
    "digits in prose": _filled("gain: ", "9"),
    "exponent": _filled('{"gain": 1e', "9", "}"),
    "groups": _filled('{"gain":"1', ",000", '"}'),
    "fractions": _filled('{"gain":', "1/", "3,}"),
    "fraction list": _filled("[", "1/3,", "]"),
    "spaces": _filled("", " "),
    "spaces in an object": _filled('{"gain":', " "),
    "lines": _filled("{", "\n"),
    "commas": _filled('{"gain": 1', ",", "}"),
    "commas and spaces": _filled('{"gain":1', ", "),
    "fences": _filled("", "```"),
    "fence and spaces": _filled("```json", " "),
    "fenced objects": _filled("", '```json\n{"gain": "x"}\n```\n'),
    "backticks": _filled("", "`"),
    "backslashes": _filled("{", "\\"),
    "quotes": _filled("{", '"'),
    "escaped quotes": _filled('{"gain":"', '\\"'),
    "thinking": _filled("", "<think>"),
    "end of thinking": _filled("", "</think>"),
    "angle brackets": _filled("", "<"),
    "labels": _filled("", "gain: "),
    "labels with brackets": _filled("", "gain ("),
    "labels with lines": _filled("", "gain:\n"),
    "labels with numbers": _filled("", "gain: 1 or "),
    "equal signs": _filled("gain", " = 1"),
    "units": _filled('{"gain": "5 ', "x", '"}'),
    "latex": _filled('{"gain": "', "\\\\text{", '"}'),
    "dollars": _filled('{"gain": "', "$**", '"}'),
    "minus signs": _filled('{"gain": "', "−", '"}'),
    "powers": _filled('{"gain": "2', " × 10^3", '"}'),
    "prose": _filled("", "the gain of it "),
    "one word": _filled("", "gain"),
    "keys": lambda size: "{" + ",".join(f'"k{n}":{n}' for n in range(size // 14)) + "}",
    "unicode": _filled("gain: ", "\u2028½ "),
    "surrogates": _filled("{", "\ud800"),
}


def seconds(text: str, mode: str, rounds: int = 3) -> float:
    """Processor time, the best of some rounds: others may use the machine too."""
    best = math.inf
    for _ in range(rounds):
        started = time.process_time()
        parse_object(text, FIELDS, mode)
        best = min(best, time.process_time() - started)
    return best


def growth() -> bool:
    """Time every pattern at two sizes; whether none grows much faster than its text."""
    rows = []
    for name, make in PATTERNS.items():
        for mode in MODES:
            small, large = (seconds(make(size), mode) for size in (MEGABYTE // _STEP, MEGABYTE))
            exponent = math.log(large / max(small, _SHORTEST_S), _STEP)
            rows.append((large, exponent, name, mode))
    rows.sort(reverse=True)
    for large, exponent, name, mode in rows[:5]:
        print(f"  slowest: {large:.3f} s a megabyte, as size^{exponent:.2f}: {name}, {mode}")
    large, worst, name, mode = max(rows, key=lambda row: row[1])
    print(f"  worst growth: as size^{worst:.2f}: {name}, {mode} ({large:.3f} s a megabyte)")
    return worst <= _MOST_GROWTH


def named_sizes() -> None:
    """10,000 braces and 10,000 digits, as the issue names them."""
    for name, text in (
        ("10,000 nested braces", "{" * 10_000 + "}" * 10_000),
        ("10,000 nested objects", '{"gain":' * 10_000 + "1" + "}" * 10_000),
        ("10,000 digits", '{"gain": ' + "9" * 10_000 + "}"),
        ("10,000 decimals", '{"gain": 0.' + "3" * 10_000 + "}"),
    ):
        took = max(seconds(text, mode) for mode in MODES)
        value = parse_object(text, FIELDS, "tolerant").values["gain"]
        print(f"  {name}: {1000 * took:.1f} ms, gain {value}")


def main() -> None:
    """Fuzz, then measure."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--examples", type=int, default=100_000)
    started = time.perf_counter()
    ran = fuzz(parser.parse_args().examples)
    print(f"{ran} examples, no crash, in {time.perf_counter() - started:.0f} s")
    named_sizes()
    print(f"{len(PATTERNS)} patterns of up to a megabyte, both parsings:")
    linear = growth()
    print("linear" if linear else "SUPER-LINEAR")
    sys.exit(not linear)


if __name__ == "__main__":
    main()
