"""Quantities in words: a printed ``R_series = 3.9 kΩ``, and the unit in an axis' label.

Tolerant of what recognition makes of characters that are rare in print. Where a reading could be
two things, as a lone figure after another could be a digit or a unit, it is none.
"""

from __future__ import annotations

import re

_PREFIXES = {
    "": 1.0, "n": 1e-9, "u": 1e-6, "µ": 1e-6, "μ": 1e-6, "m": 1e-3, "k": 1e3, "K": 1e3,
    "M": 1e6, "G": 1e9,
}  # fmt: skip  # no pico: a small p is also how µ is misread

# How a unit may look, as regular expressions: as printed, then as misread.
_SPELLINGS = {
    "ohm": r"[ΩΩωQO0]|[Oo]hms?",
    "A": r"A|amperes?|amps?",
    "V": r"V|volts?",
    "Hz": r"Hz|H2|HZ|hz|hertz",
    "s": r"s|S|sec|seconds?",
    "rpm": r"rpm|r\.?/min|1/min|min.?.?1",
    "m": r"m",
    "m3/h": r"m\S?\s?/\s?h",
}

_NUMBER = r"([-+−]?\d{1,3}(?:[  ]\d{3})+(?!\d)|[-+−]?\d+(?:[.,]\d+)?(?:[eE][-+−]?\d+)?)"


def find_quantity(text: str, symbol: str, unit: str) -> float | None:
    """The value stated for a symbol in a text, in a unit without prefix; None where none is.

    Args:
        text: what a picture or a question says.
        symbol: such as ``R_series``; empty for any. Its first letter may be misread where more
            follow.
        unit: ``ohm``, ``A``, ``V``, ``Hz``, ``s``, ``rpm``, ``m`` or ``m3/h``.
    """
    first, *rest = symbol.split("_")
    name = rf"\S[_\s.\-]*{re.escape(rest[0])}" if rest else rf"(?<!\w){re.escape(first)}"
    pattern = rf"{name if symbol else ''}\s*[=≈:]+\s*{_NUMBER}(\s*)([^\s,;]*)"
    found = re.search(pattern, text, re.IGNORECASE if rest else 0)
    if found is None:
        return None
    number, space, tail = found.groups()
    factor = _stated(tail, unit)
    if factor is None or (not space and tail[:1] in ("O", "0")):
        return None
    return float(re.sub(r"[  ]", "", number).replace(",", ".").replace("−", "-")) * factor


def axis_factor(label: str, unit: str) -> float | None:
    """What a value on an axis is multiplied with to be in a unit without prefix.

    The label has the unit at its end: ``Current (mA)``, ``Current [mA]``, ``Current, mA`` or
    ``Current / mA``. None where it has none, or another one.
    """
    found = re.search(r"[(\[{/,]\s*([^()\[\]{}/,]+(?:/[^()\[\]{}/,]+)?)\s*[)\]}|]?\W*$", label)
    if found is None:
        return None
    stated = re.sub(r"\s+", "", found.group(1))
    prefix = re.fullmatch(rf"(.??)(?:{_SPELLINGS[unit]})", stated)
    return _PREFIXES.get(prefix.group(1)) if prefix else None


def _stated(tail: str, unit: str) -> float | None:
    """The factor of the unit a text begins with; rubbish may follow it, but no letter."""
    found = re.match(rf"(.??)(?:{_SPELLINGS[unit]})(?![A-Za-z0-9])", tail)
    if found is None and unit == "ohm":  # 3.9k is how resistors are marked
        found = re.match(r"([kKM])(?![A-Za-z0-9])", tail)
    return _PREFIXES.get(found.group(1)) if found else None
