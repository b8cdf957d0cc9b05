"""What is asked is told from the wording, and only from a wording known as a whole."""

from __future__ import annotations

import numpy as np
import pytest

from plotchain_lib.models.reader.graphs.operations import moved, plane
from plotchain_lib.models.reader.graphs.question import Question, recognise
from plotchain_lib.models.reader.graphs.writing import equation, pair, rounded, whole
from plotchain_lib.models.reader.seen import UnreadableError
from plotchain_lib.suites.grab import groups
from plotchain_lib.suites.grab.wording import question

MAXIMUM = "For the function in the figure, find the maximum, its largest y-coordinate. "
WHOLE = (
    "Round to the nearest whole number. Reply with that number in digits and nothing else."
)  # fmt: skip
STEPS: list[dict[str, object]] = [
    {"kind": "rotation", "value": 90},
    {"kind": "translation", "value": -3, "in": "x"},
    {"kind": "scale", "value": 0.5, "in": "y"},
    {"kind": "reflection", "line": "x-axis"},
    {"kind": "reflection", "line": "y=-x"},
    {"kind": "reflection", "line": "x=a", "value": -4},
]


@pytest.mark.parametrize("group", groups.GROUPS, ids=lambda g: f"{g.shard}-{g.name}-{g.precision}")
def test_every_question_of_the_suite_is_recognised(group: groups.Group) -> None:
    steps = STEPS if group.task == "transform" else ()
    found = recognise(question(group.task, group.name, group.precision, steps))
    assert found is not None
    if group.precision == "equation":
        assert (found.name, found.precision) == ("equation", "equation")
        assert f"{found.form}_equation".replace("line_", "linear_") == group.name
        return
    assert found.name == group.name.removeprefix("data_")
    assert found.precision == ("count" if group.category == "counting" else group.precision)
    assert found.several == (group.task in ("function", "series"))
    assert len(found.steps) == len(steps)


def test_a_question_worded_otherwise_is_none() -> None:
    assert recognise(MAXIMUM + WHOLE) == Question("functions", "maximum", "integer")
    for prompt in (
        "",
        MAXIMUM,
        WHOLE,
        MAXIMUM.replace("largest", "second largest") + WHOLE,
        MAXIMUM + "Round up. " + WHOLE,
        MAXIMUM + WHOLE + " A) 3 B) 4",
        "What is the maximum of the function?",
    ):
        assert recognise(prompt) is None


def test_steps_move_points_one_after_the_other() -> None:
    steps = recognise(question("transform", "maximum", "integer", STEPS)).steps  # type: ignore[union-attr]
    # (1, 2): turned (-2, 1), moved (-5, 1), halved (-5, 0.5), mirrored (-5, -0.5), in y = -x
    # (0.5, 5), in x = -4 (-8.5, 5).
    assert moved(plane(steps), np.array([[1.0, 2.0]])) == pytest.approx(np.array([[-8.5, 5.0]]))
    with pytest.raises(UnreadableError, match="shear it"):
        plane(("shear it by 2",))


@pytest.mark.parametrize(
    ("value", "error", "precision", "text"),
    [
        (2.3, 0.1, "integer", "2"), (-0.2, 0.1, "integer", "0"), (-2.7, 0.1, "integer", "-3"),
        (0.04, 0.005, "one_decimal", "0.0"), (-0.04, 0.005, "one_decimal", "0.0"),
        (-1.26, 0.005, "one_decimal", "-1.3"), (-117.0, 1.0, "nearest_ten", "-120"),
        (2.42, 0.1, "integer", None), (1.0, float("nan"), "integer", None),
        (float("nan"), 0.1, "integer", None),
    ],
)  # fmt: skip
def test_a_value_is_written_where_its_error_leaves_no_doubt(
    value: float, error: float, precision: str, text: str | None
) -> None:
    if text is None:
        with pytest.raises(UnreadableError):
            rounded(value, error, precision)
    else:
        assert rounded(value, error, precision) == text


def test_pairs_and_equations_have_whole_numbers() -> None:
    assert pair(3.1, -9.9) == "[-10, 3]"
    assert equation("line", [-5, 9]) == "y = -5x + 9"
    assert equation("cubic", [1, 0, -4, -1]) == "y = 1x^3 + 0x^2 - 4x - 1"
    assert equation("sine", [8, 1, -3, -4]) == "y = 8sin(1x - 3) - 4"
    with pytest.raises(UnreadableError, match="whole number"):
        whole(2.4)
