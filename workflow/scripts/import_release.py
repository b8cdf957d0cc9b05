"""Adapter of the rules `import_{dataset}`."""

from pathlib import Path

from plotchain_lib import suites
from plotchain_lib.files import one_line_errors, write_items, write_json

with one_line_errors(snakemake.log[0]):
    suite = suites.load(snakemake.params.suite)
    release = suites.release_format(snakemake.params.suite)
    items = release.read_release(Path(snakemake.input.release).parent)
    for path, floor in zip(snakemake.output.item_files, snakemake.output.floors, strict=True):
        own = [item for item in items if item.shard == Path(path).stem]
        write_items(Path(path), own)
        write_json(Path(floor), suite.calibrate_release(own))
