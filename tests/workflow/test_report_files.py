"""The report of a real run: its items stand in the page, its archive holds all and never differs."""

from __future__ import annotations

import json
import re
import zipfile

import pytest
from clone import FAMILIES, Workspace

from plotchain_lib.report.packing import unpack

BUNDLE = "results/report_bundle.zip"


def blob(page: str, name: str) -> str:
    found = re.search(f'<script type="text/plain" id="{name}">(.*?)</script>', page)
    assert found is not None
    return found[1]


def test_the_page_holds_every_item_with_picture_question_and_answers(built: Workspace) -> None:
    page = (built.folder / "results/report.html").read_text(encoding="utf-8")
    (index,) = unpack(blob(page, "items-index"))["datasets"]
    assert index["items"] == [f"{family}_{n:03d}" for family in FAMILIES for n in (0, 1)]
    assert index["models"] == ["replay", "blind"]
    shard = unpack(blob(page, "items-shard-0-0"))
    item = json.loads((built.folder / "results/small/items/bandpass_response.jsonl")
                      .read_text().splitlines()[0])  # fmt: skip
    assert shard["prompts"][0] == item["prompt"]
    assert shard["truth"][:2] == [item["truth"][field["name"]] for field in item["fields"][:2]]
    assert shard["texts"][0][0][0] == '{"resonance_hz": 100, "bandwidth_hz": 1e3}'
    assert shard["values"][0][:2] == [100.0, 1000.0]
    pictures = json.loads(blob(page, "items-pictures-0-1"))
    assert sorted(pictures) == ["pump_curve_000", "pump_curve_001"]


@pytest.mark.long
def test_the_bundle_is_made_when_asked_and_the_same_bytes_again(workspace: Workspace) -> None:
    assert not (workspace.folder / BUNDLE).exists()
    assert workspace.build("report_bundle") == {"report_bundle": 1}
    first = (workspace.folder / BUNDLE).read_bytes()
    with zipfile.ZipFile(workspace.folder / BUNDLE) as archive:
        names = set(archive.namelist())
        raw = archive.read("small/raw/replay.jsonl").decode().splitlines()
    assert {"README.txt", "report.html", "numbers.json"} < names
    assert {f"small/images/{family}/{family}_001.png" for family in FAMILIES} < names
    assert {name.partition("/")[0] for name in names if "/" in name} == {
        "figures", "tables", "small",
    }  # fmt: skip
    assert [json.loads(line)["id"] for line in raw[:2]] == [
        "bandpass_response_000", "bandpass_response_001",
    ]  # fmt: skip
    (workspace.folder / BUNDLE).unlink()
    workspace.build("report_bundle")
    assert (workspace.folder / BUNDLE).read_bytes() == first
