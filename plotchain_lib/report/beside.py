"""A part of the work in a process of its own, beside the rest."""

from __future__ import annotations

import multiprocessing
import sys
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Any, TypeVar

Result = TypeVar("Result")


def beside(work: Callable[[], Result]) -> Callable[[], Result]:
    """Start `work` now; returns what waits for its result and hands it over.

    Forked, because charts hold closures and tables are large. Where a fork is not safe (macOS with
    its frameworks loaded) the work is done when its result is asked for. What `work` raises is
    raised where its result is asked for.
    """
    if sys.platform != "linux":
        return work
    context = multiprocessing.get_context("fork")
    ours, theirs = context.Pipe(duplex=False)
    worker = context.Process(target=_send, args=(work, theirs))
    worker.start()
    theirs.close()

    def result() -> Result:
        try:
            succeeded, value = ours.recv()
        except EOFError:
            worker.join()
            raise RuntimeError(f"a worker died with exit code {worker.exitcode}") from None
        worker.join()
        if not succeeded:
            raise value
        return value  # type: ignore[no-any-return]

    return result


def _send(work: Callable[[], Any], connection: Connection) -> None:
    try:
        message = (True, work())
    except Exception as error:  # whatever it is, it is raised where the result is asked for
        message = (False, error)
    connection.send(message)
    connection.close()
