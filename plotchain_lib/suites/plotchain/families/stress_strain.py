"""Tensile test: engineering stress against engineering strain.

Up to the tensile strength s_u the curve is Ramberg and Osgood's, e = s / E + 0.002 (s / s_y)^n,
which meets the 0.2 % offset line at the yield strength s_y exactly; n follows from the strain at
s_u (Ramberg and Osgood, NACA TN 902; MMPDS, section on stress-strain curves). Above s_y a share of
the strain comes on an ellipse in stress and strain, so that the curve is level at s_u, where
necking starts (Considère's condition). It falls as a parabola from there to fracture.

Offset yield and tensile strength as in ISO 6892-1 and ASTM E8; moduli and strengths within those of
engineering metals and plastics (Callister, Materials Science and Engineering, appendix B). Tensile
strength times elongation stays within that of the toughest steels, those of twinning-induced
plasticity, 70 GPa % (De Cooman, Estrin and Kim, Acta Materialia 142, 2018).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from plotchain_lib.item import Field
from plotchain_lib.sampling import Draw
from plotchain_lib.suites.plotchain.family import (
    Array,
    Axis,
    Drawn,
    Family,
    Frame,
    Parameters,
    Read,
    Tolerance,
    difficulty_of,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

NAME = "stress_strain"

_STRENGTH = Tolerance((25.0, 0.07), (25.0, 0.07))
_FRACTURE_STRAIN = Tolerance((0.02, 0.10), (0.02, 0.10))
_YIELD_STRAIN = Tolerance((0.0006, 0.15), (0.0006, 0.15))
_UTS_STRAIN = Tolerance((0.02, 0.15), (0.02, 0.15))

_OFFSET = 0.002
_PLASTIC_SHARE = 0.18  # of the items
_STRENGTH_RATIO = (1.1, 1.8)  # tensile strength over yield strength
_EXPONENT = (3.5, 50.0)
_ELLIPSE_SHARE = 0.2  # of the plastic strain at the tensile strength
_LEFT_MARGIN = 0.025  # of the axis, so that the elastic line stands clear of the frame
# Fracture strain over yield strain, at most: the knee then lies far enough from zero to be read.
_REACH = {"clean": 62.0, "moderate": 62.0, "edge": 55.0}


def _metal(draw: Draw) -> tuple[float, float]:
    """Yield strain and yield strength of a metal, the modulus between magnesium's and steel's."""
    strain = draw.by_tolerance("yield_strain", 0.0034, 0.0202, _YIELD_STRAIN.plotread)
    elastic = strain - _OFFSET
    # The modulus lies between 42 GPa + 25 times the strength and 215 GPa: strong metals are stiff.
    weakest = max(60.0, 42e3 * elastic / (1.0 - 25.0 * elastic))
    strongest = min(1400.0, 215e3 * elastic)
    return strain, draw.by_tolerance("yield", weakest, strongest, _STRENGTH.plotread)


def _plastic(draw: Draw) -> tuple[float, float]:
    """Yield strain and yield strength of a plastic of 2.5 GPa, up to 14 GPa with short fibres."""
    strain = draw.by_tolerance("yield_strain", 0.0065, 0.0220, _YIELD_STRAIN.plotread)
    elastic = strain - _OFFSET
    weakest = max(60.0, 2.5e3 * elastic)
    strongest = min(220.0, 14e3 * elastic)
    return strain, draw.by_tolerance("yield", weakest, strongest, _STRENGTH.plotread)


def _longest(plastic: bool, uts: float, modulus: float) -> float:
    """The highest fracture strain such a material reaches."""
    if plastic:  # fibres stiffen and embrittle: 50 % at 4 GPa, 4 % at 14 GPa
        return min(0.50, 8e6 / modulus**2)
    # Tensile strength times elongation stays under 0.0035 of the modulus (700 MPa in steel).
    return min(0.45, 0.0035 * modulus / uts)


def _rising(place: float, low: float, high: float, power: int) -> float:
    """A value with density proportional to its power - 1: makes up for upper ends that vary."""
    return float((low**power + place * (high**power - low**power)) ** (1.0 / power))


def _exponent_of(plastic_strain: float, ratio: float) -> float:
    """Ramberg and Osgood's exponent, from the plastic strain at the tensile strength."""
    return math.log((1.0 - _ELLIPSE_SHARE) * plastic_strain / _OFFSET) / math.log(ratio)


