"""Adapter of the rule `redraw`."""

from pathlib import Path

from plotchain_lib.files import one_line_errors, read_items
from plotchain_lib.parse import read_responses
from plotchain_lib.suites.matplotgym.episodes import episode_table
from plotchain_lib.suites.matplotgym.submissions import submission_table
from plotchain_lib.tables import write_table

with one_line_errors(snakemake.log[0]):
    items = [item for path in snakemake.input.item_files for item in read_items(Path(path))]
    responses = list(read_responses(Path(path) for path in snakemake.input.responses))
    unsealed = bool(snakemake.params.options.get("unsealed"))
    table = submission_table(responses, items, unsealed=unsealed)
    write_table(Path(snakemake.output.submissions), table)
    write_table(Path(snakemake.output.episodes), episode_table(responses, items))
