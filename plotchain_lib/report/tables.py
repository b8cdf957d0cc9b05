"""A table once, in four places: the page, CSV, LaTeX and numbers.json."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from plotchain_lib.report.formatting import (
    Kind,
    escape_latex,
    is_missing,
    write_interval,
    write_value,
)

Record = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Column:
    """One column.

    Attributes:
        name: the key in a record, in the CSV header and in numbers.json; it never changes.
        title: the heading.
        kind: how a value is written.
        interval: the record also holds ``{name}_lower`` and ``{name}_upper``.
        counted: the record also holds ``{name}_n``, the denominator.
        spread: the value is the low end of a range; the record also holds ``{name}_to``.
        heat: the page shades the cell by its value in [0, 1].
        group: a heading over this column and its neighbours of the same group.
        marked: the record may also hold ``{name}_mark``, a sign that is shown behind the value.
        link: the key in a record that holds where the page's cell leads; shown nowhere else.
    """

    name: str
    title: str
    kind: Kind = "text"
    interval: bool = False
    counted: bool = False
    spread: bool = False
    heat: bool = False
    group: str = ""
    marked: bool = False
    link: str = ""

    def parts(self) -> list[str]:
        """The keys of a record this column holds."""
        ends = [f"{self.name}_lower", f"{self.name}_upper"] if self.interval else []
        end = [f"{self.name}_to"] if self.spread else []
        mark = [f"{self.name}_mark"] if self.marked else []
        return [self.name, *mark, *end, *ends, *([f"{self.name}_n"] if self.counted else [])]


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under columns.

    Attributes:
        name: part of the file names and of the path in numbers.json.
        title: the caption.
        columns: from left to right; the first stays in sight when the table scrolls.
        records: one mapping a row.
        keys: columns that tell one row from another; the path in numbers.json.
        apart: rows shown below and not ranked, as the baselines.
        note: a line under the table.
        order: column the rows are sorted by when the page opens, for ``aria-sort``.
        of_run: facts of the run itself (times, checksums of responses), which no two runs share:
            shown on the page, left out of the files that must come out the same.
    """

    name: str
    title: str
    columns: tuple[Column, ...]
    records: tuple[Record, ...]
    keys: tuple[str, ...]
    apart: tuple[Record, ...] = ()
    note: str = ""
    order: str = ""
    of_run: bool = False

    @property
    def rows(self) -> tuple[Record, ...]:
        """All rows, those apart last."""
        return self.records + self.apart


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell as the page shows it.

    Attributes:
        text: the value.
        small: the interval, in small type.
        sort: what the column sorts by; empty sorts last.
        heat: a share for shading; None for none.
        link: an address relative to the page; empty for none.
    """

    text: str
    small: str = ""
    sort: str = ""
    heat: float | None = None
    link: str = ""

    @property
    def tone(self) -> str:
        """Which of three letter colours stands out from the shade, on light and on dark paper.

        On dark paper letters turn black from the first step on, on light paper white from the
        second; the steps are where either has a contrast of 4.5.
        """
        heat = self.heat or 0.0
        return "deep" if heat > 0.72 else "middle" if heat > 0.58 else "light"


@dataclass(frozen=True, slots=True)
class TableView:
    """A table ready for the template."""

    table: Table
    groups: tuple[tuple[str, int], ...]
    denominators: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    apart: tuple[tuple[Cell, ...], ...] = field(default=())


def records_of(frame: Any) -> list[dict[str, Any]]:
    """The rows of a pandas frame, its index left out."""
    return [{str(name): value for name, value in row.items()} for row in frame.to_dict("records")]


def view_table(table: Table) -> TableView:
    """Write every cell for the page."""
    return TableView(
        table=table,
        groups=_group_spans(table.columns),
        denominators=tuple(_shared_denominator(table, column) for column in table.columns),
        rows=tuple(_cells(table.columns, record) for record in table.records),
        apart=tuple(_cells(table.columns, record) for record in table.apart),
    )


def table_csv(table: Table) -> str:
    """All rows in full precision; interval ends and denominators in columns of their own."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    names = [part for column in table.columns for part in column.parts()]
    writer.writerow(names)
    for record in table.rows:
        writer.writerow([_plain(record.get(name)) for name in names])
    return stream.getvalue()


