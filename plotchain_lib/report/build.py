"""From the files of a run to the figures, and to the page, the tables and the numbers."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from plotchain_lib.files import write_atomically, write_json
from plotchain_lib.report import grab, matplotgym, plotchain
from plotchain_lib.report.beside import beside
from plotchain_lib.report.cautions import pending_counts
from plotchain_lib.report.certificate import certificate_csv, certificate_sections
from plotchain_lib.report.figures import (
    NARROW_INCHES,
    WIDE_INCHES,
    Chart,
    Drawings,
    DrawnFigures,
    svg_name,
)
from plotchain_lib.report.hardest import hardest_section
from plotchain_lib.report.inputs import Dataset, ReportInputs, load_dataset
from plotchain_lib.report.item_blobs import item_browser
from plotchain_lib.report.marks import marked_page, marked_table
from plotchain_lib.report.missing import missing_sections
from plotchain_lib.report.overview import overview_tables
from plotchain_lib.report.page import DatasetPage, render_page
from plotchain_lib.report.power import power_sections
from plotchain_lib.report.repeats import repeat_section
from plotchain_lib.report.sections import (
    Section,
    call_section,
    first_screen,
    pair_section,
    policy_section,
    run_section,
    speed_sections,
)
from plotchain_lib.report.tables import Table, table_csv, table_latex, table_numbers
from plotchain_lib.report.words import words_of


@dataclass(frozen=True, slots=True)
class SuiteParts:
    """What a suite adds to the page: where and why models fail, how judging matters, its words."""

    sections: Callable[[Dataset], list[Section]]
    judging: Callable[[Dataset], list[Section]]
    definitions: Sequence[tuple[str, str]]
    across: Callable[[Dataset, Sequence[Dataset]], list[Section]] = lambda dataset, datasets: []


SUITES: Mapping[str, SuiteParts] = {
    "plotchain": SuiteParts(plotchain.sections, plotchain.judging, plotchain.DEFINITIONS),
    "grab": SuiteParts(grab.sections, grab.judging, grab.DEFINITIONS, grab.across),
    "matplotgym": SuiteParts(matplotgym.sections, lambda dataset: [], matplotgym.DEFINITIONS),
}
OVERVIEW = "_all"  # stands beside the datasets' labels, none of which can begin so
NO_PARTS = SuiteParts(lambda dataset: [], lambda dataset: [], ())


def build_report(inputs: ReportInputs, destination: Path) -> None:
    """Write ``figures/``, ``report.html``, ``tables/`` and ``numbers.json`` into a folder."""
    build_figures(inputs, destination / "figures")
    build_page(inputs, destination, destination / "figures")


def build_figures(inputs: ReportInputs, folder: Path) -> None:
    """Write every chart of the report into a folder, in two processes that take turns."""
    pages = compose(load_datasets(inputs))
    charts = [(page.name, *entry) for page in pages for entry in charts_of(page)]
    begun = multiprocessing.Value("i", 0)

    def draw() -> None:
        while True:
            with begun.get_lock():
                place, begun.value = begun.value, begun.value + 1
            if place >= len(charts):
                return
            write_figures(charts[place : place + 1], folder)

    other = beside(draw)
    draw()
    other()


def build_page(inputs: ReportInputs, destination: Path, figures: Path) -> None:
    """Write ``report.html``, ``tables/`` and ``numbers.json``; the figures lie in a folder."""
    datasets = load_datasets(inputs)
    shown = zip(datasets, inputs.datasets, strict=True)
    browsable = [(dataset, e.browser) for dataset, e in shown if e.browser is not None]
    browser = beside(lambda: item_browser(browsable))
    pages = compose(datasets)
    write_tables(pages, destination / "tables")
    write_atomically(destination / "tables" / "certificate.csv", certificate_csv(datasets))
    unsealed = frozenset(label for dataset in datasets for label in dataset.unsealed)
    overview = [marked_table(table, unsealed) for table in overview_tables(datasets)]
    numbers = collect_numbers(pages, datasets)
    for table in overview:
        numbers.setdefault(OVERVIEW, {})[table.name] = table_numbers(table)
        write_table(table, destination / "tables" / f"{OVERVIEW}-{table.name}")
    write_json(destination / "numbers.json", numbers)
    page = render_page(pages, overview, DrawnFigures(figures), browser())
    write_atomically(destination / "report.html", page)


def load_datasets(inputs: ReportInputs) -> tuple[Dataset, ...]:
    """Read and check every input file."""
    return tuple(load_dataset(entry, inputs.models) for entry in inputs.datasets)


def compose(datasets: Sequence[Dataset]) -> list[DatasetPage]:
    """Choose the sections of each dataset; nothing is drawn yet."""
    pages = []
    for dataset in datasets:
        parts = SUITES.get(dataset.suite, NO_PARTS)
        # What and where, then why, how sure, judged how, by what means, at what price.
        chosen = [
            *parts.sections(dataset), *parts.across(dataset, datasets),
            pair_section(dataset), *power_sections(dataset),
            *missing_sections(dataset), *repeat_section(dataset), policy_section(dataset),
            *parts.judging(dataset), *hardest_section(dataset), *certificate_sections(dataset),
            *speed_sections(dataset), call_section(dataset), run_section(dataset),
        ]  # fmt: skip
        definitions = (words_of(dataset.suite).ends, *parts.definitions)
        page = DatasetPage(dataset.name, first_screen(dataset), chosen, definitions)
        pages.append(marked_page(page, dataset.unsealed))
    return pages


def write_figures(charts: Sequence[tuple[str, Chart, bool]], folder: Path) -> None:
    """Each chart as ``{dataset}-{chart}``: PDF, PNG, SVG, and a narrow SVG if the page shows it.

    A chart is given with its dataset's name before it and whether it is shown behind it.
    """
    drawings = Drawings()
    for name, chart, shown in charts:
        stem = f"{name}-{chart.name}"
        write_atomically(folder / f"{stem}.pdf", drawings.pdf(chart))
        write_atomically(folder / f"{stem}.png", drawings.png(chart))
        for width in (WIDE_INCHES, NARROW_INCHES) if shown else (WIDE_INCHES,):
            write_atomically(folder / svg_name(stem, width), drawings.svg_file(chart, width))


def write_tables(pages: Sequence[DatasetPage], folder: Path) -> None:
    """Every table as ``{dataset}-{table}.csv`` and ``.tex``."""
    for page in pages:
        for table in tables_of(page):
            write_table(table, folder / f"{page.name}-{table.name}")


def write_table(table: Table, stem: Path) -> None:
    """One table as CSV and LaTeX; the label may hold dots, so the ending is added, not changed."""
    write_atomically(stem.with_name(f"{stem.name}.csv"), table_csv(table))
    write_atomically(stem.with_name(f"{stem.name}.tex"), table_latex(table))


def collect_numbers(pages: Sequence[DatasetPage], datasets: Sequence[Dataset]) -> dict[str, Any]:
    """Every number the page prints but the run's facts: ``dataset → table → row → column``."""
    numbers: dict[str, Any] = {}
    for page, dataset in zip(pages, datasets, strict=True):
        tables = {table.name: table_numbers(table) for table in tables_of(page)}
        tables["pending"] = pending_counts(page.first.cautions)
        tables["cautions"] = {}
        for caution in page.first.cautions:
            tables["cautions"].setdefault(caution.kind, {})[caution.subject] = caution.count
        facts = dict(page.first.facts)
        numbers[dataset.name] = {"facts": facts, "policy": dataset.headline, **tables}
    return numbers


def tables_of(page: DatasetPage) -> Iterator[Table]:
    """The tables of one dataset that are written as files."""
    yield page.first.leaderboard
    for section in page.sections:
        yield from (t for t in (*section.tables, *section.files) if not t.of_run)


def charts_of(page: DatasetPage) -> Iterator[tuple[Chart, bool]]:
    """The charts of one dataset that are written as files, and whether the page shows them."""
    if page.first.standing is not None:
        yield page.first.standing, True
    for section in page.sections:
        yield from ((chart, True) for chart in section.charts)
        yield from ((chart, False) for chart in section.figures)
