"""Adapter of the rule `figures`."""

from pathlib import Path

from plotchain_lib.files import one_line_errors
from plotchain_lib.report import ReportInputs, build_figures

with one_line_errors(snakemake.log[0]):
    inputs = ReportInputs.from_mapping(snakemake.params.inputs)
    build_figures(inputs, Path(snakemake.output.figures))
