"""200 calls to a server that fails 30 % of them: `python benchmarks/fault_run.py [--faults 0.3]`.

Four kinds of provider on the real DAG, 429 in all forms of Retry-After, 500, 502, 503, 529, dropped
connections, half bodies, garbage, slow drips, errors in a 200; every tenth question is refused. The
run is compared with a faultless one: equal tables but for what is refused, no request after a whole
answer, no key in any file. Prints what was met and the verdicts; exit code 1 where one fails.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

import pandas as pd
from remote_runs import (
    MODELS,
    WireServer,
    Workspace,
    calls_of,
    configuration,
    copy_of,
    drawn,
    files_with_keys,
    outcomes,
    server,
)

REFUSED = ("0", "1")  # a question whose key begins so: an eighth of them


def answers(workspace: Workspace) -> pd.DataFrame:
    """The answers of all models, without the seconds that they took."""
    folder = workspace.folder / "results/small/answers/tolerant"
    frames = [pd.read_parquet(folder / f"{label}.parquet") for label in sorted(MODELS)]
    return pd.concat(frames, ignore_index=True).drop(columns="latency_s")


def report_requests(made: WireServer, calls: int) -> bool:
    """Print what the server met; whether it took every request and answered none twice."""
    hows = Counter(seen.how for seen in made.seen)
    faults = {how: n for how, n in hows.items() if how not in ("answered", "refused")}
    print(
        f"{len(made.seen)} requests, {sum(faults.values())} of them faults of {len(faults)} kinds"
    )
    print(", ".join(f"{how} {count}" for how, count in sorted(faults.items())))
    whole = sum(made.whole_answers().values())
    after = sum(
        not [seen for seen in made.seen if seen.key == key][-1].complete
        for key in made.whole_answers()
    )
    wrong = len(made.complaints)
    print(
        f"{whole} whole answers for {calls} calls, {after} requests after one, {wrong} complaints"
    )
    return whole == calls and not after and not wrong


def main() -> None:
    """Run faultless, run among faults, compare."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--faults", type=float, default=0.3)
    parser.add_argument("--items", type=int, default=10, help="of each of five families")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary, server() as made:
        base = drawn(
            Path(temporary) / "base", configuration(made.address, items=options.items, repeats=1)
        )
        calls = calls_of(base)
        faultless = copy_of(base, Path(temporary) / "faultless")
        faultless.run("--cores", "16")
        made.seen, made.faults = [], options.faults
        made.refuses = lambda question: question.key.startswith(REFUSED)
        faulty = copy_of(base, Path(temporary) / "faulty")
        started = time.perf_counter()
        ended = faulty.run("--cores", "16")
        print(f"{calls} calls in {time.perf_counter() - started:.0f} s: {outcomes(faulty)}")
        checks = {"every request right and none repeated": report_requests(made, calls)}
        here, there = answers(faulty), answers(faultless)
        refused = here["outcome"].isin(["refused", "blocked"])
        should = {seen.key for seen in made.seen if made.refuses(seen.question)}
        checks["equal but for the refusals"] = here[~refused].equals(there[~refused])
        checks["none pending, none misclassified"] = (
            set(here["outcome"]) == {"answered", "refused", "blocked"}
            and set(there["outcome"]) == {"answered"}
            and len(should) == len(here[refused].drop_duplicates(["model", "item"]))
        )
        held = files_with_keys(Path(temporary))
        checks["no key in any file or output"] = not held and "bench-" not in ended.stderr
    for name, passed in checks.items():
        print(f"{'yes' if passed else 'NO '} {name}")
    sys.exit(not all(checks.values()))


if __name__ == "__main__":
    main()
