"""Adapter of the rule `floor`."""

import json
from pathlib import Path

from plotchain_lib.files import one_line_errors, write_json

with one_line_errors(snakemake.log[0]):
    files = [Path(path) for path in snakemake.input.shards]
    shards = {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in files}
    write_json(Path(snakemake.output.floor), {"rule": snakemake.params.rule, "shards": shards})
