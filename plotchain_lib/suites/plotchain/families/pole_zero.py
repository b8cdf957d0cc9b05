"""Pole-zero map of a second-order transfer function in the s-plane.

H(s) = K (s - z)(s - z*) / ((s - p)(s - p*)) with real coefficients, so poles and zeros come in
conjugate pairs; the system is stable, so the poles lie in the left half-plane, while zeros may lie
on either side (Oppenheim and Willsky, Signals and Systems, chapter on the Laplace transform; Ogata,
Modern Control Engineering).
"""

from __future__ import annotations

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

NAME = "pole_zero"
_COORDINATES = ("pole_real", "pole_imag", "zero_real", "zero_imag")
# The default rule, max(0.05, 0.08 max(|g|, 1)) or 0.10 |g|, is this very pair: up to |g| = 1 its
# first part is 0.08, above that 0.10 |g| is the wider. Strict, max(0.05, 0.048 max(|g|, 1)) or
# 0.06 |g|, likewise.
_TOLERANCE = Tolerance((0.08, 0.10), (0.05, 0.06))
_SMALLEST, _LARGEST = 2.0, 30.0  # of the axes' limit
_CLEAR = 0.05  # smallest coordinate, as a share of the limit
_APART = 0.08  # smallest distance of the pole and the zero, as a share of the limit
_RIGHT_HALF = 0.4  # share of zeros in the right half-plane


def _parameters(draw: Draw) -> Parameters | None:
    pole_real = draw.by_tolerance("pole_real", 0.15, 26.0, _TOLERANCE.plotread)
    pole_imag = pole_real * draw.log_uniform("pole_aspect", 1.0 / 9.0, 9.0)
    reach = max(pole_real, pole_imag) / draw.uniform("pole_share", 0.35, 1.0)
    zero_real = reach * draw.uniform("zero_real", 0.08, 1.0)
    zero_imag = reach * draw.uniform("zero_imag", 0.08, 1.0)
    fill = draw.uniform("fill", *((0.62, 0.80) if draw.difficulty == "edge" else (0.86, 0.95)))
    sizes = (pole_real, pole_imag, zero_real, zero_imag)
    limit = max(sizes) / fill
    if not _SMALLEST <= limit <= _LARGEST or min(sizes) < _CLEAR * limit:
        return None
    if draw.unit("side") >= _RIGHT_HALF:
        zero_real = -zero_real
    if np.hypot(zero_real + pole_real, zero_imag - pole_imag) < _APART * limit:
        return None
    return {
        "pole_real": -pole_real, "pole_imag": pole_imag,
        "zero_real": zero_real, "zero_imag": zero_imag, "limit": limit,
    }  # fmt: skip


def _frame(params: Parameters) -> Frame:
    limit = params["limit"]
    return Frame(
        x=Axis("Real part (rad/s)", -limit, limit),
        y=Axis("Imaginary part (rad/s)", -limit, limit),
        title="Pole-zero map, s-plane",
        shape="square",
    )


def _truth(params: Parameters) -> dict[str, float]:
    return {name: params[name] for name in _COORDINATES}


def _reads(params: Parameters) -> dict[str, Read]:
    return {name: Read("x" if "real" in name else "y", params[name]) for name in _COORDINATES}


def _from_reads(reads: Mapping[str, Array], params: Parameters) -> dict[str, Array]:
    return dict(reads)


def _plot(axes: Axes, params: Parameters, difficulty: str) -> None:
    axes.axhline(0.0, color="black", linewidth=0.7)
    axes.axvline(0.0, color="black", linewidth=0.7)
    for name, marker, color in (("pole", "x", "#c0392b"), ("zero", "o", "#1f4e9c")):
        real, imaginary = params[f"{name}_real"], params[f"{name}_imag"]
        axes.plot(
            [real, real], [imaginary, -imaginary], marker, gid=name, color=color,
            markersize=8.0, markerfacecolor="none", markeredgewidth=1.8,
        )  # fmt: skip


def _upper_root(points: Array) -> tuple[float, float]:
    """The upper root of the real polynomial s^2 + b s + c that the two drawn roots make."""
    first, second = points[:, 0] + 1j * points[:, 1]
    b, c = float(-(first + second).real), float((first * second).real)
    return -b / 2.0, float(np.sqrt(c - b * b / 4.0))


def _measure(drawn: Drawn, params: Parameters) -> dict[str, float]:
    pole, zero = _upper_root(drawn.points["pole"]), _upper_root(drawn.points["zero"])
    return dict(zip(_COORDINATES, (*pole, *zero), strict=True))


FAMILY = Family(
    name=NAME,
    question=(
        "The picture shows the pole-zero map of a stable second-order transfer function with real "
        "coefficients: one conjugate pair of poles (crosses) and one conjugate pair of zeros "
        "(circles) in the s-plane."
    ),
    fields=(
        Field(
            "pole_real", "rad/s",
            "real part, with its sign, of the pole in the upper half-plane", "final", 2,
        ),
        Field(
            "pole_imag", "rad/s", "imaginary part of the pole in the upper half-plane (positive)",
            "final", 2,
        ),
        Field(
            "zero_real", "rad/s",
            "real part, with its sign, of the zero in the upper half-plane", "final", 2,
        ),
        Field(
            "zero_imag", "rad/s", "imaginary part of the zero in the upper half-plane (positive)",
            "final", 2,
        ),
    ),
    tolerances=dict.fromkeys(_COORDINATES, _TOLERANCE),
    draws=("pole_real", "pole_aspect", "pole_share", "zero_real", "zero_imag", "side", "fill"),
    parameters=_parameters,
    frame=_frame,
    truth=_truth,
    reads=_reads,
    from_reads=_from_reads,
    plot=_plot,
    measure=_measure,
)  # fmt: skip
