"""Tensile test: Ramberg and Osgood's exponent by hand, offset yield by a root finder."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from matplotlib.figure import Figure
from scipy.optimize import brentq

from plotchain_lib.suites.plotchain import generate
from plotchain_lib.suites.plotchain.families.stress_strain import (
    _ELLIPSE_SHARE,
    FAMILY,
    _exponent_of,
    _strain,
)

# A steel of 200 GPa yields at 400 MPa: 400 / 200e3 + 0.002 = 0.004.
PARAMS: dict[str, Any] = {
    "material": "metal", "yield_strength_mpa": 400.0, "yield_strain": 0.004, "uts_mpa": 500.0,
    "uts_strain": 0.1, "fracture_strain": 0.15, "fracture_stress_mpa": 420.0, "top_dot": False,
    "span": 0.165, "y_max_mpa": 550.0,
}  # fmt: skip


def _drawn(params: Any, difficulty: str) -> dict[str, Any]:
    axes = Figure().add_subplot()
    FAMILY.plot(axes, params, difficulty)
    return {str(x.get_gid()): np.asarray(x.get_xydata()).T for x in axes.lines}


def test_hand_worked_values() -> None:
    # Plastic strain at 500 MPa: 0.1 - 0.0025 = 0.0975; ln(0.8 * 0.0975 / 0.002) / ln(500 / 400).
    assert pytest.approx(0.8) == 1.0 - _ELLIPSE_SHARE
    assert _exponent_of(0.0975, 1.25) == pytest.approx(math.log(39.0) / math.log(1.25))
    assert float(_strain(PARAMS, 400.0)) == pytest.approx(0.004)
    assert float(_strain(PARAMS, 500.0)) == pytest.approx(0.1)
    # Half the yield strength: 0.001 elastic and 0.002 / 2^16.4 plastic.
    assert float(_strain(PARAMS, 200.0)) == pytest.approx(0.001 + 0.002 * 0.5**16.418, rel=1e-4)
    assert FAMILY.truth(PARAMS)["cp_yield_strain"] == 0.004


def test_offset_yield_by_a_root_finder_on_the_drawn_curve() -> None:
    for item in generate.items(FAMILY, 3, 30):
        strain, stress = _drawn(item.params, item.difficulty)["curve"]
        modulus = stress[1] / strain[1]  # of the first, elastic step

        def beyond(e: float, curve: Any = (strain, stress), modulus: float = modulus) -> float:
            return float(np.interp(e, *curve)) - modulus * (e - 0.002)

        root = brentq(beyond, 0.002, float(item.truth["cp_uts_strain"]))
        assert item.truth["cp_yield_strain"] == pytest.approx(root, abs=1e-4)
        assert item.truth["yield_strength_mpa"] == pytest.approx(
            float(np.interp(root, strain, stress)), rel=0.005, abs=0.5
        )


def test_curve_rises_to_a_level_top_and_falls_to_fracture() -> None:
    for item in generate.items(FAMILY, 4, 30):
        strain, stress = _drawn(item.params, item.difficulty)["curve"]
        top = int(stress.argmax())
        slopes = np.diff(stress) / np.diff(strain)
        assert (np.diff(strain) > 0).all()
        assert (slopes[:top] > 0).all() and (slopes[top:] < 0).all()
        assert (np.diff(slopes[:top]) < 1e-6 * slopes[0]).all()  # it only ever softens
        assert abs(slopes[top - 1]) < 0.01 * slopes[0]  # Considère: level where necking starts


def test_materials_are_real_and_occur_in_every_difficulty() -> None:
    kinds = set()
    for item in generate.items(FAMILY, 0, 30):
        p = item.params
        kinds.add((item.difficulty, p["material"]))
        modulus = p["yield_strength_mpa"] / (p["yield_strain"] - 0.002)
        low, high = (42e3, 216e3) if p["material"] == "metal" else (2.4e3, 14.1e3)
        assert low <= modulus <= high
        assert 1.09 < p["uts_mpa"] / p["yield_strength_mpa"] < 1.81
        assert p["uts_mpa"] * p["fracture_strain"] < 710.0  # 70 GPa %
        assert p["fracture_strain"] <= 62.1 * p["yield_strain"]
    assert len(kinds) == 6


def test_the_top_is_marked_in_clean_items_only() -> None:
    for item in generate.items(FAMILY, 0, 10):
        dots = _drawn(item.params, item.difficulty)["dots"]
        assert dots.shape == (2, 2 if item.difficulty == "clean" else 1)
        assert ("top" in FAMILY.reads(item.params)) == (item.difficulty != "clean")


def test_a_level_top_lets_the_place_be_missed() -> None:
    reads = {name: np.array(read.value) for name, read in FAMILY.reads(PARAMS).items()}
    late = FAMILY.from_reads(reads | {"top": np.array(501.25)}, PARAMS)["cp_uts_strain"]
    # The parabola has lost 1.25 of 80 MPa after sqrt(1 / 64) of the 0.05 from top to fracture.
    assert float(late) == pytest.approx(0.1 + 0.05 / 8.0)
    early = FAMILY.from_reads(reads | {"top": np.array(498.75)}, PARAMS)["cp_uts_strain"]
    assert float(_strain(PARAMS, 498.75)) == pytest.approx(float(early))
