"""Which model rejects which parameter, and which one thinks: data, with an override.

The table is ``parameters.yaml`` beside this file; a configuration may put rules of the same form
before it. The first rule that fits a model's kind and name has the say. A rule's keys::

    kinds: [openai]                 the kinds it holds for
    models: [gpt-5, "gpt-5-*"]      the provider's names, exactly or as shell patterns
    thinks: no | if asked | by default | always
    rejects: [temperature]          left out of every request
    rejects_while_thinking: []      left out while the model thinks
    source: …                       where this was read
    date: 2026-10-21                when it was written there, or read
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import lru_cache
from pathlib import Path
from typing import Any

import yaml

from plotchain_lib.item import PlotChainError
from plotchain_lib.models._providers.settings import DECODING, DEFAULTS, with_defaults

TABLE = Path(__file__).with_name("parameters.yaml")
THINKING_TOKENS = 16384
_ROOM_AFTER_THINKING = 2048
_KEYS = {"kinds", "models", "thinks", "rejects", "rejects_while_thinking", "source", "date"}
_THINKS = ("no", "if asked", "by default", "always")
# The options that switch thinking on, and the values that switch it off instead. Anthropic's
# `effort` is no such option: it also shortens answers without thinking.
_SWITCHES = {
    "openai": ("effort",),
    "openai_compatible": ("effort", "enabled", "max_tokens"),
    "anthropic": ("type", "budget_tokens"),
    "gemini": ("thinkingBudget", "thinkingLevel"),
}
_OFF = ("none", "disabled", "between_tools", 0, False)


@dataclass(frozen=True, slots=True)
class Rule:
    """What is known of some models; the module's docstring explains the attributes."""

    kinds: tuple[str, ...]
    models: tuple[str, ...]
    thinks: str = "if asked"
    rejects: tuple[str, ...] = ()
    rejects_while_thinking: tuple[str, ...] = ()
    source: str = ""
    date: str = ""

    def fits(self, settings: Mapping[str, Any]) -> bool:
        """Whether it speaks of the model of these settings."""
        model = str(settings.get("model", ""))
        return settings["kind"] in self.kinds and any(fnmatchcase(model, m) for m in self.models)

    def is_thinking(self, settings: Mapping[str, Any]) -> bool:
        """Whether the model thinks under these settings."""
        if self.thinks in ("no", "always"):
            return self.thinks == "always"
        options = settings.get("thinking") or {}
        said = [options[name] for name in _SWITCHES[settings["kind"]] if name in options]
        if not said:
            return self.thinks == "by default"
        return not any(value in _OFF for value in said)


def effective(
    settings: Mapping[str, Any], overrides: Sequence[Mapping[str, Any]] = ()
) -> dict[str, Any]:
    """A model's settings as it is asked with them: all that enters a request, spelled out.

    Adds the defaults; `leave_out` and `max_tokens` from the table where the settings do not say
    them. `overrides` are rules that go before the table's. Settings of another kind come back as
    they are. Raises PlotChainError for an override that is no rule.
    """
    if settings.get("kind") not in DEFAULTS:
        return dict(settings)
    rules = [*rules_of(overrides, "the override"), *_table()]
    rule = next((rule for rule in rules if rule.fits(settings)), Rule((), ()))
    thinking = rule.is_thinking(settings)
    result = with_defaults(settings)
    if "max_tokens" not in settings and thinking:
        result["max_tokens"] = max(THINKING_TOKENS, _budget(settings) + _ROOM_AFTER_THINKING)
    if "leave_out" not in settings:
        rejected = {*rule.rejects, *(rule.rejects_while_thinking if thinking else ())}
        # Only what is asked for: what the table says of other parameters changes no request.
        result["leave_out"] = sorted(
            name for name in rejected if result.get(name) is not None and result[name] is not False
        )
    return result


def why_left_out(settings: Mapping[str, Any], name: str) -> str:
    """Where it is known from that the model rejects a parameter."""
    for rule in _table():
        if rule.fits(settings):
            if name in rule.rejects:
                return f"the model does not take it ({rule.source}, {rule.date})"
            if name in rule.rejects_while_thinking:
                return f"the model does not take it while it thinks ({rule.source}, {rule.date})"
            break
    return "the configuration leaves it out"


def rules_of(entries: Iterable[Any], place: str) -> list[Rule]:
    """Rules as the table and the configuration write them. Raises PlotChainError naming one."""
    return [_rule(entry, f"{place}, rule {number}") for number, entry in enumerate(entries, 1)]


def _rule(entry: Any, place: str) -> Rule:
    if not isinstance(entry, Mapping) or not {"kinds", "models"} <= entry.keys() <= _KEYS:
        known = ", ".join(sorted(_KEYS))
        raise PlotChainError(f"{place}: no rule; it has kinds and models, and may have {known}")
    lists = {
        name: entry.get(name, [])
        for name in ("kinds", "models", "rejects", "rejects_while_thinking")
    }
    for name, value in lists.items():
        if not isinstance(value, list) or not all(isinstance(text, str) for text in value):
            raise PlotChainError(f"{place}: {name}: give a list of names")
    for name, known_names in (("kinds", tuple(DEFAULTS)), ("rejects", DECODING),
                              ("rejects_while_thinking", DECODING)):  # fmt: skip
        if strange := [text for text in lists[name] if text not in known_names]:
            known = ", ".join(known_names)
            raise PlotChainError(f"{place}: {name}: no '{strange[0]}'; known are {known}")
    # YAML reads a bare `no` as false.
    thinks = {False: "no"}.get(entry.get("thinks", "if asked"), entry.get("thinks", "if asked"))
    if thinks not in _THINKS:
        raise PlotChainError(f"{place}: thinks: give one of {', '.join(_THINKS)}")
    return Rule(
        **{name: tuple(value) for name, value in lists.items()},
        thinks=thinks,
        source=str(entry.get("source", "")),
        date=str(entry.get("date", "")),
    )


@lru_cache(maxsize=1)
def _table() -> tuple[Rule, ...]:
    # The C loader where there is one: every start of the workflow may read this.
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    entries = yaml.load(TABLE.read_text(encoding="utf-8"), Loader=loader)  # noqa: S506  safe
    return tuple(rules_of(entries, TABLE.name))


def _budget(settings: Mapping[str, Any]) -> int:
    options = settings.get("thinking") or {}
    budgets = (options.get(name) for name in ("budget_tokens", "thinkingBudget", "max_tokens"))
    return max((budget for budget in budgets if type(budget) is int), default=0)