def table_latex(table: Table) -> str:
    """A booktabs tabular to be read with ``\\input``."""
    alignment = "".join("l" if column.kind in ("text", "hash") else "r" for column in table.columns)
    lines = [
        f"% {escape_latex(table.title)}; needs \\usepackage{{booktabs}}",
        f"\\begin{{tabular}}{{{alignment}}}",
        "\\toprule",
        *_latex_groups(table.columns),
        _latex_row(escape_latex(_latex_title(column)) for column in table.columns),
        "\\midrule",
        *(_latex_record(table.columns, record) for record in table.records),
        *(["\\midrule"] if table.apart and table.records else []),
        *(_latex_record(table.columns, record) for record in table.apart),
        "\\bottomrule",
        "\\end{tabular}",
    ]
    return "\n".join(lines) + "\n"


def table_numbers(table: Table) -> dict[str, Any]:
    """Every printed number under the row's keys: ``{model: {metric: value}}``."""
    numbers: dict[str, Any] = {}
    for record in table.rows:
        place = numbers
        for key in table.keys:
            place = place.setdefault(str(record[key]), {})
        for column in table.columns:
            parts = column.parts()[1 if column.name in table.keys else 0 :]
            place.update({part: _plain(record.get(part)) for part in parts})
    return numbers


def _group_spans(columns: tuple[Column, ...]) -> tuple[tuple[str, int], ...]:
    """Runs of columns under one heading; empty where no column has one."""
    spans: list[tuple[str, int]] = []
    for column in columns:
        if spans and spans[-1][0] == column.group:
            spans[-1] = (column.group, spans[-1][1] + 1)
        else:
            spans.append((column.group, 1))
    return tuple(spans) if any(column.group for column in columns) else ()


def _shared_denominator(table: Table, column: Column) -> str:
    """The denominator if all rows share one; it then stands in the heading, not in each cell."""
    if not column.counted:
        return ""
    found = {record.get(f"{column.name}_n") for record in table.rows}
    found.discard(None)
    if len(found) != 1:
        return ""
    return write_value(found.pop(), "count")


def _cells(columns: tuple[Column, ...], record: Record) -> tuple[Cell, ...]:
    return tuple(_cell(column, record) for column in columns)


def _cell(column: Column, record: Record) -> Cell:
    value = record.get(column.name)
    small = ""
    if column.interval:
        ends = (record.get(f"{column.name}_lower"), record.get(f"{column.name}_upper"))
        small = write_interval(*ends, column.kind)
    text = write_value(value, column.kind)
    if column.spread:
        end = write_value(record.get(f"{column.name}_to"), column.kind)
        text = text if end == text else f"{text}–{end}"
    if column.marked:
        text += record.get(f"{column.name}_mark") or ""
    shaded = column.heat and not is_missing(value)
    return Cell(
        text=text,
        small=small,
        sort=_sort_key(value, column.kind),
        heat=round(float(value), 4) if shaded and value is not None else None,
        link=str(record.get(column.link) or ""),
    )


def _sort_key(value: Any, kind: Kind) -> str:
    if kind in ("text", "hash"):
        return "" if value is None else str(value)
    return "" if is_missing(value) else repr(float(value))


def _latex_groups(columns: tuple[Column, ...]) -> list[str]:
    spans = _group_spans(columns)
    if not spans:
        return []
    heads = (f"\\multicolumn{{{width}}}{{c}}{{{escape_latex(head)}}}" for head, width in spans)
    return [_latex_row(heads)]


def _latex_title(column: Column) -> str:
    bare = column.kind == "percent" and "(%)" not in column.title
    return f"{column.title} (%)" if bare else column.title


def _latex_record(columns: tuple[Column, ...], record: Record) -> str:
    return _latex_row(_latex_cell(_cell(column, record)) for column in columns)


def _latex_cell(cell: Cell) -> str:
    text = escape_latex(cell.text)
    return f"{text} {{\\scriptsize ({escape_latex(cell.small)})}}" if cell.small else text


def _latex_row(cells: Iterable[str]) -> str:
    return " & ".join(cells) + r" \\"


def _plain(value: Any) -> Any:
    """A Python value for JSON and CSV: NumPy scalars unwrapped, NaN to None."""
    if hasattr(value, "item"):
        value = value.item()
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value
