"""Adapter of the rule `run_facts`."""

from pathlib import Path

from plotchain_lib.files import one_line_errors, write_json
from plotchain_lib.parse import run_facts

with one_line_errors(snakemake.log[0]):
    files = [*snakemake.input.responses, *snakemake.input.extractions]
    facts = run_facts([Path(path) for path in files])
    write_json(Path(snakemake.output.run), facts)
