"""
Items and the blind floor of every dataset.

Requires nothing for a generated dataset; a published release's file of items otherwise.
Makes results/{dataset}/items/{shard}.jsonl, results/{dataset}/floor.json.
"""


rule generate:
    """Draw the items of one shard, and fit its blind constants on a sample of their own."""
    output:
        item_files="results/{dataset}/items/{shard}.jsonl",
        floor="results/{dataset}/floor/{shard}.json",
    log:
        "results/logs/generate/{dataset}/{shard}.log",
    wildcard_constraints:
        dataset=one_of(GENERATED),
    conda:
        "../envs/plotchain.yaml"
    resources:
        cpu=1,
    params:
        suite=maker_of,
        seed=lambda wildcards: PLAN.datasets[wildcards.dataset].seed,
        size=lambda wildcards: len(PLAN.datasets[wildcards.dataset].shards[wildcards.shard]),
        options=lambda wildcards: dict(PLAN.datasets[wildcards.dataset].options),
        code=shard_code("floor"),
    script:
        "../scripts/generate.py"


# One rule a release, because the shards a job makes are the release's.
for dataset in RELEASED:

    rule:
        """Take the items of all shards from a release, and fit the blind constants two-fold."""
        name:
            f"import_{dataset}"
        input:
            release=PLAN.release_file(dataset),
        output:
            item_files=PLAN.item_files(dataset),
            floors=PLAN.floor_files(dataset),
        log:
            f"results/logs/generate/{dataset}.log",
        conda:
            "../envs/plotchain.yaml"
        resources:
            cpu=1,
        params:
            suite=PLAN.datasets[dataset].suite,
            code=fingerprint(
                suites.release_module(PLAN.datasets[dataset].suite),
                f"plotchain_lib.suites.{PLAN.datasets[dataset].suite}.published",
            ),
        script:
            "../scripts/import_release.py"


rule floor:
    """Gather the blind constants of all shards."""
    input:
        shards=lambda wildcards: PLAN.floor_files(wildcards.dataset),
    output:
        floor="results/{dataset}/floor.json",
    log:
        "results/logs/floor/{dataset}.log",
    conda:
        "../envs/plotchain.yaml"
    resources:
        cpu=1,
    params:
        rule=lambda wildcards: "two-fold" if wildcards.dataset in RELEASED else "calibration",
    script:
        "../scripts/floor.py"
