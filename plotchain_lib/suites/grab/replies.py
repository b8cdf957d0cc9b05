"""What a reply means, whatever its form: the tolerant parser behind the lenient protocol.

A person would take the boxed part, else what follows the last "answer is" or "answer:", else the
reply. In it: a text that is a number, its only number, the number behind the last "=" or "is", the
last number. Text is only matched, never evaluated; every pattern is bounded or possessive.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from plotchain_lib.parse import read_number
from plotchain_lib.parse.scan import without_thinking
from plotchain_lib.suites.grab.answers import LETTERS, shape_of

# A number, a pair from low to high, a polynomial by powers, the four parameters of a sine.
Meaning = tuple[tuple[str, float], ...]

_LONGEST = 20_000  # characters, the end of a longer reply; no answer of ours stands before more
_DASHES = str.maketrans({"−": "-", "–": "-", "‐": "-", "‑": "-", "﹣": "-", "－": "-", "—": "-"})
# No group is possessive: before Python 3.11.5 one that holds anything to try again matches wrongly.
_TOKEN = re.compile(
    r"(?<![\w.^])(?:(?<![\d)])[+-]\x20?)?(?:[1-9]\d{0,2}(?:,\d{3}){1,5}(?!\d)|\d{1,15}+|(?=\.\d))"
    r"(?:\.\d{1,15}+)?(?![\w^])"
)
_BOXED = re.compile(r"\\boxed\s{0,3}\{((?:[^{}]|\{[^{}]{0,200}\}){0,400})\}")
_MARK = re.compile(r"\banswer\b[^\n\d\[.-]{0,40}?(?:\bis\b|:|=|≈)[\s*:$`]{0,8}", re.IGNORECASE)
_BEHIND = re.compile(
    r"(?:[=≈~]|\b(?:is|equals?|approximately|about|roughly|around)\b)[\s*:$≈~]{0,6}\Z",
    re.IGNORECASE,
)
_BRACKETED = re.compile(r"[\[(]([^\[\]()\n]{1,60})[\])]")


def meaning_of(text: str, shape: str, options: Sequence[str] = ()) -> Meaning | None:
    """The numbers (or the letter's place) a reply gives; None where it gives none of the shape.

    Args:
        text: the reply as the model gave it.
        shape: ``number``, ``pair``, ``equation`` or ``choice``.
        options: of a choice, what may be chosen, in the order of the letters.
    """
    visible = without_thinking(text)
    if visible is None:
        return None
    marked, part = _answer_part(visible[-_LONGEST:].translate(_DASHES))
    if shape == "choice":
        place = _letter(part, marked, options)
        return None if place is None else (("option", float(place)),)
    if shape == "equation":
        return _equation(part)
    if shape == "pair":
        return _pair(part)
    value = _number(part, marked)
    return None if value is None else (("value", value),)


def means(text: str, answer: str) -> bool:
    """Whether a reply gives the numbers of a right answer, in whatever form."""
    shape = shape_of(answer)
    found, wanted = meaning_of(text, shape), meaning_of(answer, shape)
    if found is None or wanted is None or len(found) != len(wanted):
        return False
    return all(
        one[0] == two[0] and math.isclose(one[1], two[1], rel_tol=1e-9, abs_tol=1e-9)
        for one, two in zip(found, wanted, strict=True)
    )


def _answer_part(text: str) -> tuple[bool, str]:
    """Whether the answer is marked as such, and the part of the text it stands in."""
    if boxed := _BOXED.findall(text):
        return True, boxed[-1]
    marks = list(_MARK.finditer(text))
    if marks and (rest := text[marks[-1].end() :]).strip():
        return True, rest
    return False, text


def _number(part: str, marked: bool) -> float | None:
    whole = read_number(part.strip())
    if whole is not None:
        return whole
    tokens = list(_TOKEN.finditer(part))
    if not tokens:
        return None
    chosen = tokens[-1]
    if marked:
        chosen = tokens[0]
    elif len({_value(token) for token in tokens}) > 1:
        behind = [t for t in tokens if _BEHIND.search(part, max(0, t.start() - 24), t.start())]
        chosen = behind[-1] if behind else chosen
    # Of a point or an interval nobody can tell which of the two is meant.
    pairs = [found.span() for found in _BRACKETED.finditer(part) if "," in found[1]]
    if any(start < chosen.start() < end for start, end in pairs):
        return None
    return _value(chosen)


def _value(token: re.Match[str]) -> float:
    return float(token.group().replace(",", "").replace(" ", ""))


def _pair(part: str) -> Meaning | None:
    for inside in reversed(_BRACKETED.findall(part)):
        numbers = [read_number(text.rpartition("=")[2]) for text in re.split("[,;]", inside)]
        if len(numbers) == 2 and None not in numbers:
            return _rising([number for number in numbers if number is not None])
    values = [_value(token) for token in _TOKEN.finditer(part)]
    return _rising(values) if len(values) == 2 else None


def _rising(numbers: list[float]) -> Meaning:
    low, high = sorted(numbers)
    return (("low", low), ("high", high))


_LATEX = (
    (re.compile(r"\\[()\[\]]"), ""),  # around a formula
    (re.compile(r"\\(?:left|right|,|;|!|\x20|cdot|times|mathrm|operatorname)(?![A-Za-z])"), ""),
    (re.compile(r"\*\*(?=\{?\d)"), "^"),
    (re.compile(r"[\s*·×⋅${}\\`]"), ""),
)
_RAISED = str.maketrans("²³⁴", "234")
_EQUALS = re.compile(r"(?:y|[fg]\(x\))=([-+.\dxsin^()]{1,200})", re.IGNORECASE)
_TERM = re.compile(r"([+-]?)(\d{1,15}+(?:\.\d{1,15}+)?)?(x(?:\^(\d))?)?", re.IGNORECASE)
_SINE = re.compile(r"([-+.\d]{0,60})sin\(([-+.\dx]{1,60})\)([-+.\d]{0,60})", re.IGNORECASE)


def _equation(part: str) -> Meaning | None:
    """The last equation that can be read."""
    for line in reversed(part.split("\n")):
        text = re.sub(r"([²³⁴])", r"^\1", line).translate(_RAISED)
        for pattern, replacement in _LATEX:
            text = pattern.sub(replacement, text)
        for written in reversed(_EQUALS.findall(text)):
            side = written.rstrip(".(")  # a full stop, a remark in brackets
            found = _sine(side) if "sin" in side.lower() else _powers(side)
            if found is not None:
                return found
    return None


def _powers(side: str) -> Meaning | None:
    """A polynomial's powers that are there, the highest first; a left-out factor is 1."""
    sums: dict[int, float] = {}
    place = 0
    while place < len(side):
        match = _TERM.match(side, place)
        if match is None or match.end() == place or not (match[2] or match[3]):
            return None
        if place and not match[1]:
            return None
        power = int(match[4] or 1) if match[3] else 0
        factor = float(f"{match[1]}{match[2] or 1}")
        sums[power] = sums.get(power, 0.0) + factor
        place = match.end()
    if not sums:
        return None
    return tuple((f"x^{power}", sums[power]) for power in sorted(sums, reverse=True) if sums[power])


def _sine(side: str) -> Meaning | None:
    match = _SINE.fullmatch(side)
    inner = dict(_powers(match[2]) or ()) if match else {}
    if match is None or not inner or set(inner) - {"x^1", "x^0"}:
        return None
    # What stands before the sine is its factor, and before that a constant may stand.
    cut = max(match[1].rfind("+"), match[1].rfind("-"), 0)
    constant, factor = match[1][:cut], match[1][cut:]
    if factor in ("", "+", "-"):
        factor += "1"
    shift = _powers((constant + match[3]).lstrip("+")) if constant + match[3] else ()
    try:
        amplitude = float(factor)
    except ValueError:
        return None
    if shift is None or any(name != "x^0" for name, _ in shift):
        return None
    parameters = (
        amplitude,
        inner.get("x^1", 0.0),
        inner.get("x^0", 0.0),
        dict(shift).get("x^0", 0),
    )
    return tuple(zip("abcd", map(float, parameters), strict=True))


_LETTER = re.compile(rf"(?<![\w'’])\(?([{LETTERS}])(?![\w'’])")
_SAID = re.compile(
    rf"(?:\banswer\b|\boption\b|\bchoice\b|\bchoose\b|\bis\b)[\s*:(`$]{{0,8}}([{LETTERS}])(?![\w'’])",
    re.IGNORECASE,
)


def _letter(part: str, marked: bool, options: Sequence[str]) -> int | None:
    """The place of the option a reply chooses; None where it names several or none."""
    plain = part.strip(" \t\r\n.*`$\"'")
    if plain in options:
        return options.index(plain)
    if leading := re.match(rf"\(?([{LETTERS}])(?:[).:*]|\s*\Z)", plain):
        return LETTERS.index(leading[1])
    said = {match[1].upper() for match in _SAID.finditer(part)}
    named = set(_LETTER.findall(part))
    for letters in (said, named):
        if len(letters) == 1:
            return LETTERS.index(next(iter(letters)))
    if marked and (first := _LETTER.search(part)):
        return LETTERS.index(first[1])
    return None
