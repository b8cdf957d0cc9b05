"""
The page, its figures, tables and numbers.

Requires scores, significance, answers and run facts of every dataset, and the validation of the
generated ones.
Makes results/report.html, results/figures/, results/tables/, results/numbers.json.
"""


rule report:
    """Build the report of all datasets."""
    input:
        report_files,
    output:
        page="results/report.html",
        numbers="results/numbers.json",
        figures=directory("results/figures"),
        tables=directory("results/tables"),
    log:
        "results/logs/report.log",
    conda:
        "../envs/plotchain.yaml"
    resources:
        cpu=min(2, os.cpu_count()),
    params:
        inputs=PLAN.report_inputs(),
        code=fingerprint("plotchain_lib.report"),
    script:
        "../scripts/report.py"
