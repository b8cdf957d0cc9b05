"""Adapter of the rule `validate`."""

import json
from pathlib import Path

import pandas as pd

from plotchain_lib import suites
from plotchain_lib.files import one_line_errors, read_items, write_atomically

with one_line_errors(snakemake.log[0]):
    items = [item for path in snakemake.input.item_files for item in read_items(Path(path))]
    geometry = {
        item: entry
        for path in snakemake.input.geometry
        for item, entry in json.loads(Path(path).read_text(encoding="utf-8")).items()
    }
    measured = {item: entry["measured"] for item, entry in geometry.items()}
    floor = json.loads(Path(snakemake.input.floor).read_text(encoding="utf-8"))
    rows, summary = suites.load(snakemake.params.suite).validate(items, measured, floor)
    for path, records in ((snakemake.output.rows, rows), (snakemake.output.summary, summary)):
        write_atomically(Path(path), pd.DataFrame(records).to_csv(index=False, lineterminator="\n"))
