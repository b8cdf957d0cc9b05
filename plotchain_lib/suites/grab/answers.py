"""The answer grammar: the one right string of every precision, written and read strictly.

=============  ================================================  ======================
precision      a right answer                                    example
=============  ================================================  ======================
integer        digits, a minus before them where negative        ``-9``
nearest_ten    an integer that ends in 0                         ``-120``
one_decimal    exactly one digit after the point                 ``0.5``
pair           two integers in rising order                      ``[-10, -3]``
equation       a form below, every parameter written, also 0, 1  ``y = 1x^2 + 0x - 3``
choice         the letter of an option                           ``B``
=============  ================================================  ======================

Zero has no sign, and no number begins with a 0 it does not need. What models write instead is
read by `plotchain_lib.suites.grab.replies`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

PRECISIONS = ("integer", "one_decimal", "nearest_ten", "pair", "equation")
LETTERS = "ABCDE"
# The forms an equation may be asked in, by the names of their parameters.
FORMS = {
    "line": "y = <m>x + <c>",
    "quadratic": "y = <a>x^2 + <b>x + <c>",
    "cubic": "y = <a>x^3 + <b>x^2 + <c>x + <d>",
    "quartic": "y = <a>x^4 + <b>x^3 + <c>x^2 + <d>x + <e>",
    "sine": "y = <a>sin(<b>x + <c>) + <d>",
}
_INTEGER = r"(?:0|-?[1-9]\d{0,11})"
_STRICT = {
    "integer": re.compile(_INTEGER),
    "nearest_ten": re.compile(r"0|-?[1-9]\d{0,10}0"),
    "one_decimal": re.compile(r"-?(?:0|[1-9]\d{0,11})\.\d"),
    "pair": re.compile(rf"\[({_INTEGER}), ({_INTEGER})\]"),
    "choice": re.compile(rf"[{LETTERS}]"),
}
_SIGNED = r" [+-] (?:0|[1-9]\d{0,11})"
_PARAMETER = re.compile(r"<[a-z]>")


def _pattern(form: str) -> re.Pattern[str]:
    """A form whose first parameter of each sum has its own sign; the others take the sum's."""
    first, *rest = _PARAMETER.split(form)
    pattern, before = re.escape(first), first
    for text in rest:
        if before.endswith(" + "):
            pattern = pattern.removesuffix(re.escape(" + ")) + f"({_SIGNED})"
        else:
            pattern += f"({_INTEGER})"
        pattern, before = pattern + re.escape(text), text
    return re.compile(pattern)


_EQUATIONS = {name: _pattern(form) for name, form in FORMS.items()}


def write_answer(values: Sequence[float], precision: str, form: str = "") -> str:
    """The right string of a true value that is already rounded.

    Args:
        values: one number, two of a pair, all parameters of an equation from left to right.
        precision: one of PRECISIONS.
        form: of an equation, a key of FORMS.

    Raises ValueError for another precision or form, a wrong number of values, a value that the
    precision cannot hold, and a pair that does not rise.
    """
    if precision == "one_decimal":
        (value,) = values
        text = f"{value:.1f}"
        if abs(float(text) - value) > 1e-9:
            raise ValueError(f"{value} has more than one decimal")
        text = "0.0" if text == "-0.0" else text
    elif precision == "equation":
        text = _equation([_whole(value) for value in values], form)
    else:
        numbers = [_whole(value) for value in values]
        text = str(numbers[0]) if len(numbers) == 1 else f"[{', '.join(map(str, numbers))}]"
    if read_answer(text, precision) is None:
        raise ValueError(f"{text} is no answer of precision {precision}")
    return text


def _whole(value: float) -> int:
    if abs(value - round(value)) > 1e-9:
        raise ValueError(f"{value} is no integer")
    return round(value)


def _equation(parameters: Sequence[int], form: str) -> str:
    if form not in FORMS:
        raise ValueError(f"no form {form!r}; known are {', '.join(FORMS)}")
    parts = _PARAMETER.split(FORMS[form])
    if len(parameters) != len(parts) - 1:
        raise ValueError(f"{form} has {len(parts) - 1} parameters, not {len(parameters)}")
    text = parts[0]
    for value, after in zip(parameters, parts[1:], strict=True):
        if text.endswith(" + ") and value < 0:
            text = text.removesuffix("+ ") + "- "
            value = -value
        text += f"{value}{after}"
    return text


def read_answer(text: str, precision: str) -> tuple[float, ...] | None:
    """The numbers of a right answer; None for a text that no right answer of this precision is.

    An option's letter is read as its place, counted from 0. Raises ValueError for an unknown
    precision.
    """
    if precision == "equation":
        found = (pattern.fullmatch(text) for pattern in _EQUATIONS.values())
        match = next((match for match in found if match), None)
        return None if match is None else tuple(_signed(part) for part in match.groups())
    if precision not in _STRICT:
        raise ValueError(f"no precision {precision!r}; known are {', '.join(PRECISIONS)}, choice")
    match = _STRICT[precision].fullmatch(text)
    if match is None or text == "-0.0":
        return None
    if precision == "choice":
        return (float(LETTERS.index(text)),)
    if precision == "pair":
        low, high = (float(part) for part in match.groups())
        return (low, high) if low < high else None
    return (float(text),)


def _signed(part: str) -> float:
    """A parameter as it stands in an equation; an inner one is written ``" - 3"``."""
    value = float(part.replace(" ", ""))
    return 0.0 if value == 0 else value


def is_answer(text: str, precision: str) -> bool:
    """Whether a text keeps the contract: exactly the form of a right answer."""
    return read_answer(text, precision) is not None


def shape_of(answer: str) -> str:
    """``pair``, ``equation``, ``choice`` or ``number``: what kind of string a right answer is."""
    if answer.startswith("["):
        return "pair"
    if answer.startswith("y"):
        return "equation"
    return "choice" if answer in tuple(LETTERS) else "number"
