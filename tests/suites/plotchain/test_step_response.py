"""The step response family against textbook values and an independent simulation."""

import math

import numpy as np
import pytest
from scipy import signal

from plotchain_lib.suites.plotchain.families.step_response import FAMILY
from plotchain_lib.suites.plotchain.generate import items
from plotchain_lib.suites.plotchain.readability import allowed_error

# Damping ratio 0.5, natural frequency 2 rad/s, from 10 V to 30 V.
PARAMS = {
    "damping": 0.5, "natural_rad_s": 2.0, "start_v": 10.0, "step_v": 20.0,
    "t_min_s": -0.4, "t_max_s": 8.0, "y_min_v": 8.0, "y_max_v": 36.0,
}  # fmt: skip


def simulated_settling_time(damping: float, natural: float) -> float:
    system = signal.lti([natural**2], [1.0, 2.0 * damping * natural, natural**2])
    times, values = signal.step(system, T=np.linspace(0.0, 30.0 / natural / damping, 20_001))
    return float(times[np.nonzero(np.abs(values - 1.0) > 0.02)[0][-1]])


def test_textbook_values_at_damping_one_half() -> None:
    truth = FAMILY.truth(PARAMS)
    assert truth["percent_overshoot"] == pytest.approx(16.3, abs=0.05)  # Ogata's chart
    assert truth["cp_peak_time_s"] == pytest.approx(math.pi / math.sqrt(3.0))
    assert truth["cp_peak_value"] == pytest.approx(30.0 + 20.0 * 0.16303, abs=1e-3)
    assert truth["steady_state"] == 30.0
    assert truth["cp_band_lower"] == pytest.approx(29.6)
    assert truth["cp_band_upper"] == pytest.approx(30.4)


@pytest.mark.parametrize("damping", [0.17, 0.3, 0.5, 0.69])
def test_settling_time_agrees_with_a_simulation(damping: float) -> None:
    truth = FAMILY.truth(PARAMS | {"damping": damping})
    expected = simulated_settling_time(damping, PARAMS["natural_rad_s"])
    assert truth["settling_time_s"] == pytest.approx(expected, abs=5e-3)


def test_settling_time_scales_with_time_and_not_with_the_step() -> None:
    settling = FAMILY.truth(PARAMS)["settling_time_s"]
    assert FAMILY.truth(PARAMS | {"natural_rad_s": 4.0})["settling_time_s"] == pytest.approx(
        settling / 2.0
    )
    assert FAMILY.truth(PARAMS | {"start_v": 0.0, "step_v": 3.0})["settling_time_s"] == settling


def test_settling_as_read_jumps_when_a_swing_leaves_the_band_as_read() -> None:
    # At damping 0.5 the second swing reaches 16.3 %^2 = 2.66 % of the step, 0.53 V.
    reads = {name: np.array([read.value]) for name, read in FAMILY.reads(PARAMS).items()}
    exact = FAMILY.from_reads(reads, PARAMS)["settling_time_s"]
    assert exact == pytest.approx(FAMILY.truth(PARAMS)["settling_time_s"], abs=0.01)
    # The steady value read 0.2 V low widens the lower side of the band past the second swing.
    low = FAMILY.from_reads(reads | {"steady": np.array([29.8])}, PARAMS)["settling_time_s"]
    assert float(exact[0] - low[0]) > 1.0


def test_every_item_settles_in_its_picture_and_relations_hold() -> None:
    for item in items(FAMILY, 11, 40):
        assert item.params["t_max_s"] > 1.25 * float(item.truth["settling_time_s"])
        for relation in FAMILY.relations:
            derived = relation.compute(*(item.truth[name] for name in relation.inputs))
            truth = float(item.truth[relation.field])
            tolerance = FAMILY.tolerances[relation.field].plotread
            assert abs(derived - truth) <= allowed_error(truth, tolerance)


def test_no_swing_grazes_the_band() -> None:
    for item in items(FAMILY, 12, 40):
        overshoot = float(item.truth["percent_overshoot"]) / 100.0
        assert all(abs(overshoot**k / 0.02 - 1.0) > 0.03 for k in range(1, 10))
