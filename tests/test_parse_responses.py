"""Response files to the table of answers and the facts of a run."""

from __future__ import annotations

import hashlib
import json
import subprocess
import tracemalloc
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from plotchain_lib.item import ANSWER_COLUMNS, OUTCOMES, Field, Item, PlotChainError
from plotchain_lib.parse import Form, Reading, parse_responses, run_facts

FIELDS = (Field("f_hz", "Hz", "", "final"), Field("cp_v", "V", "", "checkpoint"))
ITEMS = [
    Item(name, "plotchain", "one", "one", "", None, FIELDS, {"f_hz": 1.0, "cp_v": 2.0}, {}, 0, "")
    for name in ("one_010", "one_002")  # the order of the items, not of their names
]
REPLY = '{"f_hz": "1.2 kHz", "cp_v": 0}'


def response(folder: Path, item: str = "one_010", repeat: int = 1, **more: Any) -> Path:
    record = {
        "dataset": "d", "model": "m", "item": item, "repeat": repeat, "outcome": "answered",
        "reason": "", "text": REPLY, "latency_s": 1.5, "input_tokens": 10, "output_tokens": 5,
        "cost_usd": 0.01, "served_model": "m-1", "sent": {"temperature": 0}, "received": {},
        "asked_at": "2026-01-02T03:04:05Z", "cache_key": "k",
    } | more  # fmt: skip
    path = folder / record["model"] / f"{item}.{repeat}.json"
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(record), encoding="utf-8")
    return path


def test_rows_and_their_order(tmp_path: Path) -> None:
    files = [
        response(tmp_path, item, repeat) for item in ("one_002", "one_010") for repeat in (2, 1)
    ]
    frame = parse_responses(files, ITEMS, "tolerant")
    assert tuple(frame.columns) == ANSWER_COLUMNS
    assert list(zip(frame["item"], frame["repeat"], frame["field"], strict=True)) == [
        (item, repeat, field)
        for item in ("one_010", "one_002")
        for repeat in (1, 2)
        for field in ("f_hz", "cp_v")
    ]
    assert frame["value"].tolist() == [1200.0, 0.0] * 4
    assert frame["text"].tolist() == ["1.2 kHz", "0"] * 4
    assert set(frame["form"]) == {"direct"}
    assert set(frame["latency_s"]) == {1.5}
    paper = parse_responses(files, ITEMS, "paper")
    assert paper["value"].isna().tolist() == [True, False] * 4


# Case 10: what is no answer never becomes one.
@pytest.mark.parametrize("outcome", [o for o in OUTCOMES if o != "answered"])
def test_failed_calls_have_rows_without_values(tmp_path: Path, outcome: str) -> None:
    frame = parse_responses(
        [response(tmp_path, outcome=outcome, latency_s=None)], ITEMS, "tolerant"
    )
    assert frame["value"].isna().tolist() == [True, True]
    assert frame["outcome"].tolist() == [outcome] * 2
    assert frame["form"].tolist() == ["none"] * 2


@pytest.mark.parametrize("mode", ["paper", "tolerant"])
def test_an_open_thinking_block_is_truncated(tmp_path: Path, mode: str) -> None:
    frame = parse_responses([response(tmp_path, text=f"<think>so {REPLY}")], ITEMS, mode)
    assert frame["outcome"].tolist() == ["truncated"] * 2
    assert frame["value"].isna().all()


def test_table_survives_parquet(tmp_path: Path) -> None:
    frame = parse_responses([response(tmp_path, cost_usd=None, input_tokens=None)], ITEMS, "paper")
    frame.to_parquet(tmp_path / "a.parquet")
    pd.testing.assert_frame_equal(pd.read_parquet(tmp_path / "a.parquet"), frame)
    empty = parse_responses([], ITEMS, "paper")
    assert list(empty.dtypes) == list(frame.dtypes)


def test_another_reader(tmp_path: Path) -> None:
    def read(text: str, item: Item) -> Reading:
        return Reading({"f_hz": None, "cp_v": None}, {"f_hz": text[:3]}, Form.PROSE)

    frame = parse_responses([response(tmp_path, text="abcd")], ITEMS, "paper", read)
    assert frame["text"].tolist() == ["abc", ""]
    assert frame["form"].tolist() == ["prose", "prose"]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "is empty; delete it and run again: the answer is in the cache"),
        (b'{"dataset": "d", "mod', "is cut off; delete it"),
        (b"\xff\xfe", "is cut off; delete it"),
        (b"[1]", "not a response file; delete it"),
        (b'{"dataset": "d"}', "not a response file; delete it"),
    ],
)
def test_broken_files_are_named(tmp_path: Path, content: bytes, said: str) -> None:
    path = tmp_path / "one_010.1.json"
    path.write_bytes(content)
    for read in (lambda: parse_responses([path], ITEMS, "paper"), lambda: run_facts([path])):
        with pytest.raises(PlotChainError, match=said) as caught:
            read()
        assert str(caught.value).startswith(f"{path}: ")
        assert "\n" not in str(caught.value)


