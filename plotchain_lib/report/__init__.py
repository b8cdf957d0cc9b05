"""Verdicts to a page, figures, tables and numbers. Sees only tables, never a suite or a model."""

from plotchain_lib.report.build import (
    build_figures,
    build_page,
    build_report,
    collect_numbers,
    compose,
    load_datasets,
    write_figures,
    write_tables,
)
from plotchain_lib.report.inputs import DatasetInputs, ReportInputs

__all__ = [
    "DatasetInputs",
    "ReportInputs",
    "build_figures",
    "build_page",
    "build_report",
    "collect_numbers",
    "compose",
    "load_datasets",
    "write_figures",
    "write_tables",
]
