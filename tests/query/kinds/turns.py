"""A local model for tests that says one text a turn, from its material."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from plotchain_lib.item import Item, Request, Response

sees_picture = False
runs_in_pool = False


def check(settings: Mapping[str, Any]) -> None:
    """Anything goes."""


def material(source: Path, item: Item) -> Mapping[str, Any] | None:
    """The item's texts."""
    texts = json.loads(source.read_bytes()).get(item.id)
    return None if texts is None else {"texts": texts}


def answer(request: Request) -> Response:
    """The text of this turn."""
    turn = sum(message["role"] == "assistant" for message in request.messages)
    return Response("answered", text=request.material["texts"][turn])
