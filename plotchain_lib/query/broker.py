"""The one process per cache folder that asks: it serves the clients of a socket until it is idle.

The protocol, one exchange a connection: a client sends fingerprint, working folder and call,
separated by NUL, and shuts its side; the broker answers ``STATUS LENGTH\\n`` and LENGTH bytes.

    ok      the response file
    fail    one line: what is wrong, where, how to mend it
    stale   this broker has other code or keys than the client; it drains, a successor may start

The lock (see `start`) is held until the last call in flight has been stored.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import socket
import sys
import time
import traceback
from pathlib import Path

from plotchain_lib.item import PlotChainError
from plotchain_lib.query import sources_fingerprint
from plotchain_lib.query.asker import Asker, Call
from plotchain_lib.query.cache import Cache, canonical, now
from plotchain_lib.query.gate import LeavingError
from plotchain_lib.query.keys import redact
from plotchain_lib.query.start import OUTDATED

_BACKLOG = 1024
_CLIENT_S = 10.0  # a client that neither sends nor reads for so long is left alone
_KEEP_FRESH_S = 3600.0  # cleaners of /tmp spare what was touched lately


def say(line: str) -> None:
    """One line to the broker's log."""
    sys.stderr.write(f"{now()} {os.getpid()} {redact(line)}\n")
    sys.stderr.flush()


def serve(lock: int) -> int:
    """Serve until idle; `lock` is the inherited descriptor. Returns the exit code."""
    os.set_inheritable(lock, False)
    fingerprint = os.environ["PLOTCHAIN_FINGERPRINT"]
    sources = sources_fingerprint()
    if not fingerprint.startswith(f"{sources}-"):
        return OUTDATED
    path = Path(os.environ["PLOTCHAIN_SOCKET"])
    idle_s = float(os.environ.get("PLOTCHAIN_IDLE_S", "60"))
    try:
        asker = Asker(Cache(Path(os.environ["PLOTCHAIN_CACHE"]), say), say, sources)
    except OSError as error:
        sys.stderr.write(f"{error.filename}: {error.strerror}; make it writable\n")
        return 1
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    listener.bind(str(path))
    listener.listen(_BACKLOG)
    broker = Broker(asker, path, fingerprint, idle_s)
    asyncio.run(broker.run(listener))
    say(f"leaves, {broker.reason}, {broker.served} calls served")
    return 0


class Broker:
    """Connections in, answers out."""

    def __init__(self, asker: Asker, path: Path, fingerprint: str, idle_s: float) -> None:
        """`path` is the socket's; `idle_s` seconds without a call end it."""
        self.reason = "idle"
        self.served = 0
        self._asker = asker
        self._path = path
        self._fingerprint = fingerprint
        self._idle_s = idle_s
        self._open: set[asyncio.Task[None]] = set()
        self._last = time.monotonic()
        self._leave = asyncio.Event()

    async def run(self, listener: socket.socket) -> None:
        """Serve, then stop listening, finish every call, and return."""
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, self._stop, "asked to")
        server = await asyncio.start_unix_server(self._accept, sock=listener)
        say(f"serves {self._path}")
        await self._until_idle()
        # Unlink first: whoever comes now starts waiting for the lock instead of being cut off.
        self._path.unlink(missing_ok=True)
        await asyncio.sleep(0.01)  # let in who is already at the door
        server.close()
        self._asker.leave()
        while self._open:
            await asyncio.wait(self._open)
        await self._asker.close()

    def _stop(self, reason: str) -> None:
        self.reason = reason
        self._leave.set()

    async def _until_idle(self) -> None:
        touched = time.monotonic()
        while not self._leave.is_set():
            idle_for = 0.0 if self._open else time.monotonic() - self._last
            if idle_for >= self._idle_s:
                return
            if time.monotonic() - touched > _KEEP_FRESH_S:
                touched = time.monotonic()
                for path in (self._path, self._path.with_suffix(".lock")):
                    with contextlib.suppress(OSError):
                        os.utime(path)
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._leave.wait(), self._idle_s - idle_for)

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.ensure_future(self._serve(reader, writer))
        self._open.add(task)
        task.add_done_callback(self._closed)

    def _closed(self, task: asyncio.Task[None]) -> None:
        self._open.discard(task)
        self._last = time.monotonic()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError, TimeoutError):
            try:
                async with asyncio.timeout(_CLIENT_S):
                    message = await reader.read()
                try:
                    status, body = await self._reply(message)
                except LeavingError:
                    return  # without a word: the client asks the successor
                writer.write(f"{status} {len(body)}\n".encode() + body)
                async with asyncio.timeout(_CLIENT_S):
                    await writer.drain()
            finally:
                writer.close()

    async def _reply(self, message: bytes) -> tuple[str, bytes]:
        fingerprint, _, rest = message.partition(b"\0")
        folder, _, text = rest.partition(b"\0")
        if fingerprint == b"status":
            return "ok", self._status()
        if fingerprint.decode("utf-8", "replace") != self._fingerprint:
            return self._mismatch(fingerprint.decode("utf-8", "replace"))
        name = "a call"
        try:
            call = Call.parse(text)
            name = call.name
            answer = await self._asker.answer(Path(os.fsdecode(folder)), call)
        except LeavingError:
            raise
        except PlotChainError as error:
            return "fail", f"{name}: {' '.join(str(error).split())}".encode("utf-8", "replace")
        except Exception as error:
            say(f"{name}: {traceback.format_exc()}")
            line = redact(f"{name}: {type(error).__name__}: {' '.join(str(error).split())}")
            log = os.environ.get("PLOTCHAIN_LOG", "the log")
            return "fail", f"{line}; this is a fault of PlotChain, see {log}".encode()
        self.served += 1
        return "ok", answer

    def _mismatch(self, fingerprint: str) -> tuple[str, bytes]:
        """Leave for a client that knows the files as they are; refuse one that is itself behind."""
        if not fingerprint.startswith(f"{sources_fingerprint()}-"):
            return "fail", b"the library changed while this run was under way; run Snakemake again"
        self._stop("for a successor")
        return "stale", b""

    def _status(self) -> bytes:
        """What the workflow's progress, tests and the benchmark want to know."""
        status = {
            "cpu_s": time.process_time(),
            "fingerprint": self._fingerprint,
            "model_cpu_s": self._asker.model_cpu_s,
            "models": {label: tally.record() for label, tally in self._asker.tallies.items()},
            "open": len(self._open) - 1,
            "pid": os.getpid(),
            "served": self.served,
        }
        return canonical(status)


def status(path: Path) -> dict[str, object] | None:
    """What the broker at a socket says of itself; None where there is none."""
    from plotchain_lib.query.client import exchange

    reply = exchange(os.fsencode(path), b"status\0\0")
    if reply is None or reply[0] != b"ok":
        return None
    answer: dict[str, object] = json.loads(reply[1])
    return answer
