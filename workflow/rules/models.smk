"""
Before a run: what it would cost, and whether the models answer.

Requires the items and pictures of every dataset (estimate); nothing (check).
Makes no file: both print.
"""


rule estimate:
    """Print calls, tokens and US dollars per model; nothing is sent."""
    input:
        item_files=[path for dataset in PLAN.datasets for path in PLAN.item_files(dataset)],
        pictures=[
            path
            for dataset in GENERATED
            for shard in PLAN.datasets[dataset].shards
            for path in PLAN.pictures(dataset, shard)
        ],
    log:
        "results/logs/estimate.log",
    conda:
        "../envs/plotchain.yaml"
    resources:
        cpu=1,
    params:
        models=entries_of_models(),
        asked=lambda wildcards: {label: asked_of(label) for label in REMOTE},
        extractions=lambda wildcards: {label: extractions_by(label) for label in REMOTE},
        local=[label for label in PLAN.models if label not in REMOTE],
    script:
        "../scripts/estimate.py"


rule check:
    """Make one small call per model and print what works."""
    log:
        "results/logs/check.log",
    conda:
        "../envs/plotchain.yaml"
    resources:
        cpu=1,
    params:
        models=entries_of_models(),
        local=[label for label in PLAN.models if label not in REMOTE],
    script:
        "../scripts/check.py"
