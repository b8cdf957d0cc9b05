"""The certificate on the page, in the tables and in the numbers."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from dataclasses import replace

import pandas as pd

from plotchain_lib.certificate import COLUMNS
from plotchain_lib.report import ReportInputs, collect_numbers, compose, load_datasets
from plotchain_lib.report.certificate import certificate_csv, certificate_sections
from plotchain_lib.report.figures import Drawings
from plotchain_lib.report.inputs import CERTIFICATE_COLUMNS, Dataset
from plotchain_lib.report.page import render_page

MakeInputs = Callable[..., ReportInputs]
FLAGS = ("Unreadable:", "Given away:", "Constant:", "Derived:", "Duplicate:")


def load(inputs: ReportInputs, **changes: object) -> Dataset:
    return replace(load_datasets(inputs)[0], **changes)  # type: ignore[arg-type]


def test_the_report_reads_what_the_stage_writes() -> None:
    assert CERTIFICATE_COLUMNS == COLUMNS


def test_the_section_counts_and_defines(fake_report: MakeInputs) -> None:
    (section,) = certificate_sections(load(fake_report(1, items_per_family=2)))
    # 13 families of four fields and two of two; every fourth is flagged.
    assert section.lead == "56 fields: ceiling 97.5 %, floor 12.5 %, 14 flagged."
    (table,) = section.tables
    assert all(flag in table.note for flag in FLAGS)
    assert set(COLUMNS) - {column.name for column in table.columns} == {"dataset"}
    unknown = [record for record in table.records if pd.isna(record["ceiling"])]
    assert len(unknown) == 14


def test_both_ends_may_be_missing(fake_report: MakeInputs) -> None:
    dataset = load(fake_report(1, items_per_family=2))
    assert dataset.certificate is not None
    empty = dataset.certificate.assign(ceiling=None, floor=None, range=None, pictures=None)
    (section,) = certificate_sections(replace(dataset, certificate=empty))
    assert "ceiling not asked, floor not asked" in section.lead
    assert certificate_sections(replace(dataset, certificate=None)) == []


def test_families_lead_to_what_the_ceiling_saw(fake_report: MakeInputs) -> None:
    inputs = fake_report(1, items_per_family=1)
    plain, linked = load(inputs), load(inputs, browsable=True)
    pages = [render_page(compose([dataset]), (), Drawings()) for dataset in (plain, linked)]
    links = [set(re.findall(r'href="(#item=[^"]*overlay)"', page)) for page in pages]
    assert links[0] == set()
    assert len(links[1]) == 15
    assert "#item=plotchain/pump_curve_000&amp;overlay" in links[1]
    assert not re.findall(r">(nan|None|NaN|&lt;NA&gt;)<", pages[1])


def test_the_field_table_does_not_repeat_it(fake_report: MakeInputs) -> None:
    (page,) = compose([load(fake_report(1, items_per_family=1))])
    tables = {table.name: table for section in page.sections for table in section.tables}
    names = {column.name for column in tables["fields"].columns}
    assert names.isdisjoint({"floor", "tolerance_px"})
    order = [section.name for section in page.sections]
    assert order.index("fields") < order.index("policies") < order.index("certificate")


def test_one_file_holds_all_datasets(fake_report: MakeInputs) -> None:
    one = load(fake_report(1, "one", items_per_family=1))
    two = load(fake_report(1, "two", items_per_family=2, dataset="other"))
    assert two.certificate is not None
    two = replace(two, certificate=two.certificate.assign(pictures=None, ceiling=None))
    text = certificate_csv([one, two])
    table = pd.read_csv(io.StringIO(text))
    assert tuple(table.columns) == CERTIFICATE_COLUMNS
    assert table.groupby("dataset").size().to_dict() == {"plotchain": 56, "other": 56}
    assert "1.0" not in text.split()[1].split(",")[:8]  # counts stay whole
    assert table[table["dataset"] == "other"]["ceiling"].isna().all()
    assert certificate_csv([replace(one, certificate=None)]) == ",".join(COLUMNS) + "\n"
    numbers = collect_numbers(compose([one]), [one])["plotchain"]["certificate"]
    assert numbers["pump_curve"]["width_s"]["floor"] == 0.125
