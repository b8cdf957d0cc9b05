"""Adapter of the rules `render_{dataset}`."""

from pathlib import Path

from plotchain_lib import suites
from plotchain_lib.files import one_line_errors, read_items, write_atomically, write_json
from plotchain_lib.manifest import pixels_sha256, sha256

with one_line_errors(snakemake.log[0]):
    suite = suites.load(snakemake.params.suite)
    geometries = {}
    items = read_items(Path(snakemake.input.item_files))
    for item, path in zip(items, snakemake.output.pictures, strict=True):
        png, geometry, measured = suite.draw(item)
        write_atomically(Path(path), png)
        sums = {"sha256": sha256(png), "pixels_sha256": pixels_sha256(png)}
        geometries[item.id] = {**geometry, "measured": measured, **sums}
    write_json(Path(snakemake.output.geometry), geometries)
