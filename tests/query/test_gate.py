"""The gate: no window too full, first come first served, smaller on 429, closed in an outage.

The clock is the event loop's and jumps; the code under it is what a broker runs.
"""

import asyncio
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plotchain_lib.query.gate import BlockedError, Gate, How, Visit
from plotchain_lib.query.limits import Limits
from plotchain_lib.query.window import WINDOW_S

from .fake_loop import run


class Log:
    """What a server would have seen: (time, number, tokens) of each arrival; the most at once."""

    def __init__(self) -> None:
        self.arrivals: list[tuple[float, int, int]] = []
        self.flying = self.most = 0
        self.how: How = "answered"

    async def call(
        self, gate: Gate, number: int, limits: Limits, *, takes: float = 1.0, tokens: int = 100,
        used: int | None = None, late: float = 0.0, how: How | None = None, model: str = "m",
    ) -> None:  # fmt: skip
        visit = await gate.enter(number, model, limits, tokens)
        self.flying += 1
        self.most = max(self.most, self.flying)
        await asyncio.sleep(late)
        self.arrivals.append((now(), number, tokens if used is None else used))
        await asyncio.sleep(takes)
        self.flying -= 1
        gate.leave(visit, how or self.how, used, "HTTP 503")

    def fullest(self, tokens: bool = False) -> int:
        """The most requests (or tokens) in any half-open window of a minute."""
        arrivals = sorted(self.arrivals)
        return max(
            sum(
                used if tokens else 1
                for time, _, used in arrivals
                if start <= time < start + WINDOW_S
            )
            for start, _, _ in arrivals
        )


def now() -> float:
    return asyncio.get_running_loop().time()


def test_eight_callers_never_pass_sixty_in_any_minute() -> None:
    async def main() -> None:
        gate, log, limits = Gate("p"), Log(), Limits(requests_per_minute=60)
        numbers = iter(range(300))

        async def caller() -> None:
            for number in numbers:
                await log.call(gate, number, limits, takes=0.7, late=number % 7 * 0.28)

        await asyncio.gather(*(caller() for _ in range(8)))
        assert len(log.arrivals) == 300 and log.fullest() == 60
        assert (
            log.arrivals[-1][0] - log.arrivals[0][0] < 4 * 62 + 16
        )  # and no slower than it may be

    run(main())


@settings(max_examples=60, deadline=None)
@given(
    calls=st.lists(
        st.tuples(st.floats(0, 40), st.floats(0, 30), st.integers(0, 3000), st.integers(0, 3000),
                  st.sampled_from(["answered", "limited", "outage", "unsent"])),
        min_size=1, max_size=60,
    ),
    requests=st.none() | st.integers(1, 12),
    tokens=st.none() | st.integers(1, 5000),
    concurrency=st.none() | st.integers(1, 5),
)  # fmt: skip
def test_any_traffic_keeps_its_limits_and_ends(
    calls: list[tuple[float, float, int, int, How]], requests: int | None, tokens: int | None,
    concurrency: int | None,
) -> None:  # fmt: skip
    limits = Limits(requests, tokens, concurrency, outage_s=1e9)
    sizes = [max(most, used) for _, _, most, used, _ in calls]

    async def main() -> None:
        gate, log = Gate("p"), Log()

        async def one(number: int) -> None:
            start, takes, most, used, how = calls[number]
            await asyncio.sleep(start)
            await log.call(
                gate, number, limits, takes=takes, tokens=max(most, used), used=used, how=how
            )

        await asyncio.gather(*(one(number) for number in range(len(calls))))
        assert len(log.arrivals) == len(calls)
        if concurrency:
            assert log.most <= concurrency
        sent = [how != "unsent" for *_, how in calls]
        log.arrivals = [arrival for arrival in log.arrivals if sent[arrival[1]]]
        if requests and log.arrivals:
            assert log.fullest() <= requests
        if tokens and log.arrivals and max(sizes) <= tokens:
            # A call that is told "too much" has used nothing.
            log.arrivals = [a for a in log.arrivals if calls[a[1]][4] != "limited"]
            assert not log.arrivals or log.fullest(tokens=True) <= tokens

    run(main())


