"""Processes for local models that work hard: as many as there are cores, started when needed.

They are spawned, not forked, because the broker runs an event loop and threads; and they die with
the broker, however it ends, or they would outlive a killed one with its work and its memory.
"""

from __future__ import annotations

import asyncio
import os
import threading
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context, parent_process
from multiprocessing.connection import wait

from plotchain_lib.item import PlotChainError, Request, Response
from plotchain_lib.models import load


class Pool:
    """Answers requests of pool models; survives the death of a worker."""

    def __init__(self) -> None:
        """No process yet."""
        self._executor: ProcessPoolExecutor | None = None

    async def answer(self, request: Request) -> Response:
        """The model's response, worked out in another process."""
        for _ in range(2):
            executor = self._started()
            try:
                loop = asyncio.get_running_loop()
                return await loop.run_in_executor(executor, _answer, request)
            except BrokenProcessPool:
                # One dead worker breaks every call of its executor; the others' deserve another.
                if self._executor is executor:
                    self._executor = None
                    executor.shutdown(wait=False)
        raise PlotChainError(
            f"a process of model kind '{request.kind}' died under this call, twice; is there "
            "enough memory?"
        )

    def close(self) -> None:
        """Let the processes go."""
        if self._executor is not None:
            self._executor.shutdown(wait=False, cancel_futures=True)

    def _started(self) -> ProcessPoolExecutor:
        if self._executor is None:
            self._executor = ProcessPoolExecutor(
                max_workers=os.cpu_count() or 1,
                mp_context=get_context("spawn"),
                initializer=_prepare,
            )
        return self._executor


def _answer(request: Request) -> Response:
    return load(request.kind).answer(request)


def _prepare() -> None:
    """Before the model's libraries load: each process is one thread, there is one for each core."""
    for library in ("OMP", "OPENBLAS", "MKL"):
        os.environ.setdefault(f"{library}_NUM_THREADS", "1")
    _die_with_parent()


def _die_with_parent() -> None:
    """Watch the parent's end of a pipe, which the kernel closes on Linux and macOS alike."""
    parent = parent_process()
    if parent is not None:
        threading.Thread(target=_exit_after, args=(parent.sentinel,), daemon=True).start()


def _exit_after(sentinel: int) -> None:
    wait([sentinel])
    os._exit(1)
