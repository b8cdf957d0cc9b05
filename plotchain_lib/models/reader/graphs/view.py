"""A graph in the units of its axes, after what the question does to it, and a little off."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from plotchain_lib.models.reader.graphs.curves import Graph
from plotchain_lib.models.reader.graphs.operations import moved
from plotchain_lib.models.reader.seen import Array, Axis

POINTS = 3001
OFF = 0.4  # pixels: how far a fitted line may lie beside the one drawn


@dataclass(frozen=True)
class View:
    """A function.

    Attributes:
        graph: in pixels.
        x, y: the axes, both linear.
        plane: what is done to it, shape (3, 3).
    """

    graph: Graph
    x: Axis
    y: Axis
    plane: Array

    @cached_property
    def points(self) -> Array:
        """Places on it, closely spaced, in order, shape (POINTS, 2)."""
        across = np.linspace(self.graph.low, self.graph.high, POINTS)
        drawn = np.column_stack([self.x.value(across), self.y.value(self.graph.form.at(across))])
        return moved(self.plane, drawn)

    def nearby(self) -> list[View]:
        """What it may be instead: each end, the height and the place a little off."""
        graph, off = self.graph, OFF
        up = replace(self.y, offset=self.y.offset + off * self.y.gain)
        right = replace(self.x, offset=self.x.offset + off * self.x.gain)
        return [
            View(replace(graph, low=graph.low - graph.low_error), self.x, self.y, self.plane),
            View(replace(graph, high=graph.high + graph.high_error), self.x, self.y, self.plane),
            View(graph, self.x, up, self.plane),
            View(graph, right, self.y, self.plane),
        ]
