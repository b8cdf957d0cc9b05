"""Adapter of the rule `report_bundle`."""

from pathlib import Path

from plotchain_lib.bundle import bundled_files, write_bundle
from plotchain_lib.files import one_line_errors

with one_line_errors(snakemake.log[0]):
    files = bundled_files(
        Path(snakemake.input.page).parent,
        [Path(path) for path in snakemake.input.replies],
        {name: [Path(p) for p in paths] for name, paths in snakemake.params.pictures.items()},
    )
    write_bundle(Path(snakemake.output.bundle), files)