def _parameters(draw: Draw) -> Parameters | None:
    edge = draw.difficulty == "edge"
    # By the rank among the items of this difficulty, so that each has plastics.
    rank = sum(difficulty_of(index) == draw.difficulty for index in range(draw.index))
    plastic = draw.unit("material", position=rank) < _PLASTIC_SHARE
    strain, strength = _plastic(draw) if plastic else _metal(draw)
    ratio = draw.log_uniform("strength_ratio", *_STRENGTH_RATIO)
    uts, modulus = ratio * strength, strength / (strain - _OFFSET)
    longest = min(_longest(plastic, uts, modulus), _REACH[draw.difficulty] * strain)
    fracture = _rising(draw.unit("fracture"), 0.035, longest, 3)
    earliest, latest = max(0.025, 0.35 * fracture), min(0.36, 0.88 * fracture)
    uts_strain = _rising(draw.unit("uts_strain"), earliest, latest, 2)
    plastic_strain = uts_strain - uts / modulus
    if plastic_strain <= _OFFSET:
        return None
    if not _EXPONENT[0] <= _exponent_of(plastic_strain, ratio) <= _EXPONENT[1]:
        return None
    fill = (0.62, 0.80) if edge else (0.86, 0.95)
    return {
        "material": "plastic" if plastic else "metal",
        "yield_strength_mpa": strength,
        "yield_strain": strain,
        "uts_mpa": uts,
        "uts_strain": uts_strain,
        "fracture_strain": fracture,
        "fracture_stress_mpa": uts * draw.uniform("fracture_stress", 0.74, 0.93),
        "top_dot": draw.difficulty == "clean",
        "span": fracture / draw.uniform("fill_x", *fill),
        "y_max_mpa": uts / draw.uniform("fill_y", *fill),
    }


def _modulus(params: Parameters) -> float:
    return float(params["yield_strength_mpa"] / (params["yield_strain"] - _OFFSET))


def _strain(params: Parameters, stress: Any) -> Any:
    """Strain before necking, at a stress up to the tensile strength."""
    strength, uts = params["yield_strength_mpa"], params["uts_mpa"]
    plastic_strain = params["uts_strain"] - uts / _modulus(params)
    power = (stress / strength) ** _exponent_of(plastic_strain, uts / strength)
    hardened = np.clip((stress - strength) / (uts - strength), 0.0, 1.0)
    ellipse = _ELLIPSE_SHARE * plastic_strain * (1.0 - np.sqrt(1.0 - hardened**2))
    return stress / _modulus(params) + _OFFSET * power + ellipse


def _frame(params: Parameters) -> Frame:
    left = -_LEFT_MARGIN * params["span"]
    return Frame(
        x=Axis("Engineering strain (mm/mm)", left, params["span"] + left),
        y=Axis("Engineering stress (MPa)", 0.0, params["y_max_mpa"]),
        title="Tensile test",
    )


def _truth(params: Parameters) -> dict[str, float]:
    return {
        "yield_strength_mpa": params["yield_strength_mpa"],
        "uts_mpa": params["uts_mpa"],
        "fracture_strain": params["fracture_strain"],
        "cp_yield_strain": params["yield_strain"],
        "cp_uts_strain": params["uts_strain"],
    }


def _reads(params: Parameters) -> dict[str, Read]:
    reads = {
        "yield_stress": Read("y", params["yield_strength_mpa"]),
        "yield_strain": Read("x", params["yield_strain"]),
        "uts": Read("y", params["uts_mpa"]),
        "uts_strain": Read("x", params["uts_strain"]),
        "fracture": Read("x", params["fracture_strain"]),
    }
    if not params["top_dot"]:  # the reader finds the middle of the top unaided
        reads["top"] = Read("y", params["uts_mpa"])
    return reads


def _from_reads(reads: Mapping[str, Array], params: Parameters) -> dict[str, Array]:
    uts_strain = reads["uts_strain"]
    if "top" in reads:
        # Within so little of its height the top looks level, and its place lies anywhere there.
        uts, missed = params["uts_mpa"], reads["top"] - params["uts_mpa"]
        before = params["uts_strain"] - _strain(params, uts - np.abs(missed))
        necking = params["fracture_strain"] - params["uts_strain"]
        after = necking * np.sqrt(np.abs(missed) / (uts - params["fracture_stress_mpa"]))
        uts_strain = uts_strain + np.where(missed > 0.0, after, -before)
    return {
        "yield_strength_mpa": reads["yield_stress"],
        "uts_mpa": reads["uts"],
        "fracture_strain": reads["fracture"],
        "cp_yield_strain": reads["yield_strain"],
        "cp_uts_strain": uts_strain,
    }


