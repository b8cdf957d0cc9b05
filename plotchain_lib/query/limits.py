"""How much may be asked of a provider at once and a minute, as the configuration says."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from plotchain_lib.item import PlotChainError
from plotchain_lib.query import limits_path
from plotchain_lib.query.money import Terms


@dataclass(frozen=True, slots=True)
class Limits:
    """A model's limits, and how long it is waited for.

    Attributes:
        requests_per_minute, tokens_per_minute: None where there is no limit.
        concurrency: calls in flight at most; None where there is no limit.
        outage_s: how long an outage may last before the calls it holds back end pending.
        patience_s: how long a call is sent again after its first failure.
        run: which start of Snakemake the call belongs to.
    """

    requests_per_minute: int | None = None
    tokens_per_minute: int | None = None
    concurrency: int | None = None
    outage_s: float = 300.0
    patience_s: float = 600.0
    run: str = ""

    @staticmethod
    def of(settings: Mapping[str, Any], run: str) -> Limits:
        """From the settings of a model; those that are no limits are passed over."""
        given = {name: settings[name] for name in LIMITS if settings.get(name) is not None}
        return Limits(**given, run=run)


LIMITS = tuple(name for name in Limits.__dataclass_fields__ if name != "run")


def check_limits(settings: Mapping[str, Any]) -> None:
    """Raise PlotChainError where a limit is no number, or so small that nothing would be sent."""
    for name in LIMITS:
        value = settings.get(name)
        whole = not name.endswith("_s")
        known = isinstance(value, int if whole else int | float) and not isinstance(value, bool)
        if value is not None and not (known and value >= (1 if whole else 0)):
            numbers = "a whole number from 1 on" if whole else "seconds"
            raise PlotChainError(f"{name}: {value!r} is no limit; give {numbers}")


class LimitsFiles:
    """The limits of the models of each working folder, as its last start of Snakemake wrote them.

    A file beside the cache, not a part of the call: a changed limit changes no job.
    """

    def __init__(self, cache: Path) -> None:
        """`cache` is the cache's folder."""
        self._cache = cache
        self._read: dict[Path, tuple[str, dict[str, Mapping[str, Any]]]] = {}

    def of(self, folder: Path, model: str) -> tuple[Limits, Terms]:
        """The limits and the price of a model of that folder; none where nobody wrote any.

        Raises PlotChainError where the file cannot be read.
        """
        path = limits_path(self._cache, folder)
        try:
            status = path.stat()
            run = f"{folder} {status.st_mtime_ns} {status.st_ino}"
            if self._read.get(path, ("",))[0] != run:
                self._read[path] = run, json.loads(path.read_bytes())
            entry = self._read[path][1].get(model, {})
            return Limits.of(entry, run), Terms.of(entry)
        except FileNotFoundError:
            return Limits(run=str(folder)), Terms()
        except (OSError, ValueError, TypeError, AttributeError) as error:
            raise PlotChainError(f"{path}: no limits ({error}); run Snakemake again") from error
