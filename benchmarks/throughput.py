"""Answers a second through Snakemake: `python benchmarks/throughput.py [--calls 1280]`.

A server of its own process answers Chat Completions after a second (that of `broker_throughput.py`,
which measures the broker alone). The items and their pictures are drawn before the clock starts;
then one run of the real DAG asks them all. Measured is the time from the first call to the last
answer, as the cache's journal tells it, and that of the whole command beside it.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import sys
import tempfile
import time
from datetime import datetime
from pathlib import Path

from broker_throughput import serve
from remote_runs import FAMILIES, Workspace, calls_of, configuration, drawn, outcomes

TARGET = 25.0  # answers a second
_ITEMS = 4  # a family


def times(workspace: Workspace, event: str) -> list[float]:
    """When the journal notes an event, in s since the epoch."""
    path = workspace.folder / ".plotchain/cache/journal.jsonl"
    notes = (json.loads(line) for line in path.read_text().splitlines())
    return sorted(
        datetime.fromisoformat(note["at"]).timestamp() for note in notes if note["event"] == event
    )


def main() -> None:
    """Draw, ask, print; exit code 1 below the target."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--calls", type=int, default=1280)
    parser.add_argument("--cores", default="64")
    parser.add_argument("--latency", type=float, default=1.0)
    options = parser.parse_args()
    here, there = multiprocessing.Pipe()
    made = multiprocessing.get_context("spawn").Process(
        target=serve, args=(options.latency, 0.0, there), daemon=True
    )
    made.start()
    with tempfile.TemporaryDirectory() as temporary:
        os.environ["COMPATIBLE_API_KEY"] = "none"
        config = configuration(
            f"http://127.0.0.1:{here.recv()}",
            items=_ITEMS,
            repeats=-(-options.calls // (_ITEMS * len(FAMILIES))),
            models=("compatible",),
        )
        workspace = drawn(Path(temporary) / "clone", config)
        calls = calls_of(workspace)
        load = os.getloadavg()[0]
        started = time.perf_counter()
        workspace.run("--cores", options.cores, "results/small/run.json")
        whole_s = time.perf_counter() - started
        assert outcomes(workspace) == {"answered": calls}
        wall_s = times(workspace, "stored")[-1] - times(workspace, "sent")[0]
    made.terminate()
    rate = calls / wall_s
    print(
        f"{calls} calls, --cores {options.cores}, {options.latency} s each, load {load:.1f} before"
    )
    print(f"{rate:.1f} answers a second through Snakemake; the whole command took {whole_s:.0f} s")
    print(f"{'meets' if rate >= TARGET else 'MISSES'} the target of {TARGET:.0f} a second")
    sys.exit(rate < TARGET)


if __name__ == "__main__":
    main()
