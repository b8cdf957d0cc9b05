"""The reference figure of an item: its picture, its spec, and what is drawn of it here and now."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from plotchain_lib.item import Item, PlotChainError
from plotchain_lib.suites.matplotgym.catalogue import task_of
from plotchain_lib.suites.matplotgym.decisions import compare
from plotchain_lib.suites.matplotgym.floor import reference_script
from plotchain_lib.suites.matplotgym.sandbox import Runs
from plotchain_lib.suites.matplotgym.submissions import run_script, scoring_sandbox
from plotchain_lib.suites.matplotgym.task import shipped_spec

SPEC = "spec"  # the key of the reference's spec in a shard's geometry


@cache
def _runs() -> Runs:
    # The script is the task's own, not an agent's: where nothing can be sealed it runs all the same
    return scoring_sandbox(unsealed=True)


def render(item: Item) -> tuple[bytes, Mapping[str, Any], Mapping[str, Any]]:
    """PNG bytes, ``{"spec": the shipped spec}``, and decision to score of what was drawn just now.

    Raises PlotChainError where the reference draws nothing.
    """
    task = task_of(item)
    spec = shipped_spec(task)
    found = run_script(item, reference_script(task), _runs())
    if found.spec is None or found.picture is None:
        raise PlotChainError(
            f"{task.folder}: its reference figure cannot be drawn ({found.failure} {found.reason})"
        )
    measured = compare(spec, found.spec)
    return found.picture, {SPEC: spec}, {k: v for k, v in measured.items() if v is not None}
