"""What the configuration says of each model: what is asked with, how fast, and for how much."""

from __future__ import annotations

import difflib
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from plotchain_lib import models as model_kinds
from plotchain_lib.item import PlotChainError
from plotchain_lib.models import recorded
from plotchain_lib.models._providers.parameters import effective
from plotchain_lib.prices import Price, find_price
from plotchain_lib.query.limits import LIMITS, check_limits

# Keys of a model that say where and how fast, not what is asked: no part of a request.
_NOT_IN_REQUEST = ("datasets", "file", "budget_usd", *LIMITS)


@dataclass(frozen=True, slots=True)
class Model:
    """A model of the configuration.

    Attributes:
        label: its name in the configuration.
        kind: who answers.
        settings: what of its entry enters a request, defaults spelled out.
        file: what it answers from, where it is recorded.
        datasets: the datasets it is asked about; None for all.
        limits: how fast and for how much it is asked, as the broker takes it.
    """

    label: str
    kind: str
    settings: Mapping[str, Any]
    file: str | None
    datasets: tuple[str, ...] | None
    limits: Mapping[str, Any] = field(default_factory=dict)

    @property
    def sees_picture(self) -> bool:
        """Whether the model is given the picture."""
        looks = model_kinds.load(self.kind).sees_picture
        return looks and self.settings.get("see_image") is not False

    @property
    def is_remote(self) -> bool:
        """Whether a provider is asked, over HTTP."""
        return model_kinds.is_remote(self.kind)


@dataclass(frozen=True, slots=True)
class Money:
    """What all models share: the price table, the rules of parameters, and the whole budget."""

    prices: Sequence[Price] = ()
    price_file: str = "config/prices.yaml"
    parameters: Sequence[Mapping[str, Any]] = ()
    total_usd: float | None = None


def known(name: str, names: Any, what: str, place: str) -> None:
    """Raise PlotChainError where a name is none of these, with the closest one."""
    if name in names:
        return
    close = difflib.get_close_matches(name, list(names), n=1)
    hint = f"did you mean {close[0]!r}?" if close else f"known are: {', '.join(sorted(names))}"
    raise PlotChainError(f"{place}: unknown {what} {name!r}; {hint}")


def read_model(
    label: str, entry: Mapping[str, Any], place: str, datasets: Any, money: Money
) -> Model:
    """One entry under ``models``. Raises PlotChainError naming its place.

    Args:
        place: of the entry, for messages.
        datasets: the names of the configuration's datasets.
        money: what all models share.
    """
    known(entry["kind"], model_kinds.KINDS, "kind", place)
    for dataset in entry.get("datasets", ()):
        known(dataset, datasets, "dataset", f"{place}.datasets")
    settings = {k: v for k, v in entry.items() if k not in _NOT_IN_REQUEST}
    try:
        model_kinds.load(entry["kind"]).check(
            settings | ({"file": entry["file"]} if "file" in entry else {})
        )
        check_limits(entry)
        settings = effective(settings, money.parameters)
        limits = {name: entry[name] for name in LIMITS if name in entry}
        if model_kinds.is_remote(entry["kind"]):
            limits |= _terms(entry, settings, money)
        elif "budget_usd" in entry:
            raise PlotChainError("budget_usd: it costs nothing to ask; remove the budget")
    except PlotChainError as error:
        raise PlotChainError(f"{place}: {error}") from error
    file = entry.get("file")
    if entry["kind"] == "recorded" and not (file and Path(file).is_file()):
        raise PlotChainError(f"{place}.file: no such file {file!r}; give the JSONL's path")
    if file and entry["kind"] == "recorded":
        recorded.check_source(Path(file))
    named = entry.get("datasets")
    return Model(label, entry["kind"], settings, file, tuple(named) if named else None, limits)


def check_budget(value: Any) -> None:
    """Raise PlotChainError where a budget is no amount of US dollars."""
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if value is not None and not (number and math.isfinite(value) and value >= 0):
        raise PlotChainError(f"budget_usd: {value!r} is no amount; give US dollars")


def _terms(entry: Mapping[str, Any], settings: Mapping[str, Any], money: Money) -> dict[str, Any]:
    """Price and budgets of a model as the broker takes them."""
    price, budget = find_price(money.prices, settings), entry.get("budget_usd")
    check_budget(budget)
    if price is None and (budget is not None or money.total_usd is not None):
        raise PlotChainError(
            f"a budget needs a price, and none is known of {entry['kind']} "
            f"'{settings.get('model')}'; add it to {money.price_file}, with its date and source"
        )
    return {
        "price": asdict(price) if price else None,
        "budget_usd": budget,
        "total_usd": money.total_usd,
    }