def _plot(axes: Axes, params: Parameters, difficulty: str) -> None:
    frame = _frame(params)
    strength, modulus, uts = params["yield_strength_mpa"], _modulus(params), params["uts_mpa"]
    end = strength + 0.06 * params["y_max_mpa"]
    axes.plot([_OFFSET, _OFFSET + end / modulus], [0.0, end], color="tab:red",
              ls=(0.0, (5.0, 2.0)), lw=0.9, gid="offset_line")  # fmt: skip
    # Denser towards the top, where the strain runs ahead of the stress.
    stress = uts * (1.0 - np.linspace(1.0, 0.0, 601) ** 2)
    necking = np.linspace(0.0, 1.0, 201)[1:]
    fracture, uts_strain = params["fracture_strain"], params["uts_strain"]
    axes.plot(
        np.append(_strain(params, stress), uts_strain + (fracture - uts_strain) * necking),
        np.append(stress, uts - (uts - params["fracture_stress_mpa"]) * necking**2),
        gid="curve", zorder=2.1,
    )  # fmt: skip
    axes.plot([fracture], [params["fracture_stress_mpa"]], "x", color="black", ms=6.0)
    dots = [(params["yield_strain"], strength), (uts_strain, uts)]
    axes.plot(*zip(*dots[: 2 if params["top_dot"] else 1], strict=True), "o",
              color="tab:orange", ms=4.5, gid="dots", zorder=2.2)  # fmt: skip
    # Under the curve, right of the offset line at the height of the text's top.
    beside = _OFFSET + 0.13 * params["y_max_mpa"] / modulus
    axes.text(
        float(frame.x.fraction(beside)) + 0.012, 0.075, "0.2 % offset",
        transform=axes.transAxes, fontsize=9.0, color="tab:red", parse_math=False,
    )  # fmt: skip


def _measure(drawn: Drawn, params: Parameters) -> dict[str, float]:
    strain, stress = drawn.points["curve"].T
    (start, end), (bottom, top) = drawn.points["offset_line"].T
    # How far the curve lies right of the offset line, up to its first zero.
    beyond = strain - (start + (stress - bottom) * (end - start) / (top - bottom))
    after = int(np.argmax(beyond >= 0.0))
    share = -beyond[after - 1] / (beyond[after] - beyond[after - 1])
    highest = int(stress.argmax())
    return {
        "yield_strength_mpa": float(stress[after - 1] + share * np.diff(stress)[after - 1]),
        "uts_mpa": float(stress[highest]),
        "fracture_strain": float(strain[-1]),
        "cp_yield_strain": float(strain[after - 1] + share * np.diff(strain)[after - 1]),
        "cp_uts_strain": float(strain[highest]),
    }


FAMILY = Family(
    name=NAME,
    question=(
        "The picture shows a tensile test: engineering stress against engineering strain, up to "
        "fracture, which a cross marks. The dashed red line is the 0.2 % offset line, parallel to "
        "the elastic part of the curve; a dot marks where the two cross."
    ),
    fields=(
        Field(
            "yield_strength_mpa", "MPa",
            "yield strength at 0.2 % offset: stress at which the curve crosses the offset line",
            "final", 0,
        ),
        Field(
            "uts_mpa", "MPa", "ultimate tensile strength, the highest stress of the curve",
            "final", 0,
        ),
        Field("fracture_strain", "", "strain at fracture, where the curve ends", "final", 3),
        Field(
            "cp_yield_strain", "",
            "total strain, elastic and plastic, at which the curve crosses the offset line",
            "checkpoint", 4,
        ),
        Field(
            "cp_uts_strain", "", "strain at the ultimate tensile strength", "checkpoint", 3
        ),
    ),
    tolerances={
        "yield_strength_mpa": _STRENGTH,
        "uts_mpa": _STRENGTH,
        "fracture_strain": _FRACTURE_STRAIN,
        "cp_yield_strain": _YIELD_STRAIN,
        "cp_uts_strain": _UTS_STRAIN,
    },
    draws=(
        "material", "fracture", "strength_ratio", "yield_strain", "yield", "uts_strain",
        "fracture_stress", "fill_x", "fill_y",
    ),
    parameters=_parameters,
    frame=_frame,
    truth=_truth,
    reads=_reads,
    from_reads=_from_reads,
    plot=_plot,
    measure=_measure,
)  # fmt: skip
