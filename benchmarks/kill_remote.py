"""SIGKILL at random moments of a run of 200 calls: `python benchmarks/kill_remote.py [--kills 30]`.

A local server answers in the four wire formats, each call after 0.2 s. A round starts a run, kills
a job, the broker or Snakemake when a random number of requests has arrived, runs the documented
commands again, and asks: is every answer there once, are all tables those of an undisturbed run,
was nothing repeated but what was in flight at the kill, and is no key in any file? Then two runs in
two folders share one cache at the same time, undisturbed and killed. Prints a line a round; exit
code 1 after a failure.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil
from remote_runs import (
    WireServer,
    Workspace,
    calls_of,
    comparable,
    configuration,
    copy_of,
    drawn,
    files_with_keys,
    outcomes,
    server,
)
from test_kill import asked_again, victims

Span = tuple[float, float] | None
KINDS = ("job", "broker", "snakemake")
# What was on its way to the server, or back, when a process died.
_UNDER_WAY_S = 0.5


@dataclass
class Bench:
    """What all rounds share."""

    made: WireServer
    base: Workspace
    calls: int
    expected: Mapping[str, Any]
    folder: Path
    cores: str


def start(workspace: Workspace, cores: str) -> subprocess.Popen[bytes]:
    """The documented command, its output thrown away."""
    return subprocess.Popen(
        [sys.executable, "-m", "snakemake", "--cores", cores], cwd=workspace.folder,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
        env=os.environ | {"PLOTCHAIN_IDLE_S": "20"},
    )  # fmt: skip


def kill(workspace: Workspace, kind: str, runs: list[subprocess.Popen[bytes]]) -> tuple[int, Span]:
    """Kill all of one kind, as soon as there is one; how many there were, and between when."""
    while any(run.poll() is None for run in runs):
        began, killed = time.time(), 0
        for process in victims(workspace, kind):
            with contextlib.suppress(psutil.NoSuchProcess):
                process.send_signal(signal.SIGKILL)
                killed += 1
        if killed:
            return killed, (began, time.time())
        time.sleep(0.01)
    return 0, None


def finish(workspaces: list[Workspace], cores: str) -> None:
    """What `make report` does, in all folders at once."""
    for workspace in workspaces:
        unlock = [sys.executable, "workflow/unlock.py"]
        subprocess.run(unlock, cwd=workspace.folder, check=True, capture_output=True)
    for run in [start(workspace, cores) for workspace in workspaces]:
        if run.wait(timeout=600):
            raise SystemExit(f"the second run failed with {run.returncode}")


def repeated(bench: Bench, span: Span) -> tuple[int, int]:
    """Requests beyond one a call: how many, and how many of them were not in flight at the kill."""
    by_key: dict[str, list[Any]] = {}
    for seen in bench.made.seen:
        by_key.setdefault(seen.key, []).append(seen)
    calls = bench.calls // len(by_key)  # repeats: the same question, asked so often
    more = {key: len(seen) - calls for key, seen in by_key.items()}
    strange = 0
    for key, count in more.items():
        flying = sum(
            span is not None
            and seen.started <= span[1] + _UNDER_WAY_S
            and (not seen.ended or seen.ended >= span[0] - _UNDER_WAY_S)
            for seen in by_key[key]
        )
        strange += max(0, count - flying) + max(0, -count)
    return sum(more.values()), strange


def judge(bench: Bench, workspaces: list[Workspace], span: Span) -> tuple[str, bool]:
    """What is to be said of a round, and whether it is as it should be."""
    same = all(comparable(workspace) == bench.expected for workspace in workspaces)
    whole = all(outcomes(workspace) == {"answered": bench.calls} for workspace in workspaces)
    again, left = len(asked_again(workspaces[0])), sum(len(w.half_written()) for w in workspaces)
    extra, strange = repeated(bench, span)
    keys = [path for workspace in workspaces for path in files_with_keys(workspace.folder)]
    verdict = (
        f"tables {'equal' if same else 'DIFFER'}, {'all' if whole else 'NOT ALL'} answered, "
        f"{extra - strange} in flight repeated, {strange} others, {again} asked after stored, "
        f"{left} half-written, {len(keys)} files with a key"
    )
    for workspace in workspaces:
        shutil.rmtree(workspace.folder)
    return verdict, same and whole and not (again or left or strange or keys)


def alone(bench: Bench, number: int) -> bool:
    """One round; whether all is well."""
    bench.made.seen = []
    kind = KINDS[number % 3]
    workspace = copy_of(bench.base, bench.folder / f"round-{number}")
    moment_of = random.randint(1, bench.calls - 1)
    run = start(workspace, bench.cores)
    while len(bench.made.seen) < moment_of and run.poll() is None:
        time.sleep(0.005)
    time.sleep(random.uniform(0, 0.2))
    killed, span = kill(workspace, kind, [run])
    run.wait(timeout=600)
    finish([workspace], bench.cores)
    verdict, good = judge(bench, [workspace], span)
    print(f"{number:3} {kind:9} at request {moment_of:3}, {killed:2} killed: {verdict}", flush=True)
    return good


def together(bench: Bench, number: int, kind: str) -> bool:
    """Two folders, one cache, both run at the same time; whether all is well."""
    bench.made.seen = []
    folder = bench.folder / f"pair-{number}"
    first = copy_of(bench.base, folder / "a")
    second = copy_of(bench.base, folder / "b", cache=str(first.folder / ".plotchain/cache"))
    runs = [start(workspace, bench.cores) for workspace in (first, second)]
    span, killed = None, 0
    if kind:
        moment_of = random.randint(1, bench.calls - 1)
        while len(bench.made.seen) < moment_of and any(run.poll() is None for run in runs):
            time.sleep(0.005)
        killed, span = kill(first, kind, runs)
    for run in runs:
        run.wait(timeout=600)
    finish([first, second], bench.cores)
    verdict, good = judge(bench, [first, second], span)
    what = f"{kind} of one, {killed} killed" if kind else "nobody killed"
    print(f"  two runs on one cache, {what}: {verdict}", flush=True)
    return good


def main() -> None:
    """Kill, finish, compare."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--kills", type=int, default=30)
    parser.add_argument("--pairs", type=int, default=4)
    parser.add_argument("--items", type=int, default=5, help="of each of five families")
    parser.add_argument("--cores", default="16")
    parser.add_argument("--seed", type=int, default=None)
    options = parser.parse_args()
    random.seed(options.seed)
    with tempfile.TemporaryDirectory() as temporary, server(latency_s=0.2) as made:
        folder = Path(temporary)
        config = configuration(made.address, items=options.items, repeats=2)
        base = drawn(folder / "base", config)
        undisturbed = copy_of(base, folder / "undisturbed")
        undisturbed.run("--cores", options.cores)
        bench = Bench(made, base, calls_of(base), comparable(undisturbed), folder, options.cores)
        assert Counter(outcomes(undisturbed)) == {"answered": bench.calls}
        print(f"{bench.calls} calls a run, {len(bench.expected)} tables compared", flush=True)
        rounds = [alone(bench, number) for number in range(options.kills)]
        kinds = ("", "broker", "job", "snakemake")
        rounds += [together(bench, n, kinds[n % 4]) for n in range(options.pairs)]
        complaints = len(made.complaints)
    print(f"{len(rounds)} rounds, {rounds.count(False)} failures, {complaints} complaints")
    sys.exit(not all(rounds) or bool(complaints))


if __name__ == "__main__":
    main()
