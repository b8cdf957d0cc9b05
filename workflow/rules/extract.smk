"""
What a model copies out of the replies of others, for policies with an extractor.

Requires the items, and one model's responses.
Makes results/{dataset}/extraction/{model}.jsonl,
results/{dataset}/responses/{extractor}@{model}/{item}.{repeat}.json and
results/{dataset}/answers/by-{extractor}/{model}.parquet.
"""


rule extraction:
    """Write what an extractor is sent about each of a model's replies."""
    input:
        item_files=lambda wildcards: PLAN.item_files(wildcards.dataset),
        responses=lambda wildcards: PLAN.responses(wildcards.dataset, wildcards.model),
    output:
        item_files="results/{dataset}/extraction/{model}.jsonl",
    log:
        "results/logs/extract/{dataset}/{model}.log",
    conda:
        "../envs/plotchain.yaml"
    resources:
        cpu=1,
    params:
        suite=suite_of,
        code=lambda wildcards: fingerprint("plotchain_lib.parse", judging_module(wildcards)),
    script:
        "../scripts/extraction.py"


# A reply that is none (refused, empty, pending) is not sent: its response stands for itself.
rule extract:
    """Ask one extractor about one reply."""
    input:
        item_files="results/{dataset}/extraction/{model}.jsonl",
        response="results/{dataset}/responses/{model}/{item}.{repeat}.json",
    output:
        "results/{dataset}/responses/{extractor}@{model}/{item}.{repeat}.json",
    log:
        "results/logs/extract/{dataset}/{extractor}/{model}/{item}.{repeat}.log",
    wildcard_constraints:
        extractor=one_of(EXTRACTORS),
    localrule: True
    conda:
        "../envs/plotchain.yaml"
    resources:
        tmpdir=TEMPORARY,
    params:
        call=extraction_call,
    shell:
        'if grep -q \'"outcome":"answered"\' {input.response:q}; '
        'then exec "$PLOTCHAIN_PYTHON" -I -S "$PLOTCHAIN_CLIENT" {output:q} {params.call:q}; '
        "else cp {input.response:q} {output:q}; fi"


rule parse_extracted:
    """Read every requested field from what an extractor copied out of one model's replies."""
    input:
        item_files=lambda wildcards: PLAN.item_files(wildcards.dataset),
        responses=lambda wildcards: PLAN.responses(wildcards.dataset, wildcards.model),
        extractions=lambda wildcards: PLAN.extractions(
            wildcards.dataset, wildcards.extractor, wildcards.model
        ),
    output:
        answers="results/{dataset}/answers/by-{extractor}/{model}.parquet",
    log:
        "results/logs/parse/{dataset}/by-{extractor}/{model}.log",
    wildcard_constraints:
        extractor=one_of(EXTRACTORS),
    conda:
        "../envs/plotchain.yaml"
    resources:
        cpu=1,
    params:
        suite=suite_of,
        code=lambda wildcards: fingerprint("plotchain_lib.parse", judging_module(wildcards)),
    script:
        "../scripts/parse_extracted.py"
