"""A real HTTP server on the loopback, in a thread, that misbehaves as it is told."""

import asyncio
import email.utils
import json
import threading
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

Write = asyncio.StreamWriter
Behaviour = Callable[[Write, "Seen"], Awaitable[None]]


@dataclass
class Seen:
    """One request as it arrived, and whether a whole answer was given to it."""

    body: dict[str, Any]
    headers: dict[str, str]
    at: float
    how: str = ""
    complete: bool = False


def head(status: int, headers: str = "", length: int | None = None) -> bytes:
    size = "" if length is None else f"content-length: {length}\r\n"
    return f"HTTP/1.1 {status} Whatever\r\n{size}{headers}\r\n".encode()


def says(status: int, record: object, headers: str = "") -> Behaviour:
    async def behave(write: Write, seen: Seen) -> None:
        content = record if isinstance(record, bytes) else json.dumps(record).encode()
        write.write(head(status, headers, len(content)) + content)

    return behave


async def answer(write: Write, seen: Seen) -> None:
    record = {"text": f"answer to {seen.body['prompt']}", "input": 900, "output": 20}
    seen.complete = True
    await says(200, record)(write, seen)


async def echo(write: Write, seen: Seen) -> None:
    """An answer and headers that give the key back."""
    seen.complete = True
    text = str(seen.headers)
    await says(200, {"text": text, "echo": text}, f"x-request: {seen.headers['x-tiny-key']}\r\n")(
        write, seen
    )


async def chunked(write: Write, seen: Seen) -> None:
    seen.complete = True
    write.write(head(200, "transfer-encoding: chunked\r\n"))
    for part in (b'{"text": "answer to ', seen.body["prompt"].encode(), b'"}'):
        write.write(f"{len(part):x}\r\n".encode() + part + b"\r\n")
        await write.drain()
    write.write(b"0\r\n\r\n")


def raw(*parts: bytes, pause: float = 0.0, reset: bool = False) -> Behaviour:
    """Write these bytes, each after a pause, then hang up."""

    async def behave(write: Write, seen: Seen) -> None:
        for part in parts:
            write.write(part)
            await write.drain()
            await asyncio.sleep(pause)
        if reset:
            write.transport.abort()
        write.close()

    return behave


async def late_reset(write: Write, seen: Seen) -> None:
    """A whole answer, and right behind it a broken connection."""
    await answer(write, seen)
    await write.drain()
    await asyncio.sleep(0.02)
    write.transport.abort()


def after(seconds: float, then: Behaviour) -> Behaviour:
    async def behave(write: Write, seen: Seen) -> None:
        await asyncio.sleep(seconds)
        await then(write, seen)

    return behave


def _limited(headers: str) -> Behaviour:
    return says(429, {"error": "slow down"}, headers)


async def _limited_until_a_date(write: Write, seen: Seen) -> None:
    moment = email.utils.formatdate(time.time() + 0.2, usegmt=True)
    await _limited(f"Retry-After: {moment}\r\n")(write, seen)


FAULTS: dict[str, Behaviour] = {
    "429 plain": _limited(""),
    "429 seconds": _limited("retry-after: 0\r\n"),
    "429 decimals": _limited("Retry-After: 0.05\r\n"),
    "429 milliseconds": _limited("retry-after-ms: 50\r\n"),
    "429 date": _limited_until_a_date,
    "429 negative": _limited("retry-after: -5\r\n"),
    "429 nonsense": _limited("retry-after: soon\r\n"),
    "500": says(500, {"error": "oops"}),
    "503": says(503, b"<html>unavailable</html>"),
    "529": says(529, {"error": "overloaded"}),
    "200 error": says(200, {"error": "server_error"}),
    "200 empty": says(200, b""),
    "garbage body": says(200, b"\xff\x00<html>"),
    "garbage": raw(b"\x00\x01 no HTTP at all\r\n\r\n"),
    "drop": raw(),
    "reset": raw(reset=True),
    "drop in headers": raw(b"HTTP/1.1 200 OK\r\ncontent-le"),
    "drop after headers": raw(head(200, length=100)),
    "half body": raw(head(200, length=100), b'{"text": "ans'),
    "half chunk": raw(head(200, "transfer-encoding: chunked\r\n"), b'20\r\n{"text": "ans'),
    "no last chunk": raw(head(200, "transfer-encoding: chunked\r\n"), b'd\r\n{"text": "an"\r\n'),
    "half body, reset": raw(head(200, length=100), b'{"text": "ans', pause=0.01, reset=True),
}  # fmt: skip


@dataclass
class Server:
    """Serves until `close`; `plan` names what each request meets, by prompt and turn."""

    plan: Callable[[str, int], tuple[str, Behaviour]] = lambda prompt, turn: ("answer", answer)
    seen: list[Seen] = field(default_factory=list)
    address: str = ""

    def __enter__(self) -> "Server":
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        start = asyncio.start_server(self._serve, "127.0.0.1", 0)
        self._server = asyncio.run_coroutine_threadsafe(start, self._loop).result()
        self.port = self._server.sockets[0].getsockname()[1]
        self.address = f"http://127.0.0.1:{self.port}"
        return self

    def __exit__(self, *_: object) -> None:
        async def stop() -> None:
            self._server.close()
            tasks = asyncio.all_tasks() - {asyncio.current_task()}
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            await self._server.wait_closed()

        asyncio.run_coroutine_threadsafe(stop(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def of(self, prompt: str) -> list[Seen]:
        return [seen for seen in self.seen if seen.body["prompt"] == prompt]

    async def _serve(self, reader: asyncio.StreamReader, writer: Write) -> None:
        try:
            while not writer.is_closing():
                lines = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
                pairs = [line.split(": ", 1) for line in lines[1:] if line]
                headers = {name.lower(): value for name, value in pairs}
                body = json.loads(await reader.readexactly(int(headers["content-length"])))
                seen = Seen(body, headers, time.monotonic())
                self.seen.append(seen)
                seen.how, behave = self.plan(body["prompt"], len(self.of(body["prompt"])))
                await behave(writer, seen)
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError, asyncio.CancelledError):
            pass
        finally:
            writer.close()


def always(behaviour: Behaviour) -> Callable[[str, int], tuple[str, Behaviour]]:
    return lambda prompt, turn: ("always", behaviour)
