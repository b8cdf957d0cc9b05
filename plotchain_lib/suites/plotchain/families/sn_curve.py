"""Fatigue strength of a steel or titanium alloy: stress amplitude against cycles to failure.

Basquin's line S = a N^b from 1e3 cycles to the knee, and the endurance limit beyond; straight on
doubly logarithmic axes (Shigley, Mechanical Engineering Design, section on the fatigue strength;
ISO 12107). S(N) = S_e (N / N_k)^b with b = log(S_3 / S_e) / log(1e3 / N_k).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING

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
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

NAME = "sn_curve"

_STRESS = Tolerance((25.0, 0.10), (25.0, 0.10))
_FIRST, _QUERY = 1e3, 1e5  # cycles: where the line starts, where it is asked
_STRESS_AT_FIRST_MPA = (250.0, 1900.0)
# Strength at 1e3 cycles over endurance limit: from a polished bar to a notched, rough part.
_STRENGTH_RATIO = (1.5, 6.0)
_KNEE_CYCLES = (4e5, 5e6)
_BEYOND_KNEE = (4.0, 25.0)  # where the curve ends, over the knee


def _parameters(draw: Draw) -> Parameters | None:
    first = draw.by_tolerance("stress_at_1e3", *_STRESS_AT_FIRST_MPA, _STRESS.plotread)
    least, most = (first / ratio for ratio in _STRENGTH_RATIO[::-1])
    limit = draw.by_tolerance("endurance", least, most, _STRESS.plotread)
    knee = draw.log_uniform("knee", *_KNEE_CYCLES)
    last = knee * draw.log_uniform("beyond", *_BEYOND_KNEE)
    fill = (0.62, 0.80) if draw.difficulty == "edge" else (0.86, 0.95)
    # Margins as factors, the same on both sides.
    margin_x = (last / _FIRST) ** ((1.0 / draw.uniform("fill_x", *fill) - 1.0) / 2.0)
    margin_y = (first / limit) ** ((1.0 / draw.uniform("fill_y", *fill) - 1.0) / 2.0)
    return {
        "stress_at_1e3_mpa": first,
        "endurance_limit_mpa": limit,
        "knee_cycles": knee,
        "last_cycles": last,
        "x_min": _FIRST / margin_x,
        "x_max": last * margin_x,
        "y_min_mpa": limit / margin_y,
        "y_max_mpa": first * margin_y,
    }


def _slope(params: Parameters) -> float:
    """Basquin's exponent, negative."""
    ratio = params["stress_at_1e3_mpa"] / params["endurance_limit_mpa"]
    return math.log(ratio) / math.log(_FIRST / params["knee_cycles"])


def _stress_at_query(params: Parameters) -> float:
    return float(params["stress_at_1e3_mpa"] * (_QUERY / _FIRST) ** _slope(params))


def _frame(params: Parameters) -> Frame:
    return Frame(
        x=Axis("Cycles to failure N", params["x_min"], params["x_max"], "log"),
        y=Axis("Stress amplitude (MPa)", params["y_min_mpa"], params["y_max_mpa"], "log"),
        title="Fatigue test: S-N curve",
    )


def _truth(params: Parameters) -> dict[str, float]:
    return {
        "stress_at_1e5_mpa": _stress_at_query(params),
        "endurance_limit_mpa": params["endurance_limit_mpa"],
        "cp_stress_at_1e3_mpa": params["stress_at_1e3_mpa"],
    }


def _reads(params: Parameters) -> dict[str, Read]:
    truth = _truth(params)
    return {
        "query_cycles": Read("x", _QUERY),
        "query_stress": Read("y", truth["stress_at_1e5_mpa"]),
        "limit": Read("y", truth["endurance_limit_mpa"]),
        "first": Read("y", truth["cp_stress_at_1e3_mpa"]),
    }


def _from_reads(reads: Mapping[str, Array], params: Parameters) -> dict[str, Array]:
    # Going up from the axis a little beside 1e5 meets the line a little higher or lower.
    beside = (reads["query_cycles"] / _QUERY) ** _slope(params)
    return {
        "stress_at_1e5_mpa": reads["query_stress"] * beside,
        "endurance_limit_mpa": reads["limit"],
        "cp_stress_at_1e3_mpa": reads["first"],
    }


def _plot(axes: Axes, params: Parameters, difficulty: str) -> None:
    first, knee, limit = _FIRST, params["knee_cycles"], params["endurance_limit_mpa"]
    if difficulty != "edge":  # a guide line up from 1e5 cycles to the curve
        up_to = [params["y_min_mpa"], _stress_at_query(params)]
        axes.plot([_QUERY, _QUERY], up_to, color="0.45", ls="--", lw=1.0)
    cycles = np.append(np.geomspace(first, knee, 401), params["last_cycles"])
    stress = limit * (np.minimum(cycles, knee) / knee) ** _slope(params)
    axes.plot(cycles, stress, gid="curve")
    if difficulty == "clean":
        axes.plot([first, _QUERY, knee], [params["stress_at_1e3_mpa"], _stress_at_query(params),
                  limit], "o", color="tab:orange", ms=5.0)  # fmt: skip


def _measure(drawn: Drawn, params: Parameters) -> dict[str, float]:
    cycles, stress = np.log(drawn.points["curve"]).T
    at = np.interp(np.log([_FIRST, _QUERY]), cycles, stress)
    return {
        "stress_at_1e5_mpa": float(np.exp(at[1])),
        "endurance_limit_mpa": float(np.exp(stress[-1])),
        "cp_stress_at_1e3_mpa": float(np.exp(at[0])),
    }


FAMILY = Family(
    name=NAME,
    question=(
        "The picture shows the S-N curve of a metal from fatigue tests: stress amplitude against "
        "the number of cycles to failure, both on logarithmic axes. The curve starts at 10^3 "
        "cycles and ends in a horizontal part."
    ),
    fields=(
        Field(
            "stress_at_1e5_mpa", "MPa", "fatigue strength: stress amplitude of the curve at 10^5 "
            "cycles", "final", 0,
        ),
        Field(
            "endurance_limit_mpa", "MPa",
            "endurance limit: stress amplitude of the horizontal part of the curve", "final", 0,
        ),
        Field(
            "cp_stress_at_1e3_mpa", "MPa", "stress amplitude of the curve at 10^3 cycles, where it "
            "starts", "checkpoint", 0,
        ),
    ),
    tolerances={
        "stress_at_1e5_mpa": _STRESS,
        "endurance_limit_mpa": _STRESS,
        "cp_stress_at_1e3_mpa": _STRESS,
    },
    draws=("stress_at_1e3", "endurance", "knee", "beyond", "fill_x", "fill_y"),
    parameters=_parameters,
    frame=_frame,
    truth=_truth,
    reads=_reads,
    from_reads=_from_reads,
    plot=_plot,
    measure=_measure,
)  # fmt: skip
