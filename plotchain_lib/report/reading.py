"""Files of a run read and checked: what is missing is told in one line."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow.parquet

from plotchain_lib.item import PlotChainError


def read_parquet(
    path: Path, columns: Iterable[str], chosen: Collection[str] | None = None
) -> pd.DataFrame:
    """A parquet file that must have these columns; with `chosen` only those of them are read."""
    try:
        names = None if chosen is None else pyarrow.parquet.read_schema(path).names
        read = None if names is None else [name for name in names if name in (chosen or ())]
        frame = pd.read_parquet(path, columns=read)
    except OSError as error:
        raise _unreadable(path, error) from error
    except ValueError as error:
        raise PlotChainError(f"{path}: not a parquet table; delete it and run again") from error
    _check_columns(path, frame, columns)
    return frame


def read_record(path: Path) -> dict[str, Any]:
    """A JSON file that must hold an object."""
    try:
        record = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise _unreadable(path, error) from error
    except ValueError as error:
        raise PlotChainError(f"{path}: not valid JSON; delete it and run again") from error
    if not isinstance(record, dict):
        raise PlotChainError(f"{path}: expected a JSON object; delete it and run again")
    return record


def read_each(
    files: Mapping[str, Path], columns: Sequence[str], optional: Sequence[str] = ()
) -> pd.DataFrame | None:
    """A table of each model as one, with the column ``model``; None where there is no file.

    No other columns are read, as tables may hold pictures beside; `optional` ones may be missing.
    """
    frames = []
    for model, path in files.items():
        frame = read_parquet(path, columns, (*columns, *optional))
        frames.append(frame.assign(model=pd.Series(model, index=frame.index, dtype="str")))
    filled = [frame for frame in frames if not frame.empty] or frames[:1]
    return pd.concat(filled, ignore_index=True) if filled else None


def read_csv(path: Path | None, columns: Iterable[str]) -> pd.DataFrame | None:
    """A CSV file that must have these columns; None for none."""
    if path is None:
        return None
    try:
        # Only an empty cell is missing: a family may be called "NA".
        frame = pd.read_csv(path, keep_default_na=False, na_values=[""])
    except OSError as error:
        raise _unreadable(path, error) from error
    except ValueError as error:
        raise PlotChainError(f"{path}: not a CSV table; delete it and run again") from error
    _check_columns(path, frame, columns)
    return frame


def _check_columns(path: Path, frame: pd.DataFrame, columns: Iterable[str]) -> None:
    missing = [column for column in columns if column not in frame.columns]
    if missing:
        raise PlotChainError(
            f"{path}: missing column {', '.join(missing)}; delete the file and run again"
        )


def _unreadable(path: Path, error: OSError) -> PlotChainError:
    return PlotChainError(
        f"{path}: cannot be read ({error.strerror or error}); run the rule that makes it"
    )
