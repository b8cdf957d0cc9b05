"""
What a generated dataset is made of, and whether it was drawn as meant.

Requires items, pictures, geometry and floor of the dataset.
Makes manifest.json, validation.csv, validation_summary.csv; `snakemake verify` re-hashes all.
"""


rule validate:
    """Hold every truth against a second measurement of the drawn curve."""
    input:
        item_files=lambda wildcards: PLAN.item_files(wildcards.dataset),
        geometry=lambda wildcards: [
            f"results/{wildcards.dataset}/images/{shard}.geometry.json"
            for shard in PLAN.datasets[wildcards.dataset].shards
        ],
        floor="results/{dataset}/floor.json",
    output:
        rows="results/{dataset}/validation.csv",
        summary="results/{dataset}/validation_summary.csv",
    params:
        suite=suite_of,
        code=lambda wildcards: fingerprint(
            f"plotchain_lib.suites.{suite_of(wildcards)}.validation"
        ),
    log:
        "results/logs/validate/{dataset}.log",
    resources:
        cpu=1,
    script:
        "../scripts/validate.py"


rule manifest:
    """Checksums of items, files and pixels, with versions and seed."""
    input:
        item_files=lambda wildcards: PLAN.item_files(wildcards.dataset),
        pictures=lambda wildcards: [
            picture
            for shard in PLAN.datasets[wildcards.dataset].shards
            for picture in PLAN.pictures(wildcards.dataset, shard)
        ],
        geometry=lambda wildcards: [
            f"results/{wildcards.dataset}/images/{shard}.geometry.json"
            for shard in PLAN.datasets[wildcards.dataset].shards
        ],
        others=[
            "results/{dataset}/floor.json",
            "results/{dataset}/validation.csv",
            "results/{dataset}/validation_summary.csv",
        ],
    output:
        manifest="results/{dataset}/manifest.json",
    wildcard_constraints:
        dataset=one_of(GENERATED),
    params:
        suite=suite_of,
        seed=lambda wildcards: PLAN.datasets[wildcards.dataset].seed,
        code=fingerprint("plotchain_lib.manifest"),
    log:
        "results/logs/manifest/{dataset}.log",
    resources:
        cpu=1,
    script:
        "../scripts/manifest.py"


rule verify:
    """Compare every file with the manifests: byte-equal, pixel-equal, different or missing."""
    params:
        datasets=GENERATED,
    log:
        "results/logs/verify.log",
    localrule: True
    script:
        "../scripts/verify.py"
