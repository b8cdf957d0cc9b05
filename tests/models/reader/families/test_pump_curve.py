"""Tests for reading a pump's curve."""

import numpy as np
import pytest

from plotchain_lib.models.reader.families.pump_curve import FIELDS, read
from plotchain_lib.models.reader.seen import Marker, Text, UnreadableError

SHARE = np.linspace(0.0, 1.0, 800)
FLOW = 330.0 * SHARE


def head(exponent):
    return 62.0 * (1.0 - SHARE**exponent)


@pytest.mark.parametrize("exponent", [1.3, 2.0, 3.1])
def test_ends_half_head_and_the_head_at_the_dot(make_scene, exponent):
    scene = make_scene((0.0, 400.0), (0.0, 70.0), (FLOW, head(exponent)))
    expected = 62.0 * (1.0 - 0.5**exponent)
    place = float(scene.x.place(165.0)), float(scene.y.place(expected))
    vars(scene)["markers"] = (Marker(*place, 8.0, "dot", (255.0, 127.0, 14.0)),)
    reading = read(scene, "")
    assert reading.values.keys() == FIELDS
    assert reading.values["cp_shutoff_head_m"] == pytest.approx(62.0, rel=2e-3)
    assert reading.values["cp_qmax_m3h"] == pytest.approx(330.0, rel=2e-3)
    assert reading.values["q_at_half_head_m3h"] == pytest.approx(
        330.0 * 0.5 ** (1.0 / exponent), rel=2e-3
    )
    assert reading.values["head_at_qop_m"] == pytest.approx(expected, rel=2e-3)
    assert reading.points["head_at_qop_m"] == pytest.approx(place, abs=0.5)


def test_a_curve_of_another_kind_is_read_as_it_was_traced(make_scene):
    bent = 62.0 * (1.0 - SHARE**2) + 6.0 * np.sin(3.0 * np.pi * SHARE) * SHARE
    values = read(make_scene((0.0, 400.0), (0.0, 70.0), (FLOW, bent)), "").values
    assert values["cp_shutoff_head_m"] == pytest.approx(62.0, rel=0.02)
    assert values["cp_qmax_m3h"] == pytest.approx(330.0, rel=0.02)
    assert values["q_at_half_head_m3h"] == pytest.approx(
        float(FLOW[np.argmin(np.abs(bent - 31.0))]), rel=0.02
    )
    assert values["head_at_qop_m"] is None


def test_the_printed_flow_stands_in_for_a_hidden_dot(make_scene):
    text = Text(400.0, 200.0, 480.0, 215.0, "Q = 165 m3/h", 0.9)
    scene = make_scene((0.0, 400.0), (0.0, 70.0), (FLOW, head(2.0)), texts=(text,))
    assert read(scene, "").values["head_at_qop_m"] == pytest.approx(46.5, rel=2e-3)


def test_a_curve_cut_off_half_way_is_refused(make_scene):
    with pytest.raises(UnreadableError):
        read(make_scene((0.0, 400.0), (0.0, 70.0), (FLOW[:400], head(2.0)[:400])), "")
