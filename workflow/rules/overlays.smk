"""
What the reader saw, for a person to check.

Requires the items, the reader's responses, and the headline policy's scores.
Makes results/{dataset}/overlays/{shard}.html, which the report links to.
"""

READ = [dataset for dataset in PLAN.datasets if PLAN.label_of(dataset, "reader")]


rule overlays:
    """Draw frame, ticks, curve and reads over every picture the reader was asked about."""
    input:
        item_files=lambda wildcards: PLAN.item_files(wildcards.dataset),
        responses=lambda wildcards: PLAN.responses(
            wildcards.dataset, PLAN.label_of(wildcards.dataset, "reader")
        ),
        scores=headline_scores,
    output:
        overlays=directory("results/{dataset}/overlays"),
    log:
        "results/logs/overlays/{dataset}.log",
    wildcard_constraints:
        dataset=one_of(READ),
    conda:
        "../envs/plotchain.yaml"
    resources:
        cpu=1,
    params:
        reader=lambda wildcards: PLAN.label_of(wildcards.dataset, "reader"),
        released=lambda wildcards: wildcards.dataset in RELEASED,
        code=fingerprint("plotchain_lib.report.overlays", "plotchain_lib.models.reader.overlay"),
    script:
        "../scripts/overlays.py"
