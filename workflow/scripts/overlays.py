"""Adapter of the rule `overlays`."""

from pathlib import Path

import pandas as pd

from plotchain_lib.item import one_line_errors, read_items
from plotchain_lib.models.reader.overlay import overlay
from plotchain_lib.report.overlays import write_overlays

with one_line_errors(snakemake.log[0]):
    verdicts = pd.read_parquet(snakemake.input.scores)
    dataset = Path(snakemake.output.overlays).parent
    write_overlays(
        [item for path in snakemake.input.item_files for item in read_items(Path(path))],
        [Path(path) for path in snakemake.input.responses],
        verdicts[verdicts["model"] == snakemake.params.reader],
        lambda item: str(Path("" if snakemake.params.released else dataset, item.picture or "")),
        Path(snakemake.output.overlays),
        overlay,
    )
