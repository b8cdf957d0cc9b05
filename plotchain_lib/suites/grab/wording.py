"""The questions, in words of our own: what is shown, what is asked, and the form of the answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from plotchain_lib.suites.grab.answers import FORMS as ANSWER_FORMS
from plotchain_lib.suites.grab.special import FORM_OF

REPLIES: Mapping[str, str] = {
    "integer": "Round to the nearest whole number. Reply with that number in digits and nothing "
    "else.",
    "one_decimal": "Round to one decimal. Reply with that number, always with one digit after the "
    "point, and nothing else.",
    "nearest_ten": "Round to the nearest multiple of ten. Reply with that number in digits and "
    "nothing else.",
    "pair": "Both are whole numbers. Reply with [first, second] and nothing else, the smaller one "
    "first.",
}
_LETTERS = "Reply with the equation and nothing else, in the form {form}, where each letter in "
_PARAMETERS = (
    "angle brackets is a whole number. Write every number, also where it is 1, and a minus in "
    "place of the plus before a negative one."
)
_SINE = " Choose a and b positive and c between -3 and 3; the angle is in radians."

_AXIS = "between the curve and the x-axis from the curve's left end to its right end"
# What is asked of one function or series: a name, and a definition where the name leaves a doubt.
PHRASES: Mapping[str, tuple[str, str]] = {
    "x_intercept": ("x-intercept", "the x-coordinate of the point where it crosses the x-axis"),
    "y_intercept": ("y-intercept", "its value at x = 0"),
    "gradient": ("gradient", "the change of y per unit of x"),
    "stationary_point": ("x-coordinate of the stationary point", ""),
    "peak": ("x-coordinate of the peak", ""),
    "amplitude": ("amplitude", "half the difference between its highest and its lowest value"),
    "period": ("period", "the smallest distance in x after which it repeats itself"),
    "vertical_shift": ("vertical shift", "the y-value midway between its crests and its troughs"),
    "phase_shift": (
        "phase shift",
        "the number s, at most half a period away from 0, for which the function is "
        "a sin(2 pi (x - s) / p) + d with a positive",
    ),
    "net_area": ("net area", f"{_AXIS}, where parts below the x-axis count as negative"),
    "total_area": ("total area", f"{_AXIS}, where all parts count as positive"),
    "variance": (
        "variance",
        "the mean squared deviation of y from its mean, taken over the interval on which the "
        "curve is drawn",
    ),
    "mean": (
        "mean value",
        "the integral of y over the interval on which the curve is drawn, divided by the "
        "interval's length",
    ),
    "domain_length": ("domain length", "its largest minus its smallest x-coordinate"),
    "range": ("range", "its largest minus its smallest y-coordinate"),
    "maximum": ("maximum", "its largest y-coordinate"),
    "minimum": ("minimum", "its smallest y-coordinate"),
}
_QUARTILES = (
    "of the y-coordinates, where the quartiles stand a quarter and three quarters of the way "
    "through the sorted values, both ends counted"
)
DATA_PHRASES: Mapping[str, tuple[str, str]] = {
    "pearson": ("Pearson correlation coefficient", "of x and y"),
    "spearman": ("Spearman rank correlation coefficient", "of x and y"),
    "kendall": ("Kendall rank correlation coefficient", "of x and y"),
    "mean": ("mean", "of the y-coordinates"),
    "median": ("median", "of the y-coordinates"),
    "interquartile_range": ("interquartile range", _QUARTILES),
    "variance": ("variance", "the mean squared deviation of the y-coordinates from their mean"),
    "domain_length": ("domain length", "its largest minus its smallest x-coordinate"),
    "range": ("range", "its largest minus its smallest y-coordinate"),
    "maximum": ("maximum", "its largest y-coordinate"),
    "minimum": ("minimum", "its smallest y-coordinate"),
}
_COUNTS: Mapping[str, str] = {
    "points": "Count the points in the figure.",
    "series": "Count the data series in the figure. Points of one series share colour and marker.",
}
_COUNTED = "Reply with their number in digits and nothing else."
_OF_DATA = frozenset({"pearson", "spearman", "kendall", "median", "interquartile_range"})


def _named(phrase: tuple[str, str]) -> str:
    """Name and definition in one noun phrase."""
    name, definition = phrase
    if not definition:
        return f"the {name}"
    joined = " " if definition.startswith(("of ", "between ")) else ", "
    return f"the {name}{joined}{definition}"


def described(operation: Mapping[str, Any]) -> str:
    """One operation on the plane."""
    kind, value = operation["kind"], operation.get("value")
    if kind == "rotation":
        return f"rotate it by {value} degrees anticlockwise about the origin"
    if kind == "translation":
        return f"move it by {value} in the {operation['in']}-direction"
    if kind == "scale":
        axis = operation["in"]
        return f"multiply all its {axis}-coordinates by {value:g}"
    line = operation["line"]
    if line in ("x-axis", "y-axis"):
        return f"mirror it in the {line}"
    if line in ("x=a", "y=b"):
        return f"mirror it in the line {line[0]} = {value}"
    return f"mirror it in the line {line.replace('=', ' = ')}"


def _property_question(name: str) -> str:
    if name in FORM_OF:
        return "Give the equation of the function in the figure."
    if name == "stationary_points":
        return "Give the x-coordinates of the two stationary points of the function in the figure."
    if name in _COUNTS:
        return _COUNTS[name]
    own = name.removeprefix("data_")
    if name in _OF_DATA or own != name:
        return f"For the data in the figure, find {_named(DATA_PHRASES[own])}."
    return f"For the function in the figure, find {_named(PHRASES[name])}."


def _mean_question(task: str, name: str) -> str:
    if task == "function":
        each, all_of = "each function", "all functions"
        phrase = _named(PHRASES[name])
    else:
        each, all_of = "each data series", "all data series"
        phrase = _named(DATA_PHRASES[name])
    mean = f"What is the mean of these values over {all_of} shown?"
    return f"For {each} in the figure, find {phrase}. {mean}"


def _transform_question(name: str, operations: Sequence[Mapping[str, Any]]) -> str:
    phrase = _named(PHRASES[name])
    if not operations:
        return f"Look at the curve in the figure. Find {phrase}."
    steps = [f"{n}. {described(operation)}" for n, operation in enumerate(operations, start=1)]
    return "\n".join([
        "Take the curve in the figure and do the following to it, one step after the other; each "
        "step acts on what the step before has left, and the axes stay where they are:",
        *steps,
        f"Of the curve that results, find {phrase}.",
    ])  # fmt: skip


def question(
    task: str, name: str, precision: str, operations: Sequence[Mapping[str, Any]] = ()
) -> str:
    """The whole text a model is sent with the picture."""
    if task == "properties":
        asked = _property_question(name)
    elif task == "transform":
        asked = _transform_question(name, operations)
    else:
        asked = _mean_question(task, name)
    if precision == "equation":
        form = _LETTERS.format(form=ANSWER_FORMS[FORM_OF[name]]) + _PARAMETERS
        return f"{asked} {form}{_SINE if name == 'sine_equation' else ''}"
    if name in _COUNTS and task == "properties":
        return f"{asked} {_COUNTED}"
    joined = "\n" if operations else " "
    return f"{asked}{joined}{REPLIES[precision]}"
