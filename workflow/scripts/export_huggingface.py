"""Adapter of the rule `exported_huggingface`."""

from pathlib import Path

from plotchain_lib.exports.huggingface import write_dataset
from plotchain_lib.files import one_line_errors, read_items

with one_line_errors(snakemake.log[0]):
    items = [item for path in snakemake.input.item_files for item in read_items(Path(path))]
    pictures = {Path(path).stem: Path(path) for path in snakemake.input.pictures}
    folder = Path(snakemake.output.folder)
    write_dataset(folder, snakemake.wildcards.dataset, items, pictures)
