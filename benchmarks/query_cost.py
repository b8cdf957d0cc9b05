"""What one query job costs beyond a job that only echoes.

    python benchmarks/query_cost.py [--jobs 500] [--rounds 3] [--cores 8]

Each round runs two fresh workflows one after the other: N jobs of ``echo``, then N query jobs of
a model that is shown a 40 kB picture. Counted is the processor time, user and system, of the
whole tree: Snakemake with its own start, every job, the client that starts the broker, and the
broker from its start until all is answered. The model's own work is not. The figure to judge is
the median over the rounds; wall time stands beside it.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from plotchain_lib.files import write_items  # noqa: E402
from plotchain_lib.item import Field, Item  # noqa: E402
from plotchain_lib.query import environment  # noqa: E402
from plotchain_lib.query.broker import status  # noqa: E402

SHARDS = 10
PICTURE_BYTES = 40_000
TARGET_MS = 35.0

ECHO = """
rule all:
    input: expand("results/{item}.txt", item=range(JOBS))

rule echo:
    output: "results/{item}.txt"
    shell: "echo {wildcards.item} > {output}"
"""

QUERY = """
import os, sys
from pathlib import Path
sys.path.insert(0, ROOT)
from plotchain_lib.query import call_text, environment
os.environ.update(environment(Path("cache")))

def call(wildcards, input):
    return call_text(
        dataset="bench", model="looker", item=wildcards.item, repeat=int(wildcards.repeat),
        items=input.shard, picture=input.picture, settings={"kind": "looker"},
    )

rule all:
    input: [f"results/looker/item_{i:05d}.1.json" for i in range(JOBS)]

rule query:
    input:
        shard=lambda wildcards: f"items/{int(wildcards.item[5:]) % SHARDS}.jsonl",
        picture="images/{item}.png",
    output: "results/looker/{item}.{repeat}.json"
    wildcard_constraints: repeat="[0-9]+"
    params: call=call
    log: "logs/looker/{item}.{repeat}.log"
    shell: 'exec "$PLOTCHAIN_PYTHON" -I -S "$PLOTCHAIN_CLIENT" {output:q} {params.call:q}'
"""


@dataclass(frozen=True, slots=True)
class Cost:
    """Processor and wall seconds of one workflow."""

    cpu_s: float
    wall_s: float
    broker_s: float = 0.0


def write_inputs(folder: Path, jobs: int) -> None:
    """Items in shards, and a different picture each."""
    shards: dict[int, list[Item]] = {}
    (folder / "images").mkdir()
    for number in range(jobs):
        name = f"item_{number:05d}"
        content = b"\x89PNG\r\n\x1a\n" + os.urandom(PICTURE_BYTES) + b"IEND\xaeB`\x82"
        (folder / "images" / f"{name}.png").write_bytes(content)
        field = Field("bytes", "", "how large the picture is", "final")
        item = Item(
            name, "bench", str(number % SHARDS), "bench", "How large is the picture? " * 40,
            f"images/{name}.png", (field,), {"bytes": 1.0}, {}, 0, "clean",
        )  # fmt: skip
        shards.setdefault(number % SHARDS, []).append(item)
    for shard, items in shards.items():
        write_items(folder / "items" / f"{shard}.jsonl", items)


def run(folder: Path, snakefile: str, jobs: int, cores: int) -> Cost:
    """Run one workflow to its end; children's times are complete once it has been waited for."""
    head = f"JOBS = {jobs}\nSHARDS = {SHARDS}\nROOT = {str(ROOT)!r}\n"
    (folder / "Snakefile").write_text(head + snakefile, encoding="utf-8")
    command = [
        sys.executable, "-m", "snakemake", "--cores", str(cores), "--scheduler", "greedy",
        "--scheduler-subsample", "64", "--quiet", "all",
    ]  # fmt: skip
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    started = time.monotonic()
    subprocess.run(command, cwd=folder, check=True)
    wall_s = time.monotonic() - started
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu_s = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Cost(cpu_s, wall_s)


def run_echo(jobs: int, cores: int) -> Cost:
    """N jobs that echo."""
    with tempfile.TemporaryDirectory() as folder:
        return run(Path(folder), ECHO, jobs, cores)


def run_query(jobs: int, cores: int) -> Cost:
    """N jobs that query, with a broker of their own, which is asked for its time at the end."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_inputs(folder, jobs)
        cost = run(folder, QUERY, jobs, cores)
        answer = status(Path(environment(folder / "cache")["PLOTCHAIN_SOCKET"]))
        if answer is None:
            raise SystemExit("the broker left before it was asked; set PLOTCHAIN_IDLE_S higher")
        broker = {key: float(str(answer[key])) for key in ("cpu_s", "model_cpu_s", "pid")}
        texts = {
            json.loads(path.read_bytes())["text"] for path in (folder / "results/looker").iterdir()
        }
        if texts != {f'{{"bytes": {PICTURE_BYTES + 16}}}'}:
            raise SystemExit(f"wrong answers: {texts}")
        os.kill(int(broker["pid"]), 15)
        while status(Path(environment(folder / "cache")["PLOTCHAIN_SOCKET"])) is not None:
            time.sleep(0.05)
        time.sleep(0.2)  # it closes its log before its folder goes
        broker_s = broker["cpu_s"] - broker["model_cpu_s"]
        return Cost(cost.cpu_s + broker_s, cost.wall_s, broker_s)


def main() -> None:
    """Measure, print a line a round and the medians."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    parser.add_argument("--jobs", type=int, default=500)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--cores", type=int, default=8)
    options = parser.parse_args()
    os.environ["PLOTCHAIN_MODELS"] = str(ROOT / "benchmarks" / "models")
    os.environ.setdefault("PLOTCHAIN_IDLE_S", "30")
    per_job = 1000 / options.jobs
    print("CPU ms a job:   echo   query  difference  (broker)   wall ms a job: echo  query")
    differences = []
    for number in range(1, options.rounds + 1):
        echo = run_echo(options.jobs, options.cores)
        query = run_query(options.jobs, options.cores)
        differences.append((query.cpu_s - echo.cpu_s) * per_job)
        print(
            f"round {number:2d}      {echo.cpu_s * per_job:7.1f} {query.cpu_s * per_job:7.1f}"
            f" {differences[-1]:11.1f} {query.broker_s * per_job:9.1f}"
            f" {echo.wall_s * per_job:20.1f} {query.wall_s * per_job:6.1f}",
            flush=True,
        )
    median = statistics.median(differences)
    verdict = "within" if median <= TARGET_MS else "ABOVE"
    print(f"median difference {median:.1f} ms of CPU a job, {verdict} the target of {TARGET_MS}")


if __name__ == "__main__":
    main()
