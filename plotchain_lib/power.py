"""How large a difference a paired test can show, and how many items it takes.

Both models answer the same n items; d is an item's difference (for an item rate -1, 0 or 1). A
two-sided test at level alpha finds a mean difference delta with the given power if

    sqrt(n) delta = z(1 - alpha/2) sqrt(psi) + z(power) sqrt(psi - delta^2),

where psi is the mean of d^2. For an item rate psi is the share of discordant items, and this is the
sample size of McNemar's test (Miettinen 1968, Biometrics 24; Connor 1987, Biometrics 43). For a
field rate it is the same normal approximation with the observed spread of the differences.
"""

from __future__ import annotations

import math
from statistics import NormalDist

POWER = 0.8


def smallest_difference(
    discordance: float, items: int, alpha: float, power: float = POWER
) -> float | None:
    """The smallest difference (share) that so many items show.

    `discordance` is the mean of the squared differences per item, in squares of the rate. None
    where nothing differs or the items are too few for any difference.
    """
    first, second = _quantiles(alpha, power)
    root = items + second**2 - first**2
    if discordance <= 0 or root <= 0:
        return None
    share = (first * math.sqrt(items) + second * math.sqrt(root)) / (items + second**2)
    return math.sqrt(discordance) * share if share < 1 else None


def items_needed(
    difference: float, discordance: float, alpha: float, power: float = POWER
) -> int | None:
    """How many such items it takes to show a difference (share); None where there is none."""
    rest = discordance - difference**2
    if difference == 0 or rest < 0:
        return None
    first, second = _quantiles(alpha, power)
    root = (first * math.sqrt(discordance) + second * math.sqrt(rest)) / abs(difference)
    return math.ceil(root**2)


def _quantiles(alpha: float, power: float) -> tuple[float, float]:
    normal = NormalDist()
    return normal.inv_cdf(1 - alpha / 2), normal.inv_cdf(power)
