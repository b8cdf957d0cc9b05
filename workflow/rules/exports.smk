"""
A dataset in the formats of other tools, and its results as tidy tables; made when asked.

Requires items and pictures, the policies' files (inspect, lmms_eval), or answers and scores
(results).
Makes results/exports/{dataset}/huggingface, inspect, lmms_eval, results (folders), croissant.json
and vlmevalkit.tsv. The targets export_huggingface, export_croissant, export_inspect,
export_lmms_eval, export_vlmevalkit and export_results make one kind of all datasets; of episodes
only their results leave.
"""


localrules:
    export_huggingface,
    export_croissant,
    export_inspect,
    export_lmms_eval,
    export_vlmevalkit,
    export_results,


rule export_huggingface:
    """Every dataset for Hugging Face datasets."""
    input:
        expand("results/exports/{dataset}/huggingface", dataset=ASKED),


rule export_croissant:
    """Every dataset for Hugging Face, and its Croissant metadata."""
    input:
        expand("results/exports/{dataset}/croissant.json", dataset=ASKED),


rule export_inspect:
    """Every dataset as a task of Inspect."""
    input:
        expand("results/exports/{dataset}/inspect", dataset=ASKED),


rule export_lmms_eval:
    """Every dataset as a task of lmms-eval."""
    input:
        expand("results/exports/{dataset}/lmms_eval", dataset=ASKED),


rule export_vlmevalkit:
    """Every dataset as a table for VLMEvalKit."""
    input:
        expand("results/exports/{dataset}/vlmevalkit.tsv", dataset=ASKED),


rule export_results:
    """Answers and scores of every dataset as tidy tables."""
    input:
        expand("results/exports/{dataset}/results", dataset=PLAN.datasets),


rule exported_huggingface:
    """Write Parquet with the pictures inside, and a dataset card."""
    input:
        item_files=lambda wildcards: PLAN.item_files(wildcards.dataset),
        pictures=exported_pictures,
    output:
        folder=directory("results/exports/{dataset}/huggingface"),
    log:
        "results/logs/exports/{dataset}/huggingface.log",
    wildcard_constraints:
        dataset=one_of(ASKED),
    conda:
        "../envs/plotchain.yaml"
    resources:
        cpu=1,
    params:
        code=lambda wildcards: fingerprint("plotchain_lib.exports.huggingface"),
    script:
        "../scripts/export_huggingface.py"


rule exported_croissant:
    """Describe the Parquet files of the Hugging Face export in JSON-LD."""
    input:
        folder="results/exports/{dataset}/huggingface",
    output:
        metadata="results/exports/{dataset}/croissant.json",
    log:
        "results/logs/exports/{dataset}/croissant.log",
    wildcard_constraints:
        dataset=one_of(ASKED),
    conda:
        "../envs/croissant.yaml"
    resources:
        cpu=1,
    params:
        code=lambda wildcards: fingerprint("plotchain_lib.exports.croissant"),
    script:
        "../scripts/export_croissant.py"


rule exported_inspect:
    """Write a task's module with its items, pictures and policies."""
    input:
        item_files=lambda wildcards: PLAN.item_files(wildcards.dataset),
        pictures=exported_pictures,
        policies=exported_policy_files,
    output:
        folder=directory("results/exports/{dataset}/inspect"),
    log:
        "results/logs/exports/{dataset}/inspect.log",
    wildcard_constraints:
        dataset=one_of(ASKED),
    conda:
        "../envs/plotchain.yaml"
    resources:
        cpu=1,
    params:
        policies=exported_policies,
        kind="inspect_task",
        code=lambda wildcards: fingerprint(
            "plotchain_lib.exports.inspect_task", "plotchain_lib.exports.templates.inspect_task"
        ),
    script:
        "../scripts/export_task.py"


rule exported_lmms_eval:
    """Write a task's YAML and functions with its data and policies."""
    input:
        item_files=lambda wildcards: PLAN.item_files(wildcards.dataset),
        pictures=exported_pictures,
        policies=exported_policy_files,
    output:
        folder=directory("results/exports/{dataset}/lmms_eval"),
    log:
        "results/logs/exports/{dataset}/lmms_eval.log",
    wildcard_constraints:
        dataset=one_of(ASKED),
    conda:
        "../envs/plotchain.yaml"
    resources:
        cpu=1,
    params:
        policies=exported_policies,
        kind="lmms_eval",
        code=lambda wildcards: fingerprint(
            "plotchain_lib.exports.lmms_eval", "plotchain_lib.exports.templates.lmms_eval_utils"
        ),
    script:
        "../scripts/export_task.py"


rule exported_vlmevalkit:
    """Write one table with the pictures in base64."""
    input:
        item_files=lambda wildcards: PLAN.item_files(wildcards.dataset),
        pictures=exported_pictures,
    output:
        table="results/exports/{dataset}/vlmevalkit.tsv",
    log:
        "results/logs/exports/{dataset}/vlmevalkit.log",
    wildcard_constraints:
        dataset=one_of(ASKED),
    conda:
        "../envs/plotchain.yaml"
    resources:
        cpu=1,
    params:
        code=lambda wildcards: fingerprint("plotchain_lib.exports.vlmevalkit"),
    script:
        "../scripts/export_vlmevalkit.py"


rule exported_results:
    """Write all answers and all scores as one table each, and what their columns mean."""
    input:
        answers=lambda wildcards: [
            path for paths in exported_answers(wildcards).values() for path in paths
        ],
        scores=lambda wildcards: [
            f"results/{wildcards.dataset}/scores/{policy}.parquet"
            for policy in PLAN.policies(suite_of(wildcards))
        ],
    output:
        folder=directory("results/exports/{dataset}/results"),
    log:
        "results/logs/exports/{dataset}/results.log",
    conda:
        "../envs/plotchain.yaml"
    resources:
        cpu=1,
    params:
        answers=exported_answers,
        code=lambda wildcards: fingerprint("plotchain_lib.exports.results"),
    script:
        "../scripts/export_results.py"
