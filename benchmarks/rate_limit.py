"""Eight jobs at once under 60 requests a minute: `python benchmarks/rate_limit.py [--calls 150]`.

The server counts: over no 60 s may more than 60 requests have arrived. On the way the broker is
killed once, and its successor must know what was sent before. A tenth of the requests is told 429,
which counts as well. Prints the most that arrived in any minute, and what the run said of itself.
"""

from __future__ import annotations

import argparse
import bisect
import signal
import sys
import tempfile
import threading
import time
from pathlib import Path

from remote_runs import FAMILIES, WireServer, calls_of, configuration, drawn, outcomes, server
from test_kill import victims

_ITEMS = 2  # a family


def busiest(times: list[float], seconds: float = 60.0) -> int:
    """The most of these times that fall into any window of so many seconds."""
    return max(bisect.bisect_left(times, t + seconds) - n for n, t in enumerate(times))


def main() -> None:
    """Run, kill the broker once, count."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--calls", type=int, default=150)
    parser.add_argument("--limit", type=int, default=60, help="requests a minute")
    parser.add_argument("--kill-after", type=float, default=90.0, help="seconds; 0: never")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary, server(latency_s=0.3, faults=0.1) as made:
        config = configuration(
            made.address,
            items=_ITEMS,
            repeats=-(-options.calls // (_ITEMS * len(FAMILIES))),
            models=("compatible",),
            requests_per_minute=options.limit,
        )
        workspace = drawn(Path(temporary) / "clone", config)
        killed: list[int] = []

        def kill() -> None:
            for process in victims(workspace, "broker"):
                process.send_signal(signal.SIGKILL)
                killed.append(process.pid)

        timer = threading.Timer(options.kill_after, kill)
        if options.kill_after:
            timer.start()
        started = time.perf_counter()
        ended = workspace.run("--cores", "8", "results/small/run.json")
        wall_s = time.perf_counter() - started
        timer.cancel()
        calls = calls_of(workspace)
        print(f"{calls} calls by 8 jobs at once in {wall_s:.0f} s: {outcomes(workspace)}")
        said = [x for x in ended.stderr.splitlines() if x.startswith("plotchain: compatible:")]
        print("\n".join(said))
        sys.exit(not judged(made, options.limit, len(killed), calls))


def judged(made: WireServer, limit: int, killed: int, calls: int) -> bool:
    """Print what arrived; whether it kept to the limit."""
    times = sorted(seen.started for seen in made.seen)
    most = busiest(times)
    whole = sum(seen.complete for seen in made.seen)
    print(f"{len(times)} requests, {whole} whole answers, the broker killed {killed} time(s)")
    print(f"at most {most} requests in any 60 s ({'kept' if most <= limit else 'PASSED'}: {limit})")
    return most <= limit and whole >= calls


if __name__ == "__main__":
    main()
