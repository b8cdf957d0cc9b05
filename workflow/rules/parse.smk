"""
From replies to values.

Requires the items and one model's responses; of episodes also what their scripts draw.
Makes results/{dataset}/answers/{parsing}/{model}.parquet and results/{dataset}/run.json.
"""


rule parse:
    """Read every requested field from one model's replies."""
    input:
        item_files=lambda wildcards: PLAN.item_files(wildcards.dataset),
        responses=lambda wildcards: PLAN.responses(wildcards.dataset, wildcards.model),
        drawn=drawn_of,
    output:
        answers="results/{dataset}/answers/{parsing}/{model}.parquet",
    log:
        "results/logs/parse/{dataset}/{parsing}/{model}.log",
    conda:
        "../envs/plotchain.yaml"
    resources:
        cpu=1,
    params:
        suite=suite_of,
        code=lambda wildcards: fingerprint("plotchain_lib.parse", judging_module(wildcards)),
    script:
        "../scripts/parse.py"


rule run_facts:
    """When, whom and how: what the report says of the run itself."""
    input:
        responses=responses_of,
        extractions=extractions_of,
    output:
        run="results/{dataset}/run.json",
    log:
        "results/logs/parse/{dataset}/run.log",
    conda:
        "../envs/plotchain.yaml"
    resources:
        cpu=1,
    params:
        code=fingerprint("plotchain_lib.parse"),
    script:
        "../scripts/run_facts.py"
