"""
The page, its figures, tables and numbers, and all of it in one archive.

Requires scores, significance, answers and run facts of every dataset, and the validation of the
generated ones; for the item browser the items, the raw answers, the pictures and what the reader
saw.
Makes results/figures/, results/report.html, results/tables/, results/numbers.json and, when asked,
results/report_bundle.zip.
"""


rule figures:
    """Draw every chart: PDF and PNG for a paper, SVG for the page."""
    input:
        tables=tables_of_report,
    output:
        figures=directory("results/figures"),
    log:
        "results/logs/figures.log",
    conda:
        "../envs/plotchain.yaml"
    resources:
        cpu=min(2, os.cpu_count()),
    params:
        inputs=report_inputs(PLAN),
        code=fingerprint("plotchain_lib.report"),
    script:
        "../scripts/figures.py"


rule report:
    """Build the page of all datasets, its tables and its numbers."""
    input:
        tables=tables_of_report,
        browser=browser_files,
        figures="results/figures",
    output:
        page="results/report.html",
        numbers="results/numbers.json",
        tables=directory("results/tables"),
    log:
        "results/logs/report.log",
    conda:
        "../envs/plotchain.yaml"
    resources:
        cpu=min(2, os.cpu_count()),
    params:
        inputs=report_inputs(PLAN),
        code=fingerprint("plotchain_lib.report"),
    script:
        "../scripts/report.py"


rule report_bundle:
    """Put the page and everything behind it into one archive."""
    input:
        page="results/report.html",
        numbers="results/numbers.json",
        figures="results/figures",
        tables="results/tables",
        replies=[
            path
            for entry in report_inputs(PLAN)["datasets"].values()
            for path in entry["browser"]["replies"].values()
        ],
        pictures=lambda wildcards: [
            path for paths in bundled_pictures(wildcards).values() for path in paths
        ],
    output:
        bundle="results/report_bundle.zip",
    log:
        "results/logs/report_bundle.log",
    conda:
        "../envs/plotchain.yaml"
    resources:
        cpu=1,
    params:
        pictures=bundled_pictures,
        code=fingerprint("plotchain_lib.bundle"),
    script:
        "../scripts/report_bundle.py"
