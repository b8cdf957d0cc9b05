"""What Snakemake's scheduler takes while jobs run, with and without its limit of jobs a second.

    python benchmarks/scheduler_polling.py [--calls 300]

A throw-away workflow of that many `echo` jobs and eight that sleep eight seconds, two at a time,
under the scheduler settings of `profiles/default`: once as Snakemake is, and once with the limit
taken away as `workflow/rules/console.smk` does. Prints CPU and wall clock of both in s.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

WORKFLOW = """
onstart:
    if config.get("free"):
        workflow.scheduler.job_rate_limiter = None
rule all:
    input: expand("call/{{n}}", n=range({calls})), expand("long/{{n}}", n=range(8))
rule call:
    output: "call/{{n}}"
    shell: "echo > {{output}}"
rule long:
    output: "long/{{n}}"
    resources: cpu=1
    shell: "sleep 8; echo > {{output}}"
"""
SETTINGS = ("--cores", "4", "--resources", "cpu=2", "--scheduler", "greedy",
            "--scheduler-subsample", "64", "--quiet", "all")  # fmt: skip


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--calls", type=int, default=300)
    calls = parser.parse_args().calls
    for name, more in (("with the limit", ()), ("without it", ("--config", "free=1"))):
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "Snakefile").write_text(WORKFLOW.format(calls=calls))
            wall, cpu = time.perf_counter(), os.times()
            command = [sys.executable, "-m", "snakemake", *SETTINGS, *more]
            subprocess.run(command, cwd=folder, check=True, capture_output=True)
            wall, spent = time.perf_counter() - wall, os.times()
        used = spent.children_user + spent.children_system
        used -= cpu.children_user + cpu.children_system
        print(f"{name}: CPU {used:.1f} s, wall {wall:.1f} s, {calls} calls")


if __name__ == "__main__":
    main()
