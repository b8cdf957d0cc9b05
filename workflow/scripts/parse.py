"""Adapter of the rule `parse`."""

from pathlib import Path

from plotchain_lib import suites
from plotchain_lib.files import one_line_errors, read_items
from plotchain_lib.parse import parse_responses
from plotchain_lib.tables import write_table

with one_line_errors(snakemake.log[0]):
    items = [item for path in snakemake.input.item_files for item in read_items(Path(path))]
    responses = [Path(path) for path in snakemake.input.responses]
    parsing = snakemake.wildcards.parsing
    drawn = [[Path(path) for path in snakemake.input.drawn]] if snakemake.input.drawn else []
    read = suites.judging(snakemake.params.suite).reader(parsing, *drawn)
    answers = parse_responses(responses, items, parsing, read)
    write_table(Path(snakemake.output.answers), answers)
