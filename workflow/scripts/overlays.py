"""Adapter of the rule `overlays`."""

from pathlib import Path

from plotchain_lib.files import one_line_errors
from plotchain_lib.models.reader.overlay import overlay
from plotchain_lib.overlays import overlay_table
from plotchain_lib.tables import write_table

with one_line_errors(snakemake.log[0]):
    responses = [Path(path) for path in snakemake.input.responses]
    write_table(Path(snakemake.output.overlays), overlay_table(responses, overlay))
