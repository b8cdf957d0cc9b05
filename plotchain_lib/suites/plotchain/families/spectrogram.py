"""Spectrogram of a recording: silence, one tone, at once another tone, silence.

A short-time Fourier transform under a Hann window (Oppenheim and Schafer, Discrete-Time Signal
Processing, section on the time-dependent Fourier transform). Where a tone starts or ends, a
symmetric window holds half of it: its amplitude is half (-6 dB) exactly there. Each column of the
picture is two pixels wide, each row two pixels high.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

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
    from matplotlib.collections import QuadMesh

NAME = "spectrogram"
COLUMNS, ROWS = 410, 225
WINDOW = 512  # samples of the window; the picture shows the lowest 225 of its 257 bins
_WIDTH_PX = 820.0
_LOWEST, _HIGHEST, _APART = 18, 206, 16  # where tones may lie, in bins
_DARKEST_DB = -48.0
_COLORS = 12  # steps of colour, 4 dB each: finer ones would only make noise swell the file
_NOISE_DB = {"clean": -62.0, "moderate": -46.0, "edge": -36.0}  # per bin, against the first tone
_TIME_TOLERANCE = Tolerance((0.1, 0.2), (0.06, 0.12))
_FREQUENCY_TOLERANCE = Tolerance((5.0, 0.05), (3.0, 0.03))


def _parameters(draw: Draw) -> Parameters | None:
    fill = draw.uniform("fill", *((0.62, 0.80) if draw.difficulty == "edge" else (0.86, 0.95)))
    duration = draw.by_tolerance("duration", 0.6, 55.0, _TIME_TOLERANCE.plotread)
    end = duration / fill
    onset = (end - duration) * draw.uniform("place", 0.30, 0.70)
    # The window's length, the inverse of the bin's width, is 6 to 14 pixels of the time axis.
    bin_hz = significant(_WIDTH_PX / (end * draw.log_uniform("window_px", 6.0, 14.0)), 3)
    lower = int(draw.uniform("lower", _LOWEST, 150))
    upper = int(draw.uniform("upper", lower + _APART, _HIGHEST))
    first, second = (lower, upper) if draw.unit("order") < 0.5 else (upper, lower)
    return {
        "bin_hz": bin_hz, "first_bin": first, "second_bin": second, "onset_s": onset,
        "switch_s": onset + duration * draw.uniform("switch", 0.15, 0.85),
        "off_s": onset + duration, "end_s": end, "second_db": draw.uniform("level", -8.0, 0.0),
        "noise_db": _NOISE_DB[draw.difficulty],
        "noise_key": f"{draw.key}-{draw.index}-{draw.attempt}",
    }  # fmt: skip


def _frame(params: Parameters) -> Frame:
    return Frame(
        x=Axis("Time (s)", 0.0, params["end_s"]),
        y=Axis("Frequency (Hz)", -0.5 * params["bin_hz"], (ROWS - 0.5) * params["bin_hz"]),
        title="Spectrogram: level in dB, bright is strong",
    )


def _truth(params: Parameters) -> dict[str, float]:
    return {
        "f1_hz": params["first_bin"] * params["bin_hz"],
        "f2_hz": params["second_bin"] * params["bin_hz"],
        "switch_time_s": params["switch_s"],
        "cp_duration_s": params["off_s"] - params["onset_s"],
    }


def _reads(params: Parameters) -> dict[str, Read]:
    truth = _truth(params)
    return {
        "f1": Read("y", truth["f1_hz"]), "f2": Read("y", truth["f2_hz"]),
        "onset": Read("x", params["onset_s"]), "switch": Read("x", params["switch_s"]),
        "off": Read("x", params["off_s"]),
    }  # fmt: skip


def _from_reads(reads: Mapping[str, Array], params: Parameters) -> dict[str, Array]:
    return {
        "f1_hz": reads["f1"],
        "f2_hz": reads["f2"],
        "switch_time_s": reads["switch"],
        "cp_duration_s": reads["off"] - reads["onset"],
    }


def _signal(params: Parameters) -> tuple[Array, float]:
    """Samples from half a window before time zero to as much after the end, and their rate."""
    rate = WINDOW * params["bin_hz"]
    count = int(params["end_s"] * rate) + WINDOW + 2
    time = (np.arange(count) - WINDOW // 2) / rate
    first = np.sin(2.0 * np.pi * params["first_bin"] * params["bin_hz"] * time)
    second = np.sin(2.0 * np.pi * params["second_bin"] * params["bin_hz"] * time)
    second *= 10.0 ** (params["second_db"] / 20.0)
    tone = np.where(time < params["switch_s"], first, second)
    tone[(time < params["onset_s"]) | (time >= params["off_s"])] = 0.0
    # White noise of variance 1 gives sqrt(sum w^2) = sqrt(3/8 N) in a bin, a tone gives N/4.
    unit_db = 10.0 * np.log10(0.375 * WINDOW / (WINDOW / 4.0) ** 2)
    deviation = 10.0 ** ((params["noise_db"] - unit_db) / 20.0)
    noise = Stream(params["noise_key"]).uniform(count) - 0.5
    return tone + deviation * np.sqrt(12.0) * noise, rate


def levels_db(params: Parameters) -> Array:
    """The picture's values, (rows, columns): level against the first tone's, in dB."""
    signal, rate = _signal(params)
    centres = (np.arange(COLUMNS) + 0.5) * params["end_s"] / COLUMNS
    starts = np.rint(centres * rate).astype(np.int64)
    frames = np.lib.stride_tricks.sliding_window_view(signal, WINDOW)[starts]
    window = 0.5 - 0.5 * np.cos(2.0 * np.pi * np.arange(WINDOW) / WINDOW)
    spectrum = np.abs(np.fft.rfft(frames * window, axis=1))[:, :ROWS] / (WINDOW / 4.0)
    return np.asarray(20.0 * np.log10(np.maximum(spectrum.T, 1e-6)))


def _pixel_mesh(params: Parameters) -> QuadMesh:
    """A mesh of cells of two by two pixels, painted as one image and not as 92 250 polygons."""
    import matplotlib as mpl
    from matplotlib.collections import QuadMesh
    from matplotlib.colors import Normalize

    class PixelMesh(QuadMesh):
        def draw(self, renderer: Any) -> None:
            levels = np.asarray(self.get_array()).reshape(ROWS, COLUMNS)
            colors = np.asarray(self.to_rgba(levels, bytes=True)).repeat(2, axis=0)
            context = renderer.new_gc()
            corner = self.axes.bbox.min if self.axes else (0.0, 0.0)
            renderer.draw_image(context, corner[0], corner[1], colors.repeat(2, axis=1))
            context.restore()

    times = np.linspace(0.0, params["end_s"], COLUMNS + 1)
    frequencies = params["bin_hz"] * (np.arange(ROWS + 1) - 0.5)
    corners = np.stack(np.meshgrid(times, frequencies), axis=-1)
    colors = mpl.colormaps["viridis"].resampled(_COLORS)
    mesh = PixelMesh(corners, cmap=colors, norm=Normalize(_DARKEST_DB, 0.0))
    mesh.set_array(levels_db(params))
    return mesh


def _plot(axes: Axes, params: Parameters, difficulty: str) -> None:
    mesh = _pixel_mesh(params)
    mesh.set_gid("levels")
    axes.add_collection(mesh, autolim=False)


def _crossing(level: Array, time: Array, index: int) -> float:
    """Where the straight line from one column to the next passes half the tone's amplitude."""
    before, after = level[index], level[index + 1]
    return float(time[index] + (0.5 - before) / (after - before) * (time[index + 1] - time[index]))


