"""The time waveform family: every shape worked by hand and against its own drawn curve."""

import numpy as np
import pytest

from plotchain_lib.suites.plotchain.families import time_waveform
from plotchain_lib.suites.plotchain.families.time_waveform import FAMILY
from plotchain_lib.suites.plotchain.generate import items
from plotchain_lib.suites.plotchain.render import render

SHAPES = ("square", "trapezoid", "triangle", "sine")


def params(shape: str, duty: float) -> dict[str, object]:
    # 50 Hz between -2 V and 4 V.
    return {
        "shape": shape, "period_s": 0.02, "duty": duty, "v_max": 4.0, "v_min": -2.0,
        "rise_s": 0.006, "t_max_s": 0.065, "y_min_v": -2.5, "y_max_v": 4.5,
    }  # fmt: skip


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("duty", [0.15, 0.5, 0.8])
def test_truth_and_drawn_curve(shape: str, duty: float) -> None:
    expected = {
        "frequency_hz": 50.0, "vpp_v": 6.0, "cp_period_s": 0.02,
        "cp_vmax_v": 4.0, "cp_vmin_v": -2.0, "cp_duty": duty,
    }  # fmt: skip
    assert FAMILY.truth(params(shape, duty)) == pytest.approx(expected)
    measured = render(FAMILY, params(shape, duty), "edge").measured
    assert measured == pytest.approx(expected, rel=1e-4)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("duty", [0.15, 0.5, 0.8])
def test_the_share_of_time_above_the_middle_is_the_duty(shape: str, duty: float) -> None:
    times, values = time_waveform._waveform(params(shape, duty))
    dense = np.linspace(0.006, 0.046, 40_000, endpoint=False)  # two periods
    assert np.mean(np.interp(dense, times, values) > 1.0) == pytest.approx(duty, abs=1e-3)


def test_at_one_half_the_sine_pulse_is_a_sine_wave() -> None:
    times, values = time_waveform._waveform(params("sine", 0.5))
    expected = 1.0 + 3.0 * np.sin(2.0 * np.pi * 50.0 * (times - 0.006))
    assert values[1:-1] == pytest.approx(expected[1:-1])


def test_at_one_half_the_triangle_pulse_is_a_triangle_wave() -> None:
    times, values = time_waveform._waveform(params("triangle", 0.5))
    apart = np.diff(times) > 1e-9  # two excursions meet in one point, drawn twice
    slopes = np.diff(values)[apart] / np.diff(times)[apart]
    assert np.abs(slopes) == pytest.approx(600.0)


def test_a_square_wave_rises_in_no_time() -> None:
    times, values = time_waveform._waveform(params("square", 0.3))
    jumps = np.nonzero(np.abs(np.diff(values)) > 1.0)[0]
    assert np.all(np.diff(times)[jumps] == 0.0)


def test_an_error_in_the_level_moves_the_crossings_of_slanted_edges_only() -> None:
    for shape, moves in (("square", False), ("triangle", True)):
        case = params(shape, 0.3)
        reads = {name: np.array([read.value]) for name, read in FAMILY.reads(case).items()}
        duty = float(FAMILY.from_reads(reads | {"top": np.array([4.6])}, case)["cp_duty"][0])
        # The middle read 0.3 V high, a twentieth of the swing: each edge gives 0.05 of its 0.3.
        assert duty == pytest.approx(0.27 if moves else 0.3)


def test_what_the_items_span() -> None:
    seen, below = set(), 0
    for item in items(FAMILY, 7, 120):
        seen.add((item.difficulty, item.params["shape"]))
        frequency = float(item.truth["frequency_hz"])
        assert 1.0 <= frequency <= 100.5
        below += frequency < 10.0
        assert item.params["t_max_s"] >= 2.19 * item.params["period_s"]
        for relation in FAMILY.relations:
            derived = relation.compute(*(item.truth[name] for name in relation.inputs))
            assert derived == pytest.approx(float(item.truth[relation.field]), abs=0.02, rel=0.005)
    assert len(seen) == 12
    assert 45 <= below <= 75
