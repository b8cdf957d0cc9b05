"""Adapter of the rule `pictures`."""

from pathlib import Path

from plotchain_lib.files import one_line_errors
from plotchain_lib.pictures import picture_table
from plotchain_lib.tables import write_table

with one_line_errors(snakemake.log[0]):
    paths = [Path(path) for path in snakemake.input.pictures]
    frame = picture_table(paths, snakemake.params.reduced)
    write_table(Path(snakemake.output.pictures), frame)
