"""Commands in a sandbox under quick limits, and whether anything of them is left."""

import os
import sys
import time
from pathlib import Path

import psutil

from plotchain_lib.suites.matplotgym.sandbox import Runs
from plotchain_lib.suites.matplotgym.watch import Limits, Result

PYTHON = str(Path(sys.executable).absolute())
# What stops a runaway soon; every test below must end well within it.
QUICK = Limits(
    seconds=8.0, memory_bytes=600 << 20, processes=40, file_bytes=1 << 20,
    workspace_bytes=4 << 20, workspace_files=200, output_bytes=1 << 20, kept_bytes=500,
)  # fmt: skip


def bash(runs: Runs, workspace: Path, command: str, limits: Limits = QUICK) -> Result:
    return runs(["/bin/bash", "-c", command], workspace, limits)


def python(runs: Runs, workspace: Path, script: str, limits: Limits = QUICK) -> Result:
    return runs([PYTHON, "-c", script], workspace, limits)


def alive(mark: str) -> list[int]:
    """The processes whose command line holds a mark, but not this one."""
    found = []
    for process in psutil.process_iter():
        try:
            if process.pid != os.getpid() and any(mark in part for part in process.cmdline()):
                found.append(process.pid)
        except psutil.Error:
            continue
    return found


def gone(mark: str) -> bool:
    deadline = time.monotonic() + 5
    while alive(mark) and time.monotonic() < deadline:
        time.sleep(0.05)
    return not alive(mark)
