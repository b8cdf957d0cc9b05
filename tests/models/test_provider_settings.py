"""What a provider model's entry may say, what the table adds to it, and how faults are told."""

from __future__ import annotations

from datetime import date
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import pytest
import yaml

from plotchain_lib import models
from plotchain_lib.item import PlotChainError
from plotchain_lib.models import anthropic, gemini, openai, openai_compatible
from plotchain_lib.models._providers import parameters
from plotchain_lib.models._providers.parameters import effective, why_left_out
from plotchain_lib.models._providers.settings import DEFAULTS, url_of, with_defaults

LOCAL = "http://localhost:8000/v1"
MODULES = {
    "openai": openai,
    "openai_compatible": openai_compatible,
    "anthropic": anthropic,
    "gemini": gemini,
}


def entry(kind: str, **settings: Any) -> dict[str, Any]:
    base = {"base_url": LOCAL} if kind == "openai_compatible" else {}
    return {"kind": kind, "model": "m", **base, **settings}


def test_providers_are_kinds_and_their_helpers_are_not() -> None:
    assert set(MODULES) <= set(models.KINDS) and "_providers" not in models.KINDS
    assert all(module.sees_picture for module in MODULES.values())


@pytest.mark.parametrize("kind", MODULES)
def test_every_setting_of_the_handbook_passes(kind: str) -> None:
    every = {
        "base_url": "https://proxy.example.com", "key": "MY_API_KEY", "temperature": 0.5,
        "top_p": 1, "max_tokens": 9000, "structured": True, "thinking": {"effort": "low"},
        "see_image": False, "timeout_s": 120, "extra": {"metadata": {"a": [1]}},
        "leave_out": ["temperature"],
    }  # fmt: skip
    own = {
        "openai": {"detail": "original"},
        "openai_compatible": {
            "detail": "low", "seed": -1, "token_limit": "max_completion_tokens",
            "key_header": "api-key",
        },
        "anthropic": {"top_k": 5, "api_version": "2026-10-21"},
        "gemini": {"top_k": None, "seed": 7, "detail": "high"},
    }  # fmt: skip
    MODULES[kind].check(entry(kind, **every, **own[kind]))
    MODULES[kind].check(entry(kind))
    MODULES[kind].check(effective(entry(kind)))
    MODULES[kind].check(entry(kind, temperature=None, max_tokens=8, thinking=None, extra=None))


@pytest.mark.parametrize(
    ("kind", "settings", "told"),
    [
        ("openai", {"model": " "}, "model: give the provider's name"),
        ("openai", {"model": 4}, "model: give"),
        ("openai", {"seed": 1}, "has no setting 'seed'"),
        ("openai", {"temprature": 0}, "has no setting 'temprature'"),
        ("openai", {"temperature": 2.1}, "temperature: give a number from 0 to 2"),
        ("openai", {"temperature": float("nan")}, "temperature: give"),
        ("openai", {"temperature": True}, "temperature: give"),
        ("openai", {"detail": "medium"}, "detail: give one of low, high, auto, original"),
        ("openai", {"max_tokens": 0}, "max_tokens: give a whole number"),
        ("openai", {"max_tokens": 10.0}, "max_tokens: give a whole number"),
        ("openai", {"structured": "yes"}, "structured: give true or false"),
        ("openai", {"thinking": "low"}, "thinking: give the provider's options"),
        ("openai", {"extra": {1: 2}}, "extra: give options"),
        ("openai", {"extra": {"a": float("inf")}}, "extra: give options"),
        ("openai", {"extra": {"input": "x"}}, "extra: 'input' is PlotChain's own"),
        ("openai", {"timeout_s": 0}, "timeout_s: give seconds"),
        ("openai", {"leave_out": ["temperatur"]}, "leave_out: give a list of names among"),
        ("openai", {"leave_out": "temperature"}, "leave_out: give a list"),
        ("openai", {"key": "sk-proj-abcdefghij"}, "never the key itself"),
        ("openai", {"key": "AIzaSyabcdefgh"}, "never the key itself"),
        ("openai", {"base_url": "localhost:8000"}, "base_url: give an address"),
        ("openai", {"base_url": "http://a b/v1"}, "base_url: give an address"),
        ("openai", {"base_url": "http://x:99999/"}, "base_url: give an address"),
        ("openai", {"base_url": 5}, "base_url: give an address"),
        ("gemini", {"base_url": "https://x.com/v1?key=AIzaSy"}, "an address holds no key"),
        ("openai_compatible", {"base_url": "https://me:pw@x.com"}, "an address holds no key"),
        ("openai_compatible", {"top_k": 1}, "has no setting 'top_k'"),
        ("openai_compatible", {"token_limit": "tokens"}, "token_limit: give max_tokens or"),
        ("anthropic", {"temperature": 1.5}, "temperature: give a number from 0 to 1"),
        ("anthropic", {"leave_out": ["max_tokens"]}, "max_tokens: this provider needs it"),
        ("anthropic", {"max_tokens": None}, "max_tokens: this provider needs it"),
        ("anthropic", {"thinking": {"budget_tokens": 10}}, "budget_tokens of 1024 or more"),
        ("anthropic", {"max_tokens": 4096, "thinking": {"budget_tokens": 4096}}, "be less than"),
        ("anthropic", {"extra": {"system": "x"}}, "extra: 'system' is PlotChain's own"),
        ("anthropic", {"api_version": "new"}, "api_version: give a date"),
        ("gemini", {"top_k": 0}, "top_k: give a whole number"),
        ("gemini", {"seed": "1"}, "seed: give a whole number"),
    ],
)
def test_a_wrong_setting_is_told_in_one_line_without_its_value(
    kind: str, settings: dict[str, Any], told: str
) -> None:
    with pytest.raises(PlotChainError) as raised:
        MODULES[kind].check(entry(kind, **settings))
    line = str(raised.value)
    assert told in line and "\n" not in line and f"'{kind}'" in line
    assert not any(secret in line for secret in ("sk-proj", "AIza", "me:pw"))


