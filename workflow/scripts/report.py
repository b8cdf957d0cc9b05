"""Adapter of the rule `report`."""

from pathlib import Path

from plotchain_lib.files import one_line_errors
from plotchain_lib.report import ReportInputs, build_page

with one_line_errors(snakemake.log[0]):
    inputs = ReportInputs.from_mapping(snakemake.params.inputs)
    build_page(inputs, Path(snakemake.output.page).parent, Path(snakemake.input.figures))
