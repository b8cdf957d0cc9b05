"""Adapter of the rule `extraction`."""

from pathlib import Path

from plotchain_lib import suites
from plotchain_lib.files import one_line_errors, read_items, write_items
from plotchain_lib.parse import extraction_items

with one_line_errors(snakemake.log[0]):
    items = [item for path in snakemake.input.item_files for item in read_items(Path(path))]
    prompt = suites.judging(snakemake.params.suite).extraction_prompt
    responses = [Path(path) for path in snakemake.input.responses]
    write_items(Path(snakemake.output.item_files), extraction_items(responses, items, prompt))
