"""
From values to verdicts.

Requires the items, the answers of every model, and the policy's file.
Makes results/{dataset}/scores/{policy}.parquet.
"""


rule score:
    """Judge all answers about a dataset under one policy."""
    input:
        item_files=lambda wildcards: PLAN.item_files(wildcards.dataset),
        answers=lambda wildcards: PLAN.answers(wildcards.dataset, wildcards.policy),
        policy=policy_files,
    output:
        scores="results/{dataset}/scores/{policy}.parquet",
    log:
        "results/logs/score/{dataset}/{policy}.log",
    conda:
        "../envs/plotchain.yaml"
    resources:
        cpu=1,
    params:
        suite=suite_of,
        # A literal touch of a policy judges again; nowhere else does a time matter.
        touched=lambda wildcards: modification_times(policy_files(wildcards)),
        code=score_code,
    script:
        "../scripts/score.py"
