"""An event loop whose clock jumps to the next timer instead of waiting for it."""

import asyncio
import selectors
from collections.abc import Coroutine
from typing import Any


class _Impatient(selectors.DefaultSelector):
    def __init__(self) -> None:
        super().__init__()
        self.now = 1000.0

    def select(self, timeout: float | None = None) -> list[Any]:
        ready = super().select(0)
        assert ready or timeout is not None, "everybody waits for nobody"
        if not ready and timeout is not None:
            self.now += timeout
        return ready


class FakeLoop(asyncio.SelectorEventLoop):
    """All of asyncio's own sleeps and timeouts follow its clock."""

    def __init__(self) -> None:
        self._impatient = _Impatient()
        super().__init__(self._impatient)

    def time(self) -> float:
        return self._impatient.now


def run(coroutine: Coroutine[Any, Any, Any]) -> Any:
    with asyncio.Runner(loop_factory=FakeLoop) as runner:
        return runner.run(coroutine)