def test_wrong_contents_are_named(tmp_path: Path) -> None:
    with pytest.raises(PlotChainError, match="item 'two_001' is not in this dataset"):
        parse_responses([response(tmp_path, "two_001")], ITEMS, "paper")
    with pytest.raises(PlotChainError, match="outcome is 'fine', which cannot be"):
        parse_responses([response(tmp_path, outcome="fine")], ITEMS, "paper")
    with pytest.raises(PlotChainError, match="cannot be read"):
        parse_responses([tmp_path / "gone.json"], ITEMS, "paper")


def test_facts_of_a_run(tmp_path: Path) -> None:
    files = [
        response(tmp_path, "one_002", asked_at="2026-01-03T00:00:00Z", served_model="m-2"),
        response(tmp_path, "one_010", sent={"body": {"temperature": 1, "prompt": "x" * 500}}),
        response(tmp_path, "one_002", 2, outcome="pending", reason="no key", cost_usd=None),
        response(tmp_path, "one_002", model="n", asked_at="2026-01-01T00:00:00Z"),
    ]
    facts = run_facts(reversed(files))
    assert facts == run_facts(files)
    assert facts["responses"] == 4
    assert facts["first_asked_at"] == "2026-01-01T00:00:00Z"
    assert facts["last_asked_at"] == "2026-01-03T00:00:00Z"
    assert list(facts["models"]) == ["m", "n"]
    entry = facts["models"]["m"]
    assert entry["served_models"] == ["m-1", "m-2"]
    assert entry["sent"] == {"temperature": [0], "body.temperature": [1]}
    assert entry["outcomes"] == {"answered": 2, "pending": 1}
    assert entry["pending_reasons"] == {"no key": 1}
    assert entry["input_tokens"] == 30
    assert entry["cost_usd"] == pytest.approx(0.02)
    shown = subprocess.run(
        "LC_ALL=C sha256sum *.json", shell=True, cwd=tmp_path / "m", capture_output=True, check=True
    )
    assert entry["sha256"] == hashlib.sha256(shown.stdout).hexdigest()


def test_450_files_make_one_table(tmp_path: Path) -> None:
    items = [
        Item(f"i_{n:03d}", "plotchain", "one", "one", "", None, FIELDS, {}, {}, 0, "")
        for n in range(450)
    ]
    files = [response(tmp_path, item.id, text=f"Here:\n```json\n{REPLY}\n```") for item in items]
    frame = parse_responses(files, items, "tolerant")
    assert (frame["form"] == "fenced").all()
    assert len(frame) == 450 * len(FIELDS)


def test_half_a_surrogate_pair_reaches_no_table(tmp_path: Path) -> None:
    path = response(tmp_path, text='{"f_hz": "\ud800 3", "cp_v": 1}', served_model="\udfff")
    frame = parse_responses([path], ITEMS[:1], "tolerant")
    frame.to_parquet(tmp_path / "t.parquet")
    json.dumps(run_facts([path]), ensure_ascii=False).encode("utf-8")


def test_a_setting_of_many_values_is_none_worth_listing(tmp_path: Path) -> None:
    # Ten distinct values of one setting are listed, in order as they are written; eleven are not.
    files = [
        response(tmp_path, repeat=n, sent={"ten": min(n, 10), "eleven": min(n, 11), "same": None})
        for n in range(1, 16)
    ]
    sent = run_facts(files)["models"]["m"]["sent"]
    assert sent == {"ten": [1, 10, 2, 3, 4, 5, 6, 7, 8, 9], "same": [None]}


def test_facts_do_not_hold_the_responses(tmp_path: Path) -> None:
    # Forty responses of half a megabyte each; what is kept of them is far less than one.
    files = [response(tmp_path, repeat=n, received={"log": "x" * 500_000}) for n in range(40)]
    peaks = []
    for read in (run_facts, lambda files: parse_responses(files, ITEMS, "tolerant")):
        tracemalloc.start()
        read(files)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert max(peaks) < 5_000_000
