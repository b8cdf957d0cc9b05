"""What passes between a sandbox and this process by descriptors."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress

import psutil


@contextmanager
def pipe() -> Iterator[tuple[int, int]]:
    """Its ends, to read (without waiting) and to write."""
    reading, writing = os.pipe()
    os.set_blocking(reading, False)
    try:
        yield reading, writing
    finally:
        os.close(reading)
        os.close(writing)


@contextmanager
def kept_apart(line: Sequence[str]) -> Iterator[tuple[list[str], int]]:
    """A command line whose options bubblewrap reads from a descriptor, and that descriptor.

    Inside, everybody can read the first process's command line: it would tell where things lie.
    """
    program, *rest = line
    end = rest.index("--")
    options = os.memfd_create("options")
    try:
        os.write(options, b"".join(os.fsencode(word) + b"\0" for word in rest[:end]))
        os.lseek(options, 0, os.SEEK_SET)
        yield [program, "--args", str(options), *rest[end:]], options
    finally:
        os.close(options)


class First:
    """The first process of a sandbox. All others die with it, and it is gone when they are.

    bubblewrap itself ends with the command, a moment before that.
    """

    def __init__(self, told: int) -> None:
        """`told`: where bubblewrap wrote what ``--info-fd`` says."""
        self._told = told
        self._process: psutil.Process | None = None

    def left(self) -> Iterator[psutil.Process]:
        """The process, while it lives."""
        with suppress(OSError, psutil.Error):
            if self._process is None:
                match = re.search(rb'"child-pid": (\d+)', os.read(self._told, 4096))
                self._process = psutil.Process(int(match[1])) if match else None
            process = self._process
            if process and process.is_running() and process.status() != psutil.STATUS_ZOMBIE:
                yield process
