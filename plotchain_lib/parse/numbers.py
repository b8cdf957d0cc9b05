"""One number with its unit, from text that a model wrote.

Every pattern is possessive or bounded, so that matching takes time linear in the text. A possessive
group holds nothing that could be tried again: Python before 3.11.5 matches such a group wrongly.
"""

from __future__ import annotations

import math
import re

from plotchain_lib.parse.units import conversion, meaning, normalised

_DIGITS = r"""(?>
    [1-9]\d{0,2} (?: ,\d{3} )+  (?: \.\d++ )?               # 8,000  1,234,567.8
  | [1-9]\d{0,2} (?: [\x20'’\u00a0\u2009\u202f]\d{3} )+  (?: \.\d++ )?   # 8 000  8'000
  | \d++ , \d++                                             # 0,5: cannot be thousands
  | \d++ (?: \.\d*+ )?                                      # 12  12.5  12.
  | \. \d++                                                 # .5
)"""
_END = r"(?! [.,]?\d )"  # never cut a number short: 1.2.3 and 12,34,567 are refused, not 1.2 and 12
_PLAIN = re.compile(
    rf"""(?P<sign>[+-]?+) \x20? (?P<body>{_DIGITS}) {_END} (?P<exponent>(?:[eE][+-]?\d++)?)
    (?: \s?+ / \s?+ (?P<below>\d++(?:\.\d++)?) (?! \s?/ | \.?\d ) )?""",
    re.VERBOSE,
)
_POWER = re.compile(
    rf"""(?P<sign>[+-]?+) \x20? (?: (?P<body>{_DIGITS}) {_END} \s{{0,3}}+ [x×*·⋅] \s{{0,3}}+ )?
    10 (?: \s?\^\s? \{{? (?P<power>[+-]?\d{{1,5}}) (?!\d) \}}?
       | (?P<raised>[⁺⁻]?[⁰¹²³⁴⁵⁶⁷⁸⁹]{{1,5}}) )
    """,
    re.VERBOSE,
)
_RAISED = str.maketrans("⁺⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "+-0123456789")
_SEPARATORS = re.compile(r"[\s'’,]")
_DASHES = str.maketrans({"−": "-", "–": "-", "‐": "-", "‑": "-", "﹣": "-", "－": "-", "＋": "+"})

_PYTHON_POWER = re.compile(r"(?<=\d)\*\*(?=[-+({]?\d)")
_FRAME = " \t\r\n\"'`*$~≈≃≅:"
_ABOUT = re.compile(r"(?:approximately|approx\.?|about|around|roughly|circa|ca\.|c\.)\s{1,3}", re.I)
_LATEX = (
    (re.compile(r"\\(?:text|mathrm|mathbf|rm|boxed|textbf|mathit|operatorname)\s?\{([^{}]*+)\}"),
     r"\1"),
    (re.compile(r"\\[dt]?frac\{(-?[\d.]++)\}\{([\d.]++)\}"), r"\1/\2"),
    (re.compile(r"\\(?:times|cdot)(?![A-Za-z])"), "×"),
    (re.compile(r"\\Omega(?![A-Za-z])"), "Ω"),
    (re.compile(r"\\mu(?![A-Za-z])"), "µ"),
    (re.compile(r"\^?\{?\\(?:circ|degree)(?![A-Za-z])\}?"), "°"),
    (re.compile(r"\\approx(?![A-Za-z])"), "≈"),
    (re.compile(r"\{,\}"), ","),
    (re.compile(r"\\[,;:! ()\[\]]"), " "),
    (re.compile(r"\\%"), "%"),
)  # fmt: skip
# What may follow a number only if the number is part of a range or of an expression.
_CONTINUES = re.compile(r"\s{0,3}(?:(?:[-+±]|to\b|\.{2,}|…)\s{0,3}[\d(.]|[*/×·^]\s{0,3}[\w(])")
_FULL_STOPS = " \t\r\n.,;:!)]}\"'`*"
_UNIT_WORD = re.compile(r"[ \t(\[]{0,3}(?P<unit>[^\s,;()\[\]{}|\"'=]{1,24}+)")
_JOINED_UNIT = re.compile(
    r"[ \t(\[]{0,3}(?P<unit>(?:[A-Za-z³0-9^]{1,12} ?(?:/ ?| per )[A-Za-z]{1,12}|[mkµu]?N m)\b)"
)


def _cleaned(text: str) -> str:
    """Without bold, dollar and LaTeX marks; every dash a minus."""
    text = _PYTHON_POWER.sub("^", text.translate(_DASHES))
    if "\\" in text or "{,}" in text:
        for pattern, replacement in _LATEX:
            text = pattern.sub(replacement, text)
    # A space, so that what a mark separates never becomes one number.
    text = text.replace("**", " ").replace("$", " ").lstrip(_FRAME)
    return _ABOUT.sub("", text, count=1).lstrip(_FRAME) if _ABOUT.match(text) else text


def _leading(text: str) -> tuple[float, str] | None:
    """The number at the start of a cleaned text and what follows it; None if there is none."""
    match = _POWER.match(text)
    if match:
        power = match["power"] or match["raised"].translate(_RAISED)
        literal = f"{match['sign']}{_plain_digits(match['body'] or '1')}e{power}"
        return float(literal), text[match.end() :]
    match = _PLAIN.match(text)
    if not match:
        return None
    value = float(match["sign"] + _plain_digits(match["body"]) + match["exponent"])
    if match["below"]:
        below = float(match["below"])
        value = value / below if below else math.nan
    return value, text[match.end() :]


def _plain_digits(body: str) -> str:
    if re.fullmatch(r"\d++,\d++", body) and not re.fullmatch(r"[1-9]\d{0,2},\d{3}", body):
        return body.replace(",", ".")
    return _SEPARATORS.sub("", body)


def _scaled(value: float, factor: float | None) -> float | None:
    if factor is None or not math.isfinite(value):
        return None
    # Fifteen digits undo the last-bit error of the factor: 2.3 kHz is 2300, not 2299.9999999999995.
    scaled = value if factor == 1.0 else float(f"{value * factor:.15g}")
    return scaled if math.isfinite(scaled) else None


def read_number(text: str, unit: str = "") -> float | None:
    """The number that is all of `text`, in `unit`; None where it is anything else.

    Accepts thousands separators, U+2212, ``2.5 × 10^3``, ``1/2``, bold and dollar marks, a full
    stop, and a unit of the same kind, which is converted. A unit of another kind, an unknown
    word, a range, NaN and infinity are no number.
    """
    found = _leading(_cleaned(text))
    if found is None:
        return None
    value, rest = found
    return _scaled(value, conversion(rest.strip(_FULL_STOPS + "(["), unit))


def read_leading_number(text: str, unit: str = "") -> float | None:
    """The number that running `text` starts with, in `unit`; None where it is anything else.

    Words behind the number are passed over unless they are a known unit. A number that goes on as
    a range or an expression (``400 - 100``) is none.
    """
    found = _leading(_cleaned(text))
    if found is None or _CONTINUES.match(found[1]):
        return None
    value, rest = found
    for pattern in (_JOINED_UNIT, _UNIT_WORD):
        match = pattern.match(rest)
        written = match["unit"].rstrip(_FULL_STOPS) if match else ""
        known = meaning(written, whole=False) or normalised(written) in ("k", normalised(unit))
        if written and known:
            return _scaled(value, conversion(written, unit, whole=False))
    return None if rest[:1].isalpha() else _scaled(value, 1.0)  # 5th, 2π: no number of ours
