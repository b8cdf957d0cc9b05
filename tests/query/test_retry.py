"""How often a call is sent again, how long it waits in between, and how it ends."""

import asyncio
import random
from collections.abc import Iterable

import pytest

from plotchain_lib.item import Response
from plotchain_lib.query import retry
from plotchain_lib.query.retry import Insistence, Patience, Result
from plotchain_lib.wire import Failure

from .fake_loop import run

ANSWER = Response("answered", text="1")


def insist(
    results: Iterable[Result], patience: Patience | None = None, takes: float = 0.0
) -> tuple[Result, int, list[float]]:
    """The final result, the number of tries, and the seconds waited before each but the first."""

    async def main() -> tuple[Result, int, list[float]]:
        waits, coming = list[float](), iter(results)

        async def sleep(seconds: float) -> None:
            waits.append(seconds)
            await asyncio.sleep(seconds)

        async def attempt() -> Result:
            await asyncio.sleep(takes)
            return next(coming)

        insistence = Insistence(patience or Patience(), sleep)
        return await insistence.result(attempt), insistence.tries, waits

    result: tuple[Result, int, list[float]] = run(main())
    return result


def fails(count: int, **about: object) -> list[Result]:
    return [Failure("retry", f"HTTP 50{n}", **about) for n in range(count)]  # type: ignore[arg-type]


def test_what_is_final_is_never_tried_again() -> None:
    for final in (ANSWER, Response("refused"), Failure("stop", "x"), Failure("record", "x")):
        assert insist([final]) == (final, 1, [])
        assert insist([*fails(3), final])[:2] == (final, 4)


def test_waits_are_anything_up_to_a_doubling_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    runs = [insist(fails(8))[2] for _ in range(100)]
    for number in range(7):
        waits = [run[number] for run in runs]
        bound = min(60.0, 2.0**number)
        assert max(waits) <= bound and max(waits) > 0.8 * bound and min(waits) < 0.2 * bound


@pytest.mark.parametrize(
    ("asked", "least"), [(0.0, 0.0), (7.5, 7.5), (60.0, 60.0), (36_425.7, 300.0), (1e300, 300.0)]
)
def test_the_providers_wait_is_honoured_up_to_a_cap_and_spread(asked: float, least: float) -> None:
    waits = [insist([*fails(1, wait_s=asked), ANSWER])[2][0] for _ in range(30)]
    assert all(least <= wait <= 1.1 * least + 0.1 for wait in waits) and len(set(waits)) > 10


def test_a_wait_that_is_none_is_our_own() -> None:
    for wait_s in (-5.0, float("nan"), None):
        (wait,) = insist([*fails(1, wait_s=wait_s), ANSWER])[2]
        assert 0 <= wait <= 1


def test_too_many_tries_end_pending_with_the_last_reason() -> None:
    result, tries, _ = insist(fails(20))
    assert result == Response("pending", reason="given up for now: HTTP 507") and tries == 8


def test_being_limited_costs_time_but_no_tries() -> None:
    result, tries, waits = insist([*fails(30, limited=True, wait_s=1.0), ANSWER])
    assert result == ANSWER and tries == 31 and sum(waits) < 600
    result, tries, waits = insist(fails(100, limited=True, wait_s=50.0))
    assert isinstance(result, Response) and result.outcome == "pending"
    assert tries < 14 and 600 < sum(waits) < 660


def test_time_counts_from_the_first_failure_on() -> None:
    result, tries, _ = insist([*fails(1), ANSWER], Patience(total_s=5.0), takes=100.0)
    assert result == ANSWER and tries == 2
    result, tries, _ = insist(fails(9), Patience(total_s=150.0), takes=100.0)
    assert isinstance(result, Response) and result.outcome == "pending" and tries == 3


def test_the_waits_of_two_processes_differ() -> None:
    assert isinstance(retry._RANDOM, random.SystemRandom)
