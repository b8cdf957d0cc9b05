"""Adapter of the rule `score`."""

from pathlib import Path

import pandas as pd

from plotchain_lib import suites
from plotchain_lib.derivation import Derivation
from plotchain_lib.item import one_line_errors, read_items
from plotchain_lib.policy import MATCH_RULES, load_policy
from plotchain_lib.score import (
    check_fields,
    match_rule,
    score,
    score_texts,
    text_truth_table,
    truth_table,
)
from plotchain_lib.tables import write_table

with one_line_errors(snakemake.log[0]):
    items = [item for path in snakemake.input.item_files for item in read_items(Path(path))]
    answers = pd.concat([pd.read_parquet(path) for path in snakemake.input.answers])
    policy = load_policy(Path(snakemake.input.policy[0]))
    suite = snakemake.params.suite
    if policy.rule in MATCH_RULES:
        match = suites.judging(suite).match(policy.rule) or match_rule(policy.rule)
        scores = score_texts(answers, text_truth_table(items), policy, match)
    else:
        truth = truth_table(items)
        check_fields(policy, truth, snakemake.input.policy[0])
        derivation = Derivation.of(items, suites.load(suite).relations())
        scores = score(answers, truth, policy, derivation)
    write_table(Path(snakemake.output.scores), scores)
