"""What an episode of the figure suite costs beyond the agent's own commands, and a scoring.

    python benchmarks/episode_cost.py [--repeats N]

Plays episodes of 14 turns whose commands do nothing, against replies that cost nothing, so that
what is left is the sandbox, the journal and the snapshots. Then scores scripts as the workflow
does: each is run in the scoring sandbox, its figure is read, and compared with one of equal and one
of other data. The figures are a line of a small table, 200,000 points, and 60 lines of 5,000.
Prints medians in seconds, of wall clock and of this process and its children's CPU.
"""

from __future__ import annotations

import argparse
import copy
import os
import statistics
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from plotchain_lib.suites.matplotgym import fonts
from plotchain_lib.suites.matplotgym.decisions import compare
from plotchain_lib.suites.matplotgym.episode import Message, Start, play
from plotchain_lib.suites.matplotgym.prompt import TURNS
from plotchain_lib.suites.matplotgym.sandbox import open_sandbox
from plotchain_lib.suites.matplotgym.submission import READER, run_submission

_SAVED = 'plt.savefig("figure.png")\n'
SCRIPTS = {
    "a line of a small table": """
import numpy as np
import pandas as pd
import matplotlib.pyplot as plt
plt.plot(pd.read_csv("data/runs.csv")["value"] + np.random.default_rng(0).normal())
""",
    "200,000 points": """
import numpy as np
import matplotlib.pyplot as plt
plt.scatter(*np.random.default_rng(0).normal(size=(2, 200_000)))
""",
    "60 lines of 5,000 points": """
import numpy as np
import matplotlib.pyplot as plt
plt.plot(np.cumsum(np.random.default_rng(0).normal(size=(5000, 60)), axis=0))
""",
}


def files(size_bytes: int) -> dict[str, bytes]:
    """A workspace with a table of about this size."""
    rows = b"".join(b"%d,%d\n" % (n, n * n) for n in range(size_bytes // 12))
    return {"make_figure.py": b"# stub\n", "data/runs.csv": b"n,value\n" + rows}


def answers(messages: Sequence[Message]) -> Mapping[str, Any]:
    """A model that has `true` run on every turn."""
    return {"text": "```bash\ntrue\n```", "outcome": "answered", "reason": ""}


def timed(name: str, repeats: int, run: Callable[[], object]) -> None:
    """Run it several times and print the medians."""
    walls, cpus = [], []
    for _ in range(repeats):
        wall, cpu = time.perf_counter(), os.times()
        run()
        walls.append(time.perf_counter() - wall)
        cpus.append(sum(os.times()[:4]) - sum(cpu[:4]))
    spread = f"{min(walls):.2f} to {max(walls):.2f}"
    print(
        f"{name}: {statistics.median(walls):.2f} s ({spread}), "
        f"CPU {statistics.median(cpus):.2f} s, {repeats} runs"
    )


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--repeats", type=int, default=5)
    repeats = parser.parse_args().repeats
    prepared = fonts.prepared()
    runs, scoring = open_sandbox(fonts=prepared), open_sandbox(scoring=True, fonts=prepared)

    def episode(size_bytes: int) -> None:
        with tempfile.TemporaryDirectory() as folder:
            record = play(Start("Draw.", files(size_bytes)), answers, runs, Path(folder))
        assert len(record["turns"]) == TURNS

    def drawn(script: str) -> Mapping[str, Any]:
        spec = run_submission(files(20_000), script + _SAVED, READER, scoring).spec
        assert spec is not None
        return spec

    for size_bytes in (20_000, 2_000_000):
        name = f"an episode of {TURNS} empty commands, {size_bytes / 1e6:g} MB of data"
        timed(name, repeats, partial(episode, size_bytes))
    for name, script in SCRIPTS.items():
        spec = drawn(script)
        timed(f"{name}: run and read", repeats, partial(drawn, script))
        timed(f"{name}: compared", repeats, partial(compare, spec, copy.deepcopy(spec)))
        other = drawn(script.replace("default_rng(0)", "default_rng(1)"))
        timed(f"{name}: with other data", repeats, partial(compare, spec, other))


if __name__ == "__main__":
    main()
