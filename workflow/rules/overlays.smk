"""
What the reader saw, for a person to check in the report's item browser.

Requires the reader's responses.
Makes results/{dataset}/overlays.parquet.
"""

READ = [dataset for dataset in PLAN.datasets if PLAN.label_of(dataset, "reader")]


rule overlays:
    """Draw frame, ticks, curve and reads of every picture the reader was asked about."""
    input:
        responses=lambda wildcards: PLAN.responses(
            wildcards.dataset, PLAN.label_of(wildcards.dataset, "reader")
        ),
    output:
        overlays="results/{dataset}/overlays.parquet",
    log:
        "results/logs/overlays/{dataset}.log",
    wildcard_constraints:
        dataset=one_of(READ),
    conda:
        "../envs/plotchain.yaml"
    resources:
        cpu=1,
    params:
        code=fingerprint("plotchain_lib.overlays", "plotchain_lib.models.reader.overlay"),
    script:
        "../scripts/overlays.py"
