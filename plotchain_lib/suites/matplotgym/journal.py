"""An episode on the disk as it happens, so that a killed one goes on where it was.

    <folder>/journal.jsonl   one line a reply, at once, and one a finished turn
    <folder>/NN.tar          the workspace at the end of turn NN, for the last turns

A reply costs money and is written before anything is done with it. A turn's line is written after
its snapshot and names it, so that a turn that is there can be gone on from. Commands are not run
again to rebuild a workspace: they may print or write something else the second time (times,
random numbers, a limit hit under load), and then every later reply would answer a past that never
was. A last line that was cut off is dropped; so is a turn whose snapshot is not whole.
"""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from plotchain_lib.item import PlotChainError
from plotchain_lib.suites.matplotgym.workspace import restore, snapshot

_KEPT = 2  # snapshots: the last, and one before in case the last is broken

Record = dict[str, Any]


class Journal:
    """The journal of one episode; nobody else plays it while this is open."""

    def __init__(self, folder: Path) -> None:
        """Open it, making it where it is missing, and drop what is not whole.

        Raises PlotChainError where another process plays this episode.
        """
        self._folder = folder
        self.replies: dict[int, Record] = {}
        self.turns: list[Record] = []
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / "journal.jsonl"
        self._descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o644)
        try:
            fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(self._descriptor)
            raise PlotChainError(
                f"{path}: another process plays this episode; wait for it"
            ) from None
        _sync(folder)
        os.ftruncate(self._descriptor, self._read(path.read_bytes()))

    def close(self) -> None:
        """Let go of it."""
        os.close(self._descriptor)

    def rebuild(self, workspace: Path) -> None:
        """Make `workspace` what it was after the last turn that can be gone on from.

        Later turns are forgotten, and the replies to them: those answered what may not come
        again. Without any turn, the workspace is left as it is.
        """
        while self.turns:
            last = self.turns[-1]
            if restore(workspace, self._folder / last["snapshot"], last["sha256"]):
                return
            self._forget_after(self.turns.pop()["turn"])

    def undo(self, workspace: Path) -> bool:
        """Put back the workspace of the last turn; False where there is none."""
        if not self.turns:
            return False
        last = self.turns[-1]
        return restore(workspace, self._folder / last["snapshot"], last["sha256"])

    def reply(self, turn: int, reply: Mapping[str, Any]) -> None:
        """Keep a reply: it is on the disk when this returns."""
        self.replies[turn] = dict(reply)
        self._append({"event": "reply", "turn": turn, "reply": dict(reply)})

    def turn(self, record: Record, workspace: Path) -> None:
        """Keep a finished turn (`record["turn"]`) with its workspace.

        Raises OSError or RecursionError, with nothing kept, where the workspace cannot be.
        """
        number = int(record["turn"])
        name = f"{number:02d}.tar"
        sha256 = snapshot(workspace, self._folder / name)
        _sync(self._folder)
        kept = {**record, "event": "turn", "snapshot": name, "sha256": sha256}
        self._append(kept)
        self.turns.append(kept)
        with suppress(OSError):
            (self._folder / f"{number - _KEPT:02d}.tar").unlink()

    def forget_snapshots(self) -> None:
        """Remove the snapshots of an episode that is over; the journal stays."""
        for path in self._folder.glob("*.tar"):
            path.unlink(missing_ok=True)

    def _append(self, record: Record) -> None:
        line = json.dumps(record, sort_keys=True, allow_nan=False).encode() + b"\n"
        rest = memoryview(line)
        while rest:
            rest = rest[os.write(self._descriptor, rest) :]
        os.fsync(self._descriptor)

    def _read(self, content: bytes) -> int:
        """Take in every whole line; the number of bytes they make."""
        whole = 0
        for line in content.splitlines(keepends=True):
            try:
                record = json.loads(line) if line.endswith(b"\n") else None
                self._take(record)
            except (ValueError, KeyError, TypeError):
                break
            whole += len(line)
        return whole

    def _forget_after(self, number: int) -> None:
        self.replies = {turn: reply for turn, reply in self.replies.items() if turn <= number}

    def _take(self, record: Any) -> None:
        number = record["turn"]
        if record["event"] == "reply":
            self.replies[number] = record["reply"]
            return
        # A turn that was gone back behind is written again.
        if number <= len(self.turns):
            del self.turns[number - 1 :]
            self._forget_after(number)
        if number != len(self.turns) + 1:
            raise ValueError("a turn is missing")
        record["snapshot"], record["sha256"], record["told"]
        self.turns.append(record)


def _sync(folder: Path) -> None:
    """Names are on the disk when this returns."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
