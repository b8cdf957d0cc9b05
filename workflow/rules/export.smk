"""
A dataset and its answers in the layouts others publish.

Requires items and pictures, or responses.
Makes results/{dataset}/release/plotchain.jsonl with images/ beside it, and
results/{dataset}/raw/{model}.jsonl.
"""


rule export_release:
    """Write a generated dataset as a published release: plotchain.jsonl and images/."""
    input:
        item_files=lambda wildcards: PLAN.item_files(wildcards.dataset),
        pictures=pictures_of,
    output:
        release=directory("results/{dataset}/release"),
    log:
        "results/logs/export/{dataset}.log",
    wildcard_constraints:
        dataset=one_of([name for name in GENERATED if name in ASKED]),
    conda:
        "../envs/plotchain.yaml"
    resources:
        cpu=1,
    params:
        code=fingerprint("plotchain_lib.releases"),
    script:
        "../scripts/export_release.py"


rule export_raw:
    """Write one model's raw outputs as JSON Lines, ready to be recorded answers elsewhere."""
    input:
        responses=lambda wildcards: PLAN.responses(wildcards.dataset, wildcards.model),
    output:
        raw="results/{dataset}/raw/{model}.jsonl",
    log:
        "results/logs/export/{dataset}/{model}.log",
    conda:
        "../envs/plotchain.yaml"
    resources:
        cpu=1,
    params:
        code=fingerprint("plotchain_lib.releases"),
    script:
        "../scripts/export_raw.py"
