"""From a value to the text that is asked for, where its error leaves no doubt about it."""

from __future__ import annotations

import math

from plotchain_lib.models.reader.seen import UnreadableError

_STEPS = {"integer": 1.0, "one_decimal": 0.1, "nearest_ten": 10.0}


def rounded(value: float, error: float, precision: str) -> str:
    """The value to the precision asked.

    Args:
        value, error: what was read, and how far it may be off.
        precision: ``integer``, ``one_decimal`` or ``nearest_ten``.

    Raises UnreadableError where the error reaches another answer.
    """
    step = _STEPS[precision]
    if not (math.isfinite(value) and math.isfinite(error)):
        raise UnreadableError("no finite value was read")
    steps = value / step
    nearest = math.floor(steps + 0.5)
    if 0.5 - abs(steps - nearest) <= error / step:
        raise UnreadableError(f"the value, {value:.4g}, lies too near to a rounding boundary")
    if precision == "one_decimal":
        return f"{nearest / 10.0 + 0.0:.1f}"
    return str(nearest * round(step))


def whole(value: float, error: float = 0.25) -> int:
    """The whole number that a value must be. Raises UnreadableError where it is near none."""
    if not math.isfinite(value):
        raise UnreadableError("no finite value was read")
    nearest = math.floor(value + 0.5)
    if not abs(value - nearest) <= error:
        raise UnreadableError(f"a whole number is asked, {value:.4g} was read")
    return nearest


def pair(low: float, high: float) -> str:
    """Two whole numbers, the smaller one first."""
    first, second = sorted((whole(low), whole(high)))
    return f"[{first}, {second}]"


def equation(form: str, values: list[int]) -> str:
    """A function with whole parameters, from left to right; `form` as in `question`."""
    if form == "sine":
        a, b, c, d = values
        return f"y = {a}sin({b}x{_signed(c)}){_signed(d)}"
    degree = len(values) - 1
    text = "y = "
    for place, value in enumerate(values):
        power = degree - place
        text += str(value) if place == 0 else _signed(value)
        text += "" if power == 0 else "x" if power == 1 else f"x^{power}"
    return text


def _signed(value: int) -> str:
    return f" {'-' if value < 0 else '+'} {abs(value)}"
