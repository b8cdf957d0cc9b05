"""What was paid through a cache, and what may still be: budgets hold before they are passed.

Every paid answer is a line of ``<cache>/spending.jsonl`` the moment its reply is complete. A budget
counts all of them, since the cache began: a run that is started again does not pay again, and one
that may not go on says so until its budget is raised.
"""

from __future__ import annotations

import asyncio
import json
import os
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from plotchain_lib.item import Response
from plotchain_lib.prices import Price

SPENDING = "spending.jsonl"


class OverBudgetError(Exception):
    """A call that a budget does not cover: one line that says which, and what is left."""


@dataclass(frozen=True, slots=True)
class Terms:
    """What the calls of a model cost, and how much they may.

    Attributes:
        price: None where it is not known; then there is no budget either.
        budget_usd: of the model; None where it has none.
        total_usd: of all models together; None where there is none.
    """

    price: Price | None = None
    budget_usd: float | None = None
    total_usd: float | None = None

    @staticmethod
    def of(record: Mapping[str, Any]) -> Terms:
        """From a model's entry of the limits' file."""
        price = record.get("price")
        return Terms(
            Price(**price) if price else None, record.get("budget_usd"), record.get("total_usd")
        )

    def cost(self, response: Response) -> float | None:
        """US dollars of an answer: as the provider says, or by the price; None where unknown."""
        if response.cost_usd is not None:
            return response.cost_usd
        return self.price.cost(response) if self.price else None


class Purse:
    """The money of one cache. Lives in one event loop; what other processes pay counts as well."""

    def __init__(self, cache: Path) -> None:
        """`cache` is the cache's folder. What was paid before counts."""
        self._path = cache / SPENDING
        self._spent = spent(cache)
        self._read_bytes = _size(self._path)  # of the ledger: ours, and what was there
        self._held: defaultdict[str, float] = defaultdict(float)
        self._changed = asyncio.Condition()

    async def hold(self, label: str, terms: Terms, input_tokens: int, output_tokens: int) -> float:
        """Lay aside the most that a call can cost, in US dollars; to be given to `settle`.

        Waits while calls in flight may yet turn out cheaper. Raises OverBudgetError.
        """
        most = terms.price.of(input_tokens, output_tokens) if terms.price else 0.0
        async with self._changed:
            if _size(self._path) != self._read_bytes:
                self._read_bytes = _size(self._path)
                self._spent = spent(self._path.parent)
            while problem := self._problem(label, terms, most):
                # Nothing of ours in flight can come back cheaper: it will not get better.
                if not self._may_free(label, terms):
                    raise OverBudgetError(problem)
                await self._changed.wait()
            self._held[label] += most
        return most

    async def settle(self, label: str, held: float, cost: float | None, key: str) -> None:
        """Give back what was laid aside, and write down what was paid; None: nothing was."""
        if cost:
            self._spent[label] += cost
            entry = {"cost_usd": cost, "key": key, "model": label}
            self._read_bytes += _append(self._path, entry)
        async with self._changed:
            self._held[label] -= held
            self._changed.notify_all()

    def spent(self, label: str) -> float:
        """US dollars paid for a model."""
        return self._spent[label]

    def _problem(self, label: str, terms: Terms, most: float) -> str:
        for whose, budget, paid, held in (
            (f"for {label}", terms.budget_usd, self._spent[label], self._held[label]),
            (
                "for all models",
                terms.total_usd,
                sum(self._spent.values()),
                sum(self._held.values()),
            ),
        ):
            if budget is not None and paid + held + most > budget:
                return (
                    f"the budget {whose} of ${budget:.2f} does not cover the next call "
                    f"(${paid:.4f} paid, up to ${most:.4f} more); raise budget_usd"
                )
        return ""

    def _may_free(self, label: str, terms: Terms) -> bool:
        total = sum(self._held.values()) if terms.total_usd is not None else 0.0
        return max(self._held[label], total) > 1e-12


def spent(cache: Path) -> defaultdict[str, float]:
    """US dollars paid through a cache, by the model's label. A line cut off by a crash is none."""
    paid: defaultdict[str, float] = defaultdict(float)
    try:
        lines = (cache / SPENDING).read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        return paid
    for line in lines:
        try:
            entry = json.loads(line)
            paid[str(entry["model"])] += float(entry["cost_usd"])
        except (ValueError, KeyError, TypeError):
            continue
    return paid


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0


def _append(path: Path, entry: Mapping[str, Any]) -> int:
    """One line in one write, on the disk before anything else is paid; how many bytes."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644)
    try:
        line = json.dumps(entry, sort_keys=True) + "\n"
        size = os.fstat(descriptor).st_size
        if size and os.pread(descriptor, 1, size - 1) != b"\n":  # a line a crash cut off
            line = "\n" + line
        written = os.write(descriptor, line.encode())
        os.fsync(descriptor)
        return written
    finally:
        os.close(descriptor)
