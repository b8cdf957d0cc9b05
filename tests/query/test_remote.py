"""From a call to the bytes of its response over real connections to a server that misbehaves."""

import asyncio
import itertools
import json
import random
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from plotchain_lib import models
from plotchain_lib.files import write_items, write_json
from plotchain_lib.item import Field, Item
from plotchain_lib.query import call_text, limits_path
from plotchain_lib.query.asker import Asker, Call
from plotchain_lib.query.cache import Cache
from plotchain_lib.query.remote import Remote
from plotchain_lib.query.retry import Patience

from . import server as s
from .conftest import PNG, Place, until
from .server import Behaviour, Server, always, says

CANARY = "canary-key-of-remote-9f8e7d"
QUICK = Patience(first_s=0.02, longest_s=0.3, total_s=20)


@pytest.fixture
def server() -> Iterator[Server]:
    with Server() as server:
        yield server


class Folder:
    """A working folder and its cache; calls go through an asker in this process."""

    def __init__(self, folder: Path, server: Server) -> None:
        self.folder, self.server, self.cache = folder, server, folder / "cache"
        self.said: list[str] = []
        field = Field("a", "V", "a voltage", "final", 2)
        items = [
            Item(f"s_{n}", "plotchain", "s", "s", f"Read {n}", "p.png", (field,), {"a": 1.0}, {}, 0, "clean")
            for n in range(300)
        ]  # fmt: skip
        write_items(folder / "s.jsonl", items)
        (folder / "p.png").write_bytes(PNG)

    def start(self, **limits: Any) -> None:
        """What a start of Snakemake does."""
        write_json(limits_path(self.cache, self.folder), {"tiny": limits})

    def call(self, number: int, repeat: int = 1, label: str = "tiny", **settings: Any) -> Call:
        about = {
            "kind": "tiny",
            "base_url": self.server.address,
            "key": "TINY_KEY",
            "max_tokens": 50,
        }
        text = call_text(dataset="d", model=label, item=f"s_{number}", repeat=repeat, items="s.jsonl",
                         settings=about | settings, picture="p.png")  # fmt: skip
        return Call.parse(text)

    def ask(
        self, *calls: Call, patience: Patience = QUICK, at_once: int = 16
    ) -> list[dict[str, Any]]:
        """The responses of one broker's life."""

        async def run() -> list[bytes]:
            asker = Asker(Cache(self.cache, self.said.append), self.said.append)
            asker._remote = Remote(asker.cache, patience)
            slots = asyncio.Semaphore(at_once)

            async def one(call: Call) -> bytes:
                async with slots:
                    return await asker.answer(self.folder, call)

            try:
                return await asyncio.gather(*(one(call) for call in calls))
            finally:
                await asker.close()

        return [json.loads(answer) for answer in asyncio.run(run())]

    def log(self, model: str = "tiny") -> list[str]:
        return (self.cache / "logs" / f"{model}.log").read_text().splitlines()

    def holds(self, secret: str) -> list[Path]:
        """The files that hold it."""
        files = [path for path in self.folder.rglob("*") if path.is_file()]
        return [path for path in files if secret.encode() in path.read_bytes()]


@pytest.fixture
def folder(tmp_path: Path, server: Server, monkeypatch: pytest.MonkeyPatch) -> Folder:
    monkeypatch.setenv("TINY_KEY", CANARY)
    kinds = str(Path(__file__).parent / "kinds")
    monkeypatch.setattr(models, "__path__", [*models.__path__, kinds])
    monkeypatch.setattr(models, "KINDS", (*models.KINDS, "tiny"))
    return Folder(tmp_path, server)


