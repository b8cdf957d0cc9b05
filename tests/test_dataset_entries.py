"""Entries of datasets: suites, variants, releases, and what does not go together."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from plotchain_lib.dataset_entries import read_dataset
from plotchain_lib.item import PlotChainError


def read(**entry: Any) -> Any:
    return read_dataset("d", entry, "config.yaml: datasets.d")


def test_variants_are_made_by_folders_of_their_own() -> None:
    everything = read(suite="grab", seed=3)
    choice = read(suite="grab", seed=3, variant="choice")
    ocr = read(suite="grab", seed=3, variant="ocr")
    assert (everything.maker, choice.maker, ocr.maker) == ("grab", "grab.choice", "grab.ocr")
    assert {d.suite for d in (everything, choice, ocr)} == {"grab"}
    assert len(everything.shard_of) == 2170
    assert len(choice.shard_of) == 660
    assert set(choice.shard_of) < set(everything.shard_of)  # the same questions
    assert len(ocr.shard_of) == 35


def test_plotchain_as_ever() -> None:
    dataset = read(suite="plotchain", seed=0, items_per_family=2, families=["iv_diode"])
    assert dataset.shards == {"iv_diode": ("iv_diode_000", "iv_diode_001")}
    assert (dataset.count, dataset.variant, dataset.maker) == (2, "", "plotchain")


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        ({"suite": "plotchain", "seed": 0, "variant": "choice"},
         r"datasets.d.variant: suite plotchain has no such setting; remove it"),
        ({"suite": "grab", "seed": 0, "items_per_family": 3}, "items_per_family: suite grab has no"),
        ({"suite": "grab", "seed": 0, "variant": "ocr", "lite": True},
         "datasets.d.lite: variant ocr has no such setting"),
        ({"suite": "grab", "release": "nowhere", "lite": True}, "lite: a release has no such"),
        ({"suite": "grab", "release": "nowhere"}, "nowhere/grab.json: cannot be read"),
        ({"suite": "grab", "seed": 0, "families": ["properties_rage"]}, "did you mean"),
    ],
)  # fmt: skip
def test_faults(entry: dict[str, Any], said: str) -> None:
    with pytest.raises(PlotChainError, match=said) as caught:
        read(**entry)
    assert "\n" not in str(caught.value)


def test_pictures_of_a_release_stay_where_they_are(tmp_path: Path) -> None:
    (tmp_path / "grab.json").write_text(
        '{"7": {"question": "?", "answer": "1", "category": "Range", "complexity": 0, '
        '"task": "series"}}'
    )
    dataset = read(suite="grab", release=str(tmp_path))
    assert dataset.shards == {"series_range": ("7",)}
    assert dataset.release == str(tmp_path)
