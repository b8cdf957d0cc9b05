"""Answers and scores as tidy tables: the same values, every column explained."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pyarrow.parquet as pq
import pytest

from plotchain_lib.exports.results import COLUMNS, write_results
from plotchain_lib.item import ANSWER_COLUMNS, SCORE_COLUMNS, PlotChainError
from plotchain_lib.score import TEXT_COLUMNS
from plotchain_lib.tables import write_table
from plotchain_lib.weighing import WEIGHED_COLUMNS

NUMBERS = {name for name, column in COLUMNS.items() if str(column.type) == "double"}


def frame(columns: tuple[str, ...], model: str, rows: int = 2) -> pd.DataFrame:
    """Made-up rows in the types the stages write."""
    return pd.DataFrame({
        name: [n == 0 for n in range(rows)] if name == "passed"
        else [1.5 * n for n in range(rows)] if name in NUMBERS
        else [1] * rows if name == "repeat"
        else [model if name == "model" else f"{name}{n}" for n in range(rows)]
        for name in columns
    })  # fmt: skip


def written(folder: Path, score_columns: tuple[str, ...] = SCORE_COLUMNS) -> Path:
    for model in ("a", "b"):
        write_table(folder / f"{model}.parquet", frame(ANSWER_COLUMNS, model))
        write_table(folder / f"{model}.scores", frame(score_columns, model))
    answers = {parsing: [folder / "a.parquet", folder / "b.parquet"] for parsing in ("p", "t")}
    write_results(folder / "out", answers, [folder / "a.scores", folder / "b.scores"])
    return folder / "out"


def test_every_row_of_every_table_is_there(tmp_path: Path) -> None:
    out = written(tmp_path)
    answers = pd.read_parquet(out / "answers.parquet")
    assert answers["parsing"].tolist() == ["p"] * 4 + ["t"] * 4
    assert answers["model"].tolist() == ["a", "a", "b", "b"] * 2
    expected = pd.read_parquet(tmp_path / "b.parquet")
    pd.testing.assert_frame_equal(
        answers[list(ANSWER_COLUMNS)].iloc[6:].reset_index(drop=True), expected, check_dtype=False
    )
    scores = pd.read_parquet(out / "scores.parquet")
    assert tuple(scores.columns) == SCORE_COLUMNS
    assert scores["passed"].tolist() == [True, False] * 2


@pytest.mark.parametrize(
    "columns", [SCORE_COLUMNS, (*SCORE_COLUMNS, *TEXT_COLUMNS), (*SCORE_COLUMNS, *WEIGHED_COLUMNS)]
)
def test_the_dictionary_explains_every_column(tmp_path: Path, columns: tuple[str, ...]) -> None:
    out = written(tmp_path, columns)
    dictionary = json.loads((out / "data_dictionary.json").read_text())
    page = (out / "data_dictionary.md").read_text()
    for table in ("answers", "scores"):
        schema = pq.read_schema(out / f"{table}.parquet")
        entries = dictionary[table]["columns"]
        assert {field.name: str(field.type) for field in schema} == {
            name: entry["type"] for name, entry in entries.items()
        }
        assert all(entry["meaning"] for entry in entries.values())
        assert all(f"| `{name}` |" in page.partition(f"## {table}")[2] for name in entries)


def test_a_table_without_a_column_is_named(tmp_path: Path) -> None:
    broken = tmp_path / "broken.parquet"
    write_table(broken, frame(ANSWER_COLUMNS[:-1], "a"))
    with pytest.raises(PlotChainError, match=r"broken\.parquet: column 'cost_usd' is missing"):
        write_results(tmp_path / "out", {"p": [broken]}, [])
    assert not (tmp_path / "out").exists()
