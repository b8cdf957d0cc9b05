"""Adapter of the rule `export_release`."""

from pathlib import Path

from plotchain_lib.files import one_line_errors, read_items
from plotchain_lib.releases import write_release

with one_line_errors(snakemake.log[0]):
    items = [item for path in snakemake.input.item_files for item in read_items(Path(path))]
    folder = Path(snakemake.output.release)
    write_release(folder, items, folder.parent)
