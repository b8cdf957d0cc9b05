"""The ways in which a provider fails, each as bytes on a real connection."""

from __future__ import annotations

import asyncio
import email.utils
import json
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from wire_formats import Question
from wire_replies import error, error_in_a_success


@dataclass
class Seen:
    """One request, and whether a whole reply was given to it. Times in s since the epoch."""

    question: Question
    key: str
    started: float
    ended: float = 0.0
    how: str = ""
    complete: bool = False


@dataclass
class Exchange:
    """What a behaviour needs: where to write, to what, the whole reply, and the key it came with."""

    writer: asyncio.StreamWriter
    seen: Seen
    reply: bytes
    secret: str

    def error(self, status: int, message: str, details: tuple[object, ...] = ()) -> bytes:
        return json.dumps(error(self.seen.question.wire, status, message, details)).encode()

    async def whole(self, status: int, body: bytes, headers: str = "") -> None:
        self.writer.write(head(status, headers, len(body)) + body)
        await self.writer.drain()


Behaviour = Callable[[Exchange], Awaitable[None]]


def head(status: int, headers: str = "", length: int | None = None) -> bytes:
    size = "" if length is None else f"content-length: {length}\r\n"
    return f"HTTP/1.1 {status} Whatever\r\ncontent-type: application/json\r\n{size}{headers}\r\n".encode()


def limited(
    headers: Callable[[], str] = str, message: str = "slow down", *details: object
) -> Behaviour:
    return lambda ex: ex.whole(429, ex.error(429, message, details), headers())


def failing(status: int, message: str = "something went wrong") -> Behaviour:
    return lambda ex: ex.whole(status, ex.error(status, message))


def page(status: int, body: bytes) -> Behaviour:
    return lambda ex: ex.whole(status, body, "x-server: a proxy\r\n")


def cut(parts: Callable[[Exchange], bytes], reset: bool = False) -> Behaviour:
    """Some bytes, then the end."""

    async def behave(exchange: Exchange) -> None:
        exchange.writer.write(parts(exchange))
        await exchange.writer.drain()
        if reset:
            exchange.writer.transport.abort()
        exchange.writer.close()

    return behave


async def drip(exchange: Exchange) -> None:
    """The right reply, a byte at a time, and never to its end."""
    exchange.writer.write(head(200, "", len(exchange.reply)))
    for byte in exchange.reply[:-1][:200]:
        exchange.writer.write(bytes([byte]))
        await exchange.writer.drain()
        await asyncio.sleep(0.3)
    exchange.writer.close()


async def slow_but_whole(exchange: Exchange) -> None:
    exchange.writer.write(head(200, "transfer-encoding: chunked\r\n"))
    for part in (exchange.reply[:20], exchange.reply[20:]):
        exchange.writer.write(f"{len(part):x}\r\n".encode() + part + b"\r\n")
        await exchange.writer.drain()
        await asyncio.sleep(0.2)
    exchange.seen.complete = True
    exchange.writer.write(b"0\r\n\r\n")


async def late_reset(exchange: Exchange) -> None:
    """A whole answer, and right behind it a broken connection."""
    exchange.seen.complete = True
    await exchange.whole(200, exchange.reply)
    await asyncio.sleep(0.05)
    exchange.writer.transport.abort()


async def tells_the_key(exchange: Exchange) -> None:
    await exchange.whole(500, exchange.error(500, f"failed for key {exchange.secret}"))


def in_iso() -> str:
    moment = (datetime.now(UTC) + timedelta(seconds=0.2)).isoformat().replace("+00:00", "Z")
    return f"anthropic-ratelimit-requests-remaining: 0\r\nanthropic-ratelimit-requests-reset: {moment}\r\n"


def in_date() -> str:
    return f"Retry-After: {email.utils.formatdate(time.time() + 0.5, usegmt=True)}\r\n"


HALF = b'HTTP/1.1 200 OK\r\ncontent-length: 500\r\n\r\n{"id": "'
RETRY_INFO = {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "0.1s"}
# In the order in which they come, the kinds mixed. Two of them are whole answers all the same.
FAULTS: dict[str, Behaviour] = {
    "429 seconds": limited(lambda: "retry-after: 0\r\n"),
    "500": failing(500),
    "drop": cut(lambda ex: b""),
    "429 date": limited(in_date),
    "error in a 200": lambda ex: ex.whole(200, json.dumps(error_in_a_success(ex.seen.question)).encode()),
    "half body": cut(lambda ex: head(200, "", len(ex.reply)) + ex.reply[: len(ex.reply) // 2]),
    "429 milliseconds": limited(lambda: "retry-after-ms: 50\r\n"),
    "529": failing(529, "Overloaded"),
    "garbage body": page(200, b"\xff\x00<html>not what you want</html>"),
    "drip": drip,
    "503": failing(503, "The service is unavailable"),
    "429 message": limited(message="Rate limit reached. Please try again in 120ms."),
    "reset": cut(lambda ex: HALF, reset=True),
    "key in an error": tells_the_key,
    "slow but whole": slow_but_whole,
    "429 reset header": limited(
        lambda: "x-ratelimit-remaining-requests: 0\r\nx-ratelimit-reset-requests: 80ms\r\n"
    ),
    "no HTTP": cut(lambda ex: b"\x00\x01 no HTTP at all\r\n\r\n"),
    "late reset": late_reset,
    "429 details": limited(str, "Resource exhausted", RETRY_INFO),
    "503 page": page(503, b"<html><title>503 Backend fetch failed</title></html>"),
    "429 ISO time": limited(in_iso),
    "drop after headers": cut(lambda ex: head(200, "", 100)),
    "429 decimals": limited(lambda: "Retry-After: 0.05\r\n"),
    "empty 200": page(200, b""),
    "429 plain": limited(),
    "half chunk": cut(lambda ex: head(200, "transfer-encoding: chunked\r\n") + b'20\r\n{"id": "'),
    "429 negative": limited(lambda: "retry-after: -5\r\n"),
    "502 page": page(502, b"<html><title>502 Bad Gateway</title></html>"),
    "429 nonsense": limited(lambda: "retry-after: soon\r\n"),
}  # fmt: skip
