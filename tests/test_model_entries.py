"""Entries under `models`: what enters a request, what does not, and wrong ones."""

from __future__ import annotations

from typing import Any

import pytest

from plotchain_lib.item import PlotChainError
from plotchain_lib.model_entries import Money, read_model
from plotchain_lib.prices import Price

PRICE = Price("openai", "gpt-4.1*", 2.0, 8.0, 0.5, 8.0, "2026-01-01", "here")
GPT = {"kind": "openai", "model": "gpt-4.1"}


def model(entry: dict[str, Any], money: Money | None = None) -> Any:
    return read_model("m", entry, "config.yaml: models.m", ("plotchain",), money or Money((PRICE,)))


def test_defaults_are_spelled_out_and_limits_stay_outside_the_request() -> None:
    fast = model(GPT | {"concurrency": 8, "requests_per_minute": 60, "budget_usd": 5})
    slow = model(GPT)
    assert fast.settings == slow.settings
    assert fast.settings["temperature"] == 0 and fast.settings["max_tokens"] > 0
    assert (fast.limits["concurrency"], fast.limits["budget_usd"]) == (8, 5)
    assert fast.limits["price"]["output"] == 8.0
    assert fast.is_remote and fast.sees_picture


def test_a_model_may_be_asked_without_the_picture() -> None:
    assert not model(GPT | {"see_image": False}).sees_picture
    assert not model({"kind": "blind"}).is_remote


def test_own_rules_of_parameters_come_first() -> None:
    rule = {"kinds": ["openai"], "models": ["gpt-4.1"], "rejects": ["temperature"], "source": "us"}
    assert model(GPT, Money((PRICE,), parameters=(rule,))).settings["leave_out"] == ["temperature"]


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        (GPT | {"modle": 1}, "modle"),
        ({"kind": "openai"}, "model"),
        ({"kind": "opnai", "model": "x"}, "did you mean 'openai'"),
        (GPT | {"datasets": ["plotchian"]}, "did you mean 'plotchain'"),
        (GPT | {"budget_usd": "five"}, "'five' is no amount"),
        (GPT | {"budget_usd": -1}, "-1 is no amount"),
        (GPT | {"concurrency": 0}, "concurrency: 0 is no limit"),
        ({"kind": "openai", "model": "new", "budget_usd": 5}, "a budget needs a price"),
        ({"kind": "blind", "budget_usd": 5}, "it costs nothing to ask"),
    ],
)
def test_wrong_entries_are_named_in_one_line(entry: dict[str, Any], words: str) -> None:
    with pytest.raises(PlotChainError) as caught:
        model(entry)
    assert words in str(caught.value) and str(caught.value).startswith("config.yaml: models.m")
    assert "\n" not in str(caught.value)


def test_the_whole_budget_needs_every_price() -> None:
    with pytest.raises(PlotChainError, match="a budget needs a price"):
        model({"kind": "openai", "model": "new"}, Money((PRICE,), total_usd=20.0))
    assert model({"kind": "blind"}, Money((PRICE,), total_usd=20.0)).limits == {}
