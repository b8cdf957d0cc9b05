"""
Before a run: what it would cost, and whether the models answer.

Requires the items and pictures of every dataset (estimate); nothing (check).
Makes no file: both print.
"""


def asked_of(label):
    """What a model is asked about: items, repeats and pictures of each of its datasets."""
    return [
        {
            "items": PLAN.item_files(dataset),
            "chosen": [item for shard in entry.shards for item in PLAN.items(dataset, shard)],
            "repeats": PLAN.repeats(dataset),
            "pictures": {item: PLAN.picture(dataset, item) for item in entry.shard_of},
        }
        for dataset, entry in PLAN.datasets.items()
        if label in {model.label for model in PLAN.models_of(dataset)}
    ]


def entries_of_models():
    """Label to settings and limits of every model that is asked over HTTP."""
    return {
        label: {"settings": dict(model.settings), "limits": dict(model.limits)}
        for label, model in REMOTE.items()
    }


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
