"""What the two models that replay answer, and how they tell a fault of their source."""

import json
import os
from dataclasses import replace
from pathlib import Path

import pytest

from plotchain_lib import models
from plotchain_lib.item import Field, Item, PlotChainError, Request, Response
from plotchain_lib.models import blind, recorded


def item(name: str = "s_0", shard: str = "s") -> Item:
    asked = tuple(Field(key, "V", "a voltage", "final") for key in ("b", "a"))
    return Item(name, "plotchain", shard, shard, "Read", None, asked, {}, {}, 0, "clean")


def ask(module: models.LocalModel, source: Path, asked: Item, repeat: int = 1) -> Response:
    material = module.material(source, asked)
    assert material is not None
    names = tuple(entry.name for entry in asked.fields)
    return module.answer(Request("kind", {}, "Read", names, None, repeat, material, asked.id))


def write(path: Path, *records: object) -> Path:
    path.write_text("".join(f"{json.dumps(record)}\n" for record in records))
    return path


def test_kinds_are_the_files_and_an_unknown_one_is_told() -> None:
    assert {"blind", "recorded"} <= set(models.KINDS)
    assert all(models.code_path(kind).exists() for kind in models.KINDS)
    assert models.load("blind").runs_in_pool is False
    with pytest.raises(PlotChainError, match=r"'blnd'; known are .*blind, .*recorded"):
        models.load("blnd")


def test_blind_answers_its_folds_constants_in_the_order_asked(tmp_path: Path) -> None:
    folds = [
        {"items": ["s_0"], "constants": {"a": 1, "b": 2.5}},
        {"items": ["s_1"], "constants": {"a": 3, "b": 4}},
    ]
    source = write(tmp_path / "floor.json", {"rule": "two-fold", "shards": {"s": {"folds": folds}}})
    assert ask(blind, source, item("s_0")).text == '{"b": 2.5, "a": 1}'
    assert ask(blind, source, item("s_1")).text == '{"b": 4, "a": 3}'
    assert blind.material(source, item()) == {"constants": {"a": 1, "b": 2.5}}
    for wrong, told in [(item("s_2"), "no fold"), (item(shard="t"), "no constants for shard 't'")]:
        with pytest.raises(PlotChainError, match=told):
            blind.material(source, wrong)


def test_blind_says_a_text_as_it_stands(tmp_path: Path) -> None:
    one = replace(item("s_0"), fields=item("s_0").fields[:1])
    name = one.fields[0].name
    folds = [{"items": None, "constants": {name: "[-10, -3]"}}]
    source = write(tmp_path / "floor.json", {"shards": {"s": {"folds": folds}}})
    assert ask(blind, source, one).text == "[-10, -3]"
    folds[0]["constants"] = {name: ""}
    with pytest.raises(PlotChainError, match=r"delete it and run again"):
        blind.material(write(tmp_path / "empty.json", {"shards": {"s": {"folds": folds}}}), one)


@pytest.mark.parametrize("constants", [{"a": 1}, {"a": 1, "b": None}, {"a": 1, "b": "2"}, 4, None])
def test_blind_refuses_constants_that_are_no_numbers(tmp_path: Path, constants: object) -> None:
    folds = [{"items": None, "constants": constants}]
    source = write(tmp_path / "floor.json", {"shards": {"s": {"folds": folds}}})
    with pytest.raises(PlotChainError, match=r"floor\.json.*delete it and run again"):
        blind.material(source, item())


def test_recorded_replays_outcome_usage_and_latency(tmp_path: Path) -> None:
    usage = {"input_tokens": 7, "output_tokens": 3}
    source = write(
        tmp_path / "raw.jsonl",
        {"id": "s_0", "raw_text": "4 V\u2028", "latency_s": 1.25, "error": None, "model": "m",
         "usage": usage, "cost_usd": 0.5, "parsed_json": {"a": 4}},
        {"id": "s_0", "repeat": 2, "raw_text": " ", "latency_s": None, "error": ""},
        {"id": "s_1", "raw_text": None, "error": "HTTP 400:\n bad request", "latency_s": 0.5},
    )  # fmt: skip
    first = ask(recorded, source, item())
    assert first == Response(
        "answered", "4 V\u2028", "", 1.25, 7, 3, 0.5, "m", {}, {"usage": usage}
    )
    assert ask(recorded, source, item(), repeat=2).outcome == "empty"
    failed = ask(recorded, source, item("s_1"))
    assert (failed.outcome, failed.reason) == ("rejected", "HTTP 400: bad request")
    assert ask(recorded, source, item(), repeat=3).outcome == "pending"
    assert recorded.material(source, item("s_2")) is None


def test_recorded_sees_that_its_file_changed(tmp_path: Path) -> None:
    source = write(tmp_path / "raw.jsonl", {"id": "s_0", "raw_text": "4"})
    assert ask(recorded, source, item()).text == "4"
    write(source, {"id": "s_0", "raw_text": "55"})
    assert ask(recorded, source, item()).text == "55"


@pytest.mark.parametrize(
    ("record", "told"),
    [
        ({"raw_text": "4"}, 'no "id"'),
        ({"id": "s_0", "repeat": 0}, '"repeat"'),
        ({"id": "s_0", "repeat": "1"}, '"repeat"'),
        ({"id": "s_0", "raw_text": 4}, '"raw_text"'),
        ({"id": "s_0", "latency_s": float("nan")}, '"latency_s"'),
        ({"id": "s_0", "usage": [1]}, '"usage"'),
        ({"id": "s_0", "model": 4}, '"model"'),
    ],
)
def test_recorded_names_the_line_that_is_wrong(tmp_path: Path, record: object, told: str) -> None:
    source = write(tmp_path / "raw.jsonl", {"id": "x", "raw_text": ""}, record)
    with pytest.raises(PlotChainError, match=rf"raw\.jsonl:2: .*{told}"):
        recorded.material(source, item())


def test_recorded_names_both_lines_of_a_double(tmp_path: Path) -> None:
    source = tmp_path / "raw.jsonl"
    source.write_text('{"id": "a"}\n\n{"id": "b"}\n{"id": "a", "repeat": 1}\n')
    with pytest.raises(PlotChainError, match="lines 1 and 4 both record repeat 1 of 'a'"):
        recorded.material(source, item())


def test_recorded_reads_the_published_files() -> None:
    folder = os.environ.get("PLOTCHAIN_REFERENCE")
    if not folder:
        pytest.skip("PLOTCHAIN_REFERENCE names no folder with published raw_*.jsonl files")
    paths = sorted(Path(folder).glob("**/raw_*.jsonl"))
    assert paths
    for path in paths:
        names = [json.loads(line)["id"] for line in path.read_text().split("\n") if line]
        outcomes = [ask(recorded, path, item(name)).outcome for name in names]
        assert len(outcomes) == 450 and set(outcomes) <= {"answered", "empty", "rejected"}
