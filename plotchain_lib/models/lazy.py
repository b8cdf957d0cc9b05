"""The floor of episodes: draws without deciding anything.

Its setting ``figure`` says what: all ``columns`` as lines, the raw ``table``, or ``nothing``.
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

FIGURES = ("columns", "table", "nothing")


def check(settings: Mapping[str, Any]) -> None:
    """It needs ``figure``. Raises PlotChainError where that is none of FIGURES."""
    check_names(settings, required={"figure"}, optional=set())
    if settings["figure"] not in FIGURES:
        raise PlotChainError(f"figure: {settings['figure']!r}; use {' or '.join(FIGURES)}")


def material(source: Path, item: Item) -> Mapping[str, Any] | None:
    """The scripts of all lazy agents."""
    return _submitting.material(source, item, [f"lazy-{figure}" for figure in FIGURES])


def answer(request: Request) -> Response:
    """The script, then the end."""
    return _submitting.answer(request, f"lazy-{request.settings['figure']}")
