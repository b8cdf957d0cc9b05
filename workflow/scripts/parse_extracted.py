"""Adapter of the rule `parse_extracted`."""

from pathlib import Path

from plotchain_lib import suites
from plotchain_lib.files import one_line_errors, read_items
from plotchain_lib.parse import parse_responses
from plotchain_lib.tables import write_table

with one_line_errors(snakemake.log[0]):
    items = [item for path in snakemake.input.item_files for item in read_items(Path(path))]
    responses = [Path(path) for path in snakemake.input.responses]
    extractions = [Path(path) for path in snakemake.input.extractions]
    read = suites.judging(snakemake.params.suite).reader("extracted")
    answers = parse_responses(responses, items, "extracted", read, extractions)
    write_table(Path(snakemake.output.answers), answers)