def _measure(drawn: Drawn, params: Parameters) -> dict[str, float]:
    levels, time_edges, frequency_edges = drawn.images["levels"]
    time = (time_edges[1:] + time_edges[:-1]) / 2.0
    frequency = (frequency_edges[1:] + frequency_edges[:-1]) / 2.0
    power = 10.0 ** (levels / 10.0)
    energy = power.sum(axis=1)
    one = int(energy.argmax())
    two = int(np.where(np.abs(np.arange(ROWS) - one) > _APART // 2, energy, 0.0).argmax())
    tones = sorted((one, two), key=lambda row: float(power[row] @ time) / energy[row])
    amplitudes = []
    for row in tones:
        amplitude = np.sqrt(power[row])
        amplitudes.append(amplitude / np.median(amplitude[amplitude > 0.5 * amplitude.max()]))
    first_on, second_on = (np.nonzero(amplitude > 0.5)[0] for amplitude in amplitudes)
    onset = _crossing(amplitudes[0], time, int(first_on[0]) - 1)
    switch = [_crossing(amplitudes[0], time, int(first_on[-1])),
              _crossing(amplitudes[1], time, int(second_on[0]) - 1)]  # fmt: skip
    off = _crossing(amplitudes[1], time, int(second_on[-1]))
    lobes = [slice(row - 2, row + 3) for row in tones]
    f1, f2 = (float(frequency[lobe] @ energy[lobe] / energy[lobe].sum()) for lobe in lobes)
    return {
        "f1_hz": f1, "f2_hz": f2, "switch_time_s": sum(switch) / 2.0, "cp_duration_s": off - onset,
    }  # fmt: skip


FAMILY = Family(
    name=NAME,
    question=(
        "The picture shows the spectrogram of a recording: the level, as colour, over time and "
        "frequency. After a silence a first tone sounds, then without a gap a second tone of "
        "another frequency, then silence again."
    ),
    fields=(
        Field("f1_hz", "Hz", "frequency of the first tone", "final", 0),
        Field("f2_hz", "Hz", "frequency of the second tone", "final", 0),
        Field(
            "switch_time_s", "s",
            "time, read on the time axis, at which the first tone gives way to the second",
            "final", 2,
        ),
        Field(
            "cp_duration_s", "s",
            "duration of the sound: from the start of the first tone to the end of the second, "
            "without the silence at both ends", "checkpoint", 2,
        ),
    ),
    tolerances={
        "f1_hz": _FREQUENCY_TOLERANCE,
        "f2_hz": _FREQUENCY_TOLERANCE,
        "switch_time_s": _TIME_TOLERANCE,
        "cp_duration_s": _TIME_TOLERANCE,
    },
    draws=(
        "fill", "duration", "place", "window_px", "lower", "upper", "order", "switch", "level",
    ),
    parameters=_parameters,
    frame=_frame,
    truth=_truth,
    reads=_reads,
    from_reads=_from_reads,
    plot=_plot,
    measure=_measure,
)  # fmt: skip
