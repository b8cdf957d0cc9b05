"""Tables on disk: written whole, the same bytes for the same rows."""

from __future__ import annotations

import io
from pathlib import Path

import pandas as pd

from plotchain_lib.files import write_atomically


def write_table(path: Path, frame: pd.DataFrame) -> None:
    """Write Parquet under a temporary name, fsync, rename. The index is not kept."""
    stream = io.BytesIO()
    frame.reset_index(drop=True).to_parquet(stream, index=False)
    write_atomically(path, stream.getvalue())
