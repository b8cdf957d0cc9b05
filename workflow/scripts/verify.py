"""Adapter of the rule `verify`: prints what differs, fails where anything is not pixel-equal."""

import sys
from collections import Counter
from pathlib import Path

from plotchain_lib.item import one_line_errors
from plotchain_lib.manifest import verify

with one_line_errors(snakemake.log[0]):
    failed = False
    for dataset in snakemake.params.datasets:
        verdicts = verify(Path("results") / dataset)
        states = Counter(verdict.state for verdict in verdicts)
        print(f"{dataset}: " + ", ".join(f"{n} {state}" for state, n in sorted(states.items())))
        for verdict in verdicts:
            if verdict.state != "byte-equal":
                print(f"  {verdict.state}: results/{dataset}/{verdict.path}")
        failed |= bool(states["different"] + states["missing"])
if failed:
    sys.exit("plotchain: files are missing or differ; delete what differs and run snakemake again")
