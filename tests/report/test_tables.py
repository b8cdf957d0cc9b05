"""A table on the page, as CSV, as LaTeX and as numbers."""

from __future__ import annotations

import csv
import io
import json

import pytest

from plotchain_lib.report.formatting import escape_latex, write_number, write_value
from plotchain_lib.report.tables import (
    Column,
    Table,
    table_csv,
    table_latex,
    table_numbers,
    view_table,
)

TABLE = Table(
    name="t",
    title="A_title & more",
    columns=(
        Column("model", "Model"),
        Column("rate", "Rate", "percent", interval=True, counted=True),
        Column("tolerance", "Tolerance", "setting", spread=True),
    ),
    records=(
        {"model": "a_b", "rate": 0.8765, "rate_lower": 0.8, "rate_upper": 0.9, "rate_n": 30,
         "tolerance": 0.05, "tolerance_to": 0.25},
        {"model": "50% & more", "rate": None, "rate_n": 30, "tolerance": 0.05,
         "tolerance_to": 0.05},
    ),
    keys=("model",),
    apart=({"model": "blind", "rate": float("nan"), "rate_n": 30},),
)  # fmt: skip


def test_page_cells() -> None:
    view = view_table(TABLE)
    assert [cell.text for cell in view.rows[0]] == ["a_b", "87.6", "0.05–0.25"]
    assert view.rows[0][1].small == "80.0–90.0"
    assert [cell.text for cell in view.rows[1]] == ["50% & more", "–", "0.05"]
    assert view.apart[0][1].sort == ""
    assert view.denominators == ("", "30", "")


def test_csv_has_full_precision_and_all_parts() -> None:
    rows = list(csv.DictReader(io.StringIO(table_csv(TABLE))))
    assert rows[0]["rate"] == "0.8765"
    assert rows[0]["rate_upper"] == "0.9"
    assert rows[0]["tolerance_to"] == "0.25"
    assert rows[2] == dict.fromkeys(rows[0], "") | {"model": "blind", "rate_n": "30"}


def test_latex_has_equal_columns_and_no_bare_specials() -> None:
    lines = table_latex(TABLE).splitlines()
    assert lines[1] == r"\begin{tabular}{lrr}"
    rows = [line for line in lines if line.endswith(r"\\")]
    assert [line.replace(r"\&", "").count("&") for line in rows] == [2, 2, 2, 2]
    assert r"a\_b & 87.6 {\scriptsize (80.0--90.0)} & 0.05--0.25 \\" in lines
    assert lines.count(r"\midrule") == 2


def test_numbers_are_strict_json_under_stable_names() -> None:
    numbers = table_numbers(TABLE)
    assert numbers["a_b"]["rate_lower"] == 0.8
    assert numbers["blind"]["rate"] is None
    json.dumps(numbers, allow_nan=False)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a\\b", r"a\textbackslash{}b"),
        ("~^#%{}$_&", r"\textasciitilde{}\textasciicircum{}\#\%\{\}\$\_\&"),
        ("1–2 ≤ 3", r"1--2 $\le$ 3"),
        ("é 図\n", "e ? "),
    ],
)
def test_latex_escapes(text: str, expected: str) -> None:
    assert escape_latex(text) == expected


@pytest.mark.parametrize(
    ("value", "kind", "expected"),
    [
        (0.78214, "percent", "78.2"), (None, "percent", "–"), (float("nan"), "p", "–"),
        (-0.0161, "points", "−1.6"), (0.0, "points", "0.0"), (0.0004, "p", "< 0.001"),
        (12345, "count", "12,345"), (True, "flag", "yes"), (None, "flag", "–"),
        (6.149, "seconds", "6.15"), ("f" * 64, "hash", "ffffffffffff…"),
    ],
)  # fmt: skip
def test_values_as_written(value: object, kind: str, expected: str) -> None:
    assert write_value(value, kind) == expected  # type: ignore[arg-type]


def test_numbers_keep_zeros_only_where_measured() -> None:
    assert write_number(2.0) == "2.00"
    assert write_number(2.0, strip=True) == "2"
    assert write_number(100.0, strip=True) == "100"
    assert write_number(-0.0705) == "−0.0705"
