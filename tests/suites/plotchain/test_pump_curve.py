"""Pump: EPANET's single-point curve by hand, crossings by a root finder, labels inside."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from scipy.optimize import brentq

from plotchain_lib.suites.plotchain import generate
from plotchain_lib.suites.plotchain.families.pump_curve import FAMILY

# EPANET's curve from one design point, 45 m at 50 m³/h: shutoff at 4/3 of the head, zero head at
# twice the flow, a parabola between.
PARAMS: dict[str, Any] = {
    "shutoff_head_m": 60.0, "max_flow_m3h": 100.0, "exponent": 2.0, "operating_flow_m3h": 50.0,
    "x_max_m3h": 110.0, "y_max_m": 66.0,
}  # fmt: skip


def test_hand_worked_values() -> None:
    assert FAMILY.truth(PARAMS) == pytest.approx(
        {
            "head_at_qop_m": 45.0,
            "q_at_half_head_m3h": 70.7107,
            "cp_shutoff_head_m": 60.0,
            "cp_qmax_m3h": 100.0,
        },
        abs=1e-4,
    )


def test_crossings_by_a_root_finder() -> None:
    for index in range(20):
        p, truth = generate.draw_item(FAMILY, 5, index)

        def head(flow: float, p: Any = p) -> float:
            return float(p["shutoff_head_m"] * (1 - (flow / p["max_flow_m3h"]) ** p["exponent"]))

        half = brentq(lambda q: head(q) - head(0.0) / 2.0, 0.0, 2e3)
        assert truth["q_at_half_head_m3h"] == pytest.approx(half, abs=0.5)
        assert truth["cp_qmax_m3h"] == pytest.approx(brentq(head, 1.0, 2e3), abs=0.5)
        assert truth["head_at_qop_m"] == pytest.approx(head(p["operating_flow_m3h"]), abs=0.05)


def test_an_error_of_level_moves_the_flow_along_the_slope() -> None:
    reads = {name: np.array(read.value) for name, read in FAMILY.reads(PARAMS).items()}
    # 1 m too high: -dH/dQ is 2 * 60 / 100 = 1.2 m per m³/h at zero head, 0.8485 at half head.
    values = FAMILY.from_reads(reads | {"zero_head": np.array(1.0)}, PARAMS)
    assert float(values["cp_qmax_m3h"]) == pytest.approx(100.0 + 1.0 / 1.2)
    values = FAMILY.from_reads(reads | {"half_head": np.array(29.0)}, PARAMS)
    assert float(values["q_at_half_head_m3h"]) == pytest.approx(70.7107 - 1.0 / 0.8485, abs=1e-3)


def test_no_fixed_ratio_turns_one_flow_into_the_other() -> None:
    truths = [generate.draw_item(FAMILY, 0, index)[1] for index in range(200)]
    largest = np.array([t["cp_qmax_m3h"] for t in truths])
    half = np.array([t["q_at_half_head_m3h"] for t in truths])
    allowed = np.maximum(5.0, 0.10 * half)
    passed = [np.mean(np.abs(r * largest - half) <= allowed) for r in np.linspace(0.5, 0.9, 81)]
    assert max(passed) < 0.75


def test_label_lies_inside_the_axes_and_off_the_curve() -> None:
    for item in generate.items(FAMILY, 3, 30):
        figure = Figure(figsize=(6.25, 3.6), dpi=160)
        canvas: Any = FigureCanvasAgg(figure)
        axes = figure.add_axes((0.128, 0.146, 0.82, 0.781))
        axes.set(xlim=(0, item.params["x_max_m3h"]), ylim=(0, item.params["y_max_m"]))
        FAMILY.plot(axes, item.params, item.difficulty)
        (label,) = axes.texts
        assert label.get_text() == f"Q = {item.params['operating_flow_m3h']:g} m³/h"
        extent = label.get_window_extent(canvas.get_renderer())
        frame = axes.get_window_extent()
        assert frame.x0 + 4 < extent.x0 and extent.x1 < frame.x1 - 4, item.id
        assert frame.y0 + 4 < extent.y0 and extent.y1 < frame.y1 - 4, item.id
        (curve,) = (x for x in axes.lines if x.get_gid() == "curve")
        pixels = axes.transData.transform(np.asarray(curve.get_xydata()))
        assert not extent.count_contains(pixels), item.id
