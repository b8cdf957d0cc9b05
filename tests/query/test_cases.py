"""Kinds of failures other harnesses had: one question's answer given to another, two writers in one
place, and limits that each of eight jobs keeps and all together pass.
"""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from wire_servers import WireServer

from plotchain_lib import models
from plotchain_lib.files import write_json
from plotchain_lib.item import Request
from plotchain_lib.models._providers.parameters import effective
from plotchain_lib.query import limits_path
from plotchain_lib.query.cache import Cache, call_key
from plotchain_lib.query.money import spent

from .conftest import PNG, Place, until

BASE = {
    "openai": {"kind": "openai", "model": "m-1"},
    "openai_compatible": {
        "kind": "openai_compatible", "model": "m-1", "base_url": "http://localhost:1"
    },
    "anthropic": {"kind": "anthropic", "model": "m-1"},
    "gemini": {"kind": "gemini", "model": "m-1"},
}  # fmt: skip
SHARED: list[dict[str, Any]] = [
    {"model": "m-2"}, {"base_url": "http://localhost:2"}, {"temperature": 0.5},
    {"temperature": None}, {"leave_out": ["temperature"], "top_p": 0.5}, {"top_p": 0.25},
    {"max_tokens": 77}, {"structured": True}, {"see_image": False}, {"extra": {"x": 1}},
    {"extra": {"x": 2}},
]  # fmt: skip
OWN: dict[str, list[dict[str, Any]]] = {
    "openai": [{"detail": "low"}, {"detail": None}, {"thinking": {"effort": "low"}}],
    "openai_compatible": [
        {"detail": "low"}, {"seed": 1}, {"seed": 2}, {"thinking": {"effort": "low"}},
        {"token_limit": "max_completion_tokens"},
    ],
    "anthropic": [{"top_k": 5}, {"thinking": {"budget_tokens": 1500}}],
    "gemini": [
        {"top_k": 5}, {"seed": 1}, {"detail": "low"}, {"thinking": {"thinkingBudget": 100}},
    ],
}  # fmt: skip


def key_of(settings: dict[str, Any], **changes: Any) -> str:
    asked: dict[str, Any] = {"prompt": "Read", "fields": ("a", "b"), "picture": PNG, "repeat": 1}
    given = effective(settings)
    picture = None if given["see_image"] is False else PNG
    request = Request(settings["kind"], given, **(asked | {"picture": picture} | changes))
    provider: Any = models.load(settings["kind"])
    provider.check(given)
    return call_key(request, provider.call(request))


# Case 11: whatever changes what is sent is a new question; nothing else is.
@pytest.mark.parametrize("kind", BASE)
def test_every_parameter_of_every_provider_is_part_of_the_key(kind: str) -> None:
    base = BASE[kind]
    first = key_of(base)
    found = [first, *(key_of(base | change) for change in (*SHARED, *OWN[kind]))]
    found.append(key_of(base, prompt="Read."))
    found.append(key_of(base, picture=PNG.replace(b"pixels", b"Pixels")))
    found.append(key_of(base, repeat=2))
    found.append(key_of(base | {"structured": True}, fields=("a",)))
    assert len(set(found)) == len(found)
    same: list[dict[str, Any]] = [{"timeout_s": 9}, {"key": "OTHER_KEY"}, {"leave_out": ["seed"]}]
    assert {key_of(base | change) for change in same} == {first}
    assert key_of(base, item="another") == first


def test_the_four_providers_never_share_an_answer() -> None:
    bases = {kind: base | {"base_url": "http://localhost:1"} for kind, base in BASE.items()}
    assert len({key_of(base) for base in bases.values()}) == 4


WRITER = """
import asyncio, sys
from pathlib import Path
from plotchain_lib.item import Request, Response
from plotchain_lib.query.cache import Cache, entry_of
from plotchain_lib.query.money import Purse, Terms

async def main() -> None:
    cache, purse = Cache(Path(sys.argv[1]), print), Purse(Path(sys.argv[1]))
    for number in range(60):
        key = f"{number % 10:064x}"
        request = Request("blind", {}, "p" * 5000, ("a",), None, number % 10)
        cache.note("asked", key, {"who": sys.argv[2]})
        cache.put(key, entry_of(request, Response("answered", "x" * 20000), key, "t"))
        if number % 3 == 0:
            await purse.settle("m", 0.0, 0.5, key)

asyncio.run(main())
"""


# Case 12: two processes in one place leave no half file and hold up nobody.
def test_two_writers_leave_whole_files_whole_lines_and_every_cent(tmp_path: Path) -> None:
    folder = tmp_path / "cache"
    writers = [subprocess.Popen([sys.executable, "-c", WRITER, str(folder), who]) for who in "ab"]
    said: list[str] = []
    until(lambda: len(list(folder.glob("??/*.json"))) == 10)
    reader = Cache(folder, said.append)
    while any(writer.poll() is None for writer in writers):
        for number in range(10):
            entry = reader.get(f"{number:064x}")
            assert entry is not None and len(entry["text"]) == 20000
        time.sleep(0.005)
    assert [writer.returncode for writer in writers] == [0, 0] and said == []
    lines = [json.loads(line) for line in (folder / "journal.jsonl").read_text().splitlines()]
    assert len(lines) == 120 and sum(line["who"] == "a" for line in lines) == 60
    assert spent(folder) == {"m": pytest.approx(2 * 20 * 0.5)}
    assert not [path for path in folder.rglob(".*") if path.is_file()]


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[WireServer]:
    key = "key-of-the-cases-5d4c3b"
    monkeypatch.setenv("COMPATIBLE_API_KEY", key)
    with WireServer({"openai_compatible": key}) as server:
        yield server


# Case 13: a limit belongs to the provider and key, whichever job asks and whichever broker serves.
def test_eight_jobs_keep_one_limit_also_past_the_death_of_their_broker(
    place: Place, server: WireServer
) -> None:
    write_json(limits_path(place.cache, place.folder), {"m": {"requests_per_minute": 5}})
    own = {"base_url": server.address, "key": "COMPATIBLE_API_KEY"}
    settings = effective(BASE["openai_compatible"] | own)
    calls = [place.call("m", f"s_{n}", settings=settings, picture="p.png") for n in range(8)]
    clients = [place.start(call, f"out/{n}.json") for n, call in enumerate(calls)]
    try:
        until(lambda: sum(seen.complete for seen in server.seen) == 5)
        until(lambda: sum(client.poll() is not None for client in clients) == 5)
        first = place.pid
        os.kill(first, signal.SIGKILL)
        until(lambda: place.status() is not None and place.pid != first)
        time.sleep(1.0)
        assert len(server.seen) == 5 and not server.complaints
        assert sum(client.poll() is None for client in clients) == 3
    finally:
        for client in clients:
            client.kill()
            client.communicate()
