"""What tokens cost: a dated, sourced table in the user's hands, and what a call came to.

prices:
  - kind: openai
    model: gpt-4.1          # the provider's name; * stands for any end
    input: 2.00             # US dollars per million tokens
    cached: 0.50            # input read from the provider's cache; as input where left out
    output: 8.00            # everything billed as output, reasoning included
    date: 2025-08-01        # when the price was looked up
    source: https://…       # where
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import yaml

from plotchain_lib.item import PlotChainError, Response

_PER = 1_000_000.0
_NUMBERS, _REQUIRED = ("input", "output", "cached", "reasoning"), ("input", "output")
_KNOWN = ("kind", "model", *_NUMBERS, "date", "source")


@dataclass(frozen=True, slots=True)
class Price:
    """US dollars per million tokens of one model, or of all whose names match a pattern.

    Attributes:
        kind, model: the provider, and its model's name or a shell pattern.
        input, output, cached, reasoning: `cached` is as `input` and `reasoning` as `output` where
            the table leaves them out.
        date, source: when and where it was looked up.
    """

    kind: str
    model: str
    input: float
    output: float
    cached: float
    reasoning: float
    date: str
    source: str

    def cost(self, response: Response) -> float | None:
        """US dollars of one call; None where the provider counted no tokens.

        `received` may tell ``cached_tokens`` (part of the input) and ``reasoning_tokens`` (part of
        the output).
        """
        if response.input_tokens is None or response.output_tokens is None:
            return None
        cached = min(_count(response.received, "cached_tokens"), response.input_tokens)
        reasoning = min(_count(response.received, "reasoning_tokens"), response.output_tokens)
        return (
            (response.input_tokens - cached) * self.input
            + cached * self.cached
            + (response.output_tokens - reasoning) * self.output
            + reasoning * self.reasoning
        ) / _PER

    def of(self, input_tokens: float, output_tokens: float) -> float:
        """US dollars of so many tokens, none of them cached, the output at its dearest."""
        dearest = max(self.output, self.reasoning)
        return (input_tokens * self.input + output_tokens * dearest) / _PER


def load_prices(path: Path) -> tuple[Price, ...]:
    """The table of a file. Raises PlotChainError naming file, entry and fault."""
    try:
        record = yaml.safe_load(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise PlotChainError(
            f"{path}: cannot be read ({error.strerror}); give a price file"
        ) from error
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        line = " ".join(str(error).split())
        raise PlotChainError(f"{path}: not valid YAML ({line}); mend it") from error
    entries = record.get("prices") if isinstance(record, dict) else None
    if not isinstance(entries, list):
        raise PlotChainError(f"{path}: a list under 'prices' is expected; see docs/models.md")
    return tuple(_price(entry, f"{path}: prices[{i}]") for i, entry in enumerate(entries))


def find_price(prices: Sequence[Price], settings: Mapping[str, Any]) -> Price | None:
    """The price of a model's settings: its exact name first, else the longest matching pattern."""
    kind, model = settings.get("kind"), str(settings.get("model", ""))
    fitting = [p for p in prices if p.kind == kind and fnmatchcase(model, p.model)]
    return max(fitting, key=lambda p: (p.model == model, len(p.model)), default=None)


def _price(entry: Any, place: str) -> Price:
    if not isinstance(entry, dict):
        raise PlotChainError(f"{place}: expected an entry with kind, model, input, output, …")
    for name in ("kind", "model", *_REQUIRED, "date", "source"):
        if entry.get(name) in (None, ""):
            raise PlotChainError(f"{place}: '{name}' is missing; a price is dated and sourced")
    if unknown := sorted(set(entry) - set(_KNOWN)):
        raise PlotChainError(f"{place}: unknown '{unknown[0]}' (known: {', '.join(_KNOWN)})")
    numbers = {name: _dollars(entry[name], f"{place}.{name}") for name in _NUMBERS if name in entry}
    return Price(
        kind=str(entry["kind"]),
        model=str(entry["model"]),
        input=numbers["input"],
        output=numbers["output"],
        cached=numbers.get("cached", numbers["input"]),
        reasoning=numbers.get("reasoning", numbers["output"]),
        date=_date(entry["date"], f"{place}.date"),
        source=str(entry["source"]),
    )


def _dollars(value: Any, place: str) -> float:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if not number or not math.isfinite(value) or value < 0:
        raise PlotChainError(f"{place}: {value!r} is no price; give US dollars per million tokens")
    return float(value)


def _date(value: Any, place: str) -> str:
    try:
        return (
            value.isoformat() if isinstance(value, date) else date.fromisoformat(value).isoformat()
        )
    except (TypeError, ValueError) as error:
        raise PlotChainError(f"{place}: {value!r} is no date; write 2025-08-01") from error


def _count(received: Mapping[str, Any], name: str) -> int:
    value = received.get(name)
    return value if isinstance(value, int) and value > 0 else 0
