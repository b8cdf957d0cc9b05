"""
What the scripts of episodes draw.

Requires the items, and one model's responses.
Makes results/{dataset}/submissions/{model}.parquet and results/{dataset}/episodes/{model}.parquet.
"""


rule redraw:
    """Run every script one model submitted, in the scoring sandbox, and read its figure."""
    input:
        item_files=lambda wildcards: PLAN.item_files(wildcards.dataset),
        responses=lambda wildcards: PLAN.responses(wildcards.dataset, wildcards.model),
    output:
        submissions="results/{dataset}/submissions/{model}.parquet",
        episodes="results/{dataset}/episodes/{model}.parquet",
    log:
        "results/logs/redraw/{dataset}/{model}.log",
    wildcard_constraints:
        dataset=one_of(PLAYED),
    conda:
        "../envs/plotchain.yaml"
    resources:
        cpu=1,
    params:
        options=lambda wildcards: PLAN.player_options(wildcards.dataset),
        code=lambda wildcards: fingerprint(
            *(f"plotchain_lib.suites.{suite_of(wildcards)}.{name}" for name in REDRAWN)
        ),
    script:
        "../scripts/redraw.py"
