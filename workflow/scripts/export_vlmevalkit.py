"""Adapter of the rule `exported_vlmevalkit`."""

from pathlib import Path

from plotchain_lib.exports.vlmevalkit import write_tsv
from plotchain_lib.files import one_line_errors, read_items

with one_line_errors(snakemake.log[0]):
    items = [item for path in snakemake.input.item_files for item in read_items(Path(path))]
    pictures = {Path(path).stem: Path(path) for path in snakemake.input.pictures}
    write_tsv(Path(snakemake.output.table), items, pictures)
