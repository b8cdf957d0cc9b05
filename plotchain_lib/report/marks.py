"""Results that must not be taken for others of the same table: their models' labels get a mark."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import Any

from plotchain_lib.report.inputs import UNSEALED
from plotchain_lib.report.page import DatasetPage
from plotchain_lib.report.tables import Column, Record, Table

LABELS = ("model", "first", "second", "best")  # columns that hold a model's label
NOTE = (
    f"{UNSEALED}\N{NO-BREAK SPACE}Unsealed: some of it ran where the agent could reach beyond its "
    "workspace."
)


def marked_page(page: DatasetPage, unsealed: Collection[str]) -> DatasetPage:
    """A page whose tables mark the unsealed models, wherever their labels stand."""
    if not unsealed:
        return page
    sections = [
        replace(
            section,
            tables=tuple(marked_table(table, unsealed) for table in section.tables),
            files=tuple(marked_table(table, unsealed) for table in section.files),
        )
        for section in page.sections
    ]
    first = replace(page.first, leaderboard=marked_table(page.first.leaderboard, unsealed))
    return replace(page, first=first, sections=sections)


def marked_table(table: Table, unsealed: Collection[str]) -> Table:
    """A table with marks behind labels in rows and headings, and the note that explains them."""
    columns = tuple(_column(column, unsealed) for column in table.columns)
    held = [c.name for c in columns if c.name in LABELS]
    rows = [record[name] for record in table.rows for name in held if record.get(name) in unsealed]
    if not rows and columns == table.columns:
        return table
    columns = tuple(replace(c, marked=True) if rows and c.name in held else c for c in columns)
    return replace(
        table, columns=columns, note=f"{table.note} {NOTE}".strip(),
        records=tuple(_record(record, held, unsealed) for record in table.records),
        apart=tuple(_record(record, held, unsealed) for record in table.apart),
    )  # fmt: skip


def _column(column: Column, unsealed: Collection[str]) -> Column:
    if column.title not in unsealed:
        return column
    return replace(column, title=f"{column.title}{UNSEALED}")


def _record(record: Record, held: Collection[str], unsealed: Collection[str]) -> dict[str, Any]:
    marks = {f"{name}_mark": UNSEALED for name in held if record.get(name) in unsealed}
    return {**record, **marks}
