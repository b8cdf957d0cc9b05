"""Low-pass transfer functions of order 1 to 3, shared by the two Bode families.

With x = f / f_corner and damping ratio z: order 1 is 1 / (1 + jx); order 2 is
1 / (1 - x^2 + 2jzx); order 3 is their product (Franklin, Powell and Emami-Naeini, Feedback Control
of Dynamic Systems, chapter on frequency response). The cutoff is the half-power frequency.
"""

from __future__ import annotations

import math

import numpy as np

from plotchain_lib.suites.plotchain.family import Array

THREE_DB = 10.0 * math.log10(2.0)  # half the power

_NEWTON_STEPS = 40  # quadratic convergence needs about ten


def attenuation_db(order: int, damping: float, ratio: Array) -> Array:
    """By how many decibels the magnitude lies below its value at zero frequency."""
    square = np.asarray(ratio, dtype=np.float64) ** 2
    loss = np.ones_like(square)
    if order != 2:
        loss = loss * (1.0 + square)
    if order >= 2:
        loss = loss * ((1.0 - square) ** 2 + 4.0 * damping**2 * square)
    return np.asarray(10.0 * np.log10(loss))


def slope_db_per_decade(order: int, damping: float, ratio: float) -> float:
    """The slope of the magnitude in decibels against the decimal logarithm of frequency."""
    square = ratio**2
    slope = 0.0
    if order != 2:
        slope -= 20.0 * square / (1.0 + square)
    if order >= 2:
        loss = (1.0 - square) ** 2 + 4.0 * damping**2 * square
        slope -= 20.0 * square * (4.0 * damping**2 - 2.0 * (1.0 - square)) / loss
    return slope


def phase_lag_deg(order: int, damping: float, ratio: Array) -> Array:
    """By how many degrees the output lags the input, without jumps: 0 to 90 times the order."""
    ratio = np.asarray(ratio, dtype=np.float64)
    lag = np.zeros_like(ratio)
    if order != 2:
        lag = lag + np.arctan(ratio)
    if order >= 2:
        lag = lag + np.arctan2(2.0 * damping * ratio, 1.0 - ratio**2)
    return np.asarray(np.degrees(lag))


def cutoff_ratio(order: int, damping: float) -> float:
    """Half-power frequency divided by corner frequency; there is one, also with a resonance."""
    if order == 1:
        return 1.0
    c = 4.0 * damping**2 - 1.0
    if order == 2:
        half = (1.0 - c) / 2.0
        return math.sqrt(half + math.sqrt(half**2 + 1.0))
    # Order 3: u^3 + c u^2 + c u = 1 for the squared ratio. Its only positive root lies below 3, in
    # a convex stretch, so that Newton's steps fall towards it.
    u = 3.0
    for _ in range(_NEWTON_STEPS):
        u -= (((u + c) * u + c) * u - 1.0) / ((3.0 * u + 2.0 * c) * u + c)
    return math.sqrt(u)
