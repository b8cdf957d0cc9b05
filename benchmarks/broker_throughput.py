"""How many answers a second one broker brings from a provider that takes a second for each.

    python benchmarks/broker_throughput.py [--calls 1280] [--at-once 64] [--faults 0]

A server of its own process speaks Chat Completions on the loopback. The broker is a real one, with
its socket, cache (an fsync an answer) and journal; each call brings a different picture of 40 kB.
The callers are connections of this process to the socket: no job, no Snakemake. `--faults` is the
share of calls that meets a 429, a 500 or a hang-up first.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import multiprocessing
import os
import random
import sys
import tempfile
import time
from multiprocessing.connection import Connection
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from plotchain_lib.files import write_items  # noqa: E402
from plotchain_lib.item import Field, Item  # noqa: E402
from plotchain_lib.query import call_text, environment  # noqa: E402
from plotchain_lib.query.broker import status  # noqa: E402
from plotchain_lib.query.start import ask_starting  # noqa: E402

PICTURE_BYTES = 40_000
TARGET = 40.0  # answers a second


def serve(latency_s: float, faults: float, tell: Connection) -> None:
    """Answer Chat Completions; `tell` gets the port."""
    reply = {
        "id": "1", "object": "chat.completion", "created": 1, "model": "bench",
        "choices": [{"index": 0, "finish_reason": "stop",
                     "message": {"role": "assistant", "content": '{"a": 1}'}}],
        "usage": {"prompt_tokens": 900, "completion_tokens": 20, "total_tokens": 920},
    }  # fmt: skip
    body = json.dumps(reply).encode()
    head = b"content-type: application/json\r\ncontent-length: "
    good = b"HTTP/1.1 200 OK\r\n" + head + b"%d\r\n\r\n%b" % (len(body), body)
    bad = [
        b"HTTP/1.1 %b X\r\nretry-after: 0.2\r\n%b0\r\n\r\n" % (s, head) for s in (b"429", b"500")
    ]

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                request = await reader.readuntil(b"\r\n\r\n")
                length = request.lower().partition(b"content-length: ")[2].partition(b"\r")[0]
                await reader.readexactly(int(length))
                await asyncio.sleep(latency_s)
                content = random.choice([*bad, b""]) if random.random() < faults else good
                if not content:
                    break
                writer.write(content)
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        writer.close()

    async def main() -> None:
        server = await asyncio.start_server(talk, "127.0.0.1", 0, backlog=1024, limit=1 << 20)
        tell.send(server.sockets[0].getsockname()[1])
        await server.serve_forever()

    asyncio.run(main())


def write_inputs(folder: Path, calls: int) -> None:
    """Items of one shard, and a different picture each."""
    field = Field("a", "V", "a voltage", "final")
    (folder / "images").mkdir()
    items = []
    for number in range(calls):
        name = f"images/{number}.png"
        content = b"\x89PNG\r\n\x1a\n" + os.urandom(PICTURE_BYTES) + b"IEND\xaeB`\x82"
        (folder / name).write_bytes(content)
        items.append(Item(str(number), "bench", "s", "s", "How large is it? " * 60, name, (field,),
                          {"a": 1.0}, {}, 0, "clean"))  # fmt: skip
    write_items(folder / "s.jsonl", items)


def message(folder: Path, number: int, port: int) -> bytes:
    """What a client sends for one call."""
    settings = {
        "kind": "openai_compatible", "model": "bench", "base_url": f"http://127.0.0.1:{port}/v1",
    }  # fmt: skip
    call = call_text(dataset="d", model="bench", item=str(number), repeat=1, items="s.jsonl",
                     settings=settings, picture=f"images/{number}.png")  # fmt: skip
    parts = (os.environ["PLOTCHAIN_FINGERPRINT"].encode(), os.fsencode(folder), call.encode())
    return b"\0".join(parts)


async def ask_all(folder: Path, calls: int, at_once: int, port: int) -> list[dict[str, object]]:
    """The responses to calls 1, 2, …, so many at once."""
    numbers = iter(range(1, calls + 1))
    responses = []

    async def caller() -> None:
        for number in numbers:
            reader, writer = await asyncio.open_unix_connection(os.environ["PLOTCHAIN_SOCKET"])
            writer.write(message(folder, number, port))
            writer.write_eof()
            head, _, body = (await reader.read()).partition(b"\n")
            writer.close()
            if not head.startswith(b"ok "):
                raise SystemExit(f"call {number} failed: {body!r}")
            responses.append(json.loads(body))

    await asyncio.gather(*(caller() for _ in range(at_once)))
    return responses


def measure(folder: Path, options: argparse.Namespace, port: int) -> float:
    """Start a broker, ask, print; returns the answers a second."""
    write_inputs(folder, options.calls + 1)
    os.environ.update(environment(folder / "cache"))
    first, body = ask_starting(message(folder, 0, port))
    if first != b"ok" or json.loads(body)["outcome"] != "answered":
        raise SystemExit(f"the first call failed: {body!r}")
    socket = Path(os.environ["PLOTCHAIN_SOCKET"])
    before, started = status(socket), time.perf_counter()
    responses = asyncio.run(ask_all(folder, options.calls, options.at_once, port))
    wall_s = time.perf_counter() - started
    after = status(socket)
    assert before is not None and after is not None
    os.kill(int(str(after["pid"])), 15)
    outcomes = sorted({str(response["outcome"]) for response in responses})
    cpu_ms = 1000 * (float(str(after["cpu_s"])) - float(str(before["cpu_s"]))) / options.calls
    rate = float(options.calls / wall_s)
    print(f"{options.calls} calls, {options.at_once} at once, {options.latency} s each: {outcomes}")
    print(f"{rate:.1f} answers a second, {cpu_ms:.1f} ms of the broker's CPU an answer")
    time.sleep(0.5)  # it closes its log before its folder goes
    return rate


def main() -> None:
    """Measure, and say whether the target is met."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    parser.add_argument("--calls", type=int, default=1280)
    parser.add_argument("--at-once", type=int, default=64)
    parser.add_argument("--latency", type=float, default=1.0)
    parser.add_argument("--faults", type=float, default=0.0)
    options = parser.parse_args()
    here, there = multiprocessing.Pipe()
    server = multiprocessing.get_context("spawn").Process(
        target=serve, args=(options.latency, options.faults, there), daemon=True
    )
    server.start()
    with tempfile.TemporaryDirectory() as folder:
        rate = measure(Path(folder), options, here.recv())
    server.terminate()
    verdict = "meets" if rate >= TARGET else "MISSES"
    print(f"{verdict} the target of {TARGET:.0f} a second")


if __name__ == "__main__":
    main()
