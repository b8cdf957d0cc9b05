"""The released set as a dataset, and what every fault of its file says."""

from __future__ import annotations

import json
import os
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from plotchain_lib.item import PlotChainError
from plotchain_lib.suites.grab.groups import GROUPS
from plotchain_lib.suites.grab.published import (
    precision_of,
    property_of,
    read_release,
    release_ids,
    two_fold_floor,
)


def record(number: int = 0, **changes: Any) -> dict[str, Any]:
    return {
        "pid": number, "question": "Say the gradient as an integer.", "answer": str(number % 4),
        "category": "Intercepts and Gradients", "complexity": 2, "task": "function",
        "image": f"images/{number}.png", **changes,
    }  # fmt: skip


def write(folder: Path, records: Any) -> Path:
    (folder / "grab.json").write_text(json.dumps(records), encoding="utf-8")
    return folder


def test_an_item(tmp_path: Path) -> None:
    folder = write(tmp_path, {"7": record(7), "8": record(8)})
    assert release_ids(folder) == dict.fromkeys(("7", "8"), "function_intercepts_and_gradients")
    item = read_release(folder)[0]
    assert (item.id, item.group) == ("7", "function/intercepts_and_gradients/gradient")
    assert item.picture == f"{folder.as_posix()}/images/7.png"
    assert item.prompt == "Say the gradient as an integer."
    assert item.truth == {"answer": "3"}
    assert item.difficulty == "2"
    assert item.params["precision"] == "integer"
    assert [field.name for field in item.fields] == ["answer"]


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"task": "poetry"}, "no task 'poetry'"),
        ({"complexity": 10}, "complexity is 10, not 0 to 9"),
        ({"complexity": True}, "complexity is True"),
        ({"answer": 3}, "answer is no text"),
        ({"answer": "3.0"}, "'3.0' is no answer of precision integer"),
        ({"question": "Say the gradient."}, "no precision is known"),
        ({"question": "Say something as an integer."}, "no property is known"),
        ({"category": "../up"}, "with a category '../up'"),
    ],
)
def test_faults_name_file_and_item(tmp_path: Path, changes: dict[str, Any], said: str) -> None:
    folder = write(tmp_path, {"0": record(), "1": record(1, **changes)})
    with pytest.raises(PlotChainError, match=said) as caught:
        read_release(folder)
    assert f"{folder}/grab.json: item 1: " in str(caught.value)
    assert "\n" not in str(caught.value)


def test_faults_of_the_file(tmp_path: Path) -> None:
    with pytest.raises(PlotChainError, match=r"cannot be read .* check the dataset's 'release'"):
        release_ids(tmp_path)
    for content, said in (([], "expected an object"), ({}, "expected an object"),
                          ({"a/b": record()}, "the pid is no label"), ({"1": []}, "no object"),
                          ({"1": {"task": "series"}}, "question is missing")):  # fmt: skip
        with pytest.raises(PlotChainError, match=said):
            release_ids(write(tmp_path, content))
    (tmp_path / "grab.json").write_text("{")
    with pytest.raises(PlotChainError, match="not valid JSON"):
        release_ids(tmp_path)


def test_floor_of_the_other_half(tmp_path: Path) -> None:
    # Halves by turns: 0 2 4 have the answers 0 2 0, so 1 3 get 0; 1 3 have 1 3, so 0 2 4 get 1.
    items = read_release(write(tmp_path, {str(n): record(n) for n in range(5)}))
    assert two_fold_floor(items) == {
        "folds": [
            {"items": ["0", "2", "4"], "constants": {"answer": "1"}},
            {"items": ["1", "3"], "constants": {"answer": "0"}},
        ]
    }


def test_properties_are_told_apart() -> None:
    assert property_of("Estimate the mean function mean of these.", "function") == "mean"
    assert property_of("Estimate the mean range span of these.", "series") == "range"
    assert property_of("What is the range span of the data? As an integer.", "properties") == (
        "data_range"
    )
    assert property_of("What is the colour?", "properties") == ""
    assert precision_of("Answer to 1 decimal place.") == "one_decimal"


def test_the_released_set_has_our_groups() -> None:
    folder = os.environ.get("PLOTCHAIN_REFERENCE")
    if not folder:
        pytest.skip("PLOTCHAIN_REFERENCE is not set: the released questions are not at hand")
    items = read_release(Path(folder) / "grab")
    found = Counter((i.group, i.params["precision"], i.params["complexity"]) for i in items)
    ours = {
        (f"{group.task}/{group.category}/{group.name}", group.precision, level): count
        for group in GROUPS
        for level, count in group.counts.items()
    }
    assert dict(found) == ours
    assert len(items) == 2170
