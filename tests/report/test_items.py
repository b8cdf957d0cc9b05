"""What the item browser carries: verdicts as columns, texts cut and packed, pictures that are there."""

from __future__ import annotations

import base64
import io
import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest
from PIL import Image

from plotchain_lib import overlays, pictures
from plotchain_lib.files import write_items
from plotchain_lib.item import Field, Item, PlotChainError
from plotchain_lib.report import ReportInputs, compose, load_datasets
from plotchain_lib.report.browser_inputs import BrowserInputs
from plotchain_lib.report.figures import Drawings
from plotchain_lib.report.item_blobs import (
    PICTURE_COLUMNS,
    ItemBrowser,
    item_browser,
)
from plotchain_lib.report.item_data import OVERLAY_COLUMNS, cut, read_replies, read_verdicts
from plotchain_lib.report.packing import in_base64, pack, unpack
from plotchain_lib.report.page import render_page

MakeInputs = Callable[..., ReportInputs]
HOSTILE = "</script><img src=x onerror=alert(1)>" + "x" * 100_000


def with_browser(inputs: ReportInputs, folder: Path) -> ReportInputs:
    """Items, raw answers, pictures (every first of a family missing) and overlays of a fake run."""
    (entry,) = inputs.datasets
    scores = pd.read_parquet(entry.scores["plotread"])
    items: dict[str, list[Item]] = {}
    asked = scores.drop_duplicates(["item", "field"])
    for name, rows in asked.groupby("item"):
        fields = tuple(Field(row.field, "Hz", "", row.scope) for row in rows.itertuples())
        truth = dict(zip(rows["field"], rows["truth"], strict=True))
        shard, difficulty = rows["shard"].iloc[0], rows["difficulty"].iloc[0]
        items.setdefault(shard, []).append(
            Item(str(name), "plotchain", shard, shard, f"Read {name}.", None, fields, truth, {}, 0,
                 difficulty)
        )  # fmt: skip
    for shard, own in items.items():
        write_items(folder / f"{shard}.jsonl", own)
        rows = [(item.id, 40, 30, webp()) for item in own[1:]]
        frame = pd.DataFrame(rows, columns=["item", "width", "height", "webp"])
        frame.to_parquet(folder / f"{shard}.parquet")
    replies = {}
    for model in scores["model"].unique():
        lines = [
            {"id": item.id, "raw_text": HOSTILE if model == "gpt-4.1" else "{}", "error": None}
            for own in items.values()
            for item in own
        ]
        replies[str(model)] = folder / f"{model}.jsonl"
        replies[str(model)].write_text("".join(json.dumps(line) + "\n" for line in lines))
    overlays = [(item.id, "<svg/>", "{}") for own in items.values() for item in own]
    pd.DataFrame(overlays, columns=["item", "drawing", "reasons"]).to_parquet(folder / "o.parquet")
    browser = BrowserInputs(
        items=tuple(folder / f"{shard}.jsonl" for shard in items), replies=replies,
        pictures={shard: folder / f"{shard}.parquet" for shard in items},
        overlays=folder / "o.parquet",
    )  # fmt: skip
    return ReportInputs((replace(entry, browser=browser),), inputs.models)


def webp() -> bytes:
    stream = io.BytesIO()
    Image.new("RGB", (40, 30), "white").save(stream, "WEBP", lossless=True)
    return stream.getvalue()


def browser_of(inputs: ReportInputs) -> ItemBrowser:
    (dataset,) = load_datasets(inputs)
    assert inputs.datasets[0].browser is not None
    browser = item_browser([(dataset, inputs.datasets[0].browser)])
    assert browser is not None
    return browser


@pytest.fixture
def browsable(fake_report: MakeInputs, tmp_path: Path) -> ReportInputs:
    (tmp_path / "browser").mkdir()
    return with_browser(fake_report(2, items_per_family=2), tmp_path / "browser")


def test_the_report_reads_what_the_stages_write() -> None:
    assert pictures.PICTURE_COLUMNS == PICTURE_COLUMNS
    assert overlays.OVERLAY_COLUMNS == OVERLAY_COLUMNS


@pytest.mark.parametrize("text", [HOSTILE, "\u2028", "half \ud83d", "é" * 70_000, ""])
def test_packed_text_is_base64_and_comes_back(text: str) -> None:
    blob = pack({"text": text})
    assert re.fullmatch(r"[A-Za-z0-9+/= ]+", blob)
    assert unpack(blob) == {"text": text.replace("\ud83d", "?")}


def test_no_address_is_spelled_by_chance() -> None:
    data = base64.b64decode("AAAAhttpAAAA")
    assert in_base64(data) == "AAAAht tpAAAA"
    assert base64.b64decode(in_base64(data)) == data


