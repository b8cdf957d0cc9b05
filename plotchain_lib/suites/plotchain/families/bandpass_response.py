"""Second-order band-pass filter: magnitude against frequency.

H(f) = G / (1 + jQ (f/f0 - f0/f)). The -3 dB points follow from Q |f/f0 - f0/f| = 1, hence
f1 f2 = f0^2 and f2 - f1 = f0 / Q (Sedra and Smith, Microelectronic Circuits, section on
second-order filters).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from plotchain_lib.item import Field, Relation
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

NAME = "bandpass_response"
THREE_DB = 10.0 * np.log10(2.0)


def _magnitude_db(params: Parameters, frequency: Array) -> Array:
    ratio = frequency / params["resonance_hz"]
    detuning = params["q"] * (ratio - 1.0 / ratio)
    return np.asarray(params["peak_db"] - 10.0 * np.log10(1.0 + detuning**2))


def _parameters(draw: Draw) -> Parameters | None:
    edge = draw.difficulty == "edge"
    resonance = draw.log_uniform("resonance", 200.0, 200e3)
    q = draw.by_tolerance("q", 0.8, 12.0, (0.25, 0.12))
    bandwidth_share = draw.uniform("bandwidth_share", 0.10, 0.35)
    peak = draw.uniform("peak", -10.0, 40.0)
    span = np.log(_upper(q) / _lower(q)) / bandwidth_share
    low = resonance * np.exp(-span * draw.uniform("place", 0.40, 0.60))
    params = {
        "resonance_hz": resonance, "q": q, "peak_db": peak,
        "f_min_hz": float(low), "f_max_hz": float(low * np.exp(span)),
    }  # fmt: skip
    ends = _magnitude_db(params, np.array([low, low * np.exp(span)]))
    depth = peak - float(ends.min())
    fill = draw.uniform("fill", 0.62, 0.80) if edge else draw.uniform("fill", 0.86, 0.95)
    margin = depth * (1.0 / fill - 1.0) / 2.0
    return params | {"y_min_db": peak - depth - margin, "y_max_db": peak + margin}


def _lower(q: float) -> float:
    return float(np.sqrt(1.0 + 1.0 / (4.0 * q**2)) - 1.0 / (2.0 * q))


def _upper(q: float) -> float:
    return float(np.sqrt(1.0 + 1.0 / (4.0 * q**2)) + 1.0 / (2.0 * q))


def _frame(params: Parameters) -> Frame:
    return Frame(
        x=Axis("Frequency (Hz)", params["f_min_hz"], params["f_max_hz"], "log"),
        y=Axis("Magnitude (dB)", params["y_min_db"], params["y_max_db"]),
        title="Band-pass filter: frequency response",
    )


def _truth(params: Parameters) -> dict[str, float]:
    f0, q = params["resonance_hz"], params["q"]
    return {
        "resonance_hz": f0,
        "bandwidth_hz": f0 / q,
        "cp_f1_3db_hz": f0 * _lower(q),
        "cp_f2_3db_hz": f0 * _upper(q),
        "cp_q_factor": q,
    }


def _reads(params: Parameters) -> dict[str, Read]:
    truth = _truth(params)
    return {
        "f0": Read("x", truth["resonance_hz"]),
        "f1": Read("x", truth["cp_f1_3db_hz"]),
        "f2": Read("x", truth["cp_f2_3db_hz"]),
    }


def _from_reads(reads: Mapping[str, Array], params: Parameters) -> dict[str, Array]:
    bandwidth = reads["f2"] - reads["f1"]
    return {
        "resonance_hz": reads["f0"],
        "bandwidth_hz": bandwidth,
        "cp_f1_3db_hz": reads["f1"],
        "cp_f2_3db_hz": reads["f2"],
        "cp_q_factor": reads["f0"] / bandwidth,
    }


def _plot(axes: Axes, params: Parameters, difficulty: str) -> None:
    sides = np.geomspace(params["f_min_hz"], params["f_max_hz"], 1201)
    frequency = np.unique(np.append(sides, params["resonance_hz"]))
    axes.plot(frequency, _magnitude_db(params, frequency), gid="curve")


def _measure(drawn: Drawn, params: Parameters) -> dict[str, float]:
    frequency, magnitude = drawn.points["curve"].T
    top = int(magnitude.argmax())
    level = magnitude[top] - THREE_DB
    log_f = np.log(frequency)
    f1 = float(np.exp(np.interp(level, magnitude[: top + 1], log_f[: top + 1])))
    f2 = float(np.exp(np.interp(-level, -magnitude[top:], log_f[top:])))
    f0 = float(frequency[top])
    return {
        "resonance_hz": f0,
        "bandwidth_hz": f2 - f1,
        "cp_f1_3db_hz": f1,
        "cp_f2_3db_hz": f2,
        "cp_q_factor": f0 / (f2 - f1),
    }


FAMILY = Family(
    name=NAME,
    question=(
        "The picture shows the magnitude response of a band-pass filter, in decibels, against "
        "frequency on a logarithmic axis."
    ),
    fields=(
        Field("resonance_hz", "Hz", "frequency at which the magnitude is highest", "final", 0),
        Field(
            "bandwidth_hz", "Hz",
            "bandwidth, the distance between the two frequencies at which the magnitude is 3 dB "
            "below its highest value", "final", 0,
        ),
        Field(
            "cp_f1_3db_hz", "Hz",
            "the lower frequency at which the magnitude is 3 dB below its highest value",
            "checkpoint", 0,
        ),
        Field(
            "cp_f2_3db_hz", "Hz",
            "the upper frequency at which the magnitude is 3 dB below its highest value",
            "checkpoint", 0,
        ),
        Field(
            "cp_q_factor", "", "quality factor, resonance_hz divided by bandwidth_hz",
            "checkpoint", 2,
        ),
    ),
    tolerances={
        "resonance_hz": Tolerance((0.0, 0.05), (0.0, 0.03)),
        "bandwidth_hz": Tolerance((0.0, 0.08), (0.0, 0.05)),
        "cp_f1_3db_hz": Tolerance((0.0, 0.08), (0.0, 0.05)),
        "cp_f2_3db_hz": Tolerance((0.0, 0.08), (0.0, 0.05)),
        "cp_q_factor": Tolerance((0.25, 0.12), (0.20, 0.10)),
    },
    draws=("resonance", "q", "bandwidth_share", "peak", "place", "fill"),
    parameters=_parameters,
    frame=_frame,
    truth=_truth,
    reads=_reads,
    from_reads=_from_reads,
    plot=_plot,
    measure=_measure,
    relations=(
        Relation(
            NAME, "resonance_hz", ("cp_f1_3db_hz", "cp_f2_3db_hz"), "sqrt(f1 f2)",
            lambda f1, f2: np.sqrt(f1 * f2),
        ),
        Relation(
            NAME, "bandwidth_hz", ("cp_f1_3db_hz", "cp_f2_3db_hz"), "f2 - f1",
            lambda f1, f2: f2 - f1,
        ),
        Relation(
            NAME, "cp_q_factor", ("resonance_hz", "bandwidth_hz"), "f0 / (f2 - f1)",
            lambda f0, bandwidth: f0 / bandwidth,
        ),
    ),
)  # fmt: skip
