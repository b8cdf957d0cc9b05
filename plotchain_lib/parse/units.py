"""Units a model may write behind a number, and how they convert.

Units of the same kind convert ("1.2 kHz" asked in Hz is 1200); units of different kinds never do.
Factors are to the kind's first unit; those that are not powers of ten are exact by definition
(a minute, an octave as log2(10) per decade, a radian, an inch-pound unit from NIST SP 811).
"""

from __future__ import annotations

import math
import re
from functools import lru_cache

_PREFIX = {"": 1.0, "n": 1e-9, "µ": 1e-6, "u": 1e-6, "m": 1e-3, "k": 1e3, "M": 1e6, "G": 1e9}
_PREFIX_WORDS = {"": 1.0, "nano": 1e-9, "micro": 1e-6, "milli": 1e-3, "kilo": 1e3, "mega": 1e6,
                 "giga": 1e9}  # fmt: skip

# kind: (symbols, words, prefixes that are used with it)
_PREFIXED: dict[str, tuple[tuple[str, ...], tuple[str, ...], str]] = {
    "frequency": (("Hz",), ("hertz",), "m k M G"),
    "time": (("s", "sec", "secs"), ("second", "seconds"), "n µ u m"),
    "voltage": (("V",), ("volt", "volts"), "n µ u m k M"),
    "current": (("A", "amp", "amps"), ("ampere", "amperes"), "n µ u m k"),
    "resistance": (("Ω", "ohm", "ohms", "Ohm", "Ohms"), (), "m k M G"),
    "stress": (("Pa",), ("pascal", "pascals"), "k M G"),
    "length": (("m",), ("meter", "meters", "metre", "metres"), "n µ u m k"),
    "torque": (("Nm", "N.m"), (), "µ u m k"),
    "force": (("N",), ("newton", "newtons"), "m k M"),
    "power": (("W",), ("watt", "watts"), "µ u m k M"),
    "energy": (("J",), ("joule", "joules"), "m k M"),
}
_PLAIN: dict[str, dict[str, float]] = {
    "time": {"min": 60.0, "mins": 60.0, "minute": 60.0, "minutes": 60.0,
             "h": 3600.0, "hr": 3600.0, "hrs": 3600.0, "hour": 3600.0, "hours": 3600.0},
    "resistance": {"megohm": 1e6, "megohms": 1e6},
    "stress": {"N/mm2": 1e6, "N/m2": 1.0, "bar": 1e5, "psi": 6894.757293168361,
               "ksi": 6894757.293168361},
    "length": {"cm": 1e-2, "centimeters": 1e-2, "centimetres": 1e-2, "ft": 0.3048},
    "flow": {"m3/h": 1.0, "m3/hr": 1.0, "m3h": 1.0, "m3/hour": 1.0, "m3/min": 60.0,
             "m3/s": 3600.0, "l/s": 3.6, "L/s": 3.6, "l/min": 0.06, "L/min": 0.06,
             "l/h": 1e-3, "L/h": 1e-3},
    "rotation": {"rpm": 1.0, "r/min": 1.0, "rev/min": 1.0, "revolutions/minute": 1.0,
                 "krpm": 1e3, "rps": 60.0, "rev/s": 60.0, "rad/s": 30.0 / math.pi},
    "angle": {"deg": 1.0, "degs": 1.0, "°": 1.0, "degree": 1.0, "degrees": 1.0,
              "rad": 180.0 / math.pi, "rads": 180.0 / math.pi, "radian": 180.0 / math.pi,
              "radians": 180.0 / math.pi},
    "level": {"dB": 1.0, "decibel": 1.0, "decibels": 1.0},
    "slope": {"dB/decade": 1.0, "dB/dec": 1.0, "dB/octave": math.log2(10), "dB/oct": math.log2(10)},
    "ratio": {"": 1.0, "%": 0.01, "percent": 0.01, "pct": 0.01, "V/V": 1.0, "A/A": 1.0,
              "mm/mm": 1.0, "m/m": 1.0},
    "temperature": {"°C": 1.0, "K": 1.0},
    "other level": {"dBm": 1.0, "dBV": 1.0, "dBc": 1.0},
}  # fmt: skip


def _table() -> dict[str, tuple[str, float]]:
    table: dict[str, tuple[str, float]] = {}
    for kind, (symbols, words, prefixes) in _PREFIXED.items():
        for prefix in ("", *prefixes.split()):
            table.update({prefix + symbol: (kind, _PREFIX[prefix]) for symbol in symbols})
        for prefix, factor in _PREFIX_WORDS.items():
            table.update({prefix + word: (kind, factor) for word in words})
    for kind, units in _PLAIN.items():
        table.update({unit: (kind, factor) for unit, factor in units.items()})
    return table


UNITS = _table()
"""Written unit, normalised, to (kind, factor to the kind's first unit)."""

_FOLDED: dict[str, set[tuple[str, float]]] = {}
for _unit, _meaning in UNITS.items():
    _FOLDED.setdefault(_unit.casefold(), set()).add(_meaning)

_ALIKE = str.maketrans({"μ": "µ", "\u2126": "Ω", "²": "2", "³": "3", "º": "°", "˚": "°"})
_JOINTS = re.compile(r"[\s^{}\\·⋅*_-]+")
_LONGEST = 40  # characters; what is longer is prose
_PER = re.compile(r"\s*\bper\b\s*|\s*/\s*")


@lru_cache(maxsize=4096)
def normalised(unit: str) -> str:
    """One spelling of a unit: ``N·m``, ``N m`` and ``Nm`` are ``Nm``; ``m³/h`` is ``m3/h``."""
    return _JOINTS.sub("", _PER.sub("/", unit.strip().translate(_ALIKE)))


def meaning(unit: str, whole: bool = True) -> tuple[str, float] | None:
    """(kind, factor) of a written unit; None if it is unknown or its case makes it ambiguous.

    Capitals matter where they decide (mHz, MHz) and are forgiven elsewhere (HZ). `whole` says
    that nothing else was written, so that a lone ``v`` is a unit; in running text a lone ``a`` is
    a word.
    """
    spelled = normalised(unit)
    if spelled in UNITS:
        return UNITS[spelled]
    candidates = _FOLDED.get(spelled.casefold(), set())
    if len(candidates) == 1 and (whole or len(spelled) > 1):
        return next(iter(candidates))
    return None


def conversion(written: str, asked: str, whole: bool = True) -> float | None:
    """What to multiply a number by to get from the written to the asked unit; None to refuse.

    An unwritten unit is the asked one. A lone ``k`` is a thousand of the asked unit.
    """
    if not written.strip():
        return 1.0
    spelled = normalised(written) if len(written) <= _LONGEST else ""
    if not spelled:
        return None  # prose, or what is left of an expression: 10^
    if spelled == normalised(asked):
        return 1.0
    if spelled == "k":
        return 1e3
    source, target = meaning(written, whole), meaning(asked)
    if source is None or target is None or source[0] != target[0]:
        return None
    return source[1] / target[1]
