"""What a person is told on the way."""

from __future__ import annotations

import threading
from typing import Any

from plotchain_lib.query.progress import Tally, follow, line


def answered(outcome: str = "answered", cost: float | None = 0.01) -> dict[str, Any]:
    return {"outcome": outcome, "cost_usd": cost}


def test_a_tally_counts_outcomes_money_and_what_was_kept() -> None:
    tally = Tally()
    with tally.open():
        assert tally.record()["in_flight"] == 1
    for entry, kept in [
        (answered(), False),
        (answered(), True),
        (answered("pending", None), False),
    ]:
        tally.count(entry, kept)
    record = tally.record()
    assert (record["kept"], record["outcomes"]) == (1, {"answered": 1, "pending": 1})
    assert (record["in_flight"], record["cost_usd"]) == (0, 0.01)


def test_the_line_counts_from_the_run_s_begin() -> None:
    before = {
        "kept": 10,
        "outcomes": {"answered": 100},
        "in_flight": 0,
        "cost_usd": 5.0,
        "a_minute": 0,
    }
    record = {
        "kept": 40, "outcomes": {"answered": 188, "pending": 2}, "in_flight": 32,
        "cost_usd": 5.84, "a_minute": 41.25,
    }  # fmt: skip
    assert line("gpt", 450, record, before) == (
        "plotchain: gpt: 120 of 450, 30 of them kept before; 2 pending; 32 in flight; "
        "41 a minute; $0.84; 8 min left"
    )


def test_following_says_a_line_only_when_something_moved() -> None:
    said: list[str] = []
    second = threading.Event()
    states = iter([None, None, *[{"models": {"m": Tally(kept=3).record()}}] * 5])

    def status() -> Any:
        state = next(states, None)
        if state is None and said:
            second.set()
        return state

    end = follow({"m": 4, "other": 1}, status, said.append, every_s=0.01)
    assert second.wait(10)
    end.set()
    assert said == ["plotchain: m: 3 of 4, 3 of them kept before"]


def test_a_new_broker_goes_on_where_the_old_one_was() -> None:
    """One that was killed had done 5 of this run's calls, the next has done 2."""

    def state(pid: int, kept: int, answered: int, cost_usd: float) -> dict[str, Any]:
        record = Tally(kept=kept, outcomes={"answered": answered}, cost_usd=cost_usd).record()
        return {"pid": pid, "models": {"m": record}}

    said: list[str] = []
    done = threading.Event()
    states = [state(1, 7, 10, 1.0), state(1, 8, 14, 2.0), None, state(2, 0, 2, 0.5)]
    states += [state(2, 1, 4, 1.0)]

    def status() -> Any:
        if not states:
            done.set()
            return None
        return states.pop(0)

    end = follow({"m": 20}, status, said.append, every_s=0.01)
    assert done.wait(10)
    end.set()
    assert said == [
        "plotchain: m: 5 of 20, 1 of them kept before; $1.00",
        "plotchain: m: 7 of 20, 1 of them kept before; $1.50",
        "plotchain: m: 10 of 20, 2 of them kept before; $2.00",
    ]
