"""Submitted scripts as a table: each run once, with its figure's spec and its picture."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from plotchain_lib.item import Item, PlotChainError
from plotchain_lib.suites.matplotgym import suite
from plotchain_lib.suites.matplotgym.catalogue import task_of
from plotchain_lib.suites.matplotgym.episodes import episode_table
from plotchain_lib.suites.matplotgym.judging import reader
from plotchain_lib.suites.matplotgym.sandbox import Runs
from plotchain_lib.suites.matplotgym.submissions import (
    as_webp,
    record_of,
    script_digest,
    submission_table,
)
from plotchain_lib.tables import write_table

GOOD = "import matplotlib.pyplot as plt\nplt.plot([1, 2], [3, 4])\nplt.savefig('f.png')\n"
BAD = "raise ValueError('no')\n"


def physics() -> Item:
    return suite.items("physics", None, 1, {"tasks": ""})[0]


def response(item: Item, repeat: int, script: str | None, **more: Any) -> dict[str, Any]:
    turns = [{"turn": 1, "kind": "bash", "seconds": 0.5, "reply": {"text": "?"}, "output": "x"},
             {"turn": 2, "kind": "malformed", "reply": {"text": "?"}}]  # fmt: skip
    record = {"submission": script, "turns": turns, "end": "done", "sealed": True,
              "reminded": False, "outside": [], "tampering": [], **more}  # fmt: skip
    return {"model": "m", "item": item.id, "repeat": repeat, "outcome": "answered",
            "text": json.dumps(record), "latency_s": 2.0, "cost_usd": None}  # fmt: skip


def test_each_script_is_run_once_and_read_by_decision(scoring: Runs, tmp_path: Path) -> None:
    item = physics()
    asked = [response(item, n, text) for n, text in enumerate((GOOD, GOOD, BAD, None), start=1)]
    pending = {**asked[0], "outcome": "pending", "text": ""}
    table = submission_table([*asked, pending], [item], unsealed=False)
    assert len(table) == 2 and table["sealed"].all()
    rows = table.set_index("script_sha256")
    good, bad = rows.loc[script_digest(GOOD)], rows.loc[script_digest(BAD)]
    assert json.loads(good["spec"])["panels"][0]["marks"][0]["y"] == [3.0, 4.0]
    assert Image.open(io.BytesIO(good["webp"])).size == (640, 480)
    assert (bad["failure"], bad["spec"], bad["webp"]) == ("crashed", "", b"")
    assert bad["reason"] == "ValueError: no"
    write_table(tmp_path / "s.parquet", table)
    reference = json.loads(good["spec"])
    (tmp_path / "g.json").write_text(json.dumps({item.id: {"spec": reference}}))
    read = reader("figure", [tmp_path / "s.parquet", tmp_path / "g.json"])
    own = read(asked[0]["text"], item)
    assert own.values["data_selection"] == own.values["encoding"] == 1.0
    crashed, nothing = read(asked[2]["text"], item), read(asked[3]["text"], item)
    assert set(crashed.values.values()) == set(nothing.values.values()) == {0.0}
    assert set(crashed.texts.values()) == {"crashed"}
    assert set(nothing.texts.values()) == {"nothing submitted"}
    with pytest.raises(PlotChainError, match="its script was not run"):
        read(response(item, 1, "other")["text"], item)


def test_a_response_that_is_no_episode_is_told() -> None:
    for text in ("", "[]", '{"a": 1}', '{"submission": 3}'):
        with pytest.raises(PlotChainError, match="no episode's record"):
            record_of(text)


def test_episodes_say_what_they_took_and_showed() -> None:
    item = physics()
    told = response(item, 1, GOOD, outside=[{"turn": 1, "kind": "path"}])
    token = task_of(item).answer_tokens[0]
    shown = [{"turn": 1, "kind": "bash", "reply": {"text": "ls"}, "output": f"see {token} there"}]
    leaky = response(item, 2, GOOD, turns=shown)
    frame = episode_table([told, leaky, {**told, "outcome": "rejected", "text": ""}], [item])
    assert len(frame) == 2
    row = frame.iloc[0]
    assert (row["turns"], row["malformed"], row["command_s"], row["latency_s"]) == (2, 1, 0.5, 2.0)
    assert row["script_sha256"] == script_digest(GOOD)
    assert json.loads(row["outside"])[0]["kind"] == "path"
    assert json.loads(row["answer_tokens"]) == []
    seen = json.loads(frame.iloc[1]["answer_tokens"])
    assert seen == [{"turn": 1, "place": "output", "token": token}]
    assert episode_table([], [item]).empty


def png(size: tuple[int, int]) -> bytes:
    stream = io.BytesIO()
    Image.new("RGBA", size, (0, 0, 0, 0)).save(stream, "PNG")
    return stream.getvalue()


def test_a_picture_is_decoded_anew_or_left_out() -> None:
    kept = Image.open(io.BytesIO(as_webp(png((30, 20)))))
    assert (kept.format, kept.size) == ("WEBP", (30, 20))
    assert kept.convert("RGB").getpixel((0, 0)) == (255, 255, 255)
    hostile = (None, b"", b"<svg/>", png((30, 20))[:60], png((5000, 1)))
    assert [as_webp(content) for content in hostile] == [b""] * len(hostile)
