"""The Bode phase family: special systems worked by hand, dead time, and what its items span."""

import math

import numpy as np
import pytest

from plotchain_lib.suites.plotchain.families.bode_phase import FAMILY
from plotchain_lib.suites.plotchain.generate import items


def params(order: int, damping: float, delay: float = 0.0) -> dict[str, float]:
    return {
        "order": order, "damping": damping, "corner_hz": 1000.0, "delay_s": delay,
        "query_hz": 500.0, "f_min_hz": 50.0, "f_max_hz": 10e3, "y_min_deg": -290.0,
        "y_max_deg": 10.0,
    }  # fmt: skip


def test_first_order_with_dead_time() -> None:
    # 0.1 ms at 1000 Hz is a tenth of a period, 36 degrees; at 500 Hz 18 degrees.
    truth = FAMILY.truth(params(1, 1.0, 1e-4))
    assert truth["cutoff_hz"] == 1000.0
    assert truth["cp_phase_deg_at_fc"] == pytest.approx(-45.0 - 36.0)
    assert truth["phase_deg_at_fq"] == pytest.approx(-math.degrees(math.atan(0.5)) - 18.0)


@pytest.mark.parametrize(("order", "damping"), [(2, math.sqrt(0.5)), (3, 0.5)])
def test_a_butterworth_filter_lags_45_degrees_per_order_at_its_cutoff(
    order: int, damping: float
) -> None:
    truth = FAMILY.truth(params(order, damping))
    assert truth["cutoff_hz"] == pytest.approx(1000.0)
    assert truth["cp_phase_deg_at_fc"] == pytest.approx(-45.0 * order)


def test_second_order_critically_damped() -> None:
    # Two equal poles: each lags atan(0.5) at half the corner; half power at sqrt(sqrt(2) - 1).
    truth = FAMILY.truth(params(2, 1.0))
    assert truth["phase_deg_at_fq"] == pytest.approx(-2.0 * math.degrees(math.atan(0.5)))
    assert truth["cutoff_hz"] == pytest.approx(1000.0 * math.sqrt(math.sqrt(2.0) - 1.0))


def test_the_phase_never_rises_or_jumps() -> None:
    for item in items(FAMILY, 5, 30):
        low, high = item.params["f_min_hz"], item.params["f_max_hz"]
        phases = [
            FAMILY.truth({**item.params, "query_hz": f})["phase_deg_at_fq"]
            for f in np.geomspace(low, high, 200)
        ]
        steps = np.diff(phases)
        assert np.all(steps < 0.0)
        assert np.all(steps > -25.0)


def test_what_the_items_span() -> None:
    seen = set()
    for item in items(FAMILY, 6, 100):
        seen.add((item.difficulty, item.params["order"]))
        assert -172.5 < float(item.truth["cp_phase_deg_at_fc"]) < -45.5
        ratio = item.params["query_hz"] / float(item.truth["cutoff_hz"])
        assert 0.119 < ratio < 4.01
        assert abs(math.log10(ratio)) > 0.07
        assert (item.params["delay_s"] > 0.0) == (item.params["order"] == 1)
    assert len(seen) == 9