@pytest.mark.parametrize(
    ("text", "kept", "more"),
    [
        ("a" * 4096, 4096, 0),
        ("a" * 5000, 4096, 904),
        ("a" + "é" * 3000, 1 + 2047, 6001 - 4095),  # a character is two bytes; none is halved
        ("", 0, 0),
    ],
)
def test_long_answers_are_cut_at_4_kb(text: str, kept: int, more: int) -> None:
    shown, left = cut(text)
    assert (len(shown), left) == (kept, more)
    assert text.startswith(shown)


def test_verdicts_stand_as_columns_in_the_order_of_the_items(browsable: ReportInputs) -> None:
    (dataset,) = load_datasets(browsable)
    assert browsable.datasets[0].browser is not None
    verdicts = read_verdicts(dataset, browsable.datasets[0].browser.items)
    frame = dataset.verdicts.set_index(["model", "item", "field"])
    for place, item in enumerate(verdicts.items):
        for k, field in enumerate(item.fields):
            column = int(verdicts.starts[place]) + k
            for row, model in enumerate(verdicts.models):
                found = frame.loc[(model, item.id, field.name)]
                assert verdicts.passed[row, column] == found["passed"]
                assert verdicts.values[row, column] == pytest.approx(found["value"], nan_ok=True)
                names, codes = verdicts.outcomes
                assert names[codes[row, place]] == found["outcome"]
            expected = max(found["abs_tol"], found["rel_tol"] * abs(found["truth"]))
            assert verdicts.allowed[column] == pytest.approx(expected)
    assert {shard: len(places) for shard, places in verdicts.shards.items()} == dict.fromkeys(
        verdicts.shards, 2
    )


def test_an_item_that_is_in_no_file_is_named(browsable: ReportInputs) -> None:
    (dataset,) = load_datasets(browsable)
    assert browsable.datasets[0].browser is not None
    with pytest.raises(PlotChainError, match="of 'transfer_characteristic_000', which has been"):
        read_verdicts(dataset, browsable.datasets[0].browser.items[:-1])


def test_a_shard_holds_all_that_its_items_show(browsable: ReportInputs) -> None:
    blobs = browser_of(browsable).blobs
    (index,) = unpack(blobs["items-index"])["datasets"]
    shard = unpack(blobs["items-shard-0-0"])
    assert index["shards"][0] == "bandpass_response"
    assert index["items"][:2] == ["bandpass_response_000", "bandpass_response_001"]
    assert index["fields"][index["kind"][0]][0] == ["value_hz", "Hz", "final"]
    assert shard["prompts"] == ["Read bandpass_response_000.", "Read bandpass_response_001."]
    place = index["models"].index("gpt-4.1")
    text, more, error = shard["texts"][0][place]
    assert (len(text), more, error) == (4096, len(HOSTILE) - 4096, "")
    assert len(shard["truth"]) == len(shard["values"][place]) == 2 * 4
    assert index["roles"] == {"reader": "ceiling", "blind": "floor"}


def test_a_missing_picture_is_left_out_and_is_no_error(browsable: ReportInputs) -> None:
    blobs = browser_of(browsable).blobs
    pictures = json.loads(blobs["items-pictures-0-0"])
    assert list(pictures) == ["bandpass_response_001"]
    width, height, data = pictures["bandpass_response_001"]
    assert (width, height, base64.b64decode(data)) == (40, 30, webp())


def test_the_page_has_the_browser_and_says_what_it_needs(browsable: ReportInputs) -> None:
    pages = compose(load_datasets(browsable))
    page = render_page(pages, (), Drawings(), browser_of(browsable))
    assert page == render_page(pages, (), Drawings(), browser_of(browsable))
    assert "The browser of items needs JavaScript" in page
    assert "onerror=alert" not in page
    assert "http" not in re.sub(r'xmlns(:\w+)?="[^"]*"|http-equiv', "", page)
    assert page.count('<script type="text/plain"') == 1 + 2 * 15
    assert page.count("<script") == page.count("</script>")
    assert 'href="#items"' in page
    plain = render_page(pages, (), Drawings())
    assert 'id="items"' not in plain
    assert 'href="#items"' not in plain


def test_a_file_that_holds_no_raw_answers_is_named(tmp_path: Path) -> None:
    path = tmp_path / "m.jsonl"
    path.write_text('{"id": "a"}\n')
    with pytest.raises(PlotChainError, match=r"m\.jsonl: not a file of raw answers"):
        read_replies({"m": path})


def test_repeats_and_errors_of_raw_answers_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "m.jsonl"
    lines = [{"id": "a", "raw_text": "1", "error": None},
             {"id": "a", "raw_text": "", "error": "refused: no", "repeat": 2}]  # fmt: skip
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert read_replies({"m": path}) == {
        ("m", "a", 1): ("1", 0, ""), ("m", "a", 2): ("", 0, "refused: no"),
    }  # fmt: skip
