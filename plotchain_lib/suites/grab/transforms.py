"""Questions of the task transform: a function, a chain of operations, a property of the result."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from plotchain_lib.sampling import significant
from plotchain_lib.suites.grab import planes
from plotchain_lib.suites.grab.curves import Polynomial, Sine
from plotchain_lib.suites.grab.dice import Dice
from plotchain_lib.suites.grab.fitting import FITS
from plotchain_lib.suites.grab.planes import Plane
from plotchain_lib.suites.grab.rounding import is_clear, target, written
from plotchain_lib.suites.grab.scene import Scene
from plotchain_lib.suites.grab.shapes import DIGITS, KINDS, Frame, interval, stretched, unit_shape

FRAME = Frame(10.0, 10.0)
FACTORS = (0.5, 2.0, 3.0)
_WIDEST, _FARTHEST = 60.0, 80.0  # of a curve on its way: its extent, and its distance from 0
_FACTOR_LIMITS = (0.25, 6.0)  # of both axes together with all before: a reading's error grows so
_SLOPES = (0.12, 9.0)

# Property to the smallest and largest answer.
RANGES: Mapping[str, tuple[float, float]] = {
    "gradient": (-12.0, 12.0),
    "net_area": (-150.0, 150.0),
    "total_area": (5.0, 240.0),
    "domain_length": (1.0, 55.0),
    "range": (1.0, 55.0),
    "maximum": (-40.0, 40.0),
    "minimum": (-40.0, 40.0),
}


def _operation(dice: Dice) -> dict[str, Any]:
    kind = dice.choice(("rotation", "rotation", "scale", "translation", "translation",
                        "reflection", "reflection"))  # fmt: skip
    if kind == "rotation":
        return {"kind": kind, "value": dice.choice((90, 180, 270))}
    if kind == "scale":
        return {"kind": kind, "value": dice.choice(FACTORS), "in": dice.choice("xy")}
    value = dice.integer(1, 9) * dice.sign()
    if kind == "translation":
        return {"kind": kind, "value": value, "in": dice.choice("xy")}
    line = dice.choice(("x-axis", "y-axis", "y=x", "y=-x", "x=a", "y=b"))
    return {"kind": kind, "line": line, **({"value": value} if line in ("x=a", "y=b") else {})}


def _chain(dice: Dice, count: int) -> list[dict[str, Any]] | None:
    """Operations none of which undoes the one before, with factors that stay moderate."""
    chain: list[dict[str, Any]] = []
    whole = Plane()
    for _ in range(30 * count):
        if len(chain) == count:
            break
        operation = _operation(dice)
        last = planes.plane(chain[-1]) if chain else Plane()
        if planes.is_identity(last.then(planes.plane(operation))):
            continue
        after = whole.then(planes.plane(operation))
        factors = (abs(after.a) + abs(after.b), abs(after.c) + abs(after.d))
        if all(_FACTOR_LIMITS[0] <= factor <= _FACTOR_LIMITS[1] for factor in factors):
            chain.append(operation)
            whole = after
    return chain if len(chain) == count else None


def _line(dice: Dice, value: float, whole: Plane) -> Polynomial | None:
    """A line whose transformed gradient is `value`."""
    if whole.swaps:
        if value == 0.0:
            return None
        slope = whole.c / (whole.b * value)
    else:
        slope = value * whole.a / whole.d
    if slope != 0.0 and not _SLOPES[0] <= abs(slope) <= _SLOPES[1]:
        return None
    made = FITS["gradient"].make(dice, significant(slope, DIGITS), "linear", FRAME)
    return made if isinstance(made, Polynomial) else None


def _ended(dice: Dice, value: float, right: bool, kind: str) -> Polynomial | Sine | None:
    """A function whose interval ends at `value`, on the right or on the left."""
    room = FRAME.x + value if right else FRAME.x - value
    if not 2.0 <= room <= 2.0 * FRAME.x - 0.4:
        return None
    width = max(2.0, room * dice.uniform(0.3, 0.95))
    low, high = (value - width, value) if right else (value, value + width)
    height = FRAME.y * dice.uniform(0.3, 1.0)
    offset = dice.uniform(-1.0, 1.0) * (FRAME.y - height)
    return stretched(unit_shape(dice, kind), round(low, 3), round(high, 3), height, offset)


def _fitted(dice: Dice, name: str, value: float, whole: Plane, kind: str) -> Any:
    """A function whose transformed extent or extremum is `value`."""
    if name in ("maximum", "minimum"):
        factor = whole.c if whole.swaps else whole.d
        before = round((value - whole.f) / factor, 4)
        upper = (name == "maximum") == (factor > 0.0)
        if whole.swaps:
            return _ended(dice, before, upper, kind)
        if abs(before) > 0.96 * FRAME.y:
            return None
        return FITS["maximum" if upper else "minimum"].make(dice, before, kind, FRAME)
    along_x = (name == "domain_length") != whole.swaps
    row = (whole.a, whole.b) if name == "domain_length" else (whole.c, whole.d)
    before = round(value / max(map(abs, row)), 4)
    if not 1.2 <= before <= 19.0:
        return None
    return FITS["domain_length" if along_x else "range"].make(dice, before, kind, FRAME)


def _any(dice: Dice, whole: Plane) -> Polynomial | Sine:
    kind = dice.choice(("linear", "monotone") if whole.swaps else KINDS)
    low, high = interval(dice, FRAME)
    height = FRAME.y * dice.uniform(0.15, 1.0)
    offset = dice.uniform(-1.0, 1.0) * (FRAME.y - height)
    return stretched(unit_shape(dice, kind), low, high, height, offset)


def compute(name: str, curve: Any, whole: Plane) -> float:
    """A property of the transformed curve."""
    if name == "gradient":
        return planes.slope(curve, whole)
    if name == "net_area":
        return planes.net_area(curve, whole)
    if name == "total_area":
        return planes.total_area(curve, whole)
    across, up = planes.extents(curve, whole)
    return {
        "domain_length": across[1] - across[0],
        "range": up[1] - up[0],
        "maximum": up[1],
        "minimum": up[0],
    }[name]


def _stays(curve: Any, chain: list[dict[str, Any]]) -> bool:
    """Whether every operation moves the curve, and none carries it too far."""
    whole = Plane()
    for operation in chain:
        if planes.is_fixed(curve, whole, operation):
            return False
        whole = whole.then(planes.plane(operation))
        for low, high in planes.extents(curve, whole):
            if high - low > _WIDEST or max(-low, high) > _FARTHEST:
                return False
    return True


def scene(name: str, dice: Dice, aim: float, count: int, precision: str) -> Scene | None:
    """One candidate with `count` operations; None where the draw does not allow one."""
    low, high = RANGES[name]
    chain = _chain(dice, count)
    if chain is None:
        return None
    whole = planes.composed(chain)
    curve: Any
    if name in ("net_area", "total_area"):
        curve = _any(dice, whole)
    else:
        wanted = target(dice, aim, low, high, precision, exact=name == "gradient")
        curve = (
            _line(dice, wanted, whole)
            if name == "gradient"
            else _fitted(dice, name, wanted, whole, dice.choice(KINDS))
        )
    if curve is None or not _stays(curve, chain):
        return None
    value = compute(name, curve, whole)
    if not low <= value <= high or not is_clear(value, precision):
        return None
    place = (value - low) / (high - low)
    return Scene(written(value, precision), place, value, (curve,), operations=tuple(chain))
