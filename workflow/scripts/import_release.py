"""Adapter of the rule `import_release`."""

from pathlib import Path

from plotchain_lib import suites
from plotchain_lib.item import one_line_errors, write_items, write_json
from plotchain_lib.releases import read_release

with one_line_errors(snakemake.log[0]):
    suite = suites.load(snakemake.params.suite)
    items = read_release(Path(snakemake.input.release).parent)
    own = [item for item in items if item.shard == snakemake.wildcards.shard]
    write_items(Path(snakemake.output.item_files), own)
    write_json(Path(snakemake.output.floor), suite.calibrate_release(own))
