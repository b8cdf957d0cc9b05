"""Adapter of the rule `manifest`."""

import json
import os
from pathlib import Path

from plotchain_lib.files import one_line_errors, read_items, write_json
from plotchain_lib.manifest import build

with one_line_errors(snakemake.log[0]):
    output = Path(snakemake.output.manifest)
    drawn = {
        entry["sha256"]: entry["pixels_sha256"]
        for path in snakemake.input.geometry
        for entry in json.loads(Path(path).read_text(encoding="utf-8")).values()
    }
    facts = {
        "dataset": snakemake.wildcards.dataset,
        "suite": snakemake.params.suite,
        "seed": snakemake.params.seed,
    }
    items = [item for path in snakemake.input.item_files for item in read_items(Path(path))]
    files = [os.path.relpath(path, output.parent) for path in snakemake.input]
    write_json(output, build(output.parent, facts, items, files, drawn))
