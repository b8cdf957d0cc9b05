"""The scale of the axis that each field is read on.

A field may rest on coordinates of both axes (a cutoff frequency also on the level 3 dB down). Its
axis is the one that is labelled with its unit; a field in another unit (a slope, a ratio) takes the
axis on which a pixel of misreading moves it most.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from plotchain_lib.item import Item
from plotchain_lib.suites.plotchain import families, published
from plotchain_lib.suites.plotchain.family import Array, Family, Parameters
from plotchain_lib.suites.plotchain.readability import moved

SAMPLE = 8  # items of a family that are looked at; all have the same kind of axes


def field_axes(items: Iterable[Item]) -> dict[tuple[str, str], str]:
    """(family, field) to ``linear`` or ``log``; pairs of which it is not known are left out.

    Of items that are drawn here, or were exported from here, it is computed; of the published
    release it is known (`published.LOG_AXIS`), because its parameters say nothing of axes.
    """
    samples: dict[str, list[Item]] = {}
    asked: set[tuple[str, str]] = set()
    for item in items:
        own = samples.setdefault(item.group, [])
        if len(own) < SAMPLE:
            own.append(item)
        asked.update((item.group, field.name) for field in item.fields)
    found: dict[tuple[str, str], str] = {}
    for group, own in samples.items():
        if group in families.names():
            axes = _axes(families.load(group), own)
            found |= {(group, name): axis for name, axis in axes.items() if (group, name) in asked}
    return found


def _axes(family: Family, items: list[Item]) -> dict[str, str]:
    names = [field.name for field in family.fields]
    total = {scale: np.zeros(len(names)) for scale in ("linear", "log")}
    try:
        for item in items:
            for scale, moves in _moves(family, item.params).items():
                total[scale] += moves
    except KeyError:  # parameters of another make: the published release's
        known = {field for group, field in published.LOG_AXIS if group == family.name}
        return {name: "log" if name in known else "linear" for name in names}
    found: dict[str, str] = {}
    frame = family.frame(items[0].params)
    for field, linear, log in zip(family.fields, total["linear"], total["log"], strict=True):
        named = [a.scale for a in (frame.x, frame.y) if a.label.endswith(f"({field.unit})")]
        found[field.name] = named[0] if named else "log" if log > linear else "linear"
    return found


def _moves(family: Family, params: Parameters) -> dict[str, Array]:
    """By scale, how far a pixel moves each field, relative to its value; shape (fields,)."""
    frame, reads = family.frame(params), family.reads(params)
    pixels = {name: np.array([0.0, *(float(name == other) for other in reads)]) for name in reads}
    values = family.from_reads(moved(frame, reads, pixels), params)
    columns = [np.broadcast_to(values[field.name], len(reads) + 1) for field in family.fields]
    table = np.array(columns, dtype=float)
    change = np.abs(table[:, 1:] - table[:, :1]) / np.maximum(np.abs(table[:, :1]), 1e-12)
    scales = [(frame.x if read.axis == "x" else frame.y).scale for read in reads.values()]
    return {
        scale: np.nan_to_num(change[:, [s == scale for s in scales]]).sum(axis=1)
        for scale in ("linear", "log")
    }
