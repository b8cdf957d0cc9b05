"""A working folder with items, and real clients that find or start a real broker there."""

import json
import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from plotchain_lib.files import write_items, write_json
from plotchain_lib.item import Field, Item
from plotchain_lib.query import call_text, environment
from plotchain_lib.query.broker import status

PNG = b"\x89PNG\r\n\x1a\n" + b"pixels" + b"IEND\xaeB`\x82"


def until(condition: Callable[[], object], seconds: float = 20.0) -> None:
    """Wait for a condition; fail after a while."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.02)


class Place:
    """One working folder, its cache, and what can be asked there."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.cache = folder / "cache"
        self.extra: dict[str, str] = {}
        folder.mkdir(parents=True, exist_ok=True)
        field = Field("a", "V", "a voltage", "final", 2)
        items = [
            Item(f"s_{number}", "plotchain", "s", "s", f"Read µ {number}", "p.png", (field,),
                 {"a": 1.0}, {}, 0, "clean")
            for number in range(40)
        ]  # fmt: skip
        write_items(folder / "s.jsonl", items)
        folds = [{"items": None, "constants": {"a": 3.5}}]
        write_json(
            folder / "floor.json", {"rule": "calibration", "shards": {"s": {"folds": folds}}}
        )
        (folder / "p.png").write_bytes(PNG)

    @property
    def environment(self) -> dict[str, str]:
        return {**os.environ, **environment(self.cache), **self.extra}

    def blind(self, item: str = "s_0", **changes: Any) -> str:
        call = {"settings": {"kind": "blind"}, "source": "floor.json"} | changes
        return self.call("blind", item, **call)

    def slow(self, item: str = "s_0", seconds: float = 0.0, **changes: Any) -> str:
        settings = {"kind": "slow", "seconds": seconds} | changes.pop("settings", {})
        return self.call("slow", item, settings=settings, **({"picture": "p.png"} | changes))

    def call(self, model: str, item: str, **changes: Any) -> str:
        call = {"dataset": "d", "repeat": 1, "items": "s.jsonl"} | changes
        return call_text(model=model, item=item, **call)

    def start(self, call: str, output: str = "out/a.json") -> subprocess.Popen[str]:
        variables = self.environment
        command = [variables["PLOTCHAIN_PYTHON"], "-I", "-S", variables["PLOTCHAIN_CLIENT"]]
        return subprocess.Popen(
            [*command, output, call], cwd=self.folder, env=variables, stderr=subprocess.PIPE,
            text=True,
        )  # fmt: skip

    def ask(self, call: str, output: str = "out/a.json") -> dict[str, Any]:
        """The response; the client must succeed silently."""
        process = self.start(call, output)
        _, errors = process.communicate(timeout=60)
        assert (process.returncode, errors) == (0, "")
        return self.read(output)

    def fail(self, call: str) -> str:
        """The line a client fails with; it must leave no file behind."""
        process = self.start(call, "out/fails.json")
        _, errors = process.communicate(timeout=60)
        assert process.returncode == 1
        assert errors.startswith("query failed: ") and errors.count("\n") == 1, errors
        assert not list(self.folder.glob("out/*fails*"))
        return errors

    def read(self, output: str) -> dict[str, Any]:
        response: dict[str, Any] = json.loads((self.folder / output).read_bytes())
        return response

    def status(self) -> dict[str, Any] | None:
        return status(Path(self.environment["PLOTCHAIN_SOCKET"]))

    @property
    def pid(self) -> int:
        answer = self.status()
        assert answer is not None
        return int(answer["pid"])

    @property
    def log(self) -> str:
        return (self.cache / "broker.log").read_text()

    def journal(self, event: str) -> list[str]:
        """The keys of one event, in order."""
        path = self.cache / "journal.jsonl"
        lines = (
            [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []
        )
        return [line["key"] for line in lines if line["event"] == event]

    def end(self) -> None:
        for _ in range(3):  # a successor may come up while we look
            answer = self.status()
            if answer is None:
                return
            os.kill(int(answer["pid"]), signal.SIGTERM)
            until(lambda: self.status() is None)


@pytest.fixture
def runtime(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A private folder for sockets, as short as the real one."""
    folder = Path(tempfile.mkdtemp(prefix="pc-", dir="/tmp"))
    monkeypatch.setenv("PLOTCHAIN_RUNTIME", str(folder / "r"))
    monkeypatch.setenv("PLOTCHAIN_MODELS", str(Path(__file__).parent / "kinds"))
    monkeypatch.setenv("PLOTCHAIN_IDLE_S", "20")
    yield folder / "r"
    shutil.rmtree(folder)


@pytest.fixture
def place(runtime: Path, tmp_path: Path) -> Iterator[Place]:
    place = Place(tmp_path / "work")
    yield place
    place.extra.clear()
    place.end()
