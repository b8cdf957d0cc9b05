"""Numbers of recorded answers that no table can hold, and the check before any job."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from plotchain_lib.item import PlotChainError
from plotchain_lib.models import recorded


@pytest.mark.parametrize("latency", [10**400, -5, 1e300, True, "1"])
def test_impossible_latency_is_one_line(tmp_path: Path, latency: object) -> None:
    source = tmp_path / "r.jsonl"
    record = {"id": "a", "raw_text": "{}", "latency_s": latency}
    source.write_text(json.dumps({"id": "b", "raw_text": ""}) + "\n" + json.dumps(record) + "\n")
    with pytest.raises(PlotChainError, match=r"r\.jsonl:2: \"latency_s\" is no number"):
        recorded.check_source(source)


def test_byte_order_mark_is_no_fault(tmp_path: Path) -> None:
    source = tmp_path / "r.jsonl"
    source.write_bytes(b"\xef\xbb\xbf" + json.dumps({"id": "a", "raw_text": "x"}).encode())
    recorded.check_source(source)
