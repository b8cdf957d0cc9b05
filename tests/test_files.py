"""Shared words: what is written is read back, whole or not at all."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from plotchain_lib.files import (
    left_behind,
    one_line_errors,
    pending_responses,
    read_items,
    read_json_lines,
    write_atomically,
    write_items,
    write_json,
)
from plotchain_lib.item import Field, Item, PlotChainError

ITEM = Item(
    "f_000", "plotchain", "f", "f", "Ω?", None, (Field("v", "V", "a volt", "final", 2),),
    {"v": 1.25}, {"a": [1, 2]}, 3, "edge",
)  # fmt: skip


def test_items_come_back(tmp_path: Path) -> None:
    write_items(tmp_path / "i.jsonl", [ITEM, ITEM])
    assert read_items(tmp_path / "i.jsonl") == [ITEM, ITEM]


def test_unusual_line_separators_inside_texts_cut_nothing(tmp_path: Path) -> None:
    text = "a\u2028b\u0085c\x1dd"
    (tmp_path / "r.jsonl").write_text(f'{{"t": "{text}"}}\n\n', encoding="utf-8")
    with pytest.raises(PlotChainError, match="control character"):
        read_json_lines(tmp_path / "r.jsonl")
    text = "a\u2028b\u0085c"
    (tmp_path / "r.jsonl").write_text(f'{{"t": "{text}"}}\n\n', encoding="utf-8")
    assert read_json_lines(tmp_path / "r.jsonl") == [{"t": text}]


@pytest.mark.parametrize("line", ["{", "[]", '{"id": "x"}', "", '"text"'])
def test_a_bad_item_line_names_file_and_line(tmp_path: Path, line: str) -> None:
    path = tmp_path / "i.jsonl"
    path.write_text(ITEM.to_json() + "\n" + line + "\n")
    with pytest.raises(PlotChainError, match=r"i\.jsonl:2: not an item .*run again"):
        read_items(path)


@pytest.mark.parametrize(
    ("content", "says"),
    [(b'{"a": 1}\n{"a": ', "r.jsonl:2: not valid JSON"), (b"[1]\n", "r.jsonl:1: expected a JSON object"),
     (b"\xff\xfe", "not UTF-8")],
)  # fmt: skip
def test_bad_json_lines(tmp_path: Path, content: bytes, says: str) -> None:
    path = tmp_path / "r.jsonl"
    path.write_bytes(content)
    with pytest.raises(PlotChainError, match=says):
        read_json_lines(path)
    with pytest.raises(PlotChainError, match="cannot be read"):
        read_json_lines(tmp_path / "gone.jsonl")


def test_a_failed_write_leaves_the_old_file_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.json"
    write_json(path, {"b": 1})

    def full(_descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("plotchain_lib.files.os.fsync", full)
    with pytest.raises(OSError, match="No space"):
        write_atomically(path, "new")
    assert path.read_text() == '{\n  "b": 1\n}\n'
    assert list(tmp_path.iterdir()) == [path]


def test_nan_is_never_written(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="JSON"):
        write_json(tmp_path / "x.json", float("nan"))
    assert not (tmp_path / "x.json").exists()


def test_one_line_errors_end_with_the_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = tmp_path / "stage.log"
    with pytest.raises(SystemExit) as ended, one_line_errors(str(log)):
        raise PlotChainError("x.jsonl:3: bad; mend it")
    assert ended.value.code == "plotchain: x.jsonl:3: bad; mend it"
    assert log.read_text() == "x.jsonl:3: bad; mend it\n"


def test_what_a_killed_writer_left_is_found_and_a_live_one_left_alone(tmp_path: Path) -> None:
    writer = (
        "import os, signal, sys; from pathlib import Path; from plotchain_lib import files; "
        "files.os.fsync = lambda _: os.kill(os.getpid(), signal.SIGKILL); "
        "files.write_atomically(Path(sys.argv[1]) / 'x.json', 'whole')"
    )
    subprocess.run([sys.executable, "-c", writer, str(tmp_path / "d")], check=False)
    (tmp_path / "d" / f".y.json.{os.getpid()}").write_text("live")
    (tmp_path / "d" / ".snakemake_timestamp").write_text("")
    (tmp_path / "d" / "z.1.json").write_text("")
    (found,) = left_behind(tmp_path)
    assert found.name.startswith(".x.json.") and found.read_text() in ("", "whole")


def test_pending_responses_are_found_and_others_left(tmp_path: Path) -> None:
    folder = tmp_path / "d" / "responses" / "m"
    write_json(folder / "a.1.json", {"outcome": "pending", "reason": "quota"})
    write_json(folder / "b.1.json", {"outcome": "answered", "text": '"pending"'})
    write_atomically(folder / "c.1.json", b'{"outcome": "pending"')
    assert [path.name for path in pending_responses(tmp_path)] == ["a.1.json"]
