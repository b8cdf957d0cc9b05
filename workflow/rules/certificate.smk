"""
Can what is asked be read, and not guessed?

Requires the items, the headline policy's scores, and the pictures' checksums (a release: its
pictures), with the validation of a generated dataset.
Makes results/{dataset}/certificate.csv.
"""


rule certificate:
    """Ceiling, floor and defects of every field of a dataset."""
    input:
        item_files=lambda wildcards: PLAN.item_files(wildcards.dataset),
        scores=headline_scores,
        geometry=lambda wildcards: only_generated(wildcards, geometries_of(wildcards)),
        validation=lambda wildcards: only_generated(
            wildcards, [f"results/{wildcards.dataset}/validation_summary.csv"]
        ),
        pictures=released_pictures,
    output:
        certificate="results/{dataset}/certificate.csv",
    log:
        "results/logs/certificate/{dataset}.log",
    conda:
        "../envs/plotchain.yaml"
    resources:
        cpu=1,
    params:
        suite=suite_of,
        ceiling=lambda wildcards: PLAN.label_of(wildcards.dataset, "reader"),
        floor=lambda wildcards: PLAN.label_of(wildcards.dataset, "blind"),
        code=lambda wildcards: fingerprint(
            "plotchain_lib.certificate", "plotchain_lib.manifest", *relation_modules(wildcards)
        ),
    script:
        "../scripts/certificate.py"
