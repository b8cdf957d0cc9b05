"""
Pictures of every generated dataset; a published release brings its own.

Requires results/{dataset}/items/{shard}.jsonl.
Makes results/{dataset}/images/{shard}/{item}.png and {shard}.geometry.json.
"""

# One rule for all shards whose pictures are named alike, because a rule says what its jobs make.
for dataset, names, shards in alike_shards():

    rule:
        """Draw the pictures of one shard."""
        name:
            render_name(dataset, names, shards)
        input:
            item_files=f"results/{dataset}/items/{{shard}}.jsonl",
        output:
            pictures=[f"results/{dataset}/images/{{shard}}/{name}.png" for name in names],
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
            code=lambda wildcards, dataset=dataset: code_of_shard(
                dataset, wildcards.shard, "render"
            ),
        script:
            "../scripts/render.py"
