"""Adapter of the rule `exported_croissant`."""

from pathlib import Path

from plotchain_lib.exports.croissant import write_metadata
from plotchain_lib.files import one_line_errors

with one_line_errors(snakemake.log[0]):
    path, folder = Path(snakemake.output.metadata), Path(snakemake.input.folder)
    write_metadata(path, snakemake.wildcards.dataset, folder)
