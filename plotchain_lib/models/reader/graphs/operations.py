"""Operations on the plane, as a question words them."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from plotchain_lib.models.reader.seen import Array, UnreadableError

_N = r"(-?\d{1,4}(?:\.\d{1,4})?)"
_TURNED = re.compile(rf"rotate it by {_N} degrees anticlockwise about the origin")
_MOVED = re.compile(rf"move it by {_N} in the ([xy])-direction")
_SCALED = re.compile(rf"multiply all its ([xy])-coordinates by {_N}")
_MIRRORED = re.compile(rf"mirror it in the (?:([xy])-axis|line (?:y = (-?)x|([xy]) = {_N}))")


def plane(steps: Sequence[str]) -> Array:
    """All steps, the first one first, as a matrix of shape (3, 3) on columns (x, y, 1).

    Raises UnreadableError for a step that is not known.
    """
    whole = np.eye(3)
    for step in steps:
        whole = _step(step) @ whole
    return whole


def moved(whole: Array, points: Array) -> Array:
    """Points of shape (n, 2) under a map of shape (3, 3)."""
    return np.asarray(points @ whole[:2, :2].T + whole[:2, 2])


def _step(text: str) -> Array:
    matrix = np.eye(3)
    if found := _TURNED.fullmatch(text):
        angle = np.radians(float(found[1]))
        turn = [[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]
        matrix[:2, :2] = turn
    elif found := _MOVED.fullmatch(text):
        matrix["xy".index(found[2]), 2] = float(found[1])
    elif found := _SCALED.fullmatch(text):
        axis = "xy".index(found[1])
        matrix[axis, axis] = float(found[2])
    elif found := _MIRRORED.fullmatch(text):
        _mirror(matrix, found)
    else:
        raise UnreadableError(f"a step is not known: {text}")
    return matrix


def _mirror(matrix: Array, found: re.Match[str]) -> None:
    along, minus, crossed, value = found.groups()
    if along:
        axis = 1 - "xy".index(along)  # the coordinate that changes its sign
        matrix[axis, axis] = -1.0
    elif crossed:
        axis = "xy".index(crossed)
        matrix[axis, axis], matrix[axis, 2] = -1.0, 2.0 * float(value)
    else:
        sign = -1.0 if minus else 1.0
        matrix[:2, :2] = [[0.0, sign], [sign, 0.0]]
