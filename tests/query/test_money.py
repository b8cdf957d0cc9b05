"""Budgets: what is paid is counted once and for good, and no call passes one."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from plotchain_lib.item import Response
from plotchain_lib.prices import Price
from plotchain_lib.query.money import SPENDING, OverBudgetError, Purse, Terms, spent

PRICE = Price("tiny", "m", 1.0, 10.0, 1.0, 10.0, "2026-01-01", "here")
# At most 1,000,000 in and 100,000 out: 1 + 1 dollars.
MOST = (1_000_000, 100_000)


def test_the_provider_s_own_cost_comes_first() -> None:
    answer = Response("answered", input_tokens=1_000_000, output_tokens=0)
    assert Terms(PRICE).cost(answer) == pytest.approx(1.0)
    told = Response("answered", input_tokens=1_000_000, output_tokens=0, cost_usd=0.25)
    assert Terms(PRICE).cost(told) == Terms().cost(told) == 0.25
    assert Terms().cost(answer) is None


def test_terms_come_back_from_the_limits_file() -> None:
    from dataclasses import asdict

    record = {"price": asdict(PRICE), "budget_usd": 3, "total_usd": 9, "concurrency": 4}
    assert Terms.of(record) == Terms(PRICE, 3, 9)
    assert Terms.of({}) == Terms()


def test_budget_stops_before_it_is_passed(tmp_path: Path) -> None:
    async def run() -> None:
        purse, terms = Purse(tmp_path), Terms(PRICE, budget_usd=5.0)
        for number in range(2):
            held = await purse.hold("a", terms, *MOST)
            assert held == pytest.approx(2.0)
            await purse.settle("a", held, 1.75, f"key{number}")
        with pytest.raises(
            OverBudgetError, match=r"for a of \$5.00 .*3.5000 paid.*raise budget_usd"
        ):
            await purse.hold("a", terms, *MOST)
        assert purse.spent("a") == pytest.approx(3.5)
        # Another model has its own budget, and without one there is no end.
        assert await purse.hold("b", Terms(PRICE), *MOST) == pytest.approx(2.0)

    asyncio.run(run())
    assert spent(tmp_path) == {"a": pytest.approx(3.5)}


def test_total_counts_all_models(tmp_path: Path) -> None:
    async def run() -> None:
        purse, terms = Purse(tmp_path), Terms(PRICE, total_usd=5.0)
        await purse.settle("a", await purse.hold("a", terms, *MOST), 2.0, "k")
        await purse.settle("b", await purse.hold("b", terms, *MOST), 2.0, "k")
        with pytest.raises(OverBudgetError, match="for all models"):
            await purse.hold("c", terms, *MOST)

    asyncio.run(run())


def test_a_call_waits_while_those_in_flight_may_turn_out_cheaper(tmp_path: Path) -> None:
    async def run() -> None:
        purse, terms = Purse(tmp_path), Terms(PRICE, budget_usd=3.0)
        first = await purse.hold("a", terms, *MOST)
        second = asyncio.create_task(purse.hold("a", terms, *MOST))
        await asyncio.sleep(0)
        assert not second.done()
        await purse.settle("a", first, 0.5, "k")
        assert await second == pytest.approx(2.0)

    asyncio.run(run())


def test_many_at_once_never_pass_a_budget(tmp_path: Path) -> None:
    async def one(purse: Purse, terms: Terms) -> bool:
        try:
            held = await purse.hold("a", terms, *MOST)
        except OverBudgetError:
            return False
        await asyncio.sleep(0.001)
        await purse.settle("a", held, held, "k")
        return True

    async def run() -> int:
        purse, terms = Purse(tmp_path), Terms(PRICE, budget_usd=21.0)
        return sum(await asyncio.gather(*(one(purse, terms) for _ in range(40))))

    assert asyncio.run(run()) == 10
    assert spent(tmp_path)["a"] == pytest.approx(20.0)


def test_what_was_paid_outlives_its_process_and_a_cut_off_line(tmp_path: Path) -> None:
    (tmp_path / SPENDING).write_text('{"model": "a", "cost_usd": 1.5}\n[]\n{"model": "a", "cos')

    async def run() -> None:
        purse = Purse(tmp_path)
        assert purse.spent("a") == 1.5
        await purse.settle("a", 0.0, 0.5, "k")
        await purse.settle("a", 0.0, None, "k")

    asyncio.run(run())
    assert spent(tmp_path)["a"] == pytest.approx(2.0)


def test_what_another_process_pays_meanwhile_counts(tmp_path: Path) -> None:
    """A check, say, while a broker lives."""

    async def run() -> None:
        terms = Terms(PRICE, budget_usd=5.0)
        broker, other = Purse(tmp_path), Purse(tmp_path)
        await broker.settle("a", await broker.hold("a", terms, *MOST), 1.0, "k")
        await other.settle("a", await other.hold("a", terms, *MOST), 1.5, "k")
        await broker.settle("a", await broker.hold("a", terms, *MOST), 1.0, "k")
        assert broker.spent("a") == pytest.approx(3.5)
        with pytest.raises(OverBudgetError, match=r"3\.5000 paid"):
            await broker.hold("a", terms, *MOST)

    asyncio.run(run())
    assert spent(tmp_path)["a"] == pytest.approx(3.5)
