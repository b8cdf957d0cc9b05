"""Whether an axis is linear or logarithmic, and whether its labels prove it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np

from plotchain_lib.models.reader.consensus import Fit, agree, through
from plotchain_lib.models.reader.numerals import Numeral
from plotchain_lib.models.reader.seen import Array, UnreadableError
from plotchain_lib.models.reader.ticks import Ticks

Scale = Literal["linear", "log"]

_LEAST = 3  # labels that must agree; two will do with further proof
_SHARE = 0.6  # of the labels that were read must agree
_SURE = 0.9  # confidence that each of two labels needs
_MINORS = 4  # minor ticks that can prove or refute a logarithmic scale
_PROVEN = 0.8  # of these that must stand where it wants them
_NINTHS = np.log10(np.arange(1.0, 10.0))  # where a decade is divided
_APART = 4.0  # pixels between ticks that are told apart by their places alone
_ON = 1.3  # pixels from its place that a tick may be drawn at
_ROUNDS = 3  # of taking in further ticks, each going farther from the labels
_STEPS = (1.0, 2.0, 2.5, 5.0)  # times a power of ten: how linear axes are divided


def fit_scales(
    numerals: Sequence[Numeral], rising: bool, width: int
) -> tuple[Fit | None, Fit | None]:
    """What most labels agree on, on a linear and on a logarithmic axis."""
    place = np.array([numeral.place for numeral in numerals], dtype=np.float64)
    value = np.array([numeral.value for numeral in numerals], dtype=np.float64)
    with np.errstate(all="ignore"):
        logarithm = np.where(value > 0, np.log10(value), np.nan)
    powers = np.array([numeral.power for numeral in numerals], dtype=bool)
    if np.count_nonzero(powers) > 1:
        logarithm[~powers] = np.nan  # an exponent that touches its ten was not told from it
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
    if len(numerals) == _LEAST - 1 < labels:
        raise UnreadableError(f"two of its {labels} labels can be read")
    tolerance = _tolerance(numerals, width)
    minors = _minors_on_log(log, numerals, ticks, tolerance)
    if linear and log and linear.count == log.count:
        powers = all(numeral.power for numeral in numerals)
        linear, log = (None, log) if powers else _closer(linear, log, minors, ticks, tolerance)
    if linear and (not log or linear.count > log.count):
        if _proves_linear(linear, numerals, ticks):
            return "linear", _refined("linear", linear, numerals, ticks)
    elif log and _proves_log(log, numerals, minors):
        return "log", _refined("log", log, numerals, ticks)
    raise UnreadableError(f"its labels do not agree ({len(numerals)} read)")


def _tolerance(numerals: Sequence[Numeral], width: int) -> float:
    """How far from its place a label may be, in pixels; ticks are drawn on whole pixels."""
    return (0.9 + 0.7 * width / 850) * (1 if all(n.marked for n in numerals) else 1.5)


def _minors_on_log(
    log: Fit | None, numerals: Sequence[Numeral], ticks: Ticks, tolerance: float
) -> float | None:
    """The share of unlabelled stubs at 1 to 9 times a power of ten; None of too few of them."""
    if log is None:
        return None
    line = _refined("log", log, numerals, ticks)
    stubs = np.concatenate([ticks.major, ticks.minor])
    labelled = np.array([numeral.place for numeral in numerals])
    away = np.abs(stubs[:, None] - labelled).min(axis=1)
    level = line.offset + line.gain * stubs[away > tolerance]
    # On less than a decade minor ticks stand at other numbers too.
    if len(level) < _MINORS or np.ptp(line.offset + line.gain * stubs) < 1:
        return None
    off = np.abs(level - _nearest_ninth(level)) / abs(line.gain)
    return float(np.mean(off <= tolerance))


def _proves_linear(fit: Fit, numerals: Sequence[Numeral], ticks: Ticks) -> bool:
    if not _enough(fit, numerals):
        return False
    if fit.count < _LEAST and any(numeral.power for numeral in numerals):
        return False
    place, value = _inliers(fit, numerals)
    if fit.count > _LEAST:
        return True
    gaps = np.diff(value)
    equal = fit.count == _LEAST and bool(np.ptp(gaps) < 1e-6 * abs(gaps[0]))
    between = np.count_nonzero((ticks.major > place.min() + 1) & (ticks.major < place.max() - 1))
    return equal or _regular(abs(value[-1] - value[0]) / (between + 1))


def _proves_log(fit: Fit, numerals: Sequence[Numeral], minors: float | None) -> bool:
    if minors is not None and minors < _PROVEN:
        return False
    if not _enough(fit, numerals):
        # Two powers that fit all that stands between them are enough beside misread ones.
        powers = [n for n, fits in zip(numerals, fit.fits, strict=True) if fits and n.power]
        return minors is not None and len(powers) > 1 and min(n.sure for n in powers) >= _SURE
    if fit.count >= _LEAST or minors is not None:
        return True
    # Of two labels without minor ticks, neighbours written as powers are beyond doubt.
    low, high = np.sort(_inliers(fit, numerals)[1])
    decade = 10.0 ** np.floor(np.log10(low) + 1e-9)
    return all(n.power for n in numerals) and (
        abs(high / low - 10) < 1e-6 or abs((high - low) / decade - 1) < 1e-6
    )


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


def _closer(
    linear: Fit, log: Fit, minors: float | None, ticks: Ticks, tolerance: float
) -> tuple[Fit | None, Fit | None]:
    """The one of two fits that the other ticks or the labels' distances tell for."""
    gaps = np.diff(np.sort(ticks.major))
    if ticks.outside and len(gaps) >= _LEAST and np.ptp(gaps) > 2 * tolerance:
        return None, log
    if minors is not None:
        return (linear, None) if minors < _PROVEN else (None, log)
    if max(linear.residual, log.residual) > 2 * min(linear.residual, log.residual) + 0.1:
        return (linear, None) if linear.residual < log.residual else (None, log)
    if linear.count < _LEAST:
        return linear, None
    raise UnreadableError("it may be linear or logarithmic")


