"""Prices: what a call costs, worked out by hand, and what a wrong table is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from plotchain_lib.item import PlotChainError, Response
from plotchain_lib.prices import find_price, load_prices

TABLE = """
prices:
  - {kind: openai, model: "big*", input: 2, cached: 0.5, output: 8, date: 2026-01-02, source: here}
  - {kind: openai, model: big-2, input: 4, output: 10, reasoning: 20, date: 2026-01-02, source: x}
  - {kind: gemini, model: big-2, input: 1, output: 1, date: "2026-01-02", source: x}
"""


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "prices.yaml"
    path.write_text(TABLE)
    return path


def test_cost_counts_cached_input_and_reasoning_apart(table: Path) -> None:
    first, second, _ = load_prices(table)
    response = Response(
        "answered", input_tokens=1_000_000, output_tokens=500_000,
        received={"cached_tokens": 400_000, "reasoning_tokens": 100_000},
    )  # fmt: skip
    # 0.6 M at 2, 0.4 M at 0.5, 0.5 M at 8
    assert first.cost(response) == pytest.approx(1.2 + 0.2 + 4.0)
    # cached as input: 1 M at 4; 0.4 M at 10, 0.1 M of reasoning at 20
    assert second.cost(response) == pytest.approx(4.0 + 4.0 + 2.0)
    assert second.of(1_000_000, 1_000_000) == pytest.approx(24.0)
    assert first.cost(Response("answered")) is None


def test_more_cached_than_input_is_not_a_refund(table: Path) -> None:
    first = load_prices(table)[0]
    odd = Response("answered", input_tokens=10, output_tokens=0, received={"cached_tokens": 99})
    assert first.cost(odd) == pytest.approx(10 * 0.5 / 1e6)


@pytest.mark.parametrize(
    ("kind", "model", "price"),
    [("openai", "big-1", 2.0), ("openai", "big-2", 4.0), ("gemini", "big-2", 1.0)],
)
def test_an_exact_name_wins_over_a_pattern(
    table: Path, kind: str, model: str, price: float
) -> None:
    found = find_price(load_prices(table), {"kind": kind, "model": model})
    assert found is not None and found.input == price


def test_no_price_for_another_kind_or_name(table: Path) -> None:
    assert find_price(load_prices(table), {"kind": "anthropic", "model": "big-2"}) is None
    assert find_price(load_prices(table), {"kind": "gemini", "model": "big-20"}) is None


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("prices: 3", "a list under 'prices'"),
        ("[", "not valid YAML"),
        ("prices: [{kind: a, model: b, input: 1, output: 1, date: 2026-01-01}]", "'source' is miss"),
        ("prices: [{kind: a, model: b, input: -1, output: 1, date: 2026-01-01, source: x}]", "-1"),
        ("prices: [{kind: a, model: b, input: .inf, output: 1, date: 2026-01-01, source: x}]", "inf"),
        ("prices: [{kind: a, model: b, input: 1, output: 1, date: soon, source: x}]", "soon"),
        ("prices: [{kind: a, model: b, input: 1, output: 1, date: 2026-01-01, source: x, in: 1}]", "'in'"),
        ("prices: [3]", "prices[0]"),
    ],
)  # fmt: skip
def test_a_wrong_table_is_named_with_its_place(tmp_path: Path, text: str, words: str) -> None:
    path = tmp_path / "prices.yaml"
    path.write_text(text)
    with pytest.raises(PlotChainError) as caught:
        load_prices(path)
    assert words in str(caught.value) and str(path) in str(caught.value)


def test_the_shipped_table_is_right() -> None:
    shipped = load_prices(Path(__file__).resolve().parents[1] / "config/prices.yaml")
    assert len({(price.kind, price.model) for price in shipped}) == len(shipped)
