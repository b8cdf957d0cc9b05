"""
Pictures of every generated dataset; a published release brings its own.

Requires results/{dataset}/items/{shard}.jsonl.
Makes results/{dataset}/images/{shard}/{item}.png and {shard}.geometry.json.
"""

# One rule for all shards of a size, because a rule names as many pictures as its jobs make.
for dataset, size, shards in [
    (name, size, [shard for shard, items in entry.shards.items() if len(items) == size])
    for name, entry in PLAN.datasets.items()
    if entry.release is None
    for size in dict.fromkeys(map(len, entry.shards.values()))
]:

    rule:
        """Draw the pictures of one shard."""
        name:
            f"render_{dataset}" if PLAN.datasets[dataset].count else f"render_{dataset}_{size}"
        input:
            item_files=f"results/{dataset}/items/{{shard}}.jsonl",
        output:
            pictures=[
                f"results/{dataset}/images/{{shard}}/{{shard}}_{index:03d}.png"
                for index in range(size)
            ],
            geometry=f"results/{dataset}/images/{{shard}}.geometry.json",
        log:
            f"results/logs/render/{dataset}/{{shard}}.log",
        wildcard_constraints:
            shard=one_of(shards),
        conda:
            "../envs/plotchain.yaml"
        resources:
            cpu=1,
        params:
            suite=PLAN.datasets[dataset].maker,
            code=lambda wildcards, suite=PLAN.datasets[dataset].maker: fingerprint(
                f"plotchain_lib.suites.{suite}.render",
                *suites.load(suite).shard_modules(wildcards.shard),
            ),
        script:
            "../scripts/render.py"
