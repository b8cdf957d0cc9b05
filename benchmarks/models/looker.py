"""A model for the benchmark alone: it is shown the picture and answers at once."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from plotchain_lib.item import Item, Request, Response
from plotchain_lib.models import check_names

sees_picture = True
runs_in_pool = False


def check(settings: Mapping[str, Any]) -> None:
    """It has no settings."""
    check_names(settings, required=set(), optional=set())


def material(source: Path, item: Item) -> Mapping[str, Any] | None:
    """It has no source."""
    return {}


def answer(request: Request) -> Response:
    """The picture's size, to show that it arrived."""
    size = 0 if request.picture is None else len(request.picture)
    return Response("answered", text=f'{{"bytes": {size}}}')
