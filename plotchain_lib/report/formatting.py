"""How numbers and texts are written, on the page and in LaTeX."""

from __future__ import annotations

import math
import unicodedata
from typing import Any, Literal

Kind = Literal[
    "text",
    "count",
    "percent",
    "points",
    "size",
    "number",
    "setting",
    "seconds",
    "p",
    "flag",
    "hash",
]
MISSING = "–"

_LATEX = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_",
    "*": "{*}", "{": r"\{", "}": r"\}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
    "<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}", '"': "''",
    "–": "--", "—": "---", "−": r"$-$", "±": r"$\pm$", "×": r"$\times$", "≤": r"$\le$",
    "¼": r"$\frac{1}{4}$", "½": r"$\frac{1}{2}$",
    "≥": r"$\ge$", "†": r"\textdagger{}",
    "·": r"$\cdot$", "Δ": r"$\Delta$", "µ": r"$\mu$", "Ω": r"$\Omega$",
    "…": r"\ldots{}", "\u00a0": "~", "[": "{[}", "]": "{]}", "\n": " ", "\r": " ", "\t": " ",
}  # fmt: skip


def is_missing(value: Any) -> bool:
    """None, NaN, pandas' NA and infinities: nothing that can be printed as a number."""
    if value is None:
        return True
    try:
        return not math.isfinite(float(value))
    except (TypeError, ValueError):
        return not isinstance(value, str)


def write_value(value: Any, kind: Kind) -> str:
    """A value as a person reads it; a percent column carries its sign in the heading."""
    if kind == "text":
        return MISSING if value is None or value == "" else str(value)
    if kind == "hash":
        return f"{value[:12]}…" if value else MISSING
    if is_missing(value):
        return MISSING
    if kind == "flag":
        return "yes" if value else "no"
    number = float(value)
    if kind == "count":
        return f"{round(number):,}"
    if kind == "percent":
        return f"{100 * number:.1f}".replace("-", "−")
    if kind == "points":
        return write_points(number)
    if kind == "size":  # of a difference, in points: it has no sign
        return write_points(number).lstrip("+")
    if kind == "seconds":
        return f"{number:.2f}" if number < 10 else f"{number:.1f}"
    if kind == "p":
        return write_p(number)
    return write_number(number, strip=kind == "setting")


def write_points(share: float) -> str:
    """A signed difference of two shares in percentage points, with a true minus."""
    points = round(100 * share, 1)
    sign = "−" if points < 0 else "+" if points > 0 else ""
    return f"{sign}{abs(points):.1f}"


def write_p(p: float) -> str:
    """A p value; below a thousandth the exact value says nothing more."""
    return "< 0.001" if p < 0.001 else f"{p:.3f}"


def write_number(number: float, strip: bool = False) -> str:
    """Three significant digits, without an exponent where one can be avoided.

    A setting is stripped of zeros at its end; a measurement keeps them, for its precision.
    """
    if number == 0:
        return "0"
    if not 1e-4 <= abs(number) < 1e6:
        return f"{number:.2e}".replace("-", "−")
    digits = max(0, 2 - math.floor(math.log10(abs(number))))
    text = f"{number:,.{digits}f}"
    if strip and "." in text:
        text = text.rstrip("0").rstrip(".")
    return text.replace("-", "−")


def write_interval(lower: Any, upper: Any, kind: Kind) -> str:
    """Both ends of an interval; empty where there is none."""
    if is_missing(lower) or is_missing(upper):
        return ""
    joint = " to " if kind == "points" or float(lower) < 0 else "–"
    return write_value(lower, kind) + joint + write_value(upper, kind)


def escape_latex(text: str) -> str:
    """Text that any LaTeX engine sets as it stands; letters it may not know lose their marks."""
    return text.translate(_LETTERS)


def _latex_character(character: str) -> str:
    if character in _LATEX:
        return _LATEX[character]
    if character.isascii():
        return character if character.isprintable() else " "
    plain = unicodedata.normalize("NFKD", character).encode("ascii", "ignore").decode()
    return "".join(_LATEX.get(letter, letter) for letter in plain) or "?"


class _Letters(dict[int, str]):
    """Every character as LaTeX, worked out when it is first met: tables have few different ones."""

    def __missing__(self, code: int) -> str:
        self[code] = _latex_character(chr(code))
        return self[code]


_LETTERS = _Letters()
