"""Adapter of the rule `generate`."""

from pathlib import Path

from plotchain_lib import suites
from plotchain_lib.files import one_line_errors, write_items, write_json

with one_line_errors(snakemake.log[0]):
    suite, shard = suites.load(snakemake.params.suite), snakemake.wildcards.shard
    seed, size = snakemake.params.seed, snakemake.params.size
    items = suite.items(shard, seed, size, snakemake.params.options)
    write_items(Path(snakemake.output.item_files), items)
    write_json(Path(snakemake.output.floor), suite.calibrate(shard, seed, items))