def test_what_is_needed_is_asked_for() -> None:
    with pytest.raises(PlotChainError, match="needs the setting 'model'"):
        openai.check({"kind": "openai"})
    with pytest.raises(PlotChainError, match="needs the setting 'base_url'"):
        openai_compatible.check({"kind": "openai_compatible", "model": "m"})


@pytest.mark.parametrize(
    ("kind", "base", "url"),
    [
        ("openai", None, "https://api.openai.com/v1/x"),
        ("anthropic", None, "https://api.anthropic.com/v1/x"),
        ("anthropic", "https://proxy.example.com", "https://proxy.example.com/v1/x"),
        ("gemini", "https://proxy.example.com/", "https://proxy.example.com/v1beta/x"),
        ("openai_compatible", "http://localhost:11434", "http://localhost:11434/v1/x"),
        ("openai_compatible", "http://[::1]:8000/api/v1/", "http://[::1]:8000/api/v1/x"),
        (
            "openai_compatible",
            "https://a.openai.azure.com/openai/deployments/d?api-version=2024-10-21",
            "https://a.openai.azure.com/openai/deployments/d/x?api-version=2024-10-21",
        ),
    ],
)
def test_base_url_keeps_its_path_and_query(kind: str, base: str | None, url: str) -> None:
    settings = entry(kind, **({"base_url": base} if base else {}))
    MODULES[kind].check(settings)
    assert url_of(with_defaults(settings), "x") == url


@pytest.mark.parametrize(
    ("kind", "model", "thinking", "left_out", "budget"),
    [
        ("openai", "gpt-4.1-2025-04-14", None, [], 2048),
        ("openai", "o3", None, ["temperature"], 16384),
        ("openai", "gpt-5-mini-2025-08-07", None, ["temperature"], 16384),
        ("openai", "gpt-5-chat-latest", None, [], 2048),
        ("openai", "gpt-5.2", None, [], 2048),
        ("openai", "gpt-5.2", {"effort": "none"}, [], 2048),
        ("openai", "gpt-5.2", {"effort": "low"}, ["temperature"], 16384),
        ("openai", "gpt-5.2-pro", None, ["temperature"], 16384),
        ("openai", "gpt-5.6-luna", None, ["temperature"], 16384),
        ("openai", "gpt-6-luna", {"effort": "none"}, [], 2048),
        ("openai", "gpt-6-astra", None, ["temperature"], 16384),
        ("openai", "gpt-7", None, [], 2048),
        ("openai_compatible", "openai/gpt-5", None, ["temperature"], 16384),
        ("openai_compatible", "anthropic/claude-opus-4.7", None, ["temperature"], 2048),
        ("openai_compatible", "Qwen/Qwen3-VL-8B-Instruct", None, [], 2048),
        ("openai_compatible", "Qwen/Qwen3-VL-8B-Thinking", None, [], 16384),
        ("anthropic", "claude-sonnet-4-5-20250929", None, [], 2048),
        ("anthropic", "claude-sonnet-4-5", {"effort": "low"}, [], 2048),
        ("anthropic", "claude-sonnet-4-5", {"budget_tokens": 4096}, ["temperature", "top_k"], 16384),
        ("anthropic", "claude-sonnet-4-5", {"budget_tokens": 32000}, ["temperature", "top_k"], 34048),
        ("anthropic", "claude-sonnet-4-5", {"type": "disabled"}, [], 2048),
        ("anthropic", "claude-opus-4-7", None, ["temperature", "top_k"], 2048),
        ("anthropic", "claude-opus-4-7", {"type": "adaptive"}, ["temperature", "top_k"], 16384),
        ("anthropic", "claude-opus-5", None, ["temperature", "top_k"], 16384),
        ("anthropic", "claude-opus-5", {"type": "disabled"}, ["temperature", "top_k"], 2048),
        ("anthropic", "claude-opus-5-5", {"effort": "low"}, ["temperature", "top_k"], 16384),
        ("anthropic", "claude-haiku-5-5", None, ["temperature", "top_k"], 16384),
        ("gemini", "gemini-2.0-flash", None, [], 2048),
        ("gemini", "gemini-2.5-pro", None, [], 16384),
        ("gemini", "gemini-2.5-flash", {"thinkingBudget": 0}, [], 2048),
        ("gemini", "gemini-2.5-flash", {"includeThoughts": False}, [], 16384),
        ("gemini", "gemini-3-pro-preview", {"thinkingLevel": "low"}, [], 16384),
        ("gemini", "gemini-3.6-flash", None, ["temperature", "top_k"], 16384),
    ],
)  # fmt: skip
def test_the_table_leaves_out_and_makes_room(
    kind: str, model: str, thinking: Any, left_out: list[str], budget: int
) -> None:
    settings = entry(kind, model=model, **({"thinking": thinking} if thinking else {}))
    full = effective(settings)
    assert (full["leave_out"], full["max_tokens"]) == (left_out, budget)
    assert effective(full) == full and full.items() >= settings.items()
    assert DEFAULTS[kind].keys() <= full.keys()


