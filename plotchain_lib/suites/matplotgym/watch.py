"""Run one process under watch: time, memory, processes, output and the size of its folder.

What the kernel can limit by itself (address space, processes, size of a file) is set by the
command (see `sandbox`); what it cannot without control groups (the memory of many processes, the
size of a folder) is looked at ten times a second here.
"""

from __future__ import annotations

import os
import re
import select
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import psutil

from plotchain_lib.suites.matplotgym.workspace import used

_STEP_S = 0.1  # between two looks
_SOON_S = 0.002  # until what was killed is looked for again
_READ = 1 << 16
_LAST_S = 5.0  # how long the end of a killed process is waited for
# What no text holds; a carriage return is how progress bars begin a line anew.
_CONTROLS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")


@dataclass(frozen=True, slots=True)
class Limits:
    """What one command may use.

    Attributes:
        seconds: of wall clock.
        memory_bytes: of address space for one process, and of resident memory for all together.
        processes: processes and threads at once.
        file_bytes: the largest file it may write.
        workspace_bytes, workspace_files: the folder's apparent size and number of entries.
        output_bytes: printed in all, beyond which it is ended.
        kept_bytes: of the output's head, and as many of its tail.
    """

    seconds: float = 120.0
    memory_bytes: int = 4 << 30
    processes: int = 128
    file_bytes: int = 64 << 20
    workspace_bytes: int = 256 << 20
    workspace_files: int = 2000
    output_bytes: int = 16 << 20
    kept_bytes: int = 6000


@dataclass(frozen=True, slots=True)
class Result:
    """How a command ended.

    Attributes:
        output: stdout and stderr as they came, head and tail.
        code: the exit code; negative for a signal.
        stopped: the limit that ended it (``time``, ``memory``, ``processes``, ``output``,
            ``workspace``); empty where none did.
        seconds: of wall clock, the start of the sandbox included.
        sealed: whether it ran in a sandbox.
    """

    output: str
    code: int
    stopped: str
    seconds: float
    sealed: bool


@dataclass(slots=True)
class Kept:
    """Head and tail of an output of any length."""

    most: int
    total: int = 0
    head: bytearray = field(default_factory=bytearray)
    tail: bytearray = field(default_factory=bytearray)

    def add(self, part: bytes) -> None:
        """Take in what came next."""
        self.total += len(part)
        room = self.most - len(self.head)
        self.head += part[:room]
        self.tail = (self.tail + part[room:])[-self.most :] if len(part) > room else self.tail

    @property
    def text(self) -> str:
        """The output, with a line in the middle that says how much is missing."""
        left_out = self.total - len(self.head) - len(self.tail)
        if not left_out:
            return readable(bytes(self.head + self.tail))
        head, tail = readable(bytes(self.head)), readable(bytes(self.tail))
        return f"{head}\n[... {left_out} bytes left out ...]\n{tail}"


def readable(data: bytes) -> str:
    """Bytes as text any provider takes: UTF-8, no control characters but tab and newline."""
    text = data.decode("utf-8", "replace").replace("\r\n", "\n").replace("\r", "\n")
    return _CONTROLS.sub("\N{REPLACEMENT CHARACTER}", text)


def watched(
    command: Sequence[str],
    environment: Mapping[str, str],
    folder: Path,
    limits: Limits,
    *,
    user: int | None = None,
    sealed: bool = True,
    strays: Callable[[], Iterator[psutil.Process]] | None = None,
    passed: Sequence[int] = (),
) -> Result:
    """Run a command in `folder` to its end or to its first limit.

    `user`: the id it runs under, where this process is root. `strays`: what may be left of it
    when it has ended, and is killed. `passed`: descriptors it inherits. Raises OSError where it
    cannot be started.
    """
    started = time.monotonic()
    process = subprocess.Popen(  # noqa: S603
        command, cwd=folder, env=environment, stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True,
        user=user, group=user, extra_groups=None if user is None else [], pass_fds=tuple(passed),
    )  # fmt: skip
    assert process.stdout is not None
    kept, stopped = Kept(limits.kept_bytes), ""
    try:
        stopped = _follow(process, folder, limits, kept, started)
    finally:
        _end(process, strays)
        if not stopped:
            _drain(process.stdout.fileno(), kept, limits.output_bytes)
        process.stdout.close()
    seconds = time.monotonic() - started
    return Result(kept.text, process.returncode, stopped, seconds, sealed)


def _follow(
    process: subprocess.Popen[bytes], folder: Path, limits: Limits, kept: Kept, started: float
) -> str:
    """Read until the process ends; the limit it went beyond, or nothing."""
    assert process.stdout is not None
    descriptor, is_open, looked = process.stdout.fileno(), True, started
    while process.poll() is None:
        if is_open and select.select([descriptor], [], [], _STEP_S)[0]:
            part = os.read(descriptor, _READ)
            is_open = bool(part)
            kept.add(part)
        elif not is_open:
            with suppress(subprocess.TimeoutExpired):
                process.wait(_STEP_S)
        now = time.monotonic()
        if now - started > limits.seconds:
            return "time"
        if kept.total > limits.output_bytes:
            return "output"
        if now - looked >= _STEP_S:
            looked = now
            if stopped := _beyond(process.pid, folder, limits):
                return stopped
    # Looked at once more: what was written fast is as large as what was written slowly.
    return "workspace" if _too_large(folder, limits) else ""


def _beyond(pid: int, folder: Path, limits: Limits) -> str:
    """The limit that a process and all its descendants go beyond now."""
    memory = count = 0
    with suppress(psutil.Error):
        for child in psutil.Process(pid).children(recursive=True):
            with suppress(psutil.Error):
                memory += child.memory_info().rss
                count += 1
    if memory > limits.memory_bytes:
        return "memory"
    if count > limits.processes:
        return "processes"
    return "workspace" if _too_large(folder, limits) else ""


def _too_large(folder: Path, limits: Limits) -> bool:
    size, entries = used(folder)
    return size > limits.workspace_bytes or entries > limits.workspace_files


def _end(
    process: subprocess.Popen[bytes], strays: Callable[[], Iterator[psutil.Process]] | None
) -> None:
    """Kill what is left of it, and see it gone: what follows must not race with its last writes."""
    if process.poll() is None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    with suppress(subprocess.TimeoutExpired):
        process.wait(_LAST_S)
    deadline = time.monotonic() + _LAST_S
    while strays and (found := list(strays())) and time.monotonic() < deadline:
        for stray in found:
            with suppress(psutil.Error):
                stray.kill()
        time.sleep(_SOON_S)


def _drain(descriptor: int, kept: Kept, most: int) -> None:
    """What was printed and not read yet; what still writes is not waited for."""
    while kept.total <= most and select.select([descriptor], [], [], 0)[0]:
        part = os.read(descriptor, _READ)
        if not part:
            return
        kept.add(part)
