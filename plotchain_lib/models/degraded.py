"""The reference with one decision broken, to see that judging charges that decision alone.

Its setting ``decision`` says which; a task that does not make it gets the whole reference.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from plotchain_lib.item import Item, PlotChainError, Request, Response
from plotchain_lib.models import _submitting, check_names

sees_picture = False
runs_in_pool = False
answers = ("episode",)

DECISIONS = (
    "data_selection", "encoding", "overlays", "panel_layout", "axis_scales", "series_completeness",
)  # fmt: skip


def check(settings: Mapping[str, Any]) -> None:
    """It needs ``decision``. Raises PlotChainError where that is none of DECISIONS."""
    check_names(settings, required={"decision"}, optional=set())
    if settings["decision"] not in DECISIONS:
        raise PlotChainError(
            f"decision: {settings['decision']!r}; use one of {', '.join(DECISIONS)}"
        )


def material(source: Path, item: Item) -> Mapping[str, Any] | None:
    """The scripts of all broken references."""
    return _submitting.material(source, item, [f"degraded-{decision}" for decision in DECISIONS])


def answer(request: Request) -> Response:
    """The script, then the end."""
    return _submitting.answer(request, f"degraded-{request.settings['decision']}")
