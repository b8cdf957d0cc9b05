"""SIGKILL at 30 moments over all stages: `python benchmarks/kill_run.py [--kills 30]`.

Each round starts a fresh run of a small configuration, kills every job, or the broker, or
Snakemake at one moment, runs the documented commands again, and compares all tables with those of
an undisturbed run, byte for byte. Prints one line a round and the totals.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "workflow"))

from clone import new_workspace
from test_kill import asked_again, finish, kill_once, tiny_config


def main() -> None:
    """Kill, finish, compare."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=30)
    kills = parser.parse_args().kills
    failed = idle = 0
    with tempfile.TemporaryDirectory() as temporary:
        undisturbed = new_workspace(Path(temporary) / "undisturbed", tiny_config())
        start = time.perf_counter()
        undisturbed.build()
        length = time.perf_counter() - start
        for number in range(kills):
            kind = ("job", "broker", "snakemake")[number % 3]
            after = 1.0 + (length - 1.0) * number / kills
            workspace = new_workspace(Path(temporary) / f"round-{number}", tiny_config())
            killed = kill_once(workspace, kind, after)
            finish(workspace)
            same = workspace.tables() == undisturbed.tables()
            again, left = asked_again(workspace), workspace.half_written()
            failed += not same or bool(again) or bool(left)
            idle += not killed
            tables = "equal" if same else "DIFFER"
            faults = f"{len(again)} asked again, {len(left)} half-written"
            what = f"{kind:10} after {after:5.1f} s, {killed} killed"
            print(f"{number:3} {what}: tables {tables}, {faults}", flush=True)
    print(f"{kills} rounds, {idle} too late to kill any, {failed} failures")
    sys.exit(bool(failed))


if __name__ == "__main__":
    main()
