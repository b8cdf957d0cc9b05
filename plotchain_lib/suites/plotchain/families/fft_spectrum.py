"""Amplitude spectrum of two tones in noise, as an FFT analyser shows it.

The spectrum is one-sided, of records of N samples under a Hann window, and an average of power
spectra: the powers of tones and noise add. Both tones lie on a bin, where the Hann main lobe is
one bin to either side at half the amplitude (-6.02 dB) and zero beyond (Harris, "On the use of
windows for harmonic analysis with the discrete Fourier transform", Proc. IEEE 66, 1978; Oppenheim
and Schafer, Discrete-Time Signal Processing, chapter on Fourier analysis of signals).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from plotchain_lib.item import Field
from plotchain_lib.sampling import Draw, Stream, significant
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

NAME = "fft_spectrum"
BINS = 512  # from zero to half the sampling rate
_LOWEST, _HIGHEST, _APART = 40, 480, 24  # where tones may lie, in bins

# Level of the weaker tone above the mean noise, and the noise's scatter, in dB. Even the deepest
# noise moves a tone's level by less than a tenth of a decibel.
_CLEARANCE_DB = {"clean": (38.0, 50.0), "moderate": (34.0, 44.0), "edge": (28.0, 36.0)}
_SCATTER_DB = {"clean": 1.0, "moderate": 1.5, "edge": 2.5}


def _parameters(draw: Draw) -> Parameters | None:
    bin_hz = significant(draw.log_uniform("nyquist", 500.0, 20e3) / BINS, 3)
    lower = int(draw.uniform("lower", _LOWEST, 340))
    upper = int(draw.uniform("upper", lower + _APART, _HIGHEST))
    dominant, secondary = (lower, upper) if draw.unit("order") < 0.5 else (upper, lower)
    ratio = draw.by_tolerance("ratio", 1.4, 40.0, (0.2, 0.15))
    dominant_db = draw.uniform("level", -40.0, 20.0)
    secondary_db = dominant_db - 20.0 * float(np.log10(ratio))
    noise_db = secondary_db - draw.uniform("clearance", *_CLEARANCE_DB[draw.difficulty])
    scatter = _SCATTER_DB[draw.difficulty]
    fill = draw.uniform("fill", *((0.62, 0.80) if draw.difficulty == "edge" else (0.86, 0.95)))
    bottom = noise_db - 3.0 * scatter
    margin = (dominant_db - bottom) * (1.0 / fill - 1.0) / 2.0
    return {
        "bin_hz": bin_hz, "dominant_bin": dominant, "secondary_bin": secondary,
        "dominant_db": dominant_db, "secondary_db": secondary_db, "noise_db": noise_db,
        "scatter_db": scatter, "noise_key": f"{draw.key}-{draw.index}-{draw.attempt}",
        "f_max_hz": BINS * bin_hz / fill, "y_min_db": bottom - margin,
        "y_max_db": dominant_db + margin,
    }  # fmt: skip


def _frame(params: Parameters) -> Frame:
    return Frame(
        x=Axis("Frequency (Hz)", 0.0, params["f_max_hz"]),
        y=Axis("Amplitude (dB re 1 V)", params["y_min_db"], params["y_max_db"]),
        title="FFT amplitude spectrum",
    )


def _truth(params: Parameters) -> dict[str, float]:
    return {
        "dominant_frequency_hz": params["dominant_bin"] * params["bin_hz"],
        "secondary_frequency_hz": params["secondary_bin"] * params["bin_hz"],
        "cp_peak_ratio": 10.0 ** ((params["dominant_db"] - params["secondary_db"]) / 20.0),
    }


def _reads(params: Parameters) -> dict[str, Read]:
    truth = _truth(params)
    return {
        "dominant": Read("x", truth["dominant_frequency_hz"]),
        "secondary": Read("x", truth["secondary_frequency_hz"]),
        "dominant_db": Read("y", params["dominant_db"]),
        "secondary_db": Read("y", params["secondary_db"]),
    }


def _from_reads(reads: Mapping[str, Array], params: Parameters) -> dict[str, Array]:
    return {
        "dominant_frequency_hz": reads["dominant"],
        "secondary_frequency_hz": reads["secondary"],
        "cp_peak_ratio": 10.0 ** ((reads["dominant_db"] - reads["secondary_db"]) / 20.0),
    }


def _plot(axes: Axes, params: Parameters, difficulty: str) -> None:
    scatter = params["scatter_db"] * Stream(params["noise_key"]).normal(BINS + 1)
    power = 10.0 ** ((params["noise_db"] + scatter) / 10.0)
    for tone in ("dominant", "secondary"):
        place = params[f"{tone}_bin"]
        power[place - 1 : place + 2] += 10.0 ** (params[f"{tone}_db"] / 10.0) * np.array(
            [0.25, 1.0, 0.25]  # the Hann main lobe, in power
        )
    frequency = params["bin_hz"] * np.arange(BINS + 1)
    axes.plot(frequency, 10.0 * np.log10(power), gid="spectrum", linewidth=1.0)


def _measure(drawn: Drawn, params: Parameters) -> dict[str, float]:
    frequency, level = drawn.points["spectrum"].T
    first = int(level.argmax())
    away = np.abs(np.arange(len(level)) - first) > 2
    second = int(np.where(away, level, -np.inf).argmax())
    # A Hann lobe holds 1.5 times its peak's power: a second way to each tone's amplitude.
    power = [float(np.sum(10.0 ** (level[k - 1 : k + 2] / 10.0))) for k in (first, second)]
    return {
        "dominant_frequency_hz": float(frequency[first]),
        "secondary_frequency_hz": float(frequency[second]),
        "cp_peak_ratio": float(np.sqrt(power[0] / power[1])),
    }


FAMILY = Family(
    name=NAME,
    question=(
        "The picture shows the one-sided amplitude spectrum of a signal, in decibels, against "
        "frequency. The signal consists of two tones of different amplitude in weak noise."
    ),
    fields=(
        Field(
            "dominant_frequency_hz", "Hz",
            "frequency of the dominant tone, the peak of the highest level", "final", 0,
        ),
        Field(
            "secondary_frequency_hz", "Hz",
            "frequency of the secondary tone, the other peak that stands out of the noise",
            "final", 0,
        ),
        Field(
            "cp_peak_ratio", "",
            "amplitude of the dominant tone divided by the amplitude of the secondary tone, as a "
            "linear ratio (not in decibels): 10^(D/20) with D the difference of the two peak "
            "levels in dB", "checkpoint", 2,
        ),
    ),
    tolerances={
        "dominant_frequency_hz": Tolerance((2.0, 0.03), (1.0, 0.02)),
        "secondary_frequency_hz": Tolerance((3.0, 0.05), (2.0, 0.03)),
        "cp_peak_ratio": Tolerance((0.2, 0.15), (0.12, 0.10)),
    },
    draws=("nyquist", "lower", "upper", "order", "ratio", "level", "clearance", "fill"),
    parameters=_parameters,
    frame=_frame,
    truth=_truth,
    reads=_reads,
    from_reads=_from_reads,
    plot=_plot,
    measure=_measure,
)  # fmt: skip
