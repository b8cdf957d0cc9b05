"""What a question about a graph asks for, recognised by its wording.

Only wordings known as a whole are recognised: of any other, what differs might be what matters.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

_AREA = r"between the curve and the x-axis from the curve's left end to its right end, where "
_OVER = r"the interval on which the curve is drawn"
_ENDS = {
    "domain_length": r"domain length, its largest minus its smallest x-coordinate",
    "range": r"range, its largest minus its smallest y-coordinate",
    "maximum": r"maximum, its largest y-coordinate",
    "minimum": r"minimum, its smallest y-coordinate",
}  # fmt: skip
_OF_FUNCTIONS: Mapping[str, str] = {
    "x_intercept": r"x-intercept, the x-coordinate of the point where it crosses the x-axis",
    "y_intercept": r"y-intercept, its value at x = 0",
    "gradient": r"gradient, the change of y per unit of x",
    "stationary_point": r"x-coordinate of the stationary point",
    "peak": r"x-coordinate of the peak",
    "amplitude": r"amplitude, half the difference between its highest and its lowest value",
    "period": r"period, the smallest distance in x after which it repeats itself",
    "vertical_shift": r"vertical shift, the y-value midway between its crests and its troughs",
    "phase_shift": r"phase shift, the number s, at most half a period away from 0, for which the "
    r"function is a sin\(2 pi \(x - s\) / p\) \+ d with a positive",
    "net_area": rf"net area {_AREA}parts below the x-axis count as negative",
    "total_area": rf"total area {_AREA}all parts count as positive",
    "variance": rf"variance, the mean squared deviation of y from its mean, taken over {_OVER}",
    "mean": rf"mean value, the integral of y over {_OVER}, divided by the interval's length",
    **_ENDS,
}
_OF_SERIES: Mapping[str, str] = {
    "pearson": r"Pearson correlation coefficient of x and y",
    "spearman": r"Spearman rank correlation coefficient of x and y",
    "kendall": r"Kendall rank correlation coefficient of x and y",
    "mean": r"mean of the y-coordinates",
    "median": r"median of the y-coordinates",
    "interquartile_range": r"interquartile range of the y-coordinates, where the quartiles stand a "
    r"quarter and three quarters of the way through the sorted values, both ends counted",
    "variance": r"variance, the mean squared deviation of the y-coordinates from their mean",
    **_ENDS,
}
_NUMBER = r"in digits and nothing else\."
_PRECISIONS: Mapping[str, str] = {
    "integer": rf"Round to the nearest whole number\. Reply with that number {_NUMBER}",
    "one_decimal": r"Round to one decimal\. Reply with that number, always with one digit after "
    r"the point, and nothing else\.",
    "nearest_ten": rf"Round to the nearest multiple of ten\. Reply with that number {_NUMBER}",
}
_PAIR = (
    r"Give the x-coordinates of the two stationary points of the function in the figure\. Both are "
    r"whole numbers\. Reply with \[first, second\] and nothing else, the smaller one first\."
)
_EQUATION = (
    r"Give the equation of the function in the figure\. Reply with the equation and nothing else, "
    r"in the form (?P<form>y = \S.{1,60}?), where each letter in angle brackets is a whole number\."
    r" Write every number, also where it is 1, and a minus in place of the plus before a negative "
    r"one\.(?P<sine> Choose a and b positive and c between -3 and 3; the angle is in radians\.)?"
)
_COUNTS = {
    "points": rf"Count the points in the figure\. Reply with their number {_NUMBER}",
    "series": r"Count the data series in the figure\. Points of one series share colour and "
    rf"marker\. Reply with their number {_NUMBER}",
}
_FORMS = {
    "y = <m>x + <c>": "line",
    "y = <a>x^2 + <b>x + <c>": "quadratic",
    "y = <a>x^3 + <b>x^2 + <c>x + <d>": "cubic",
    "y = <a>x^4 + <b>x^3 + <c>x^2 + <d>x + <e>": "quartic",
    "y = <a>sin(<b>x + <c>) + <d>": "sine",
}
_STEPS = (
    r"Take the curve in the figure and do the following to it, one step after the other; each step "
    r"acts on what the step before has left, and the axes stay where they are:\n(?P<steps>(?:\d+\. "
    r"[^\n]{1,80}\n){1,40})Of the curve that results, find the (?P<name>[^\n]{1,300})\.\n"
)


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked.

    Attributes:
        subject: ``functions``, ``series`` or ``counts``.
        name: of the property.
        precision: ``integer``, ``one_decimal``, ``nearest_ten``, ``pair``, ``equation``, ``count``.
        several: whether the mean over all functions or series is asked; else there is only one.
        form: of an equation, its kind.
        steps: what happens to the curve first, a line each.
    """

    subject: str
    name: str
    precision: str
    several: bool = False
    form: str = ""
    steps: tuple[str, ...] = ()


def recognise(prompt: str) -> Question | None:
    """The question a prompt asks; None where it is none of those known."""
    text = prompt.strip()
    for name, pattern in _COUNTS.items():
        if re.fullmatch(pattern, text):
            return Question("counts", name, "count")
    if re.fullmatch(_PAIR, text):
        return Question("functions", "stationary_points", "pair")
    if equation := re.fullmatch(_EQUATION, text):
        form = _FORMS.get(equation["form"], "")
        if form and bool(equation["sine"]) == (form == "sine"):
            return Question("functions", "equation", "equation", form=form)
        return None
    for precision, pattern in _PRECISIONS.items():
        if rounded := re.fullmatch(rf"(.+[.?][ \n]){pattern}", text, re.DOTALL):
            return _of_value(rounded[1], precision)
    return None


def _of_value(text: str, precision: str) -> Question | None:
    subjects = (
        ("functions", "function", "each function", "all functions", _OF_FUNCTIONS),
        ("series", "data", "each data series", "all data series", _OF_SERIES),
    )
    for subject, one, each, every, names in subjects:
        mean = rf" What is the mean of these values over {every} shown\?"
        for name, phrase in names.items():
            if re.fullmatch(rf"For the {one} in the figure, find the {phrase}\. ", text):
                return Question(subject, name, precision)
            if re.fullmatch(rf"For {each} in the figure, find the {phrase}\.{mean} ", text):
                return Question(subject, name, precision, several=True)
    for name, phrase in _OF_FUNCTIONS.items():
        if re.fullmatch(rf"Look at the curve in the figure\. Find the {phrase}\. ", text):
            return Question("functions", name, precision)
        moved = re.fullmatch(_STEPS, text)
        if moved and re.fullmatch(phrase, moved["name"]):
            steps = tuple(line.split(". ", 1)[1] for line in moved["steps"].splitlines())
            return Question("functions", name, precision, steps=steps)
    return None
