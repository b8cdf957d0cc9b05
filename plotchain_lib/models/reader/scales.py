"""Whether an axis is linear or logarithmic, and whether its labels prove it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np

from plotchain_lib.models.reader.consensus import Fit, agree
from plotchain_lib.models.reader.numerals import Numeral
from plotchain_lib.models.reader.seen import Array, UnreadableError
from plotchain_lib.models.reader.ticks import Ticks

Scale = Literal["linear", "log"]

_LEAST = 3  # labels that must agree; two will do with further proof
_SHARE = 0.6  # of the labels that were read must agree
_SURE = 0.9  # confidence that each of two labels needs
_MINORS = 4  # minor ticks that can prove or refute a logarithmic scale
_PROVEN = 0.8  # of these that must stand where it wants them
_STEPS = (1.0, 2.0, 2.5, 5.0)  # times a power of ten: how linear axes are divided


def fit_scales(
    numerals: Sequence[Numeral], rising: bool, width: int
) -> tuple[Fit | None, Fit | None]:
    """What most labels agree on, on a linear and on a logarithmic axis."""
    place = np.array([numeral.place for numeral in numerals], dtype=np.float64)
    value = np.array([numeral.value for numeral in numerals], dtype=np.float64)
    with np.errstate(all="ignore"):
        logarithm = np.where(value > 0, np.log10(value), np.nan)
    tolerance = _tolerance(numerals, width)
    return (
        agree(place, value, tolerance, rising),
        agree(place, logarithm, tolerance, rising),
    )


def fitting_scale(
    linear: Fit | None,
    log: Fit | None,
    numerals: Sequence[Numeral],
    labels: int,
    ticks: Ticks,
    width: int,
) -> tuple[Scale, Fit]:
    """The scale and its fit; `labels` is how many there are, read or not.

    Raises UnreadableError where the labels prove neither.
    """
    tolerance = _tolerance(numerals, width)
    minors = _minors_on_log(log, numerals, ticks, tolerance)
    if len(numerals) == _LEAST - 1 < labels:
        raise UnreadableError(f"two of its {labels} labels can be read")
    linear = linear if linear and _proves_linear(linear, numerals, ticks, minors) else None
    log = log if log and _proves_log(log, numerals, minors) else None
    if linear and log and linear.count == log.count:
        linear, log = _closer(linear, log, minors)
    if linear and (not log or linear.count > log.count):
        return "linear", linear
    if log:
        return "log", log
    raise UnreadableError(f"its labels do not agree ({len(numerals)} read)")


def _tolerance(numerals: Sequence[Numeral], width: int) -> float:
    """How far from its place a label may be, in pixels; ticks are drawn on whole pixels."""
    return (0.9 + 0.7 * width / 850) * (1 if all(n.marked for n in numerals) else 1.5)


def _minors_on_log(
    log: Fit | None, numerals: Sequence[Numeral], ticks: Ticks, tolerance: float
) -> float | None:
    """The share of unlabelled stubs at 1 to 9 times a power of ten; None of too few of them."""
    labelled = np.array([numeral.place for numeral in numerals])
    stubs = np.concatenate([ticks.major, ticks.minor])
    if log is None or not len(labelled):
        return None
    away = np.abs(stubs[:, None] - labelled).min(axis=1)
    level = log.offset + log.gain * stubs[away > tolerance]
    if len(level) < _MINORS:
        return None
    wanted = np.log10(np.arange(1, 11))
    off = np.abs((level % 1)[:, None] - wanted).min(axis=1) / abs(log.gain)
    return float(np.mean(off <= tolerance))


def _proves_linear(
    fit: Fit, numerals: Sequence[Numeral], ticks: Ticks, minors: float | None
) -> bool:
    if not _enough(fit, numerals):
        return False
    if fit.count < _LEAST and all(numeral.power for numeral in numerals):
        return False
    place, value = _inliers(fit, numerals)
    if fit.count > _LEAST:
        return True
    gaps = np.diff(value)
    equal = fit.count == _LEAST and bool(np.ptp(gaps) < 1e-6 * abs(gaps[0]))
    between = np.count_nonzero((ticks.major > place.min() + 1) & (ticks.major < place.max() - 1))
    return equal or _regular(abs(value[-1] - value[0]) / (between + 1))


def _proves_log(fit: Fit, numerals: Sequence[Numeral], minors: float | None) -> bool:
    if not _enough(fit, numerals) or (minors is not None and minors < _PROVEN):
        return False
    if fit.count >= _LEAST or minors is not None:
        return True
    # Of two labels without minor ticks, neighbouring powers of ten are beyond doubt.
    value = _inliers(fit, numerals)[1]
    return all(n.power for n in numerals) and abs(abs(np.log10(value[1] / value[0])) - 1) < 1e-6


def _enough(fit: Fit, numerals: Sequence[Numeral]) -> bool:
    """Whether most labels agree: three, or both of two that are read with confidence."""
    if fit.count < _LEAST:
        return fit.count == len(numerals) == 2 and all(n.sure >= _SURE for n in numerals)
    return fit.count >= _SHARE * len(numerals)


def _inliers(fit: Fit, numerals: Sequence[Numeral]) -> tuple[Array, Array]:
    """Places and values of those that fit, by place."""
    chosen = [n for n, fits in zip(numerals, fit.fits, strict=True) if fits]
    return np.array([n.place for n in chosen]), np.array([n.value for n in chosen])


def _regular(step: float) -> bool:
    """Whether a linear axis may be divided into such steps."""
    mantissa = step / 10 ** np.floor(np.log10(step) + 1e-9)
    return bool(min(abs(mantissa - step) for step in _STEPS) < 1e-6)


def _closer(linear: Fit, log: Fit, minors: float | None) -> tuple[Fit | None, Fit | None]:
    """The one of two fits that the minor ticks or the labels' distances tell for."""
    if minors is not None:
        return None, log
    if max(linear.residual, log.residual) > 2 * min(linear.residual, log.residual) + 0.1:
        return (linear, None) if linear.residual < log.residual else (None, log)
    raise UnreadableError("it may be linear or logarithmic")
