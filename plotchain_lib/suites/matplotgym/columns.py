"""The columns of a data file, as far as they can be told without knowing what it means."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd

TEXT = (".csv", ".tsv", ".tab", ".txt", ".dat")
_DELIMITERS = ("\t", ",", ";", "|")  # of as many of two, the former
_ROWS = 1000
_LOOSE = (".txt", ".dat")  # may hold prose as well as a table
_BINARY = {".parquet": "read_parquet", ".feather": "read_feather"}


def header(path: Path) -> list[str]:
    """The names in the first row of a table in a file; none where it is no table.

    In text, the first row is the first line that does not begin with ``#``.
    """
    if path.suffix.lower() in (*_BINARY, *_LOOSE):
        found = head(path)
        return [] if found is None else [str(name) for name in found.columns]
    with path.open("rb") as stream:
        if b"\0" in stream.read(4096):
            return []
    try:
        with path.open(encoding="utf-8-sig", errors="replace", newline="") as stream:
            line = next((line for line in stream if not line.startswith("#")), "")
            return next(csv.reader([line], delimiter=delimiter(line)), [])
    except csv.Error:  # a field longer than any name
        return []


def delimiter(line: str) -> str:
    """The most frequent of tab, comma, semicolon and bar; where there is none, any would do."""
    return max(_DELIMITERS, key=line.count)


def head(path: Path) -> pd.DataFrame | None:
    """The first thousand rows of a table; None where the file holds none that can be read.

    Text without any of the delimiters is taken to be separated by blanks; a text file without
    two rows and a column of numbers is taken to be prose.
    """
    import pandas as pd

    suffix = path.suffix.lower()
    try:
        if suffix in _BINARY:
            read: pd.DataFrame = getattr(pd, _BINARY[suffix])(path)
            return read.head(_ROWS)
        if suffix in TEXT:
            with path.open(encoding="utf-8-sig", errors="replace") as stream:
                lines = [next(stream, "") for _ in range(100)]
            skipped = next((n for n, line in enumerate(lines) if not line.startswith("#")), 0)
            first = lines[skipped]
            plain = not any(sign in first for sign in _DELIMITERS) and " " in first.strip()
            table = pd.read_csv(
                path, sep=r"\s+" if plain else delimiter(first), nrows=_ROWS, skiprows=skipped,
                encoding="utf-8-sig", encoding_errors="replace",
            )  # fmt: skip
            numbers = any(table[name].notna().any() for name in table.select_dtypes("number"))
            return table if suffix not in _LOOSE or (numbers and len(table) > 1) else None
    except (OSError, ValueError, ImportError):  # pandas' own errors are ValueErrors
        return None
    return None
