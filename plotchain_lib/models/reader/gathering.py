"""Collects the values of a picture field by field, each with its place or its reason."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

import numpy as np

from plotchain_lib.models.reader.seen import Reading, UnreadableError


class Gathering:
    """What a family's reader has found so far."""

    def __init__(self, fields: Iterable[str]) -> None:
        """Every field starts as None, without a reason."""
        self._values: dict[str, float | None] = dict.fromkeys(fields)
        self._reasons: dict[str, str] = {}
        self._points: dict[str, tuple[float | None, float | None]] = {}

    def put(self, field: str, value: float, x: float | None = None, y: float | None = None) -> None:
        """A value read, and the place in pixels it was read at; not finite is unreadable."""
        if not np.isfinite(value):
            self.refuse(field, "the value read is not finite")
            return
        self._values[field] = float(value)
        self._reasons.pop(field, None)
        if x is not None or y is not None:
            self._points[field] = (
                None if x is None else float(x),
                None if y is None else float(y),
            )

    def refuse(self, field: str, reason: str) -> None:
        """A field that cannot be read; a value put before is kept."""
        if self._values[field] is None:
            self._reasons[field] = reason

    @contextmanager
    def trying(self, *fields: str) -> Iterator[None]:
        """What is raised as unreadable inside becomes the reason of these fields."""
        try:
            yield
        except UnreadableError as error:
            for field in fields:
                self.refuse(field, str(error))

    def reading(self) -> Reading:
        """Everything found."""
        return Reading(self._values, self._reasons, self._points)
