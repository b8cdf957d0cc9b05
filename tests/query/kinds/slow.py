"""A model for tests: it looks, takes its time in the pool, and answers with its process's id."""

import json
import os
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from plotchain_lib.item import Item, Request, Response

sees_picture = True
runs_in_pool = True


def check(settings: Mapping[str, Any]) -> None:
    """Anything goes."""


def material(source: Path, item: Item) -> Mapping[str, Any] | None:
    """None needed."""
    return {}


def answer(request: Request) -> Response:
    """Sleep as long as the settings say; die where they say so."""
    if request.settings.get("dies"):
        os._exit(1)
    time.sleep(request.settings.get("seconds", 0.0))
    return Response("answered", text=json.dumps({"pid": os.getpid()}))
