"""The floor: answers constants fitted without looking. It never sees the picture.

Its source is a dataset's ``floor.json``::

    {"rule": "calibration" | "two-fold",
     "shards": {shard: {"folds": [{"items": null | [item ids], "constants": {field: number}}]}}}

A constant may be a text: then it is the whole answer of an item with one field.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from plotchain_lib.item import Item, PlotChainError, Request, Response
from plotchain_lib.models import check_names

sees_picture = False
runs_in_pool = False

_MEND = "delete it and run again"


def check(settings: Mapping[str, Any]) -> None:
    """It has no settings."""
    check_names(settings, required=set(), optional=set())


def material(source: Path, item: Item) -> Mapping[str, Any] | None:
    """The constants of the item's own fold, and no more: another shard's change is not its own."""
    try:
        status = source.stat()
        shards = _shards(source, status.st_mtime_ns, status.st_size)
    except OSError as error:
        raise PlotChainError(
            f"{source}: the blind constants cannot be read ({error.strerror}); run again"
        ) from error
    if item.shard not in shards:
        raise PlotChainError(f"{source}: no constants for shard '{item.shard}'; {_MEND}")
    try:
        for fold in shards[item.shard]["folds"]:
            if fold["items"] is None or item.id in fold["items"]:
                return {"constants": _constants(fold["constants"], item)}
    except (KeyError, TypeError, ValueError) as error:
        raise PlotChainError(
            f"{source}: shard '{item.shard}' lacks a constant or a key ({error}); {_MEND}"
        ) from error
    raise PlotChainError(f"{source}: no fold of '{item.shard}' holds item '{item.id}'; {_MEND}")


def answer(request: Request) -> Response:
    """One JSON object, the constants in the order the fields are asked; or the one text."""
    constants = request.material["constants"]
    chosen = {name: constants[name] for name in request.fields}
    texts = [value for value in chosen.values() if isinstance(value, str)]
    text = texts[0] if texts else json.dumps(chosen)
    return Response("answered", text=text, served_model="blind")


def _constants(constants: Mapping[str, Any], item: Item) -> dict[str, float | str]:
    chosen = {field.name: constants[field.name] for field in item.fields}
    for name, value in chosen.items():
        if isinstance(value, str) and value and len(chosen) == 1:
            continue
        if isinstance(value, bool) or not math.isfinite(value):
            raise ValueError(f"'{name}' is {value}")
    return chosen


@lru_cache(maxsize=8)
def _shards(source: Path, _mtime_ns: int, _size: int) -> dict[str, Any]:
    try:
        shards = json.loads(source.read_text(encoding="utf-8"))["shards"]
    except (ValueError, KeyError, TypeError) as error:
        raise PlotChainError(f"{source}: not a floor file ({error}); {_MEND}") from error
    if not isinstance(shards, dict):
        raise PlotChainError(f"{source}: not a floor file ('shards' is no object); {_MEND}")
    return shards
