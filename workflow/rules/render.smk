"""
Pictures of every generated dataset; a published release brings its own.

Requires results/{dataset}/items/{shard}.jsonl.
Makes results/{dataset}/images/{shard}/{item}.png and {shard}.geometry.json.
"""

# One rule a dataset, because the number of pictures a job makes is the dataset's.
for dataset in GENERATED:

    rule:
        """Draw the pictures of one shard."""
        name:
            f"render_{dataset}"
        input:
            item_files=f"results/{dataset}/items/{{shard}}.jsonl",
        output:
            pictures=[
                f"results/{dataset}/images/{{shard}}/{{shard}}_{index:03d}.png"
                for index in range(PLAN.datasets[dataset].count)
            ],
            geometry=f"results/{dataset}/images/{{shard}}.geometry.json",
        log:
            f"results/logs/render/{dataset}/{{shard}}.log",
        conda:
            "../envs/plotchain.yaml"
        resources:
            cpu=1,
        params:
            suite=PLAN.datasets[dataset].suite,
            code=lambda wildcards, suite=PLAN.datasets[dataset].suite: fingerprint(
                f"plotchain_lib.suites.{suite}.render",
                f"plotchain_lib.suites.{suite}.families.{wildcards.shard}",
            ),
        script:
            "../scripts/render.py"