def _nearest_ninth(level: Array) -> Array:
    """The nearest levels of 1 to 9 times a power of ten."""
    decade = np.floor(level)
    around = np.append(_NINTHS, 1.0)
    return np.asarray(decade + around[np.abs((level - decade)[:, None] - around).argmin(axis=1)])


def _ninths(fit: Fit, ticks: Ticks) -> tuple[Array, Array]:
    """Places and levels of all stubs of decades, where they lie far enough apart to be told."""
    if _NINTHS[-1] + _APART * abs(fit.gain) > 1:
        return np.empty(0), np.empty(0)
    place = np.concatenate([ticks.major, ticks.minor])
    return place, _nearest_ninth(fit.offset + fit.gain * place)


def _even_ticks(
    scale: Scale, numerals: Sequence[Numeral], fit: Fit, ticks: Ticks
) -> tuple[Array, Array]:
    """Places and levels of all major stubs, where the labels show that those go by equal steps."""
    place, value = _inliers(fit, numerals)
    none = np.empty(0)
    if not len(ticks.major):
        return none, none
    index = np.abs(ticks.major - place[:, None]).argmin(axis=1)
    steps = np.diff(value) / np.maximum(np.diff(index), 1)
    if np.ptp(steps) > 1e-6 * abs(steps[0]):
        return none, none
    values = value[0] + steps[0] * (np.arange(len(ticks.major)) - index[0])
    if scale == "linear":
        return ticks.major, values
    return ticks.major[values > 0], np.log10(values[values > 0])


def _refined(scale: Scale, fit: Fit, numerals: Sequence[Numeral], ticks: Ticks) -> Fit:
    """The fit through further ticks too: each is drawn on whole pixels, their mean is not."""
    place, value = _inliers(fit, numerals)
    level = np.log10(value) if scale == "log" else value
    line = fit
    by_ninths = scale == "log" and np.abs(level - _nearest_ninth(level)).max() < 1e-6
    for _ in range(_ROUNDS):
        if by_ninths:
            more, levels = _ninths(line, ticks)
        else:
            more, levels = _even_ticks(scale, numerals, fit, ticks)
        fresh = np.abs(more[:, None] - place).min(axis=1) > 1
        chosen = fresh & (np.abs((levels - line.offset) / line.gain - more) < _ON)
        line = through(np.append(place, more[chosen]), np.append(level, levels[chosen]))
    away = (level - line.offset) / line.gain - place
    return Fit(line.gain, line.offset, fit.fits, float(np.sqrt(np.mean(away**2))))
