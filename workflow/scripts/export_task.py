"""Adapter of the rules `exported_inspect` and `exported_lmms_eval`."""

from importlib import import_module
from pathlib import Path

from plotchain_lib.files import one_line_errors, read_items

with one_line_errors(snakemake.log[0]):
    export = import_module(f"plotchain_lib.exports.{snakemake.params.kind}")
    items = [item for path in snakemake.input.item_files for item in read_items(Path(path))]
    pictures = {Path(path).stem: Path(path) for path in snakemake.input.pictures}
    policies = {name: [Path(p) for p in paths] for name, paths in snakemake.params.policies.items()}
    folder = Path(snakemake.output.folder)
    export.write_task(folder, snakemake.wildcards.dataset, items, pictures, policies)
