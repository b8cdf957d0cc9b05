"""
The page, its figures, tables and numbers.

Requires scores, significance, answers and run facts of every dataset, and the validation of the
generated ones.
Makes results/report.html, results/figures/, results/tables/, results/numbers.json.
"""


def report_files(_wildcards):
    """Every file the report reads."""
    files = []
    for entry in PLAN.report_inputs()["datasets"].values():
        files += [*entry["scores"].values(), *entry["significance"].values(), entry["run"]]
        files += [path for models in entry["answers"].values() for path in models.values()]
        files += [entry[key] for key in ("validation", "validation_summary") if entry[key]]
    return files


rule report:
    """Build the report of all datasets."""
    input:
        report_files,
    output:
        page="results/report.html",
        numbers="results/numbers.json",
        figures=directory("results/figures"),
        tables=directory("results/tables"),
    params:
        inputs=PLAN.report_inputs(),
        code=fingerprint("plotchain_lib.report"),
    log:
        "results/logs/report.log",
    resources:
        cpu=1,
    script:
        "../scripts/report.py"