def test_only_what_is_asked_for_is_left_out() -> None:
    full = effective(entry("anthropic", model="claude-opus-5", temperature=None, top_k=None))
    assert full["leave_out"] == []
    full = effective(entry("anthropic", model="claude-opus-5", top_p=0.9))
    assert full["leave_out"] == ["temperature", "top_k", "top_p"]


def test_the_configuration_has_the_last_word() -> None:
    rules = [{"kinds": ["openai"], "models": ["gpt-7*"], "thinks": "always", "rejects": ["detail"]}]
    full = effective(entry("openai", model="gpt-7-mini"), rules)
    assert (full["leave_out"], full["max_tokens"]) == (["detail"], 16384)
    full = effective(entry("openai", model="o3", leave_out=[], max_tokens=500), rules)
    assert (full["leave_out"], full["max_tokens"]) == ([], 500)
    rules = [{"kinds": ["openai"], "models": ["o3"], "thinks": False}]
    assert effective(entry("openai", model="o3"), rules)["max_tokens"] == 2048
    assert effective({"kind": "blind"}, rules) == {"kind": "blind"}


@pytest.mark.parametrize(
    ("rule", "told"),
    [
        ("o3", "the override, rule 1: no rule"),
        ({"kinds": ["openai"]}, "no rule"),
        ({"kinds": ["openai"], "models": ["x"], "reject": []}, "no rule"),
        ({"kinds": ["openai"], "models": "x"}, "models: give a list"),
        ({"kinds": ["openia"], "models": ["x"]}, "no 'openia'"),
        ({"kinds": ["openai"], "models": ["x"], "rejects": ["topk"]}, "no 'topk'"),
        ({"kinds": ["openai"], "models": ["x"], "thinks": "often"}, "thinks: give one of"),
    ],
)
def test_an_override_that_is_no_rule_is_told(rule: Any, told: str) -> None:
    with pytest.raises(PlotChainError, match=told):
        effective(entry("openai"), [rule])


def test_every_rule_has_a_source_and_a_date_and_none_is_hidden() -> None:
    table = yaml.safe_load(Path(parameters.TABLE).read_text(encoding="utf-8"))
    for rule in table:
        assert rule["source"].startswith("https://") and isinstance(rule["date"], date)
    for number, rule in enumerate(table):
        for name in rule["models"]:
            for earlier in table[:number]:
                if set(rule["kinds"]) & set(earlier["kinds"]):
                    assert not any(fnmatchcase(name, pattern) for pattern in earlier["models"])


def test_the_reason_names_where_it_is_known_from() -> None:
    known = why_left_out(entry("anthropic", model="claude-opus-4-7"), "top_k")
    assert "does not take it (https://" in known and known.endswith("2026-04-21)")
    asked = why_left_out(entry("openai", model="gpt-5.2"), "temperature")
    assert "while it thinks (https://" in asked
    assert why_left_out(entry("openai"), "detail") == "the configuration leaves it out"