def test_first_come_first_served_and_a_second_try_keeps_its_place() -> None:
    async def main() -> None:
        gate, log, limits = Gate("p"), Log(), Limits(concurrency=1)
        first = await gate.enter(0, "m", limits, 1)
        waiting = [asyncio.create_task(log.call(gate, n, limits)) for n in range(1, 6)]
        await asyncio.sleep(0)
        waiting.append(asyncio.create_task(log.call(gate, 0, limits)))  # the first one, once more
        await asyncio.sleep(1)
        gate.leave(first, "outage", reason="x")
        await asyncio.gather(*waiting)
        assert [number for _, number, _ in log.arrivals] == [0, 1, 2, 3, 4, 5]

    run(main())


def test_what_an_earlier_broker_sent_counts() -> None:
    async def main() -> None:
        gate, log = Gate("p", [(seconds, 10) for seconds in (1.0, 61.0, 30.0)]), Log()
        start = now()
        limits = Limits(requests_per_minute=3)
        await asyncio.gather(*(log.call(gate, n, limits) for n in range(3)))
        assert [time - start for time, _, _ in log.arrivals] == pytest.approx([1.0, 32.0, 61.0])

    run(main())


def test_tokens_are_given_back_when_fewer_were_used() -> None:
    async def main() -> None:
        gate, log, limits = Gate("p"), Log(), Limits(tokens_per_minute=1000)
        start = now()
        await asyncio.gather(*(log.call(gate, n, limits, tokens=450, used=5) for n in range(10)))
        assert now() - start == pytest.approx(5)  # two at a time, none waits for a window
        await log.call(gate, 11, limits, tokens=5000)  # more than all: alone in its window
        assert log.arrivals[-1][0] - start > 62

    run(main())


def test_the_strictest_of_those_that_are_here_holds() -> None:
    async def main() -> None:
        gate, log = Gate("p"), Log()
        wide, narrow = Limits(requests_per_minute=50), Limits(requests_per_minute=5)
        both = [log.call(gate, n, wide if n % 4 else narrow) for n in range(13)]
        await asyncio.gather(*both)
        assert log.fullest() == 5
        log.arrivals.clear()
        await asyncio.gather(*(log.call(gate, n, wide) for n in range(10, 40)))
        assert log.fullest() == 30

    run(main())


def test_concurrency_halves_once_a_round_of_429_and_grows_back() -> None:
    async def main() -> None:
        gate, log, limits = Gate("p"), Log(), Limits(concurrency=6)

        async def most_of(count: int, how: How) -> int:
            log.most, log.how = 0, how
            await asyncio.gather(*(log.call(gate, n, limits) for n in range(count)))
            return log.most

        assert await most_of(12, "answered") == 6
        assert await most_of(6, "limited") == 6  # all at once: one lesson
        assert await most_of(3, "answered") == 3
        await most_of(3, "limited")
        assert await most_of(1, "limited") == 1  # never none
        assert await most_of(6, "answered") in (2, 3)  # one more a round ...
        await most_of(100, "answered")
        assert await most_of(12, "answered") == 6  # ... up to where it was

    run(main())


def test_a_provider_that_says_too_much_to_all_is_left_alone() -> None:
    async def main() -> None:
        gate, log, limits = Gate("p"), Log(), Limits(concurrency=5, outage_s=100)
        log.how = "limited"
        calls = [log.call(gate, n % 10, limits) for n in range(200)]
        ends = await asyncio.gather(*calls, return_exceptions=True)
        assert isinstance(ends[-1], BlockedError) and "HTTP 503" in str(ends[-1])
        assert len(log.arrivals) < 20 and log.arrivals[-1][0] - 1000 < 102

    run(main())


async def _fail(gate: Gate, number: int, limits: Limits) -> Visit:
    visit = await gate.enter(number, "m", limits, 1)
    await asyncio.sleep(0.1)
    gate.leave(visit, "outage", reason=f"HTTP 503 of {number}")
    return visit


