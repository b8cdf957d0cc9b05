"""Adapter of the rule `estimate`."""

import os
import sys
from pathlib import Path

from plotchain_lib.files import one_line_errors, write_atomically
from plotchain_lib.query.cache import Cache
from plotchain_lib.query.estimate import estimate, table

with one_line_errors(snakemake.log[0]):
    cache = Cache(Path(os.environ["PLOTCHAIN_CACHE"]), lambda line: None)
    asked, extractions = snakemake.params.asked, snakemake.params.extractions
    rows = [
        estimate(label, entry["settings"], entry["limits"], asked[label], cache, extractions[label])
        for label, entry in snakemake.params.models.items()
    ]
    cache.close()
    text = table(rows, snakemake.params.local)
    write_atomically(Path(snakemake.log[0]), text)
    sys.stdout.write(text)
