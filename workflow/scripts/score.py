"""Adapter of the rule `score`."""

from pathlib import Path

import pandas as pd

from plotchain_lib.files import one_line_errors, read_items
from plotchain_lib.suites.verdicts import verdicts
from plotchain_lib.tables import write_table

with one_line_errors(snakemake.log[0]):
    items = [item for path in snakemake.input.item_files for item in read_items(Path(path))]
    answers = pd.concat([pd.read_parquet(path) for path in snakemake.input.answers])
    policy = Path(snakemake.input.policy[0])
    scores = verdicts(snakemake.params.suite, items, answers, policy)
    write_table(Path(snakemake.output.scores), scores)