def test_a_response_says_what_was_sent_and_what_was_not(folder: Folder) -> None:
    (response,) = folder.ask(folder.call(7, temperature=0, leave_out=["temperature"], timeout_s=30))
    assert response["outcome"] == "answered" and response["text"] == "answer to Read 7"
    assert response["sent"]["parameters"] == {"max_tokens": 50}
    assert response["sent"]["url"] == folder.server.address + "/ask"
    assert (response["input_tokens"], response["output_tokens"]) == (900, 20)
    assert response["served_model"] == "tiny-served" and response["received"]["tries"] == 1
    assert 0 < response["latency_s"] < 5 and response["sent"]["prompt"] == "Read 7"
    assert len(response["sent"]["picture_sha256"]) == 64
    (seen,) = folder.server.seen
    assert seen.headers["x-tiny-key"] == f"Bearer {CANARY}" and "parts" in seen.body
    (line,) = folder.log()
    assert " s_7.1 answered tries=1 seconds=" in line and line.endswith(" tokens=900+20")


def test_what_is_really_sent_makes_a_question_new(folder: Folder) -> None:
    def key(call: Call) -> str:
        return str(folder.ask(call)[0]["cache_key"])

    first = key(folder.call(0))
    same = [folder.call(0, timeout_s=99), folder.call(0, label="alias", key="TINY_KEY"),
            folder.call(0, temperature=1, leave_out=["temperature"])]  # fmt: skip
    assert {key(call) for call in same} == {first} and len(folder.server.seen) == 1
    new = [folder.call(1), folder.call(0, repeat=2), folder.call(0, max_tokens=51),
           folder.call(0, temperature=0), folder.call(0, see_image=False),
           folder.call(0, base_url=folder.server.address + "/v2")]  # fmt: skip
    assert len({first, *(key(call) for call in new)}) == 7
    assert "parts" not in folder.server.seen[-2].body
    (folder.folder / "p.png").write_bytes(PNG.replace(b"pixels", b"Pixels"))
    assert key(folder.call(0)) != first and key(folder.call(0, see_image=False)) == key(new[4])


def storm(faults: list[str], share: float) -> Callable[[str, int], tuple[str, Behaviour]]:
    """A share of all requests meets a fault, the faults in turn; one in twenty is refused."""
    chance, turns = random.Random(4), itertools.cycle(faults)
    refused = says(200, {"text": "no", "outcome": "refused"})

    async def refuse(write: Any, seen: s.Seen) -> None:
        seen.complete = True
        await refused(write, seen)

    def plan(prompt: str, _turn: int) -> tuple[str, Behaviour]:
        if chance.random() < share:
            fault = next(turns)
            return fault, s.FAULTS[fault]
        number = int(prompt.split()[1])
        return (
            ("refusal", refuse)
            if number % 20 == 3
            else ("answer", (s.answer, s.chunked)[number % 2])
        )

    return plan


def test_a_storm_of_faults_changes_no_answer_and_none_is_paid_twice(folder: Folder) -> None:
    folder.server.plan = storm(list(s.FAULTS), 0.4)
    calls = [folder.call(number) for number in range(120)]
    responses = folder.ask(*calls, at_once=24)
    for number, response in enumerate(responses):
        refused = number % 20 == 3
        assert response["outcome"] == ("refused" if refused else "answered"), response["reason"]
        assert response["text"] == ("no" if refused else f"answer to Read {number}")
    met = Counter(seen.how for seen in folder.server.seen)
    assert set(s.FAULTS) <= met.keys()
    for number, response in enumerate(responses):
        seen = folder.server.of(f"Read {number}")
        assert [entry.complete for entry in seen] == [False] * (len(seen) - 1) + [True]
        assert response["received"]["tries"] == len(seen)
    count = len(folder.server.seen)
    assert folder.ask(*calls) == responses and len(folder.server.seen) == count
    assert len(folder.log()) == 120 and not folder.holds(CANARY) and not folder.said


