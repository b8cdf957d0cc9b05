"""How each kind of plot is read: one module a kind, chosen by the fields that are asked.

A module has ``FIELDS``, the names it can answer, and ``read(scene, prompt) -> Reading``, which may
raise UnreadableError where nothing can be read.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

from plotchain_lib.models.reader.scene import Scene
from plotchain_lib.models.reader.seen import Reading, UnreadableError


@cache
def _modules() -> tuple[Any, ...]:
    names = sorted(module.name for module in iter_modules(__path__))
    return tuple(import_module(f"{__name__}.{name}") for name in names)


def find_family(fields: tuple[str, ...]) -> Callable[[Scene, str], Reading]:
    """How the kind of plot with these fields is read. Raises UnreadableError for unknown ones."""
    for module in _modules():
        if set(fields) <= module.FIELDS:
            read: Callable[[Scene, str], Reading] = module.read
            return read
    raise UnreadableError(f"no kind of plot is known that has the fields {', '.join(fields)}")
