"""The report and everything behind it in one archive, the same bytes for the same files."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterable, Mapping
from pathlib import Path

from plotchain_lib.files import write_atomically
from plotchain_lib.item import PlotChainError

README = """\
PlotChain report

report.html             open it in a browser; it needs nothing else
numbers.json            every number the page prints
figures/                every figure as PDF, PNG and SVG
tables/                 every table as CSV and LaTeX (booktabs)
{dataset}/raw/          every model's answers, whole, one JSON object a line
{dataset}/images/       the pictures as the models were shown them
"""
_PACKED = {".png", ".zip", ".webp"}  # deflating these again gains nothing
_DATE = (1980, 1, 1, 0, 0, 0)  # the earliest a ZIP archive knows


def bundled_files(
    results: Path, replies: Iterable[Path], pictures: Mapping[str, Iterable[Path]]
) -> dict[str, Path]:
    """Name in the archive to file.

    Args:
        results: the folder that holds report.html, numbers.json, figures/ and tables/.
        replies: files of raw answers below that folder.
        pictures: dataset to pictures, wherever they lie as ``{shard}/{item}.png``.

    Raises PlotChainError where the page or its numbers are missing.
    """
    files = {name: results / name for name in ("report.html", "numbers.json")}
    for path in files.values():
        if not path.is_file():
            raise PlotChainError(f"{path} is missing; build the report first")
    for folder in ("figures", "tables"):
        found = sorted(path for path in (results / folder).iterdir() if path.is_file())
        files |= {f"{folder}/{p.name}": p for p in found if not p.name.startswith(".")}
    files |= {path.relative_to(results).as_posix(): path for path in replies}
    for dataset, paths in pictures.items():
        files |= {f"{dataset}/images/{p.parent.name}/{p.name}": p for p in paths}
    return files


def write_bundle(path: Path, files: Mapping[str, Path]) -> None:
    """Write the archive: README.txt first, then by name; no times and no owners in it."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr(_entry("README.txt"), README)
        for name in sorted(files):
            archive.writestr(_entry(name), files[name].read_bytes())
    write_atomically(path, stream.getvalue())


def _entry(name: str) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(name, _DATE)
    packed = Path(name).suffix in _PACKED
    entry.compress_type = zipfile.ZIP_STORED if packed else zipfile.ZIP_DEFLATED
    entry.create_system, entry.external_attr = 3, 0o644 << 16  # the same on every machine
    return entry
