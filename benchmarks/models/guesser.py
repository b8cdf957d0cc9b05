"""A model for the benchmarks: it is shown the picture and answers every field at once, wrongly."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from plotchain_lib.item import Item, Request, Response
from plotchain_lib.models import check_names

sees_picture = True
runs_in_pool = False


def check(settings: Mapping[str, Any]) -> None:
    """`number` tells one guesser from another."""
    check_names(settings, required={"number"}, optional=set())


def material(source: Path, item: Item) -> Mapping[str, Any] | None:
    """It has no source."""
    return {}


def answer(request: Request) -> Response:
    """Numbers that follow from the picture, the guesser and the repeat."""
    seed = f"{request.settings['number']} {request.repeat} ".encode() + (request.picture or b"")
    digest = hashlib.sha256(seed).digest()
    values = {name: digest[i % 32] / 10 for i, name in enumerate(request.fields)}
    return Response("answered", text=json.dumps(values), latency_s=0.0)
