"""One call over real connections: a complete reply, or exactly why there is none."""

import asyncio
import json
import time
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

import pytest

from plotchain_lib.query.http import Sender
from plotchain_lib.query.keys import Key
from plotchain_lib.wire import Failure, HttpCall, HttpReply

from . import server as s
from .server import Server, always, head, raw

KEY = Key("canary-key-of-http-1234")


@pytest.fixture
def server() -> Iterator[Server]:
    with Server() as server:
        yield server


class Caller:
    """One sender for all tests: to make one costs more than to use it."""

    def __init__(self, runner: asyncio.Runner) -> None:
        self.runner, self.sender = runner, Sender()

    def __call__(
        self, address: str, timeout_s: float = 5.0, count: int = 1, sender: Sender | None = None
    ) -> list[HttpReply | Failure]:
        """The results of some calls, one after the other."""
        call = HttpCall(f"{address}/ask", {"x-extra": "1"}, {"prompt": "µ", "b": 1, "a": 2},
                        "TINY_KEY", ("x-tiny-key", "Bearer "), {})  # fmt: skip

        async def run() -> list[HttpReply | Failure]:
            return [await (sender or self.sender).send(call, KEY, timeout_s) for _ in range(count)]

        return self.runner.run(run())


@pytest.fixture(scope="module")
def send() -> Iterator[Caller]:
    with asyncio.Runner() as runner:
        caller = Caller(runner)
        yield caller
        runner.run(caller.sender.close())


def test_a_call_arrives_as_it_was_given(server: Server, send: Caller) -> None:
    (reply,) = send(server.address)
    assert isinstance(reply, HttpReply) and reply.status == 200
    assert json.loads(reply.body)["text"] == "answer to µ"
    (seen,) = server.seen
    assert list(seen.body) == ["prompt", "b", "a"]  # a schema's order has a meaning
    assert seen.headers["x-tiny-key"] == "Bearer canary-key-of-http-1234"
    assert seen.headers["x-extra"] == "1" and seen.headers["content-type"] == "application/json"


@pytest.mark.parametrize("status", [200, 204, 302, 400, 429, 500, 529])
def test_a_complete_reply_is_given_whatever_its_status(
    server: Server, send: Caller, status: int
) -> None:
    server.plan = always(
        s.says(status, b"" if status == 204 else b"body", "X-A: b\r\nlocation: /else\r\n")
    )
    (reply,) = send(server.address)
    assert isinstance(reply, HttpReply) and reply.status == status
    assert reply.headers["x-a"] == "b" and len(server.seen) == 1


def test_chunks_and_late_hang_ups_are_complete_replies(server: Server, send: Caller) -> None:
    until_closed = (b"HTTP/1.0 200 OK\r\n\r\n", b'{"text": "x"}')
    for behaviour in (s.chunked, raw(*until_closed), s.late_reset):
        server.plan = always(behaviour)
        assert all(isinstance(reply, HttpReply) for reply in send(server.address))


BROKEN = {
    "drop": "dropped before a reply", "reset": "dropped before a reply",
    "garbage": "dropped before a reply", "drop in headers": "dropped before a reply",
    "drop after headers": "cut off", "half body": "cut off", "half chunk": "cut off",
    "no last chunk": "cut off", "half body, reset": "cut off",
}  # fmt: skip


@pytest.mark.parametrize("fault", BROKEN)
def test_an_incomplete_reply_is_told_apart_and_the_next_call_is_not_hurt(
    server: Server, send: Caller, fault: str
) -> None:
    server.plan = lambda _, turn: ("", s.FAULTS[fault] if turn == 1 else s.answer)
    broken, whole = send(server.address, count=2)
    assert isinstance(broken, Failure) and broken.action == "retry" and not broken.limited
    assert BROKEN[fault] in broken.reason and "\n" not in broken.reason
    assert isinstance(whole, HttpReply) and len(server.seen) == 2


async def _drip_headers(write: Any, seen: Any) -> None:
    await raw(*(bytes([byte]) for byte in head(200, "x: y\r\n" * 20, length=2)), pause=0.02)(
        write, seen
    )


async def _drip_body(write: Any, seen: Any) -> None:
    await raw(head(200, length=100), *([b"x"] * 100), pause=0.02)(write, seen)


async def _stall(write: Any, seen: Any) -> None:
    await raw(head(200, length=100), b"x", pause=1.0)(write, seen)


@pytest.mark.parametrize(
    ("behaviour", "reason"),
    [
        (s.after(2.0, s.answer), "no reply within 0.3 s"),
        (_drip_headers, "no reply within 0.3 s"),
        (_drip_body, "not complete within 0.3 s"),
        (_stall, "stalled for 0.15 s"),
    ],
)
def test_silence_and_slow_drips_end(
    server: Server, send: Caller, behaviour: Callable[..., Awaitable[None]], reason: str
) -> None:
    server.plan = lambda _, turn: ("", behaviour if turn < 3 else s.answer)
    started = time.monotonic()
    *overdue, whole = send(server.address, timeout_s=0.3, count=3, sender=Sender(idle_s=0.15))
    assert time.monotonic() - started < 1.5
    for failure in overdue:
        assert isinstance(failure, Failure) and reason in failure.reason
    assert isinstance(whole, HttpReply)


def test_an_endless_reply_ends(server: Server, send: Caller) -> None:
    async def flood(write: Any, seen: Any) -> None:
        await raw(head(200), *([b"x" * 100_000] * 200))(write, seen)

    server.plan = always(flood)
    (failure,) = send(server.address, sender=Sender(largest=1_000_000))
    assert isinstance(failure, Failure) and "larger than 1000000 bytes" in failure.reason


@pytest.mark.parametrize("address", ["http://127.0.0.1:1", "http://nowhere.invalid"])
def test_nobody_there_may_pass(send: Caller, address: str) -> None:
    (failure,) = send(address)
    assert isinstance(failure, Failure) and failure.action == "retry"
    assert "cannot connect" in failure.reason


@pytest.mark.parametrize("address", ["ftp://x", "nonsense", "http://x:port"])
def test_an_address_that_is_none_stops_the_model(send: Caller, address: str) -> None:
    (failure,) = send(address)
    assert isinstance(failure, Failure) and failure.action == "stop"
    assert "base_url" in failure.reason
