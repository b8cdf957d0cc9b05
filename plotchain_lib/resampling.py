"""Intervals and tests on plain arrays: Wilson, bootstrap over items, McNemar, sign flips, Holm.

Resampling draws from the raw PCG64 stream, which NumPy guarantees never to change, and makes its
integers itself; `numpy.random.Generator` gives no such guarantee.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
import numpy.typing as npt
from scipy.stats import binom, binomtest, chi2
from statsmodels.stats.proportion import proportion_confint

_CELLS = 1 << 21  # resamples are made in blocks of at most this many numbers

Floats = npt.NDArray[np.float64]


def wilson(passed: float, n: float, alpha: float) -> tuple[float, float]:
    """Wilson's score interval of a proportion (Wilson 1927), by statsmodels."""
    lower, upper = proportion_confint(passed, n, alpha=alpha, method="wilson")
    return float(lower), float(upper)


def bootstrap_ratio(part: Floats, whole: Floats, alpha: float, resamples: int, seed: int) -> Floats:
    """Percentile intervals of ``sum(part) / sum(whole)`` when items are drawn with replacement.

    `part` and `whole` have shape (items, columns), `whole` is positive. Returns the lower and the
    upper limits, shape (columns, 2).
    """
    weights = _weights(len(part), resamples, seed)
    sums = _product(weights, np.concatenate([part, whole], axis=1))
    ratios = sums[:, : part.shape[1]] / sums[:, part.shape[1] :]
    limits: Floats = np.quantile(ratios, [alpha / 2, 1 - alpha / 2], axis=0).T
    return limits


def sign_flip(differences: Floats, resamples: int, seed: int) -> Floats:
    """Two-sided p values of a paired permutation test of a zero sum of differences.

    Under the null hypothesis the two models are exchangeable within an item, so each item's
    difference may have either sign. `differences` has shape (items, columns), the result
    (columns,). p = (1 + as extreme) / (1 + resamples), never zero (Phipson and Smyth 2010); 1 where
    no item differs.
    """
    observed = np.abs(differences.sum(axis=0))
    flipped = np.abs(_product(_signs(len(differences), resamples, seed), differences))
    # A small slack keeps equal sums equal: their terms are added in another order.
    slack = 1e-9 * np.maximum(1.0, np.abs(differences).sum(axis=0))
    p_values: Floats = (1 + (flipped >= observed - slack).sum(axis=0)) / (1 + resamples)
    return p_values


def mcnemar(only_first: int, only_second: int) -> dict[str, float]:
    """McNemar's test on the discordant counts, in three versions.

    ``p_exact`` (two-sided binomial, the one to report), ``p_mid`` (exact less half the probability
    of the observed table, Fagerland et al. 2013), ``chi2_cc`` and ``p_chi2_cc`` (chi-square with
    continuity correction, as the PlotChain release computed). All p are 1 without discordance.
    """
    n = only_first + only_second
    if n == 0:
        return {"p_exact": 1.0, "p_mid": 1.0, "chi2_cc": 0.0, "p_chi2_cc": 1.0}
    exact = float(binomtest(only_first, n).pvalue)
    observed = float(binom.pmf(only_first, n, 0.5))
    statistic = max(abs(only_first - only_second) - 1, 0) ** 2 / n
    return {
        "p_exact": exact,
        "p_mid": exact - observed if only_first != only_second else 1.0,
        "chi2_cc": statistic,
        "p_chi2_cc": float(chi2.sf(statistic, 1)),
    }


def holm(p_values: Sequence[float]) -> list[float]:
    """Holm's step-down adjusted p values (Holm 1979), in the given order; empty for none.

    The k-th smallest of m is multiplied by m - k + 1, never falls below the one before it, and is
    at most 1. (statsmodels agrees to the last bit, but collects garbage at every call.)
    """
    order = sorted(range(len(p_values)), key=lambda place: p_values[place])
    adjusted = [0.0] * len(p_values)
    largest = 0.0
    for rank, place in enumerate(order):
        largest = max(largest, min(1.0, (len(p_values) - rank) * p_values[place]))
        adjusted[place] = largest
    return adjusted


@lru_cache(maxsize=6)
def _weights(items: int, resamples: int, seed: int) -> npt.NDArray[np.uint16]:
    """How often each item is drawn in each resample, shape (resamples, items)."""
    stream = np.random.PCG64(seed)
    weights = np.empty((resamples, items), dtype=np.uint16)
    block = max(1, _CELLS // items)
    for start in range(0, resamples, block):
        rows = min(block, resamples - start)
        # The upper 32 bits scaled to 0..items-1; the bias is below items / 2**32.
        upper = stream.random_raw(rows * items) >> np.uint64(32)
        drawn = (upper * np.uint64(items)) >> np.uint64(32)
        places = drawn.astype(np.int64).reshape(rows, items) + np.arange(rows)[:, None] * items
        counts = np.bincount(places.ravel(), minlength=rows * items)
        weights[start : start + rows] = counts.reshape(rows, items)
    return weights


@lru_cache(maxsize=6)
def _signs(items: int, resamples: int, seed: int) -> npt.NDArray[np.int8]:
    """Random signs, shape (resamples, items), from another stream than the bootstrap's."""
    stream = np.random.PCG64([seed, 1])
    words = -(-resamples * items // 64)
    bits = np.unpackbits(stream.random_raw(words).astype("<u8").view(np.uint8))
    signs = bits[: resamples * items].reshape(resamples, items).astype(np.int8)
    return 2 * signs - 1


def _product(matrix: npt.NDArray[np.uint16] | npt.NDArray[np.int8], columns: Floats) -> Floats:
    """`matrix @ columns` in blocks of rows, so that the matrix is never wholly in float64."""
    block = max(1, _CELLS // matrix.shape[1])
    parts = [
        matrix[start : start + block].astype(np.float64) @ columns
        for start in range(0, len(matrix), block)
    ]
    return np.concatenate(parts)
