"""
From replies to values.

Requires the items and one model's responses.
Makes results/{dataset}/answers/{parsing}/{model}.parquet and results/{dataset}/run.json.
"""


rule parse:
    """Read every requested field from one model's replies."""
    input:
        item_files=lambda wildcards: PLAN.item_files(wildcards.dataset),
        responses=lambda wildcards: PLAN.responses(wildcards.dataset, wildcards.model),
    output:
        answers="results/{dataset}/answers/{parsing}/{model}.parquet",
    params:
        code=fingerprint("plotchain_lib.parse"),
    log:
        "results/logs/parse/{dataset}/{parsing}/{model}.log",
    resources:
        cpu=1,
    script:
        "../scripts/parse.py"


rule run_facts:
    """When, whom and how: what the report says of the run itself."""
    input:
        responses=lambda wildcards: [
            response
            for model in PLAN.models_of(wildcards.dataset)
            for response in PLAN.responses(wildcards.dataset, model.label)
        ],
    output:
        run="results/{dataset}/run.json",
    params:
        code=fingerprint("plotchain_lib.parse"),
    log:
        "results/logs/parse/{dataset}/run.log",
    resources:
        cpu=1,
    script:
        "../scripts/run_facts.py"
