"""What local agents share: a script written in one turn, and the end said in the next.

Their source is a dataset's ``floor.json``, whose shards hold for every item ``scripts``, the name
of each local agent to what it submits.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from plotchain_lib.item import Item, PlotChainError, Request, Response

_MEND = "delete it and run again"
_SUBMISSION = "make_figure.py"


def material(source: Path, item: Item, names: Sequence[str]) -> Mapping[str, Any]:
    """The scripts of the agents called so. Raises PlotChainError where one is missing."""
    try:
        status = source.stat()
        scripts = _scripts(source, status.st_mtime_ns, status.st_size)[item.id]
        return {"scripts": {name: scripts[name] for name in names}}
    except OSError as error:
        raise PlotChainError(
            f"{source}: the agents' scripts cannot be read ({error.strerror}); run again"
        ) from error
    except KeyError as error:
        raise PlotChainError(
            f"{source}: no script {error} for item {item.id!r}; {_MEND}"
        ) from error


@lru_cache(maxsize=4)
def _scripts(source: Path, _mtime_ns: int, _size: int) -> dict[str, Mapping[str, str]]:
    try:
        shards = json.loads(source.read_text(encoding="utf-8"))["shards"]
        found = [shard["scripts"] for shard in shards.values()]
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise PlotChainError(f"{source}: holds no agents' scripts ({error}); {_MEND}") from error
    return {item: scripts for shard in found for item, scripts in shard.items()}


def answer(request: Request, name: str) -> Response:
    """The script of the agent called so as an episode's first action, then its end."""
    if len(request.messages) > 1:
        return Response("answered", text="```done\n```", served_model=request.kind)
    script = request.material["scripts"][name].rstrip()
    # A fence longer than any in the script, which may hold fences of its own.
    fence = "`" * (1 + max([2, *(len(run) for run in re.findall("`+", script))]))
    text = f"{fence}write {_SUBMISSION}\n{script}\n{fence}"
    return Response("answered", text=text, served_model=request.kind)
