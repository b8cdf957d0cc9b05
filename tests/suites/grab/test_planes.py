"""Operations on the plane: by hand, and point by point on a densely sampled curve."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from plotchain_lib.suites.grab import planes, transforms
from plotchain_lib.suites.grab.curves import Polynomial, Sine
from plotchain_lib.suites.grab.dice import Dice
from plotchain_lib.suites.grab.measure import moved
from plotchain_lib.suites.grab.planes import Plane

ROTATE: dict[str, Any] = {"kind": "rotation", "value": 90}
OPERATIONS: list[tuple[dict[str, Any], tuple[float, float]]] = [
    # Where (3, 1) goes.
    (ROTATE, (-1.0, 3.0)),
    ({"kind": "rotation", "value": 180}, (-3.0, -1.0)),
    ({"kind": "rotation", "value": 270}, (1.0, -3.0)),
    ({"kind": "translation", "value": -4, "in": "x"}, (-1.0, 1.0)),
    ({"kind": "translation", "value": 5, "in": "y"}, (3.0, 6.0)),
    ({"kind": "scale", "value": 2.0, "in": "x"}, (6.0, 1.0)),
    ({"kind": "scale", "value": 0.5, "in": "y"}, (3.0, 0.5)),
    ({"kind": "reflection", "line": "x-axis"}, (3.0, -1.0)),
    ({"kind": "reflection", "line": "y-axis"}, (-3.0, 1.0)),
    ({"kind": "reflection", "line": "y=x"}, (1.0, 3.0)),
    ({"kind": "reflection", "line": "y=-x"}, (-1.0, -3.0)),
    ({"kind": "reflection", "line": "x=a", "value": 5}, (7.0, 1.0)),
    ({"kind": "reflection", "line": "y=b", "value": -2}, (3.0, -5.0)),
]


@pytest.mark.parametrize(("operation", "expected"), OPERATIONS)
def test_one_operation_moves_a_point_as_by_hand(
    operation: dict[str, Any], expected: tuple[float, float]
) -> None:
    assert planes.plane(operation).at(3.0, 1.0) == expected
    assert moved(np.array([[3.0, 1.0]]), operation)[0] == pytest.approx(expected)


def test_the_first_operation_comes_first() -> None:
    scale = {"kind": "scale", "value": 3.0, "in": "x"}
    assert planes.composed([ROTATE, scale]).at(2.0, 1.0) == (-3.0, 2.0)
    assert planes.composed([scale, ROTATE]).at(2.0, 1.0) == (-1.0, 6.0)
    assert planes.is_identity(planes.composed([ROTATE] * 4))
    assert not planes.is_identity(planes.composed([ROTATE] * 3))


def test_a_line_mirrored_in_the_diagonal_has_the_inverse_gradient() -> None:
    line = Polynomial((1.0, 4.0), 0.0, -2.0, 2.0)
    assert planes.slope(line, planes.plane({"kind": "reflection", "line": "y=x"})) == 0.25
    assert planes.slope(line, planes.plane(ROTATE)) == -0.25


def test_area_of_a_swapped_line_by_hand() -> None:
    """y = 2 x from -1 to 3, mirrored in y = x: y = x / 2 from -2 to 6."""
    line = Polynomial((0.0, 2.0), 0.0, -1.0, 3.0)
    swapped = planes.plane({"kind": "reflection", "line": "y=x"})
    assert planes.is_function(line, swapped)
    assert planes.net_area(line, swapped) == pytest.approx(8.0)
    assert planes.total_area(line, swapped) == pytest.approx(10.0)


def test_only_monotone_curves_stay_functions_when_swapped() -> None:
    assert planes.is_function(Sine(1.0, 4.0, 0.0, 0.0, -0.9, 0.9), planes.plane(ROTATE))
    assert not planes.is_function(Sine(1.0, 4.0, 0.0, 0.0, -3.0, 0.9), planes.plane(ROTATE))


@pytest.mark.parametrize("seed", range(40))
def test_properties_of_any_chain_agree_with_the_moved_points(seed: int) -> None:
    dice = Dice("chains", seed)
    chain = transforms._chain(dice, dice.integer(1, 9))
    assert chain is not None
    whole = planes.composed(chain)
    kind = transforms._any(dice, whole)
    x = np.linspace(kind.low, kind.high, 200_001)
    points = np.column_stack([x, kind.at(x)])
    for operation in chain:
        points = moved(points, operation)
    (left, right), (bottom, top) = planes.extents(kind, whole)
    assert (left, bottom) == pytest.approx(tuple(points.min(axis=0)), abs=1e-6)
    assert (right, top) == pytest.approx(tuple(points.max(axis=0)), abs=1e-6)
    across, up = points[np.argsort(points[:, 0], kind="stable")].T
    scale = (right - left) * max(abs(top), abs(bottom))
    assert planes.net_area(kind, whole) == pytest.approx(np.trapezoid(up, across), abs=1e-6 * scale)
    assert planes.total_area(kind, whole) == pytest.approx(
        np.trapezoid(np.abs(up), across), abs=1e-6 * scale
    )


@pytest.mark.parametrize(
    ("curve", "operation"),
    [
        (Polynomial((1.0, 0.0, 1.0), 0.0, -2.0, 2.0), {"kind": "reflection", "line": "y-axis"}),
        (Polynomial((0.0, 1.0), 0.0, -2.0, 2.0), {"kind": "reflection", "line": "y=x"}),
        (Polynomial((0.0, 1.0), 0.0, -2.0, 2.0), {"kind": "reflection", "line": "y=-x"}),
        (Polynomial((0.0, 3.0), 0.0, -2.0, 2.0), {"kind": "rotation", "value": 180}),
        (Polynomial((4.0, 0.0), 0.0, 1.0, 3.0), {"kind": "reflection", "line": "x=a", "value": 2}),
        (Polynomial((4.0, 0.0), 0.0, 1.0, 3.0), {"kind": "reflection", "line": "y=b", "value": 4}),
    ],
)
def test_operations_that_leave_a_curve_are_known(
    curve: Polynomial, operation: dict[str, Any]
) -> None:
    assert planes.is_fixed(curve, Plane(), operation)
    moved_first = planes.plane({"kind": "translation", "value": 3, "in": "x"})
    assert not planes.is_fixed(curve, moved_first, operation) or operation["line"] == "y=b"