@pytest.mark.parametrize(
    ("status", "outcome"), [(400, "rejected"), (401, "pending"), (404, "pending"), (500, "pending")]
)
def test_what_no_try_can_mend(folder: Folder, status: int, outcome: str) -> None:
    folder.server.plan = always(says(status, {"error": "no\nway"}))
    (response,) = folder.ask(folder.call(0), patience=Patience(tries=3, first_s=0.01))
    assert response["outcome"] == outcome and f"HTTP {status} no way" in response["reason"]
    assert len(folder.server.seen) == (3 if status == 500 else 1)
    (again,) = folder.ask(folder.call(0), patience=Patience(tries=3, first_s=0.01))
    kept = outcome != "pending"
    assert len(folder.server.seen) == (1 if kept else 6 if status == 500 else 2)
    assert (again["latency_s"] is not None) is kept


def test_a_stop_ends_all_calls_of_its_model_at_once_until_the_next_start(folder: Folder) -> None:
    quota = says(429, {"error": "insufficient quota"})

    def plan(prompt: str, turn: int) -> tuple[str, Behaviour]:
        if prompt == "Read 0":
            return "quota", s.after(0.3, quota)
        return "limited", says(429, {"error": "slow"}, "retry-after: 60\r\n")

    folder.start(concurrency=3)
    folder.server.plan = plan
    started = time.monotonic()
    calls = [folder.call(number) for number in range(40)]
    responses = folder.ask(*calls, at_once=40, patience=Patience(longest_s=60))
    assert time.monotonic() - started < 10  # neither the gate nor a long wait holds them
    assert {(r["outcome"], r["reason"]) for r in responses} == {
        ("pending", "HTTP 429 insufficient quota")
    }
    assert len({json.dumps(seen.body) for seen in folder.server.seen}) < 40
    assert not list(folder.cache.glob("??/*.json"))
    folder.server.plan = Server().plan

    async def later() -> tuple[bytes, ...]:
        asker = Asker(Cache(folder.cache, folder.said.append), folder.said.append)
        folder.server.plan = always(quota)
        await asker.answer(folder.folder, folder.call(1))
        folder.server.plan = Server().plan
        count = len(folder.server.seen)
        still = await asker.answer(folder.folder, folder.call(2))
        assert len(folder.server.seen) == count
        other = await asker.answer(folder.folder, folder.call(3, label="other", model="tiny-2"))
        folder.start(concurrency=3)
        anew = await asker.answer(folder.folder, folder.call(2))
        await asker.close()
        return still, other, anew

    outcomes = [json.loads(answer)["outcome"] for answer in asyncio.run(later())]
    assert outcomes == ["pending", "answered", "answered"]


def test_an_outage_leaves_all_pending_with_one_reason(folder: Folder) -> None:
    folder.start(outage_s=1.0)
    folder.server.plan = always(says(503, {"error": "down"}))
    responses = folder.ask(*(folder.call(n) for n in range(60)), at_once=20)
    assert {response["outcome"] for response in responses} == {"pending"}
    assert len({response["reason"] for response in responses}) == 1
    assert "gives no usable answer since" in responses[0]["reason"]
    assert "HTTP 503 down" in responses[0]["reason"]
    assert len(folder.server.seen) < 60 and len(folder.log()) == 60


