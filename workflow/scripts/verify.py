"""Adapter of the rule `verify`: prints what differs, fails where anything is not pixel-equal."""

from collections import Counter
from pathlib import Path

from plotchain_lib.files import one_line_errors
from plotchain_lib.item import PlotChainError
from plotchain_lib.manifest import verify

with one_line_errors(snakemake.log[0]):
    broken = []
    for dataset in snakemake.params.datasets:
        verdicts = verify(Path("results") / dataset)
        states = Counter(verdict.state for verdict in verdicts)
        print(f"{dataset}: " + ", ".join(f"{n} {state}" for state, n in sorted(states.items())))
        for verdict in verdicts:
            path = f"results/{dataset}/{verdict.path}"
            if verdict.state != "byte-equal":
                print(f"  {verdict.state}: {path}")
            if verdict.state in ("different", "missing"):
                broken.append(path)
    if broken:
        raise PlotChainError(
            f"{len(broken)} files are missing or differ; make them again with: "
            f"snakemake --cores 2 --force {' '.join(broken)}"
        )
