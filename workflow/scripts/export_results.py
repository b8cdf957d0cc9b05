"""Adapter of the rule `exported_results`."""

from pathlib import Path

from plotchain_lib.exports.results import write_results
from plotchain_lib.files import one_line_errors

with one_line_errors(snakemake.log[0]):
    answers = {name: [Path(p) for p in paths] for name, paths in snakemake.params.answers.items()}
    scores = [Path(path) for path in snakemake.input.scores]
    write_results(Path(snakemake.output.folder), answers, scores)
