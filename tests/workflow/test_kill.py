"""SIGKILL of a job, of the broker or of Snakemake; then the documented command again."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import psutil
import pytest
from clone import Workspace, new_workspace, small_config


def victims(workspace: Workspace, kind: str) -> list[psutil.Process]:
    """The processes of one kind that work in the folder."""
    found = []
    for process in psutil.process_iter(["cmdline", "cwd", "environ"]):
        words = " ".join(process.info["cmdline"] or [])
        # The broker works in no folder of its own: its cache tells whose it is.
        places = (process.info["cwd"], (process.info["environ"] or {}).get("PLOTCHAIN_CACHE"))
        inside = any(str(place or "").startswith(str(workspace.folder)) for place in places)
        is_broker = "plotchain_lib.query --serve" in words
        is_snakemake = "-m snakemake" in words
        matches = {"broker": is_broker, "snakemake": is_snakemake,
                   "job": not is_broker and not is_snakemake}  # fmt: skip
        if inside and matches[kind] and process.pid != os.getpid():
            found.append(process)
    return found


def kill_once(workspace: Workspace, kind: str, after: float) -> int:
    """Start a run, kill one kind of process at a moment or as soon as there is one, wait for the
    end of the rest. Returns how many were killed.
    """
    run = subprocess.Popen(
        [sys.executable, "-m", "snakemake", "--cores", "2"], cwd=workspace.folder,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
        env=os.environ | {"PLOTCHAIN_IDLE_S": "20"},
    )  # fmt: skip
    time.sleep(after)
    killed = 0
    while not killed and run.poll() is None:
        for process in victims(workspace, kind):
            with contextlib.suppress(psutil.NoSuchProcess):
                process.send_signal(signal.SIGKILL)
                killed += 1
        time.sleep(0.02)
    if kind == "snakemake":
        with contextlib.suppress(ProcessLookupError):
            os.killpg(run.pid, signal.SIGKILL)
    run.wait(timeout=300)
    return killed


def asked_again(workspace: Workspace) -> list[str]:
    """The keys that were asked after their answer had been stored."""
    stored: set[str] = set()
    again = []
    for entry in workspace.journal():
        if entry["event"] == "asked" and entry["key"] in stored:
            again.append(entry["key"])
        elif entry["event"] == "stored":
            stored.add(entry["key"])
    return again


def finish(workspace: Workspace) -> None:
    """What `make report` does: unlock, then run."""
    unlock = [sys.executable, "workflow/unlock.py"]
    subprocess.run(unlock, cwd=workspace.folder, check=True, capture_output=True)
    workspace.build()


def tiny_config() -> dict[str, Any]:
    """All stages, as few jobs as can be."""
    config = small_config()
    config["datasets"]["small"]["families"] = ["pump_curve"]
    config["suites"]["plotchain"]["policies"] = ["plotread"]
    return config


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    """The same run, never killed."""
    workspace = new_workspace(tmp_path_factory.mktemp("undisturbed") / "clone", tiny_config())
    workspace.build()
    return workspace


@pytest.mark.parametrize(("kind", "after"), [("job", 4.0), ("broker", 2.0), ("snakemake", 6.0)])
def test_killed_run_is_finished_with_the_same_tables(
    undisturbed: Workspace, tmp_path: Path, kind: str, after: float
) -> None:
    workspace = new_workspace(tmp_path / "clone", tiny_config())
    assert kill_once(workspace, kind, after)
    finish(workspace)
    assert workspace.tables() == undisturbed.tables()
    assert not workspace.half_written()
    assert asked_again(workspace) == []
