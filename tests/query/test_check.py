"""One small call per model, over real HTTP: what works, what was not accepted, who answered."""

import asyncio
import io
import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from wire_formats import KEY_VARIABLES, WIRES
from wire_servers import WireServer

from plotchain_lib.models._providers.parameters import effective
from plotchain_lib.query import check as module
from plotchain_lib.query.cache import Cache
from plotchain_lib.query.check import Checked, check
from plotchain_lib.query.money import spent

SECRETS = {wire: f"canary-check-{wire}-7f6e5d4c" for wire in WIRES}
PRICE = {"kind": "openai", "model": "gpt-4.1", "input": 2.0, "output": 8.0, "cached": 2.0,
         "reasoning": 8.0, "date": "2026-01-01", "source": "x"}  # fmt: skip


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[WireServer]:
    for wire, secret in SECRETS.items():
        monkeypatch.setenv(KEY_VARIABLES[wire], secret)
    with WireServer(SECRETS, answers=lambda question: '{"works": 1}') as server:
        yield server


def checked(server: WireServer, folder: Path, entries: dict[str, Any]) -> dict[str, Checked]:
    """The results by label; an entry is settings, or settings and limits."""
    picture = io.BytesIO()
    Image.new("RGB", (64, 64), "white").save(picture, "PNG")
    base = {"base_url": server.address, "timeout_s": 5}
    pairs = {
        label: entry if isinstance(entry, tuple) else (entry, {})
        for label, entry in entries.items()
    }
    cache = Cache(folder / "cache", lambda line: None)
    results = asyncio.run(
        check(
            {label: (effective(base | own), limits) for label, (own, limits) in pairs.items()},
            picture.getvalue(), folder, cache,
        )
    )  # fmt: skip
    cache.close()
    return {result.label: result for result in results}


def test_each_kind_is_asked_once_and_says_who_answered(server: WireServer, tmp_path: Path) -> None:
    price = {"price": PRICE, "budget_usd": 1.0, "total_usd": None}
    entries = {
        "a": ({"kind": "openai", "model": "gpt-4.1"}, price),
        "b": {"kind": "openai_compatible", "model": "local", "key": "COMPATIBLE_API_KEY"},
        "c": {"kind": "anthropic", "model": "claude-opus-5-5"},
        "d": {"kind": "gemini", "model": "gemini-2.5-pro", "see_image": False},
    }
    results = checked(server, tmp_path, entries)
    assert not server.complaints and len(server.seen) == 4
    assert all(result.works and "\n" not in result.line() for result in results.values())
    assert results["a"].line().startswith("a: answered by gpt-4.1, 0.")
    assert "$0.00" in results["a"].line() and spent(tmp_path / "cache")["a"] > 0
    assert "c: answered by claude-opus-5-5" in results["c"].line()
    assert "; not sent: temperature (the model does not take it (http" in results["c"].line()
    shown = {seen.question.wire: seen.question.picture is not None for seen in server.seen}
    assert shown == dict.fromkeys(WIRES, True) | {"gemini": False}
    checked(server, tmp_path, entries)
    assert len(server.seen) == 8  # how things stand now is not kept
    assert not list((tmp_path / "cache").glob("??/*.json"))


def test_what_does_not_work_is_one_line_and_hides_no_other(
    server: WireServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("GEMINI_API_KEY")
    server.answers = lambda question: "I see white."
    server.refuses = lambda question: question.model == "prude"
    poor = {"price": PRICE, "budget_usd": 0.001, "total_usd": None}
    compatible = {"kind": "openai_compatible", "model": "local", "key": "COMPATIBLE_API_KEY"}
    results = checked(
        server,
        tmp_path,
        {
            "chatty": compatible,
            "prude": {**compatible, "model": "prude"},
            "keyless": {"kind": "gemini", "model": "gemini-2.5-pro"},
            "poor": ({"kind": "openai", "model": "gpt-4.1"}, poor),
            # The server takes no such parameter: it says 400.
            "strange": {"kind": "openai", "model": "gpt-4.1", "extra": {"verbosity": 3}},
        },
    )
    lines = {label: result.line() for label, result in results.items()}
    assert "without the JSON it was asked for" in lines["chatty"] and results["chatty"].works
    assert lines["prude"].startswith("prude: refused: the model refused")
    assert lines["keyless"].startswith("keyless: pending: GEMINI_API_KEY is set neither")
    assert lines["poor"].startswith("poor: pending: the budget for poor of $0.00 does not cover")
    assert "HTTP 400" in lines["strange"] and "verbosity" in lines["strange"]
    assert not any(results[label].works for label in ("prude", "keyless", "poor", "strange"))
    assert not any(secret in json.dumps(lines) for secret in SECRETS.values())


def test_nobody_waits_long_for_it(
    server: WireServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_PATIENCE_S", 1.0)
    monkeypatch.setattr(module, "_TIMEOUT_S", 1.0)
    server.latency_s = 30
    slow = {"kind": "openai", "model": "gpt-4.1", "timeout_s": 600}
    started = time.monotonic()
    results = checked(server, tmp_path, {"slow": (slow, {"patience_s": 600})})
    assert "no reply within 1 s" in results["slow"].line() and not results["slow"].works
    assert time.monotonic() - started < 10
