"""Adapter of the rule `export_raw`."""

from pathlib import Path

from plotchain_lib.files import one_line_errors
from plotchain_lib.releases import write_raw_outputs

with one_line_errors(snakemake.log[0]):
    responses = [Path(path) for path in snakemake.input.responses]
    write_raw_outputs(Path(snakemake.output.raw), responses)
