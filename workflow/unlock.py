"""Take away the lock that a killed Snakemake left in this folder; never that of a live run."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import psutil


def live_runs(folder: Path) -> list[int]:
    """The process ids of Snakemake runs that work in `folder`."""
    found = []
    for process in psutil.process_iter(["pid", "cwd", "cmdline"]):
        words = process.info["cmdline"] or []
        is_snakemake = any(Path(word).name == "snakemake" for word in words[:3])
        if is_snakemake and process.info["cwd"] == str(folder):
            found.append(process.info["pid"])
    return found


def main() -> None:
    """Unlock the working folder, or say who holds it."""
    folder = Path.cwd().resolve()
    if not any((folder / ".snakemake" / "locks").glob("*")):
        return
    if live := live_runs(folder):
        sys.exit(
            f"plotchain: Snakemake (process {live[0]}) is at work in {folder}; wait or stop it"
        )
    command = [sys.executable, "-m", "snakemake", "--unlock", "--quiet", "all"]
    subprocess.run(command, check=True)  # noqa: S603  our own interpreter


if __name__ == "__main__":
    main()
