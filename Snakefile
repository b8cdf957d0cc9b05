"""PlotChain: generate → render → manifest → query → parse → score → significance → report."""

import sys

from snakemake.utils import min_version

min_version("9.20")

# The clone's own library, whatever else is installed; jobs find it through the environment below.
sys.path.insert(0, workflow.basedir)


configfile: "config/config.yaml"


include: "workflow/rules/common.smk"
include: "workflow/rules/console.smk"
include: "workflow/rules/generate.smk"
include: "workflow/rules/render.smk"
include: "workflow/rules/manifest.smk"
include: "workflow/rules/models_calls.smk"
include: "workflow/rules/models.smk"
include: "workflow/rules/query_calls.smk"
include: "workflow/rules/query.smk"
include: "workflow/rules/extract_calls.smk"
include: "workflow/rules/extract.smk"
include: "workflow/rules/redraw.smk"
include: "workflow/rules/parse.smk"
include: "workflow/rules/score.smk"
include: "workflow/rules/significance.smk"
include: "workflow/rules/certificate.smk"
include: "workflow/rules/overlays.smk"
include: "workflow/rules/pictures.smk"
include: "workflow/rules/report_files.smk"
include: "workflow/rules/report.smk"
include: "workflow/rules/export.smk"
include: "workflow/rules/exports_files.smk"
include: "workflow/rules/exports.smk"


onstart:
    begin()


onsuccess:
    if "results/report.html" in sys.argv or not {"estimate", "check"} & set(sys.argv):
        print(*last_words(), sep="\n", file=sys.stderr)


localrules:
    all,


rule all:
    """The report, and the manifest of every generated dataset."""
    default_target: True
    input:
        "results/report.html",
        [f"results/{dataset}/manifest.json" for dataset in GENERATED],
