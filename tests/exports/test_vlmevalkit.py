"""The structure of the table for VLMEvalKit, read as VLMEvalKit reads it: by pandas."""

from __future__ import annotations

import base64
import json
from pathlib import Path

import pandas as pd
import pytest
from small_sets import Small

from plotchain_lib.exports.vlmevalkit import COLUMNS, write_tsv
from plotchain_lib.item import PlotChainError


def test_columns_prompts_answers_and_pictures(small: Small, tmp_path: Path) -> None:
    path = tmp_path / "small.tsv"
    write_tsv(path, small.items, small.pictures)
    table = pd.read_csv(path, sep="\t")
    assert tuple(table.columns) == COLUMNS
    assert {"index", "image", "question", "answer"} < set(COLUMNS)
    assert table["index"].tolist() == list(range(len(small.items)))
    for row, item in zip(table.itertuples(), small.items, strict=True):
        assert (row.id, row.category, row.question) == (item.id, item.group, item.prompt)
        # VLMEvalKit takes a short text under image for the index of another row.
        assert len(row.image) > 64
        assert base64.b64decode(row.image) == small.pictures[item.id].read_bytes()
        if item.suite == "plotchain":
            assert json.loads(row.answer) == dict(item.truth)
        else:
            assert str(row.answer) == item.truth["answer"]


def test_a_missing_picture_leaves_the_old_table(plotchain: Small, tmp_path: Path) -> None:
    path = tmp_path / "small.tsv"
    path.write_text("old")
    with pytest.raises(PlotChainError, match="its picture is not there"):
        write_tsv(path, plotchain.items, {})
    assert path.read_text() == "old"
    assert [file.name for file in tmp_path.iterdir()] == ["small.tsv"]