def test_an_outage_of_several_calls_lets_probes_through_and_ends_with_the_first_answer() -> None:
    async def main() -> None:
        gate, log, limits = Gate("p"), Log(), Limits(outage_s=10_000)
        for _ in range(20):
            await _fail(gate, 0, limits)  # one call alone is no outage
        await asyncio.gather(*(_fail(gate, n, limits) for n in range(1, 9)))
        log.how = "outage"
        start = now()
        calls = [asyncio.create_task(log.call(gate, n, limits)) for n in range(10, 16)]
        await asyncio.sleep(200)
        probes = [time - start for time, _, _ in log.arrivals]
        assert len(probes) == 6 and all(b - a > 4 for a, b in pairwise(probes))
        await asyncio.gather(*calls)
        log.how = "answered"
        start = now()
        await asyncio.gather(*(log.call(gate, n, limits) for n in range(20, 60)))
        assert now() - start < 63  # one pause, one probe, all the others at once

    run(main())


def test_an_outage_that_lasts_ends_all_with_one_reason_but_for_a_probe_now_and_then() -> None:
    async def main() -> None:
        gate, log, limits = Gate("http://p", ()), Log(), Limits(outage_s=100)
        await asyncio.gather(*(_fail(gate, n, limits) for n in range(8)))
        start, log.how = now(), "outage"
        calls = [log.call(gate, n, limits, takes=50.0) for n in range(20, 60)]
        ends = await asyncio.gather(*calls, return_exceptions=True)
        reasons = {str(end) for end in ends if isinstance(end, BlockedError)}
        assert len(reasons) == 1 and now() - start < 160
        reason = reasons.pop()
        assert (
            reason.startswith("http://p gives no usable answer since ")
            and "HTTP 503 of 0" in reason
        )
        late = await asyncio.gather(
            *(log.call(gate, n, limits) for n in range(60, 70)), return_exceptions=True
        )
        assert {str(end) for end in late} == {reason}
        await asyncio.sleep(70)
        log.how = "answered"
        await log.call(gate, 70, limits)  # the probe
        await log.call(gate, 71, limits)

    run(main())


def test_a_dismissed_or_cancelled_call_leaves_no_trace() -> None:
    async def main() -> None:
        gate, limits = Gate("p"), Limits(concurrency=1)
        first = await gate.enter(0, "a", limits, 1)
        others = [asyncio.create_task(gate.enter(n, "ab"[n % 2], limits, 1)) for n in range(1, 5)]
        await asyncio.sleep(0)
        gate.dismiss("b", "stopped")
        others[1].cancel()
        ends = await asyncio.wait_for(asyncio.gather(*others[:3], return_exceptions=True), 1)
        assert [str(ends[0]), type(ends[1]), str(ends[2])] == [
            "stopped",
            asyncio.CancelledError,
            "stopped",
        ]
        gate.leave(first, "answered")
        others[3].cancel()  # admitted, and gone before it could know
        await asyncio.sleep(0)
        last = await asyncio.wait_for(gate.enter(9, "a", limits, 1), 1)
        gate.leave(last, "answered")

    run(main())


def test_a_model_that_is_out_holds_back_no_other_of_its_provider() -> None:
    async def main() -> None:
        gate, well = Gate("http://p", ()), Log()
        out, limits = Log(), Limits(concurrency=4, outage_s=100)
        out.how = "outage"
        start = now()
        ends = await asyncio.gather(
            *(out.call(gate, n, limits, model="out") for n in range(0, 80, 2)),
            *(well.call(gate, n, limits) for n in range(1, 81, 2)),
            return_exceptions=True,
        )
        assert [isinstance(end, BlockedError) for end in ends[40:]] == [False] * 40
        assert sum(isinstance(end, BlockedError) for end in ends[:40]) > 20
        assert max(time for time, _, _ in well.arrivals) - start < 25 and now() - start < 110

    run(main())
