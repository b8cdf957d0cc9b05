"""Tests for reading a motor's torque against its speed."""

import numpy as np
import pytest

from plotchain_lib.models.reader.families.torque_speed import FIELDS, read
from plotchain_lib.models.reader.seen import Marker, Text, UnreadableError

SPEED = np.linspace(0.0, 3200.0, 50)
TORQUE = 48.0 * (1.0 - SPEED / 3200.0)
BLACK = (0.0, 0.0, 0.0)


def dot(scene, speed, torque):
    return Marker(float(scene.x.place(speed)), float(scene.y.place(torque)), 8.0, "dot", BLACK)


def test_both_ends_of_the_line_and_the_torque_at_the_dot(make_scene):
    scene = make_scene((0.0, 4000.0), (0.0, 60.0), (SPEED, TORQUE))
    vars(scene)["markers"] = (dot(scene, 3000.0, 40.0), dot(scene, 1200.0, 30.0))
    reading = read(scene, "")
    assert reading.values.keys() == FIELDS
    assert reading.values["stall_torque_nm"] == pytest.approx(48.0)
    assert reading.values["no_load_speed_rpm"] == pytest.approx(3200.0)
    assert reading.values["cp_torque_at_speed_q_nm"] == pytest.approx(30.0)
    assert reading.points["stall_torque_nm"] == pytest.approx((100.0, 140.0))


def test_a_line_that_ends_before_the_axes_is_prolonged(make_scene):
    scene = make_scene((-200.0, 4000.0), (-5.0, 60.0), (SPEED[5:-5], TORQUE[5:-5]))
    values = read(scene, "").values
    assert values["stall_torque_nm"] == pytest.approx(48.0)
    assert values["no_load_speed_rpm"] == pytest.approx(3200.0)


def test_the_printed_speed_stands_in_for_a_hidden_dot(make_scene):
    text = Text(400.0, 200.0, 480.0, 215.0, "n = 2400 rpm", 0.9)
    scene = make_scene((0.0, 4000.0), (0.0, 60.0), (SPEED, TORQUE), texts=(text,))
    assert read(scene, "").values["cp_torque_at_speed_q_nm"] == pytest.approx(12.0)


def test_without_dot_and_print_the_query_is_null_with_a_reason(make_scene):
    reading = read(make_scene((0.0, 4000.0), (0.0, 60.0), (SPEED, TORQUE)), "")
    assert reading.values["cp_torque_at_speed_q_nm"] is None
    assert "dot" in reading.reasons["cp_torque_at_speed_q_nm"]


@pytest.mark.parametrize("torque", [48.0 - TORQUE, 48.0 * (1 - (SPEED / 3200.0) ** 2)])
def test_a_rising_line_and_a_bent_one_are_refused(make_scene, torque):
    with pytest.raises(UnreadableError):
        read(make_scene((0.0, 4000.0), (0.0, 60.0), (SPEED, torque)), "")