def test_a_missing_key_is_told_and_found_again_without_a_new_start(
    folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("TINY_KEY")
    (response,) = folder.ask(folder.call(0))
    assert response["outcome"] == "pending" and response["reason"].startswith(
        "TINY_KEY is set neither"
    )
    (folder.folder / ".env").write_text(f"TINY_KEY='{CANARY}'\n")
    assert folder.ask(folder.call(0))[0]["outcome"] == "answered"
    assert folder.server.seen[0].headers["x-tiny-key"] == f"Bearer {CANARY}"
    assert folder.holds(CANARY) == [folder.folder / ".env"]
    assert folder.ask(folder.call(1, key=""))[0]["outcome"] == "answered"
    assert "x-tiny-key" not in folder.server.seen[1].headers
    address = folder.server.address.replace("//", "//user:secret-word@")
    (response,) = folder.ask(folder.call(2, base_url=address))
    assert response["outcome"] == "pending" and "secret-word" not in response["reason"]
    assert len(folder.server.seen) == 2


def test_a_key_that_comes_back_is_kept_nowhere(folder: Folder) -> None:
    folder.server.plan = always(s.echo)
    (response,) = folder.ask(folder.call(0))
    assert "Bearer [key]" in response["text"] and "Bearer [key]" in response["received"]["echo"]
    for status in (400, 401, 500):
        folder.server.plan = always(says(status, {"error": f"wrong key {CANARY}\n"}))
        (response,) = folder.ask(
            folder.call(status % 290), patience=Patience(tries=2, first_s=0.01)
        )
        assert "wrong key [key]" in response["reason"]
    assert not folder.holds(CANARY)


def test_a_limit_holds_past_the_death_of_a_broker(folder: Folder) -> None:
    """What the journal says was sent a moment ago counts for the next broker."""
    folder.start(requests_per_minute=20)
    folder.ask(*(folder.call(n) for n in range(20)))

    async def one_more() -> None:
        asker = Asker(Cache(folder.cache, folder.said.append), folder.said.append)
        try:
            await asyncio.wait_for(asker.answer(folder.folder, folder.call(20)), 1.0)
        finally:
            tasks = list(asker._in_flight.values())
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            await asker.close()

    with pytest.raises(TimeoutError):
        asyncio.run(one_more())
    assert len(folder.server.seen) == 20


def test_clients_of_one_broker_share_its_limits_and_answers(
    place: Place, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TINY_KEY", CANARY)
    write_json(limits_path(place.cache, place.folder), {"tiny": {"concurrency": 2}})
    server.plan = lambda _, turn: (
        "",
        s.after(0.1, s.answer if turn > 1 else s.FAULTS["half body"]),
    )
    settings = {"kind": "tiny", "base_url": server.address, "key": "TINY_KEY"}
    calls = [place.call("tiny", f"s_{n % 6}", settings=settings, picture="p.png") for n in range(8)]
    clients = [place.start(call, f"out/{n}.json") for n, call in enumerate(calls)]
    assert [client.communicate(timeout=60)[1] for client in clients] == [""] * 8
    assert all(place.read(f"out/{n}.json")["outcome"] == "answered" for n in range(8))
    assert len(server.seen) == 12 and len(place.journal("asked")) == 6
    times = sorted(seen.at for seen in server.seen)
    assert times[-1] - times[0] > 0.45  # twelve of 0.1 s, two at a time
    place.end()
    assert "Traceback" not in place.log
    files = [path for path in place.folder.rglob("*") if path.is_file()]
    assert not [path for path in files if CANARY.encode() in path.read_bytes()]


def test_a_broker_that_makes_way_finishes_what_was_sent_and_leaves_the_rest_to_its_successor(
    place: Place, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TINY_KEY", CANARY)
    write_json(limits_path(place.cache, place.folder), {"tiny": {"concurrency": 1}})
    limited = says(429, {"error": "slow"}, "retry-after: 250\r\n")

    def plan(prompt: str, turn: int) -> tuple[str, Behaviour]:
        return ("", limited) if prompt == "Read µ 0" and turn == 1 else ("", s.after(0.5, s.answer))

    server.plan = plan
    settings = {"kind": "tiny", "base_url": server.address, "key": "TINY_KEY"}
    calls = [place.call("tiny", f"s_{n}", settings=settings) for n in range(3)]
    clients = [place.start(calls[0], "out/0.json")]
    until(lambda: len(server.seen) == 1)
    clients += [place.start(calls[n], f"out/{n}.json") for n in (1, 2)]
    until(lambda: len(server.seen) == 2)
    first = place.pid
    monkeypatch.setenv("TINY_KEY", CANARY + "-changed")
    place.ask(place.blind())
    assert [client.communicate(timeout=30)[1] for client in clients] == [""] * 3
    assert place.pid != first and len(server.seen) == 4
    assert all(place.read(f"out/{n}.json")["outcome"] == "answered" for n in range(3))
