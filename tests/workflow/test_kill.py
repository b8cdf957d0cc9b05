"""SIGKILL of a job, of the broker or of Snakemake; then the documented command again."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest
from clone import Workspace, comparable, new_workspace, small_config
from wire_servers import WireServer

CALLS = 8


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


def kill_once(
    workspace: Workspace, kind: str, after: float, due: Callable[[], bool] = lambda: True
) -> int:
    """Start a run, kill one kind of process after so many seconds and when it is due, or as soon
    as there is one then; wait for the end of the rest. Returns how many were killed.
    """
    run = subprocess.Popen(
        [sys.executable, "-m", "snakemake", "--cores", "2"], cwd=workspace.folder,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
        env=os.environ | {"PLOTCHAIN_IDLE_S": "20"},
    )  # fmt: skip
    time.sleep(after)
    while not due() and run.poll() is None:
        time.sleep(0.01)
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


def remote_config(address: str) -> dict[str, Any]:
    """The same with a provider over HTTP: two items, each asked four times."""
    config = tiny_config()
    config["suites"]["plotchain"]["repeats"] = CALLS // 2
    remote = {"kind": "openai_compatible", "model": "m", "base_url": address,
              "key": "COMPATIBLE_API_KEY"}  # fmt: skip
    config["models"] = {"blind": {"kind": "blind"}, "remote": remote}
    return config


@pytest.fixture(scope="module")
def server() -> Iterator[WireServer]:
    """A provider that takes its time, so that calls are in flight when somebody is killed."""
    patch = pytest.MonkeyPatch()
    patch.setenv("COMPATIBLE_API_KEY", "killed-runs-key-1a2b3c")
    with WireServer({"openai_compatible": "killed-runs-key-1a2b3c"}, latency_s=0.4) as server:
        yield server
    patch.undo()


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory, server: WireServer) -> dict[str, Any]:
    """The tables of the same run, never killed."""
    folder = tmp_path_factory.mktemp("undisturbed") / "clone"
    workspace = new_workspace(folder, remote_config(server.address))
    workspace.build()
    return comparable(workspace)


@pytest.mark.long
@pytest.mark.parametrize(
    ("kind", "after", "requests"), [("job", 4.0, 0), ("broker", 0.0, 3), ("snakemake", 0.0, 5)]
)
def test_killed_run_is_finished_with_the_same_tables(
    undisturbed: dict[str, Any],
    server: WireServer,
    tmp_path: Path,
    kind: str,
    after: float,
    requests: int,
) -> None:
    server.seen = []
    workspace = new_workspace(tmp_path / "clone", remote_config(server.address))
    assert kill_once(workspace, kind, after, lambda: len(server.seen) >= requests)
    finish(workspace)
    assert comparable(workspace) == undisturbed
    assert not workspace.half_written()
    assert asked_again(workspace) == []
    more = len(server.seen) - CALLS
    # Two jobs at once: what was in flight at the death of the broker, and nothing else.
    assert 0 <= more <= 2 and (kind == "broker" or not more) and not server.complaints
    outcomes = {json.loads(path.read_bytes())["outcome"] for path in
                workspace.folder.glob("results/small/responses/remote/*.json")}  # fmt: skip
    assert outcomes == {"answered"}
