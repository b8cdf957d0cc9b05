"""Low-pass filters of order 1 to 3, for the two kinds of Bode plot.

With x the frequency over the corner frequency and z the damping ratio: order 1 is 1 / (1 + jx),
order 2 is 1 / (1 - x^2 + 2jzx), order 3 is their product.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from plotchain_lib.models.reader.fit import Fit, first_fit, fit_curve
from plotchain_lib.models.reader.seen import Array, Curve, UnreadableError

THREE_DB = 10.0 * float(np.log10(2.0))  # half the power
_ENOUGH = 0.2  # residual of a fit, in pixels at 100 dpi, that no other need be compared with


def loss_db(order: int, damping: Any, ratio: Array) -> Array:
    """Decibels below the gain at zero frequency, at frequencies over the corner's (broadcast)."""
    square = np.asarray(ratio, dtype=np.float64) ** 2
    power = np.ones_like(square)
    if order != 2:
        power = power * (1.0 + square)
    if order != 1:
        power = power * ((1.0 - square) ** 2 + 4.0 * damping**2 * square)
    return np.asarray(10.0 * np.log10(power))


def lag_deg(order: int, damping: Any, ratio: Array) -> Array:
    """Phase lag in degrees, without jumps, at frequencies over the corner's (broadcast)."""
    ratio = np.asarray(ratio, dtype=np.float64)
    lag = np.zeros_like(ratio)
    if order != 2:
        lag = lag + np.arctan(ratio)
    if order != 1:
        lag = lag + np.arctan2(2.0 * damping * ratio, 1.0 - ratio**2)
    return np.asarray(np.degrees(lag))


def cutoff_ratio(order: int, damping: float) -> float:
    """The frequency above which the loss stays more than 3 dB, over the corner frequency.

    Raises:
        UnreadableError: it is not within a factor of a thousand of the corner.
    """
    ratios = np.geomspace(1e-3, 1e3, 1201)
    losses = loss_db(order, damping, ratios) - THREE_DB
    below = np.nonzero(losses < 0.0)[0]
    if below.size == 0 or below[-1] == ratios.size - 1:
        raise UnreadableError("the filter has no cutoff")
    low, high = float(ratios[below[-1]]), float(ratios[below[-1] + 1])
    for _ in range(40):
        middle = (low * high) ** 0.5
        if float(loss_db(order, damping, np.array(middle))) < THREE_DB:
            low = middle
        else:
            high = middle
    return low


def fit_orders(
    curve: Curve,
    start: Callable[[int], tuple[Array, float]],
    height: Callable[[int, Array, Array], Array],
    unit: float,
) -> tuple[int, Fit]:
    """The order whose model follows the curve best, and its fit.

    Args:
        curve: the traced curve.
        start: the first guess for an order and its distance from the curve, as of `best_start`.
        height: places in y from an order, parameters and places in x.
        unit: pixels that stand for one at 100 dots per inch.

    Raises:
        UnreadableError: the curve has too few points.
    """
    starts = {order: start(order) for order in (1, 2, 3)}
    # Order 1 first: the others imitate it with a pole out of the picture.
    orders = sorted(starts, key=lambda order: (order > 1, starts[order][1]))
    fits = (fit_curve(partial(height, o), starts[o][0], curve.x, curve.y) for o in orders)
    index, fit = first_fit(fits, _ENOUGH * unit)
    return orders[index], fit
