"""What `datasets` itself loads from the export: prompts, truths, pictures byte for byte."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import yaml
from small_sets import Small

from plotchain_lib.exports.huggingface import item_of, row_of, write_dataset
from plotchain_lib.item import PlotChainError

datasets = pytest.importorskip("datasets", reason="the optional extra exports is not installed")


@pytest.fixture(autouse=True)
def offline(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(datasets.config, "HF_DATASETS_OFFLINE", True)
    monkeypatch.setattr(datasets.config, "HF_HUB_OFFLINE", True)
    monkeypatch.setattr(datasets.config, "HF_DATASETS_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.setenv("HF_DATASETS_OFFLINE", "1")


def test_datasets_loads_the_same_prompts_truths_and_picture_bytes(
    small: Small, tmp_path: Path
) -> None:
    folder = tmp_path / "set"
    write_dataset(folder, "small", small.items, small.pictures)
    cache = str(tmp_path / "cache")
    loaded = datasets.load_dataset(str(folder), split="test", cache_dir=cache)
    features = loaded.features
    assert isinstance(features["image"], datasets.Image)
    assert features["prompt"] == datasets.Value("string")
    assert features["seed"] == datasets.Value("int64")
    by_id = {item.id: item for item in small.items}
    raw = loaded.cast_column("image", datasets.Image(decode=False))
    assert sorted(raw["id"]) == sorted(by_id)
    for row in raw:
        item = by_id[row["id"]]
        assert row["image"]["bytes"] == small.pictures[item.id].read_bytes()
        assert item_of(row) == replace(item, picture=None)
    assert loaded[0]["image"].format == "PNG"
    shard = small.items[0].shard
    one = datasets.load_dataset(str(folder), shard, split="test", cache_dir=cache)
    assert one["id"] == [item.id for item in small.items if item.shard == shard]


def test_the_card_lists_its_configurations(plotchain: Small, tmp_path: Path) -> None:
    write_dataset(tmp_path / "set", "small", plotchain.items, plotchain.pictures)
    front = (tmp_path / "set" / "README.md").read_text().split("---\n")[1]
    configs = {c["config_name"]: c["data_files"] for c in yaml.safe_load(front)["configs"]}
    assert configs["pump_curve"] == [{"split": "test", "path": "data/pump_curve.parquet"}]
    assert list(configs) == ["default", "bandpass_response", "pump_curve"]
    files = sorted(path.name for path in (tmp_path / "set" / "data").iterdir())
    assert files == ["bandpass_response.parquet", "pump_curve.parquet"]


def test_a_row_keeps_decimals_and_units(plotchain: Small) -> None:
    item = plotchain.items[0]
    row = row_of(item, b"\x89PNG")
    assert row["fields"][0]["unit"] == "Hz"
    assert row["fields"][0]["truth"] == item.truth["resonance_hz"]
    assert row["answer"].startswith('{"resonance_hz": ')


def test_faults_are_one_line_and_leave_the_old_export(plotchain: Small, tmp_path: Path) -> None:
    folder = tmp_path / "set"
    write_dataset(folder, "small", plotchain.items, plotchain.pictures)
    before = (folder / "README.md").stat().st_mtime_ns
    last = plotchain.items[-1].id
    jpeg = tmp_path / "x.jpg"
    jpeg.write_bytes(b"\xff\xd8\xff")
    for pictures, said in (
        ({k: v for k, v in plotchain.pictures.items() if k != last}, f"item {last}: its picture"),
        (plotchain.pictures | {last: jpeg}, "x.jpg is no PNG"),
    ):
        with pytest.raises(PlotChainError, match=said) as caught:
            write_dataset(folder, "small", plotchain.items, pictures)
        assert "\n" not in str(caught.value)
    with pytest.raises(PlotChainError, match="no items"):
        write_dataset(folder, "small", [], {})
    assert (folder / "README.md").stat().st_mtime_ns == before
    assert sorted(path.name for path in tmp_path.iterdir() if path.name.startswith(".")) == []


def test_a_killed_writers_folder_goes(plotchain: Small, tmp_path: Path) -> None:
    (tmp_path / ".set.99999.abcdefgh" / "data").mkdir(parents=True)
    write_dataset(tmp_path / "set", "small", plotchain.items, plotchain.pictures)
    assert [path.name for path in tmp_path.iterdir()] == ["set"]
