"""
What a generated dataset is made of, and whether it was drawn as meant.

Requires items, pictures, geometry and floor of the dataset.
Makes manifest.json, validation.csv, validation_summary.csv; `snakemake verify` re-hashes all.
"""


rule validate:
    """Hold every truth against a second measurement of the drawn curve."""
    input:
        item_files=lambda wildcards: PLAN.item_files(wildcards.dataset),
        geometry=geometries_of,
        floor="results/{dataset}/floor.json",
    output:
        rows="results/{dataset}/validation.csv",
        summary="results/{dataset}/validation_summary.csv",
    log:
        "results/logs/validate/{dataset}.log",
    conda:
        "../envs/plotchain.yaml"
    resources:
        cpu=1,
    params:
        suite=maker_of,
        code=lambda wildcards: fingerprint(f"plotchain_lib.suites.{maker_of(wildcards)}.validation"),
    script:
        "../scripts/validate.py"


rule manifest:
    """Checksums of items, files and pixels, with versions and seed."""
    input:
        item_files=lambda wildcards: PLAN.item_files(wildcards.dataset),
        pictures=pictures_of,
        geometry=geometries_of,
        others=[
            "results/{dataset}/floor.json",
            "results/{dataset}/validation.csv",
            "results/{dataset}/validation_summary.csv",
        ],
    output:
        manifest="results/{dataset}/manifest.json",
    log:
        "results/logs/manifest/{dataset}.log",
    wildcard_constraints:
        dataset=one_of(GENERATED),
    conda:
        "../envs/plotchain.yaml"
    resources:
        cpu=1,
    params:
        suite=maker_of,
        seed=lambda wildcards: PLAN.datasets[wildcards.dataset].seed,
        code=fingerprint("plotchain_lib.manifest"),
    script:
        "../scripts/manifest.py"


rule verify:
    """Compare every file with the manifests: byte-equal, pixel-equal, different or missing."""
    log:
        "results/logs/verify.log",
    localrule: True
    conda:
        "../envs/plotchain.yaml"
    params:
        datasets=GENERATED,
    script:
        "../scripts/verify.py"
