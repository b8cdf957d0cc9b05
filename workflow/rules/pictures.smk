"""
Pictures as the report carries them.

Requires the pictures of a shard; those a release lacks are left out, and the report says so.
Makes results/{dataset}/pictures/{shard}.parquet.
"""


rule pictures:
    """Write a shard's pictures as WebP, each pixel kept unless the report holds very many."""
    input:
        pictures=lambda wildcards: found_pictures(
            wildcards.dataset, PLAN.datasets[wildcards.dataset].shards[wildcards.shard]
        ),
    output:
        pictures="results/{dataset}/pictures/{shard}.parquet",
    log:
        "results/logs/pictures/{dataset}/{shard}.log",
    conda:
        "../envs/plotchain.yaml"
    resources:
        cpu=1,
    params:
        reduced=PLAN.reduced_pictures,
        code=fingerprint("plotchain_lib.pictures"),
    script:
        "../scripts/pictures.py"
