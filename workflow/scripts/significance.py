"""Adapter of the rule `significance`."""

from pathlib import Path

import pandas as pd

from plotchain_lib.files import one_line_errors, write_json
from plotchain_lib.statistics import significance

with one_line_errors(snakemake.log[0]):
    params = snakemake.params
    result = significance(
        pd.read_parquet(snakemake.input.scores),
        params.alpha,
        params.resamples,
        params.seed,
        set(params.baselines),
    )
    write_json(Path(snakemake.output.significance), result)
