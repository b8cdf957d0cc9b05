"""Adapter of the rule `certificate`."""

import json
from pathlib import Path

import pandas as pd

from plotchain_lib import suites
from plotchain_lib.certificate import Evidence, certificate
from plotchain_lib.files import one_line_errors, read_items, write_atomically
from plotchain_lib.manifest import sha256

with one_line_errors(snakemake.log[0]):
    items = [item for path in snakemake.input.item_files for item in read_items(Path(path))]
    digests = {
        Path(path).stem: sha256(Path(path).read_bytes()) for path in snakemake.input.pictures
    }
    for path in snakemake.input.geometry:
        geometry = json.loads(Path(path).read_text(encoding="utf-8"))
        digests |= {item: entry["sha256"] for item, entry in geometry.items()}
    validation = [pd.read_csv(path) for path in snakemake.input.validation]
    suite = suites.load(snakemake.params.suite)
    evidence = Evidence(
        ceiling=snakemake.params.ceiling,
        floor=snakemake.params.floor,
        relations=suite.relations(),
        axes=suite.field_axes(items),
        digests=digests,
        validation=validation[0] if validation else None,
    )
    table = certificate(items, pd.read_parquet(snakemake.input.scores), evidence)
    write_atomically(
        Path(snakemake.output.certificate), table.to_csv(index=False, lineterminator="\n")
    )
