"""Which failed try is followed by another, when, and when it is enough."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from tenacity import AsyncRetrying, RetryCallState, retry_if_result

from plotchain_lib.item import Response
from plotchain_lib.wire import Failure

_RANDOM = random.SystemRandom()

Result = Response | Failure


@dataclass(frozen=True, slots=True)
class Patience:
    """How often and how long a call is sent again.

    Attributes:
        tries: failed tries before a call is given up. A provider that says "too much at once" is
            alive and well: such tries do not count, only their time does.
        total_s: seconds from the first failed try on after which no other starts.
        first_s: the longest wait after the first failed try; doubles with each.
        longest_s: the longest wait of our own.
        longest_asked_s: the longest wait a provider may ask for; it is asked again then, early.
    """

    tries: int = 8
    total_s: float = 600.0
    first_s: float = 1.0
    longest_s: float = 60.0
    longest_asked_s: float = 300.0


class Insistence:
    """The tries of one call."""

    def __init__(self, patience: Patience, sleep: Callable[[float], Awaitable[None]]) -> None:
        """`sleep` waits some seconds, or less where waiting has lost its sense."""
        self.tries = 0
        self._patience = patience
        self._sleep = sleep
        self._failed = 0
        self._first_failed_at: float | None = None

    async def result(self, attempt: Callable[[], Awaitable[Result]]) -> Result:
        """The first result that is final, or a `pending` response with its reason in one line."""
        retrying = AsyncRetrying(
            retry=retry_if_result(_may_pass),
            stop=self._enough,
            wait=self._wait,
            sleep=self._sleep,
            retry_error_callback=self._give_up,
        )
        result: Result = await retrying(self._counted, attempt)
        return result

    async def _counted(self, attempt: Callable[[], Awaitable[Result]]) -> Result:
        self.tries += 1
        result = await attempt()
        if _may_pass(result):
            if self._first_failed_at is None:
                self._first_failed_at = _now()
            self._failed += not _failure(result).limited
        return result

    def _enough(self, _state: RetryCallState) -> bool:
        assert self._first_failed_at is not None
        waited_s = _now() - self._first_failed_at
        return self._failed >= self._patience.tries or waited_s >= self._patience.total_s

    def _wait(self, state: RetryCallState) -> float:
        """What the provider asks for and a little more; else anything up to a doubling bound.

        Random, or all calls that failed together would come back together.
        """
        wait_s = _last(state).wait_s
        if wait_s is not None and wait_s >= 0:
            wait_s = min(wait_s, self._patience.longest_asked_s)
            return wait_s + _RANDOM.uniform(0, 0.1 * wait_s + 0.1)
        bound_s = self._patience.first_s * 2 ** min(self.tries - 1, 30)
        return _RANDOM.uniform(0, min(bound_s, self._patience.longest_s))

    def _give_up(self, state: RetryCallState) -> Response:
        return Response("pending", reason=f"given up for now: {_last(state).reason}")


def _now() -> float:
    return asyncio.get_running_loop().time()


def _may_pass(result: Result) -> bool:
    return isinstance(result, Failure) and result.action == "retry"


def _failure(result: Result) -> Failure:
    assert isinstance(result, Failure)
    return result


def _last(state: RetryCallState) -> Failure:
    assert state.outcome is not None
    return _failure(state.outcome.result())
