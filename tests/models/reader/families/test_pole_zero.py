"""Tests for reading a pole-zero map."""

import pytest

from plotchain_lib.models.reader.families.pole_zero import read
from plotchain_lib.models.reader.seen import Marker

BLACK = (0.0, 0.0, 0.0)


@pytest.fixture
def read_marks(make_scene):
    def run(*marks, prompt=""):
        scene = make_scene((-8.0, 8.0), (-4.5, 4.5))
        vars(scene)["markers"] = tuple(
            Marker(float(scene.x.place(x)), float(scene.y.place(y)), 11.0, shape, BLACK)
            for x, y, shape in marks
        )
        return read(scene, prompt)

    return run


def test_a_single_pole_and_zero_are_where_their_marks_are(read_marks):
    reading = read_marks((-3.0, -2.0, "cross"), (5.0, 0.0, "ring"))
    assert reading.values == pytest.approx(
        {"pole_real": -3.0, "pole_imag": -2.0, "zero_real": 5.0, "zero_imag": 0.0}
    )
    assert reading.points["pole_imag"] == pytest.approx((350.0, 375.0))


def test_of_conjugates_the_upper_one_is_told_by_both_marks(read_marks):
    reading = read_marks(
        (-3.0, 2.02, "cross"), (-3.02, -2.0, "cross"), (1.0, 1.5, "ring"), (1.0, -1.5, "ring")
    )
    assert reading.values == pytest.approx(
        {"pole_real": -3.01, "pole_imag": 2.01, "zero_real": 1.0, "zero_imag": 1.5}
    )


def test_marks_that_are_no_pair_or_missing_are_null_with_a_reason(read_marks):
    reading = read_marks((-3.0, 2.0, "cross"), (-2.0, -2.0, "cross"), (0.0, 0.0, "dot"))
    assert set(reading.values.values()) == {None}
    assert "conjugate" in reading.reasons["pole_real"]
    assert "no marks" in reading.reasons["zero_imag"]


def test_one_mark_of_a_pair_the_question_speaks_of_is_enough(read_marks):
    values = read_marks(
        (-3.0, -2.0, "cross"), (1.0, 1.5, "ring"), prompt="one conjugate pair of poles"
    ).values
    assert values == pytest.approx(
        {"pole_real": -3.0, "pole_imag": 2.0, "zero_real": 1.0, "zero_imag": 1.5}
    )


def test_specks_are_no_marks(make_scene):
    scene = make_scene((-8.0, 8.0), (-4.5, 4.5))
    vars(scene)["markers"] = (
        Marker(300.0, 200.0, 11.0, "ring", BLACK), Marker(500.0, 275.0, 3.0, "ring", BLACK),
    )  # fmt: skip
    assert read(scene, "").values["zero_real"] == pytest.approx(-4.0)
