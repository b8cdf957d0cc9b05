"""The structure of the lmms-eval folder; its functions run and score as we do."""

from __future__ import annotations

import importlib.util
import io
import re
from pathlib import Path
from types import ModuleType
from typing import Any

import pyarrow.parquet as pq
import pytest
import yaml
from PIL import Image
from small_sets import Small

from plotchain_lib.exports.lmms_eval import task_name, write_task
from plotchain_lib.item import PlotChainError


class Loader(yaml.SafeLoader):
    """With the tag by which lmms-eval names functions."""


Loader.add_constructor("!function", lambda loader, node: loader.construct_scalar(node).split("."))


def functions(folder: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location("lmms_utils", folder / "utils.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def documents(folder: Path) -> list[dict[str, Any]]:
    """The rows as lmms-eval hands them on: the picture opened."""
    rows = pq.read_table(folder / "data" / "test.parquet").to_pylist()
    return [row | {"image": Image.open(io.BytesIO(row["image"]["bytes"]))} for row in rows]


def test_yaml_names_what_is_there(small: Small, tmp_path: Path) -> None:
    folder = tmp_path / "lmms_eval"
    write_task(folder, "small-1.0", small.items, small.pictures, small.policies)
    task = yaml.load((folder / "plotchain_small_1_0.yaml").read_text(), Loader=Loader)
    assert task["task"] == task_name("small-1.0") == "plotchain_small_1_0"
    assert (task["dataset_path"], task["test_split"]) == ("parquet", "test")
    assert (folder / task["dataset_kwargs"]["data_files"]["test"]).is_file()
    assert task["output_type"] == "generate_until"
    assert task["doc_to_target"] in pq.read_schema(folder / "data" / "test.parquet").names
    module = functions(folder)
    for name in ("doc_to_visual", "doc_to_text", "process_results"):
        assert task[name] == ["utils", name]
        assert callable(getattr(module, name))
    metrics = {entry["metric"] for entry in task["metric_list"]}
    assert metrics == {name for p in small.policies for name in (p, f"{p}_fields")}
    assert all(entry["aggregation"] == "mean" for entry in task["metric_list"])


def test_its_functions_give_our_prompt_picture_and_score(small: Small, tmp_path: Path) -> None:
    folder = tmp_path / "lmms_eval"
    write_task(folder, "small", small.items, small.pictures, small.policies)
    module = functions(folder)
    ours = small.judged(small.record(tmp_path / "raw.jsonl"), tmp_path / "responses")
    by_id = {item.id: item for item in small.items}
    rows = documents(folder)
    assert [row["id"] for row in rows] == list(by_id)
    for row in rows:
        assert module.doc_to_text(row) == by_id[row["id"]].prompt
        (picture,) = module.doc_to_visual(row)
        with Image.open(small.pictures[row["id"]]) as drawn:
            assert picture.tobytes() == drawn.convert("RGB").tobytes()
        found = module.process_results(row, [small.replies[row["id"]]])
        for policy in small.policies:
            assert (found[policy], found[f"{policy}_fields"]) == ours[policy][row["id"]]
    assert set(module.process_results(rows[0], []).values()) == {0.0}


def test_a_name_that_is_no_label_is_refused(plotchain: Small, tmp_path: Path) -> None:
    with pytest.raises(PlotChainError, match=re.escape("'a\"b' is no label")):
        write_task(tmp_path / "x", 'a"b', plotchain.items, plotchain.pictures, plotchain.policies)
    assert not (tmp_path / "x").exists()
