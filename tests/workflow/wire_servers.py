"""A server on the loopback that speaks all four wire formats, and fails as real ones do.

Answers are a function of the question alone; which request meets which fault is counted, not drawn,
so that a run of enough calls meets them all. What it saw is in `seen`, what it would not take in
`complaints`.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from wire_faults import FAULTS, Exchange, Seen, head
from wire_formats import Question, WrongRequestError, asked
from wire_replies import error, reply


def plain_answer(question: Question) -> str:
    """One number a field, the same for the same question."""
    digest = hashlib.sha256(question.key.encode()).digest()
    return json.dumps({name: digest[n % 32] / 10 for n, name in enumerate(question.fields)})


@dataclass
class WireServer:
    """Serves until its block ends.

    Attributes:
        keys: the key it takes, by wire.
        answers: a question's text.
        refuses: whether a question is refused, every time it is asked.
        faults: the share of requests that meet a fault.
        latency_s: before a reply.
    """

    keys: Mapping[str, str]
    answers: Callable[[Question], str] = plain_answer
    refuses: Callable[[Question], bool] = lambda question: False
    faults: float = 0.0
    latency_s: float = 0.0
    seen: list[Seen] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)
    address: str = ""

    def __enter__(self) -> WireServer:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        start = asyncio.start_server(self._serve, "127.0.0.1", 0, backlog=512, limit=1 << 20)
        self._server = asyncio.run_coroutine_threadsafe(start, self._loop).result()
        self.address = f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"
        self._due, self._faulty = 0.0, 0
        return self

    def __exit__(self, *_: object) -> None:
        async def stop() -> None:
            self._server.close()
            tasks = asyncio.all_tasks() - {asyncio.current_task()}
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

        asyncio.run_coroutine_threadsafe(stop(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def whole_answers(self) -> Counter[str]:
        """How often each question was answered to the end."""
        return Counter(seen.key for seen in self.seen if seen.complete)

    def _behaviour(self) -> str:
        """A fault as often as the share says, one after the other; else nothing."""
        self._due += self.faults
        if self._due < 1.0:
            return ""
        self._due -= 1.0
        self._faulty += 1
        return list(FAULTS)[(self._faulty - 1) % len(FAULTS)]

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while not writer.is_closing():
                first, *lines = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
                pairs = [line.split(": ", 1) for line in lines if line]
                headers = {name.lower(): value for name, value in pairs}
                body = await reader.readexactly(int(headers["content-length"]))
                await self._answer(first, headers, body, writer)
        except (asyncio.IncompleteReadError, ConnectionError, asyncio.CancelledError):
            pass
        finally:
            writer.close()

    async def _answer(
        self, first: str, headers: Mapping[str, str], body: bytes, writer: asyncio.StreamWriter
    ) -> None:
        method, path, _ = first.split(" ")
        try:
            if method != "POST":
                raise WrongRequestError(f"{method} is not POST")
            question = asked(path, headers, json.loads(body), self.keys)
        except (WrongRequestError, ValueError, KeyError, TypeError, AttributeError) as problem:
            self.complaints.append(f"{path}: {problem!r}")
            content = json.dumps(error("openai", 400, str(problem))).encode()
            writer.write(head(400, "", len(content)) + content)
            return
        seen = Seen(question, question.key, time.time())
        self.seen.append(seen)
        refused = self.refuses(question)
        seen.how = self._behaviour() or ("refused" if refused else "answered")
        content = json.dumps(reply(question, self.answers(question), refused)).encode()
        exchange = Exchange(writer, seen, content, self.keys[question.wire])
        await asyncio.sleep(self.latency_s)
        try:
            if seen.how in FAULTS:
                await FAULTS[seen.how](exchange)
            else:
                await exchange.whole(200, content)
                seen.complete = True
        finally:
            seen.ended = time.time()
