"""Releases: reading a published layout, writing one, and the faults of both."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from plotchain_lib.item import Field, Item, PlotChainError
from plotchain_lib.releases import (
    read_release,
    release_ids,
    unit_of,
    write_raw_outputs,
    write_release,
)

RECORD: dict[str, Any] = {
    "id": "valve_000",
    "type": "valve",
    "image_path": "images/valve/valve_000.png",
    "question": "Read the valve curve.",
    "ground_truth": {"flow_m3h": 12.0, "cp_lift_m": 0.25},
    "plot_params": {"k": 3},
    "generation": {
        "difficulty": "edge",
        "final_fields": ["flow_m3h"],
        "checkpoint_fields": ["cp_lift_m"],
    },
}


def release(folder: Path, *records: dict[str, Any] | str) -> Path:
    lines = [record if isinstance(record, str) else json.dumps(record) for record in records]
    (folder / "plotchain.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return folder


def test_a_release_becomes_items(tmp_path: Path) -> None:
    folder = release(tmp_path, RECORD)
    (item,) = read_release(folder)
    assert (item.id, item.suite, item.shard, item.group) == (
        "valve_000",
        "plotchain",
        "valve",
        "valve",
    )
    assert item.fields == (
        Field("flow_m3h", "m³/h", "", "final", None),
        Field("cp_lift_m", "m", "", "checkpoint", None),
    )
    assert item.picture == f"{folder.as_posix()}/images/valve/valve_000.png"
    assert (item.difficulty, item.seed, item.params) == ("edge", None, {"k": 3})
    question, line = item.prompt.split("\n")
    assert question == RECORD["question"]
    assert line.index('"flow_m3h"') < line.index('"cp_lift_m"')
    assert release_ids(folder) == {"valve_000": "valve"}
    assert Item.from_json(item.to_json()) == item


@pytest.mark.parametrize(
    ("name", "unit"),
    [
        ("cutoff_hz", "Hz"), ("dc_gain_db", "dB"), ("cp_slope_db_per_decade", "dB/decade"),
        ("settling_time_s", "s"), ("cp_vmax_v", "V"), ("turn_on_voltage_v_at_target_i", "V"),
        ("target_current_a", "A"), ("resistance_ohm", "ohm"), ("stress_at_1e5_mpa", "MPa"),
        ("no_load_speed_rpm", "rpm"), ("cp_torque_at_speed_q_nm", "N·m"), ("head_at_qop_m", "m"),
        ("q_at_half_head_m3h", "m³/h"), ("phase_deg_at_fq", "deg"), ("percent_overshoot", "%"),
        ("small_signal_gain", ""), ("steady_state", ""), ("cp_q_factor", ""), ("pole_real", ""),
        ("cp_vin_at_saturation", ""), ("fracture_strain", ""),
    ],
)  # fmt: skip
def test_units_from_names(name: str, unit: str) -> None:
    assert unit_of(name) == unit


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"question": None}, "question is missing"),
        ({"image_path": "../secret.png"}, "leaves the folder"),
        ({"image_path": "/secret.png"}, "leaves the folder"),
        ({"ground_truth": {"flow_m3h": 1.0}}, "cp_lift_m"),
        ({"ground_truth": {"flow_m3h": "many", "cp_lift_m": 1}}, "could not convert"),
        ({"ground_truth": {"flow_m3h": float("nan"), "cp_lift_m": 1}}, "flow_m3h is nan"),
        ({"generation": {"final_fields": []}}, "checkpoint_fields"),
        ({"id": 7}, "id 7 is no label"),
        ({"id": "valve_000"}, "'valve_000' is already on line 1; remove one"),
    ],
)
def test_faults_name_file_and_line(tmp_path: Path, change: dict[str, Any], said: str) -> None:
    changed = {**RECORD, "id": "valve_001", **change}
    if change.get("question", "") is None:
        del changed["question"]
    folder = release(tmp_path, RECORD, changed)
    with pytest.raises(PlotChainError, match=said) as caught:
        read_release(folder)
    assert str(caught.value).startswith(f"{folder / 'plotchain.jsonl'}:2: ")
    assert "\n" not in str(caught.value)


def test_broken_lines_and_missing_files(tmp_path: Path) -> None:
    with pytest.raises(PlotChainError, match=r"jsonl:2: not valid JSON"):
        release_ids(release(tmp_path, RECORD, '{"id": "valve'))
    with pytest.raises(PlotChainError, match=r"jsonl:1: expected a JSON object"):
        release_ids(release(tmp_path, "[]"))
    with pytest.raises(PlotChainError, match="cannot be read"):
        read_release(tmp_path / "gone")


def generated(number: int) -> Item:
    return Item(
        id=f"valve_{number:03d}", suite="plotchain", shard="valve", group="valve",
        prompt=f"Read −3 dB\nof curve {number}.", picture=f"images/valve/valve_{number:03d}.png",
        fields=(
            Field("flow_m3h", "m³/h", "the flow", "final", 1),
            Field("cp_lift_m", "m", "the lift", "checkpoint", 2),
        ),
        truth={"flow_m3h": 12.5 + number, "cp_lift_m": 0.25}, params={"k": number}, seed=0,
        difficulty="clean",
    )  # fmt: skip


def test_export_and_reading_are_inverse(tmp_path: Path) -> None:
    source, target = tmp_path / "results", tmp_path / "release"
    items = [generated(number) for number in range(3)]
    for item in items:
        assert item.picture is not None
        (source / item.picture).parent.mkdir(parents=True, exist_ok=True)
        (source / item.picture).write_bytes(b"picture " + item.id.encode())
    write_release(target, items, source)
    back = read_release(target)
    for item, read in zip(items, back, strict=True):
        assert (read.id, read.prompt, read.truth) == (item.id, item.prompt, item.truth)
        assert (read.fields, read.params) == (item.fields, item.params)
        assert read.picture is not None
        assert Path(read.picture).read_bytes() == b"picture " + item.id.encode()
    again = tmp_path / "again"
    write_release(again, back, Path())  # a release's pictures are relative to the working folder
    assert [(i.prompt, i.truth) for i in read_release(again)] == [
        (i.prompt, i.truth) for i in items
    ]


def test_export_without_a_picture(tmp_path: Path) -> None:
    with pytest.raises(PlotChainError, match=r"valve_000: its picture .* run the render stage"):
        write_release(tmp_path / "out", [generated(0)], tmp_path)


def response(folder: Path, item: str, **more: Any) -> Path:
    record = {
        "dataset": "d", "model": "label", "item": item, "repeat": 1, "outcome": "answered",
        "reason": "", "text": '{"flow_m3h": 12}', "latency_s": 1.5, "served_model": "m-1",
        "sent": {"provider": "openai"},
    } | more  # fmt: skip
    path = folder / f"{item}.1.json"
    path.write_text(json.dumps(record), encoding="utf-8")
    return path


def test_raw_outputs_are_written_in_the_published_layout(tmp_path: Path) -> None:
    files = [
        response(tmp_path, "valve_000"),
        response(tmp_path, "valve_001", outcome="truncated", reason="2000 tokens", text=""),
        response(tmp_path, "valve_002", outcome="pending", reason="no key", text=""),
    ]
    path = tmp_path / "raw.jsonl"
    write_raw_outputs(path, files)
    answered, truncated = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    assert answered == {
        "provider": "openai", "model": "m-1", "id": "valve_000", "type": "valve",
        "raw_text": '{"flow_m3h": 12}', "latency_s": 1.5, "error": None,
    }  # fmt: skip
    assert (truncated["raw_text"], truncated["error"]) == ("", "truncated: 2000 tokens")
    write_raw_outputs(path, files[:1], families={"valve_000": "pump"}, provider="other")
    (line,) = path.read_text(encoding="utf-8").splitlines()
    assert (json.loads(line)["type"], json.loads(line)["provider"]) == ("pump", "other")


@pytest.mark.parametrize("content", [b"", b'{"model": "x", ', b"[]"])
def test_raw_outputs_of_a_broken_response(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "bad.json").write_bytes(content)
    with pytest.raises(PlotChainError, match=r"bad\.json: .* delete it and run again"):
        write_raw_outputs(tmp_path / "raw.jsonl", [tmp_path / "bad.json"])


def test_the_published_release() -> None:
    reference = os.environ.get("PLOTCHAIN_REFERENCE")
    if not reference:
        pytest.skip("PLOTCHAIN_REFERENCE is not set: the published release is not at hand")
    folder = Path(reference) / "plotchain"
    items = read_release(folder)
    assert len(items) == 450
    assert sum(len(item.fields) for item in items) == 1721
    assert len({item.group for item in items}) == 15
    assert [item.id for item in items] == list(release_ids(folder))
    assert sum(any(f.scope == "checkpoint" for f in item.fields) for item in items) == 390
    found = [item for item in items if item.picture and Path(item.picture).is_file()]
    assert len(found) == 225


def test_raw_outputs_with_repeats_and_half_a_surrogate_come_back(tmp_path: Path) -> None:
    texts = {1: "one", 2: "\ud800 two"}
    files = []
    for repeat, text in texts.items():
        (tmp_path / str(repeat)).mkdir()
        files.append(response(tmp_path / str(repeat), "valve_000", repeat=repeat, text=text))
    write_raw_outputs(tmp_path / "raw.jsonl", files)
    records = [json.loads(line) for line in (tmp_path / "raw.jsonl").read_text().splitlines()]
    assert {record.get("repeat", 1): record["raw_text"] for record in records} == texts
    assert "repeat" not in records[0]  # as the release writes it
