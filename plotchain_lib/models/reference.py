"""The ceiling of episodes: submits the script or the spec that the reference was drawn from."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from plotchain_lib.item import Item, Request, Response
from plotchain_lib.models import _submitting, check_names

sees_picture = False
runs_in_pool = False
answers = ("episode",)

_NAME = "reference"


def check(settings: Mapping[str, Any]) -> None:
    """It has no settings."""
    check_names(settings, required=set(), optional=set())


def material(source: Path, item: Item) -> Mapping[str, Any] | None:
    """The reference's script."""
    return _submitting.material(source, item, (_NAME,))


def answer(request: Request) -> Response:
    """The script, then the end."""
    return _submitting.answer(request, _NAME)
