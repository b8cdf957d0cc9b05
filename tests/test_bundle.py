"""The archive of a report: everything in it, the same bytes again."""

from __future__ import annotations

import os
import zipfile
from pathlib import Path

import pytest

from plotchain_lib.bundle import bundled_files, write_bundle
from plotchain_lib.files import write_atomically
from plotchain_lib.item import PlotChainError


@pytest.fixture
def results(tmp_path: Path) -> Path:
    folder = tmp_path / "results"
    for name in (
        "report.html", "numbers.json", "figures/d-standing.pdf", "figures/.snakemake_timestamp",
        "tables/d-leaderboard.csv", "d/raw/m.jsonl",
    ):  # fmt: skip
        write_atomically(folder / name, f"content of {name}\n" * 20)
    write_atomically(tmp_path / "release/images/pump_curve/pump_curve_000.png", b"\x89PNG")
    return folder


def files_of(results: Path) -> dict[str, Path]:
    picture = results.parent / "release/images/pump_curve/pump_curve_000.png"
    return bundled_files(results, [results / "d/raw/m.jsonl"], {"d": [picture]})


def test_holds_the_page_and_everything_behind_it(results: Path) -> None:
    write_bundle(results / "b.zip", files_of(results))
    with zipfile.ZipFile(results / "b.zip") as archive:
        assert archive.testzip() is None
        assert archive.namelist() == [
            "README.txt", "d/images/pump_curve/pump_curve_000.png", "d/raw/m.jsonl",
            "figures/d-standing.pdf", "numbers.json", "report.html", "tables/d-leaderboard.csv",
        ]  # fmt: skip
        assert archive.read("report.html") == (results / "report.html").read_bytes()
        assert b"report.html" in archive.read("README.txt")
        packed = {entry.filename: entry.compress_type for entry in archive.infolist()}
    assert packed["d/images/pump_curve/pump_curve_000.png"] == zipfile.ZIP_STORED
    assert packed["report.html"] == zipfile.ZIP_DEFLATED


def test_times_and_order_change_no_byte(results: Path) -> None:
    files = files_of(results)
    write_bundle(results / "one.zip", files)
    for path in files.values():
        os.utime(path, (1, 1))
        path.chmod(0o600)
    write_bundle(results / "two.zip", dict(reversed(files.items())))
    assert (results / "one.zip").read_bytes() == (results / "two.zip").read_bytes()


def test_a_missing_page_is_named(results: Path) -> None:
    (results / "numbers.json").unlink()
    with pytest.raises(PlotChainError, match=r"numbers\.json is missing; build the report"):
        files_of(results)
