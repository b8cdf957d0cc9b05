"""
From verdicts to what is sure.

Requires the scores of one policy.
Makes results/{dataset}/significance/{policy}.json.
"""


rule significance:
    """Intervals on every metric, every pair of models tested."""
    input:
        scores="results/{dataset}/scores/{policy}.parquet",
    output:
        significance="results/{dataset}/significance/{policy}.json",
    log:
        "results/logs/significance/{dataset}/{policy}.log",
    conda:
        "../envs/plotchain.yaml"
    resources:
        cpu=1,
    params:
        alpha=config.get("significance", {}).get("alpha", 0.05),
        resamples=int(config.get("significance", {}).get("resamples", 10000)),
        seed=int(config.get("significance", {}).get("seed", 0)),
        baselines=PLAN.baselines,
        code=fingerprint("plotchain_lib.statistics"),
    script:
        "../scripts/significance.py"
