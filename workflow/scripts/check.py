"""Adapter of the rule `check`."""

import asyncio
import io
import os
import sys
from pathlib import Path

from PIL import Image

from plotchain_lib.files import one_line_errors, write_atomically
from plotchain_lib.query.cache import Cache
from plotchain_lib.query.check import check

with one_line_errors(snakemake.log[0]):
    picture = io.BytesIO()
    Image.new("RGB", (64, 64), "white").save(picture, "PNG")
    cache = Cache(Path(os.environ["PLOTCHAIN_CACHE"]), lambda line: None)
    entries = {
        label: (entry["settings"], entry["limits"])
        for label, entry in snakemake.params.models.items()
    }
    results = asyncio.run(check(entries, picture.getvalue(), Path.cwd(), cache))
    cache.close()
    lines = [result.line() for result in results]
    if snakemake.params.local:
        lines.append(f"answered here, nothing to check: {', '.join(snakemake.params.local)}")
    text = "\n".join(lines) + "\n"
    write_atomically(Path(snakemake.log[0]), text)
    sys.stdout.write(text)
    if not all(result.works for result in results):
        sys.exit(1)
