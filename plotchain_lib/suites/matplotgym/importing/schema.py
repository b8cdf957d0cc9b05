"""A draft of SCHEMA.md from the data: what a machine can tell, with gaps for what it cannot."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from plotchain_lib.suites.matplotgym.columns import head
from plotchain_lib.suites.matplotgym.defects import UNFILLED

if TYPE_CHECKING:
    import pandas as pd

_MOST_COLUMNS = 60
_MOST_LABELS = 8
_LONGEST = 40


def draft(data: Path, names: Iterable[str]) -> str:
    """The draft for files below a folder: columns, their types and an example.

    What each column is, and its unit, is left to be filled in: ``UNFILLED`` marks each gap.
    """
    return "\n\n".join(_section(data / name, name) for name in names) + "\n"


def _section(path: Path, name: str) -> str:
    lines = [f"# data/{name}", f"One row per {UNFILLED}."]
    table = head(path)
    if table is None or not len(table.columns):
        return f"# data/{name}\n{UNFILLED}: what the file holds, in what layout and units."
    for column in list(table.columns)[:_MOST_COLUMNS]:
        lines.append(f"- {column}: {UNFILLED} ({_kind(table[column])})")
    if len(table.columns) > _MOST_COLUMNS:
        lines.append(f"- {len(table.columns) - _MOST_COLUMNS} more columns: {UNFILLED}")
    return "\n".join(lines)


def _kind(values: pd.Series) -> str:
    """The type of a column's first rows, and an example."""
    there = values.dropna()
    if there.empty:
        return "empty in the first rows"
    gaps = ", with gaps" if len(there) < len(values) else ""
    example = " ".join(str(there.iloc[0]).split())[:_LONGEST]
    if values.dtype.kind in "iu":
        return f"whole number{gaps}, e.g. {example}"
    if values.dtype.kind == "f":
        return f"number{gaps}, e.g. {example}"
    if values.dtype.kind == "b":
        return f"true or false{gaps}"
    labels = sorted({" ".join(str(value).split())[:_LONGEST] for value in there})
    if len(labels) <= _MOST_LABELS < len(there):
        return f"text{gaps}: {', '.join(labels)}"
    return f"text{gaps}, e.g. {example}"
